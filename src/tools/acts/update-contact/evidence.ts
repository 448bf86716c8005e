/** What a change of the contact is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import type { Booking } from '../../../domain/booking/booking.ts';
import type { ContactChange } from '../../../domain/booking/expected-change.ts';
import { type ContactDetail, contactText, type Digest, isBlank } from '../../../domain/people/identity-text.ts';
import type { Contact } from '../../../domain/people/traveler.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { compared, together } from '../../../journal/evidence.ts';

export type UpdateContact = { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] };

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const CONTACT: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

export function expectUpdatedContact(booking: Booking, wanted: Contact, digest: Digest): UpdateContact {
  const changes = CONTACT.flatMap((detail): ContactChange[] => {
    const before = booking.contact === undefined ? '' : contactText(booking.contact, detail);
    const after = contactText(wanted, detail);
    if (before === after) return [];
    return [{ detail, was: digest(before), wanted: digest(after), ...(isBlank(before) && { unseen: true }) }];
  });
  return { kind: 'update_contact', changes };
}

export const contactEvidence: ActEvidence<UpdateContact> = {
  kind: 'update_contact',
  reading({ changes }, { contact }, { digest }) {
    if (contact === undefined) return 'void';
    return together(changes.map((change) => compared(digest(contactText(contact, change.detail)), change)));
  },
  toCheck: () => 'which contact the booking has now',
};
