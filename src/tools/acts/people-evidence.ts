/**
 * Which details of passengers or of the contact an act is expected to change, and what proves it (docs/wire/notes.md,
 * Changes): first for names, then for other details of passengers, then for the contact. Details are kept as digests: the journal
 * has no personal data.
 */
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

/** What change_names can change. The details of one passenger are compared together: all of them change, or none. */
const NAME_DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectChangedNames(booking: Booking, wanted: readonly Traveler[], digest: Digest): ChangeNames {
  const changes = changedTravelers(booking, wanted, NAME_DETAILS).flatMap((changed) =>
    changed.details.length === 0 ? [] : digestedChange(changed, changed.details, digest),
  );
  return { kind: 'change_names', changes };
}

export const namesEvidence: ActEvidence<ChangeNames> = {
  kind: 'change_names',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => 'which names the booking has now',
};

export type UpdatePassengers = { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] };

/** What update_passenger can change. Each is compared by itself: an airline may show some afterwards and not others. */
const PASSENGER_DETAILS: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectUpdatedPassengers(
  booking: Booking,
  wanted: readonly Traveler[],
  digest: Digest,
): UpdatePassengers {
  const changes = changedTravelers(booking, wanted, PASSENGER_DETAILS).flatMap((changed) =>
    changed.details.map((detail): NameChange => {
      const { before, after } = changed;
      const otherProofs = detail === 'phone' ? otherPhones(before, after) : [];
      const or = otherProofs.map((traveler) => digest(detailsText(traveler, [detail])));
      return {
        ...digestedChange(changed, [detail], digest),
        ...(or.length > 0 && { or }),
        unseen: isBlank(detailText(before, detail)) || undefined,
      };
    }),
  );
  return { kind: 'update_passengers', changes };
}

/**
 * Gives the traveller with the old telephones beside the new one, and with the new one alone: either proves the change
 * (docs/wire/notes.md, Changes).
 */
function otherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const phonesText = (traveler: Traveler) => detailText(traveler, 'phone');
  const oldTexts = before.phones.map((phone) => phonesText({ ...before, phones: [phone] }));
  const added = after.phones.filter((phone) => !oldTexts.includes(phonesText({ ...before, phones: [phone] })));
  if (added.length === 0) return [];
  const withOldPhones = { ...after, phones: [...before.phones, ...added] };
  const withNewPhones = { ...after, phones: added };
  return [withOldPhones, withNewPhones].filter((traveler) => phonesText(traveler) !== phonesText(after));
}

export const detailsEvidence: ActEvidence<UpdatePassengers> = {
  kind: 'update_passengers',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => "which of the passengers' details the booking has now",
};

interface ChangedTraveler {
  readonly before: Traveler;
  readonly after: Traveler;
  /** The details that differ; may be empty. */
  readonly details: readonly TravelerDetail[];
}

/** Finds the wanted travellers in the booking by ref, each with those of `details` that differ. */
function changedTravelers(
  { travelers }: Booking,
  wanted: readonly Traveler[],
  details: readonly TravelerDetail[],
): readonly ChangedTraveler[] {
  return wanted.flatMap((after) => {
    const before = travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    const differs = (detail: TravelerDetail) => detailText(before, detail) !== detailText(after, detail);
    return [{ before, after, details: details.filter(differs) }];
  });
}

/** Writes one change of a passenger: digests of these details before it and after it. */
function digestedChange(
  { before, after }: ChangedTraveler,
  details: readonly TravelerDetail[],
  digest: Digest,
): NameChange {
  const detailsDigest = (traveler: Traveler) => digest(detailsText(traveler, details));
  return { ref: after.ref, details, was: detailsDigest(before), wanted: detailsDigest(after) };
}

/** Finds the passengers by ref: these acts remove nobody, so that the refs stay. */
function judgeTravelers(changes: readonly NameChange[], booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details)), change);
    }),
  );
}

export type UpdateContact = { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] };

/** What update_contact can change. Each is compared by itself: an airline may show some afterwards and not others. */
const CONTACT_DETAILS: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

export function expectUpdatedContact(booking: Booking, wanted: Contact, digest: Digest): UpdateContact {
  const changes = CONTACT_DETAILS.flatMap((detail): ContactChange[] => {
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
    // A reading without a contact proves nothing: not every reply has it.
    if (contact === undefined) return 'void';
    return together(changes.map((change) => compared(digest(contactText(contact, change.detail)), change)));
  },
  toCheck: () => 'which contact the booking has now',
};
