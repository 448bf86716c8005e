/** Checks new details of passengers and contacts, and shows them beside the old ones, for the acts that change them. */
import { cleanCode, cleanRef, quoted } from '../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../core/errors.ts';
import type { DetailsCard } from '../../details/ports.ts';
import { activeSegments, type Booking } from '../../domain/booking/booking.ts';
import type { NameChange } from '../../domain/booking/expected-change.ts';
import type { EnteredDetails } from '../../domain/people/entered-details.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { emailText, maskEmail, maskNumber } from '../../domain/people/mask-personal-data.ts';
import { type AgeType, firstMisfit } from '../../domain/people/passenger-age.ts';
import {
  documentKind,
  emailKey,
  type PersonName,
  type Phone,
  type TravelDocument,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { ArgsOf } from '../definition/define.ts';
import type { detailFields, PhoneInput } from '../definition/input-fields.ts';
import { oneByRef, unknownRefs } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { assertEntered, checkDocument, lastArrival, sentDocument, sentPhone } from '../rules/passenger-details.ts';
import { notSent } from '../rules/why-not.ts';
import { quotedName } from '../views/terms-text.ts';

/** The passenger with this ref. Throws E_INPUT with the refs of the booking. `field`: the change's path. */
export function findPassenger(booking: Booking, ref: string, field: string): Traveler {
  return oneByRef(booking.travelers, ref, `${field}.passenger_ref`, HAS);
}

/**
 * The passengers as the changes want them. Throws E_INPUT with all that is wrong with the changes.
 * @param areEntered by now or before, on the details page
 */
export function wantedTravelers<C extends { readonly passenger_ref: string }>(
  booking: Booking,
  changes: readonly C[],
  areEntered: boolean,
  merged: (booking: Booking, change: C, field: string, problems: InputProblems) => Traveler,
) {
  assertPassengers(booking, changes);
  const problems = new InputProblems(areEntered);
  const wanted = changes.map((each, i) => merged(booking, each, `changes[${i}]`, problems));
  checkDocumentsDiffer(booking, wanted, problems);
  problems.assertNone();
  return { wanted, warnings: problems.warnings };
}

interface ChangesInput<C> {
  readonly changes: readonly C[];
  readonly details?: string | undefined;
}

/** The changes with what was entered on the details page; a field that was left blank there stays as the call says. */
export function withEntered<C extends object>(
  { changes, details }: ChangesInput<C>,
  entered: readonly EnteredDetails[] | undefined,
): readonly (C & Partial<EnteredDetails>)[] {
  if (details === undefined) return changes;
  assertEntered(entered, changes.length);
  return changes.map((change, i) => ({ ...change, ...entered[i] }));
}

/**
 * A warning for each passenger for whom another birth date was entered than the booking has: the details may be somebody
 * else's, also where the names are the same. No date is said.
 */
export function otherBirthDates(
  booking: Booking,
  changes: readonly { readonly passenger_ref: string }[],
  entered: readonly EnteredDetails[] = [],
): readonly string[] {
  return changes.flatMap(({ passenger_ref: ref }, i) => {
    const was = findPassenger(booking, ref, `changes[${i}]`).birthDate;
    const now = entered[i]?.birth_date;
    if (was === undefined || now === undefined || was === now) return [];
    return [
      `Passenger ${cleanRef(ref)}: the birth date that was entered is not the one in the booking. If it was not to be corrected, ask whose details these are.`,
    ];
  });
}

/** One card for each change. A type that the page does not know is an adult's, as far as ages go. */
export function changeCards(
  booking: Booking,
  changes: readonly { readonly passenger_ref: string }[],
): readonly DetailsCard[] {
  assertPassengers(booking, changes);
  return changes.map(({ passenger_ref: ref }, i) => {
    const { type, name } = findPassenger(booking, ref, `changes[${i}]`);
    return { type: CARD_TYPES.find((each) => each === type) ?? 'ADT', asks: name === undefined ? 'unnamed' : 'named' };
  });
}

const CARD_TYPES: readonly AgeType[] = ['ADT', 'CHD', 'INF'];

/** Each is a passenger of the booking, and is named once. Throws E_INPUT with all that are not. */
function assertPassengers(booking: Booking, changes: readonly { readonly passenger_ref: string }[]): void {
  const refs = changes.map((each) => each.passenger_ref);
  const faults = refs.flatMap((ref, i): readonly InputFault[] => {
    const field = `changes[${i}].passenger_ref`;
    if (refs.indexOf(ref) !== i) return [{ field, problem: 'expected each passenger once.' }];
    return unknownRefs(booking.travelers, [ref], field, HAS);
  });
  if (faults.length > 0) throw inputFaults(faults);
}

const HAS = 'the booking has';

type GivenDetails = ArgsOf<typeof detailFields> & {
  readonly email?: string | undefined;
  readonly phone?: PhoneInput | undefined;
};

/** The passenger with the given details, the others unchanged. Age and document are checked as at booking. */
export function mergedDetails(
  booking: Booking,
  before: Traveler,
  given: GivenDetails,
  field: string,
  problems: InputProblems,
): Traveler {
  const segments = activeSegments(booking);
  const misfit = given.birth_date && firstMisfit(before.type, given.birth_date, segments);
  if (misfit) problems.add(`${field}.birth_date`, `expected the age of ${before.type} on ${misfit.date}`);
  const place = { field: `${field}.document`, holder: quotedName(before.name) };
  if (given.document) checkDocument(given.document, lastArrival(segments), place, problems);
  return {
    ...before,
    gender: given.gender ?? before.gender,
    birthDate: given.birth_date ?? before.birthDate,
    document: given.document ? sentDocument(given.document) : before.document,
    emails: emailsWith(before.emails, given.email),
    phones: phonesWith(before.phones, given.phone),
  };
}

/** Those of `wanted` that really change. Throws E_ALREADY_DONE if none does. `what`: `names`. */
export function changedOnly(
  booking: Booking,
  wanted: readonly Traveler[],
  expected: { readonly changes: readonly NameChange[] },
  what: string,
): readonly Traveler[] {
  const refs = expected.changes.map(({ ref }) => ref);
  const changed = wanted.filter(({ ref }) => refs.includes(ref));
  if (changed.length > 0) return changed;
  const held = `Booking ${booking.locator} holds these details already.`;
  throw notSent('E_ALREADY_DONE', held, `Call read_booking to see the ${what}.`);
}

/** A new document number must not be another passenger's on the booking. */
function checkDocumentsDiffer(booking: Booking, wanted: readonly Traveler[], problems: InputProblems): void {
  const documentNumber = (traveler: Traveler | undefined) => foldName(traveler?.document?.number ?? '');
  const after = booking.travelers.map((person) => wanted.find(({ ref }) => ref === person.ref) ?? person);
  for (const [i, traveler] of wanted.entries()) {
    const number = documentNumber(traveler);
    if (number === documentNumber(booking.travelers.find(({ ref }) => ref === traveler.ref))) continue;
    const other = after.find((passenger) => passenger.ref !== traveler.ref && documentNumber(passenger) === number);
    if (other === undefined) continue;
    problems.add(`changes[${i}].document.number`, `expected another number than passenger ${other.ref} has`);
  }
}

/** One line for each entry that has words: `  e-mail: was …, now …`. */
export function changedLines(shown: Readonly<Record<string, string | undefined>>, indent = '  '): readonly string[] {
  return Object.entries(shown).flatMap(([what, words]) => (words === undefined ? [] : [`${indent}${what}: ${words}`]));
}

/**
 * Changes of a passenger other than the name, for people.
 * @param areEntered by now or before, on the details page: no birth date and no day of expiry is said
 */
export function detailLines(before: Traveler, after: Traveler, areEntered: boolean): readonly string[] {
  const changed = (was: string, now: string | undefined) => (was === now ? undefined : `was ${was}, now ${now}`);
  const born = before.birthDate === undefined ? 'none' : cleanCode(before.birthDate);
  const birthDate = areEntered ? 'changed' : changed(born, after.birthDate);
  return changedLines({
    title: changed(titleText(before.name), titleText(after.name)),
    'birth date': before.birthDate === after.birthDate ? undefined : birthDate,
    gender: before.gender === after.gender ? undefined : changed(quoted(before.gender ?? 'none', 12), after.gender),
    document: documentChange(before.document, after.document, areEntered),
    'e-mail': emailsShown(before.emails, after.emails),
    phone: phonesShown(before.phones, after.phones),
  });
}

/** Airlines store a title as prefix or as title (docs/wire/notes.md, Travellers). */
function titleText(name: PersonName | undefined): string {
  const text = [...(name?.prefix ?? []), ...(name?.title ?? [])].join(' ').trim();
  return text === '' ? 'none' : quoted(text, 20);
}

/** Masks numbers, and marks different documents that look alike when masked. */
function documentChange(
  was: TravelDocument | undefined,
  now: TravelDocument | undefined,
  areEntered: boolean,
): string | undefined {
  if (now === undefined || SENT.every((field) => was?.[field] === now[field])) return undefined;
  const shown = (document: TravelDocument | undefined) =>
    documentText(areEntered && document !== undefined ? { ...document, expires: undefined } : document);
  const alike = was?.number !== now.number && numberText(was) === numberText(now);
  const isLonger = areEntered && was?.number === now.number && was?.expires !== now.expires;
  const apart = `${alike ? ' (another number)' : ''}${isLonger ? ' (another day of expiry)' : ''}`;
  return `was ${shown(was)}, now ${shown(now)}${apart}`;
}

const SENT = ['number', 'docType', 'nationality', 'expires'] as const;

/** `passport •••••678 (SA, expires 2031-01-01)`; `document of type 9, no details known` where the airline states no more. */
function documentText(document: TravelDocument | undefined): string {
  if (document === undefined) return 'none';
  const { docType, number, nationality, expires } = document;
  const kind = kindText(docType);
  const rest = [nationality && cleanCode(nationality, 12), expires && `expires ${cleanCode(expires, 12)}`].filter(
    Boolean,
  );
  if (number === undefined && rest.length === 0) return `${kind}, no details known`;
  const named = number === undefined ? `${kind}, number not known` : `${kind} ${numberText(document)}`;
  return rest.length === 0 ? named : `${named} (${rest.join(', ')})`;
}

function kindText(docType: string | undefined): string {
  if (docType === undefined) return 'document';
  const kind = cleanCode(documentKind(docType));
  return kind === cleanCode(docType) ? `document of type ${kind}` : kind;
}

function numberText(document: TravelDocument | undefined): string {
  return document?.number === undefined ? '?' : maskNumber(cleanCode(document.number, 40));
}

export function emailsWith(before: readonly string[], email: string | undefined): readonly string[] {
  return withFirst(before, email, emailKey);
}

export function phonesWith(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  return withFirst(before, phone && sentPhone(phone), phoneText);
}

/** For a passenger who is the contact: the airline keeps old telephones (docs/wire/notes.md, Changes). */
export function phonesBeside(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  if (phone === undefined) return before;
  const fresh = sentPhone(phone);
  return before.some((known) => phoneText(known) === phoneText(fresh)) ? before : [...before, fresh];
}

export function phoneAdded(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const [fresh] = after.slice(before.length);
  if (fresh === undefined) return undefined;
  const kept = before.map((phone) => maskNumber(phoneText(phone)));
  return `now also ${phoneText(fresh)}${kept.length === 0 ? '' : `; the airline keeps ${kept.join(', ')}`}`;
}

/** Requests carry several (docs/wire/interface.md, Traveller). A new one replaces the first, the others stay. */
function withFirst<T>(before: readonly T[], fresh: T | undefined, key: (item: T) => string): readonly T[] {
  const [first, ...others] = before;
  if (fresh === undefined || (first !== undefined && key(first) === key(fresh))) return before;
  return [fresh, ...others.filter((known) => key(known) !== key(fresh))];
}

/** `was …, now …` and the others that stay; undefined if the first is unchanged. */
export function emailsShown(before: readonly string[], after: readonly string[]): string | undefined {
  const [[was], [now = '', ...others]] = [before, after];
  if ((was ?? '') === now) return undefined;
  const masked = (one: string) => `“${maskEmail(one)}”`;
  // Not quoted(), which would put a space after each full stop.
  return change(was && masked(was), `“${emailText(now)}”`, others.map(masked));
}

export function phonesShown(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const [was, now] = [phoneText(before[0]), phoneText(after[0])];
  if (was === now) return undefined;
  const others = after.slice(1).map((phone) => maskNumber(phoneText(phone)));
  return change(was && maskNumber(was), now, others);
}

function change(was: string | undefined, now: string, others: readonly string[]): string {
  const rest = others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'stays' : 'stay'}`;
  return `was ${was || 'none'}, now ${now}${rest}`;
}

/** `+966551234567`, or empty. */
function phoneText(phone: Phone | undefined): string {
  const digits = `${phone?.countryCode ?? ''}${phone?.number ?? ''}`.replace(/\D/g, '');
  return digits === '' ? '' : `+${digits}`;
}
