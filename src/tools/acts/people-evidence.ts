/** What changes of passengers or of the contact are expected to change, and what proves them (docs/wire/notes.md, Changes). */
import type { Booking } from '../../domain/booking/booking.ts';
import type { ContactChange, NameChange } from '../../domain/booking/expected-change.ts';
import {
  type ContactDetail,
  contactText,
  type Digest,
  detailsText,
  detailText,
  isBlank,
  type TravelerDetail,
} from '../../domain/people/identity-text.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import type { ActEvidence } from '../../journal/act.ts';
import { compared, together, type Verdict } from '../../journal/evidence.ts';

export type ChangeNames = { readonly kind: 'change_names'; readonly changes: readonly NameChange[] };

const DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectChangedNames(booking: Booking, wanted: readonly Traveler[], digest: Digest): ChangeNames {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find((traveler) => traveler.ref === after.ref);
    if (before === undefined) return [];
    const details = DETAILS.filter((detail) => detailText(before, detail) !== detailText(after, detail));
    if (details.length === 0) return [];
    const digested = (traveler: Traveler) => digest(detailsText(traveler, details));
    return [{ ref: after.ref, details, was: digested(before), wanted: digested(after) }];
  });
  return { kind: 'change_names', changes };
}

export const namesEvidence: ActEvidence<ChangeNames> = {
  kind: 'change_names',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => 'which names the booking has now',
};

/** Names and details of passengers, by pointer: the passengers stay the same. */
function judgeTravelers(changes: readonly NameChange[], booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details)), change);
    }),
  );
}

export type UpdatePassengers = { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] };

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const INFORMATION: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectUpdatedPassengers(
  booking: Booking,
  wanted: readonly Traveler[],
  digest: Digest,
): UpdatePassengers {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    return INFORMATION.flatMap((detail) => {
      const was = detailText(before, detail);
      if (was === detailText(after, detail)) return [];
      const digested = (traveler: Traveler) => digest(detailsText(traveler, [detail]));
      const or = detail === 'phone' ? otherPhones(before, after).map(digested) : [];
      return [
        {
          ref: after.ref,
          details: [detail],
          was: digested(before),
          wanted: digested(after),
          ...(or.length > 0 && { or }),
          unseen: isBlank(was) || undefined,
        },
      ];
    });
  });
  return { kind: 'update_passengers', changes };
}

/** Old telephones beside the new one, and the new one alone: either proves the change (docs/wire/notes.md, Changes). */
function otherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const key = (traveler: Traveler) => detailText(traveler, 'phone');
  const known = before.phones.map((phone) => key({ ...before, phones: [phone] }));
  const fresh = after.phones.filter((phone) => !known.includes(key({ ...before, phones: [phone] })));
  if (fresh.length === 0) return [];
  const others = [[...before.phones, ...fresh], fresh].map((phones) => ({ ...after, phones }));
  return others.filter((other) => key(other) !== key(after));
}

export const detailsEvidence: ActEvidence<UpdatePassengers> = {
  kind: 'update_passengers',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => "which of the passengers' details the booking has now",
};

export type UpdateContact = { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] };

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const CONTACT: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

export function expectUpdatedContact(booking: Booking, wanted: Contact, digest: Digest): UpdateContact {
  const changes = CONTACT.flatMap((detail): ContactChange[] => {
    const before = booking.contact === undefined ? '' : contactText(booking.contact, detail);
    const after = contactText(wanted, detail);
    if (before === after) return [];
    return [{ detail, was: digest(before), wanted: digest(after), unseen: isBlank(before) || undefined }];
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
