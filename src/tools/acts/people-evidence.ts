/**
 * What change_names, update_passenger and update_contact are expected to change, and what proves it (docs/wire/notes.md, Changes): first
 * the judge of all three, then what is expected of names, of other details of passengers, and of the contact.
 *
 * Each change keeps its details as digests, because the journal has no personal data. compared() judges one change by a digest of what
 * the reading shows, and together() joins the verdicts on all changes of an operation (both in journal/evidence.ts):
 *
 *   the reading shows                                verdict
 *   `wanted`, or one of `or`, which prove it too     done
 *   `was`, what it had before                        not_done; void if that was nothing (`unseen`): it may never be shown
 *   anything else                                    contradicted
 *   nobody, or no contact                            void: not every reply has them
 */
import { listed } from '../../core/words.ts';
import type { Booking, JudgedDeed, Reading } from '../../domain/booking/booking.ts';
import { withoutGluedTitle } from '../../domain/booking/name-keys.ts';
import { detailsChanged } from '../../domain/facts/changed-details.ts';
import { type ContactChange, detailsOf, type NameChange } from '../../domain/facts/expected-change.ts';
import {
  type ContactDetail,
  contactText,
  type Digest,
  detailsText,
  detailText,
  identityText,
  isBlank,
  isMasked,
  type TravelerDetail,
} from '../../domain/people/identity-text.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import type { ActPart } from '../../journal/act.ts';
import { compared, findChanged, together, type Verdict } from '../../journal/evidence.ts';

export type ChangeNames = { readonly kind: 'change_names'; readonly changes: readonly NameChange[] };

export type UpdatePassengers = { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] };

export type UpdateContact = { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] };

/** What an act is that changes details of passengers or of the contact. */
export const changesDetails = {
  reading: ({ changes }, { reading }, { digest }) =>
    together(changes.map((change) => judgeChange(change, textsShown(change, reading, digest), digest))),
  touches: ({ changes }) => [
    { ...detailsChanged(changes), deeds: ({ reading }, digest) => detailDeeds(changes, reading, digest) },
  ],
  countedAs: 'change',
  scope: 'air:names',
  deed: 'details',
  replyLacks: 'details',
} as const satisfies Partial<ActPart<ChangeNames | UpdatePassengers | UpdateContact>>;

function judgeChange(
  change: NameChange | ContactChange,
  texts: readonly string[] | undefined,
  digest: Digest,
): Verdict {
  if (texts === undefined) return 'void';
  const verdicts = texts.map((text) => compared(digest(text), change));
  return verdicts.find((verdict) => verdict !== 'contradicted') ?? 'contradicted';
}

/** What each change did, and whether the reading shows it. */
function detailDeeds(
  changes: readonly (NameChange | ContactChange)[],
  reading: Reading,
  digest: Digest,
): readonly JudgedDeed[] {
  const judged = changes.flatMap((change) => {
    const shown = whoShown(change, reading, digest);
    if (shown === undefined || showsMasked(shown.person, detailsOf(change))) return [];
    const verdict = judgeChange(change, textsShown(change, reading, digest), digest);
    return [{ change, verdict, whose: shown.whose }];
  });

  // Where the airline shows one of the changes, it may never show what it left out before.
  const areAllUnseen = judged.every(({ verdict }) => verdict === 'void');
  const told = areAllUnseen ? judged : judged.filter(({ verdict }) => verdict !== 'void');
  const isNameless = reading.travelers.every(({ name }) => name === undefined);

  return told.map(({ change, verdict, whose }) => ({
    kind: 'details',
    segmentRefs: [],
    ...whose,
    what: listed(detailsOf(change).map((detail) => DETAIL_WORDS[detail])),
    isShown: verdict === 'done',
    isOther: verdict === 'contradicted',
    isSilent: areAllUnseen || ('ref' in change && isNameless),
  }));
}

const DETAIL_WORDS: Readonly<Record<TravelerDetail | ContactDetail, string>> = {
  name: 'name',
  title: 'title',
  gender: 'gender',
  birth_date: 'birth date',
  document: 'document',
  email: 'e-mail',
  phone: 'phone',
  address: 'address',
};

/** Whose details a change is about, in this reading. A change of an earlier version names nobody but a pointer, which can be another's now. */
function whoShown(change: NameChange | ContactChange, reading: Reading, digest: Digest) {
  if ('detail' in change) {
    const { contact } = reading;
    return contact && { person: contact, whose: { travelerRefs: [], isContact: true as const } };
  }

  const person = change.who && findChanged(reading, change, digest);
  return person && { person, whose: { travelerRefs: [person.ref] } };
}

/** Whether signs stand in the place of one of the details. */
function showsMasked(
  { name, document, emails, phones, birthDate = '' }: Contact,
  details: readonly (TravelerDetail | ContactDetail)[],
): boolean {
  const texts: Partial<Record<TravelerDetail | ContactDetail, readonly string[]>> = {
    name: name && [...name.given, ...name.middle, name.surname],
    birth_date: [birthDate],
    document: [document?.number ?? '', document?.expires ?? ''],
    email: emails,
    phone: phones.map(({ number = '' }) => number),
  };
  return details.some((detail) => texts[detail]?.some(isMasked));
}

/** What a reading shows of the details of a change, in each spelling that counts. Undefined: it shows nobody, or no contact. */
function textsShown(
  change: NameChange | ContactChange,
  { travelers, contact }: Reading,
  digest: Digest,
): readonly string[] | undefined {
  if ('detail' in change) return contact && [contactText(contact, change.detail)];
  if (travelers.length === 0) return undefined;

  const traveler = findChanged({ travelers }, change, digest);
  if (traveler === undefined) return [];

  const { name } = traveler;
  // Some airlines show a title behind the given names.
  const spellings = name === undefined ? [traveler] : [traveler, { ...traveler, name: withoutGluedTitle(name) }];
  return spellings.map((shown) => detailsText(shown, change.details));
}

/**
 * The details of each passenger that a call states, by ref. They count as changed: whether they are what the booking has already is not
 * told, because a call could find out what was entered on the details page.
 */
export type StatedDetails = ReadonlyMap<string, readonly TravelerDetail[]>;

/** What change_names can change. The details of one passenger are compared together: all of them change, or none. */
const NAME_DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** What update_passenger can change. Each is compared by itself: an airline may show some afterwards and not others. */
const PASSENGER_DETAILS: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];

/** What update_contact can change. Each is compared by itself, as those of a passenger are. */
const CONTACT_DETAILS: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

/**
 * Says which names are expected to change: one change for each passenger, with all the details that differ or that the call states.
 * @param changed the passengers as they shall be; the ref says who each is in the booking
 */
export function expectChangedNames(
  booking: Booking,
  changed: readonly Traveler[],
  digest: Digest,
  stated?: StatedDetails,
): ChangeNames {
  const changes = changedTravelers(booking, changed, NAME_DETAILS, stated).map(({ before, after, details }) =>
    digestChange(before, after, details, digest),
  );
  return { kind: 'change_names', changes };
}

/** The same for other details of passengers: one change for each detail. */
export function expectUpdatedPassengers(
  booking: Booking,
  changed: readonly Traveler[],
  digest: Digest,
  stated?: StatedDetails,
): UpdatePassengers {
  const changes = changedTravelers(booking, changed, PASSENGER_DETAILS, stated).flatMap(({ before, after, details }) =>
    details.map((detail): NameChange => {
      const otherProofs = detail === 'phone' ? travelersWithOtherPhones(before, after) : [];
      const or = otherProofs.map((traveler) => digest(detailsText(traveler, [detail])));
      const unseen = isBlank(detailText(before, detail)) ? true : undefined;
      return { ...digestChange(before, after, [detail], digest), ...(or.length > 0 && { or }), unseen };
    }),
  );
  return { kind: 'update_passengers', changes };
}

/** The same for the contact: one change for each detail that differs. */
export function expectUpdatedContact(booking: Booking, changed: Contact, digest: Digest): UpdateContact {
  const { contact: read } = booking.reading;
  const changes = CONTACT_DETAILS.flatMap((detail): ContactChange[] => {
    const before = read === undefined ? '' : contactText(read, detail);
    const after = contactText(changed, detail);
    if (before === after) return [];
    return [{ detail, was: digest(before), wanted: digest(after), unseen: isBlank(before) ? true : undefined }];
  });
  return { kind: 'update_contact', changes };
}

/** Lists the passengers of the booking of whom something differs, or is stated by the call, with these details. */
function changedTravelers(
  { reading }: Booking,
  changed: readonly Traveler[],
  possible: readonly TravelerDetail[],
  stated: StatedDetails = new Map(),
) {
  return changed.flatMap((after) => {
    const before = reading.travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    const details = possible.filter(
      (detail) => stated.get(after.ref)?.includes(detail) || detailText(before, detail) !== detailText(after, detail),
    );
    return details.length === 0 ? [] : [{ before, after, details }];
  });
}

/** Writes the change of one passenger with digests of these details, all together. */
function digestChange(
  before: Traveler,
  after: Traveler,
  details: readonly TravelerDetail[],
  digest: Digest,
): NameChange {
  const [was = '', wanted = ''] = [before, after].map((traveler) => digest(detailsText(traveler, details)));
  const who = [before, after].map((traveler) => digest(identityText(traveler)));
  return { ref: after.ref, who, details, was, wanted };
}

/**
 * Gives the passenger with other telephones that prove the change too: an airline may keep the old ones beside the added ones, or show
 * the added ones alone (docs/wire/notes.md, Changes). Telephones 1, 2, 3:
 *
 *   before    after    other proofs
 *   1         2        1 2
 *   1         1 2      2
 *   1 2       2 3      1 2 3, and 3
 *   1 2       1        none
 */
function travelersWithOtherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const phonesText = (phones: Traveler['phones']) => detailText({ ...after, phones }, 'phone');
  const oldTexts = before.phones.map((phone) => phonesText([phone]));
  const added = after.phones.filter((phone) => !oldTexts.includes(phonesText([phone])));
  if (added.length === 0) return [];
  const oldAndAdded = [...before.phones, ...added];
  const unlikeAfter = [oldAndAdded, added].filter((phones) => phonesText(phones) !== phonesText(after.phones));
  return unlikeAfter.map((phones) => ({ ...after, phones }));
}
