/**
 * New details of passengers and contacts, for the acts that change them: first the checks and what is sent, then the words that show
 * old and new details beside each other.
 */

import { cleanCode, cleanRef, quoted } from '../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../core/errors.ts';
import type { DetailsCard } from '../../details/details-form.ts';
import { activeSegments, type Booking, travelerAsRead } from '../../domain/booking/booking.ts';
import type { NameChange } from '../../domain/booking/expected-change.ts';
import { withoutDetails } from '../../domain/booking/shown-booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { type Digest, foldName, type TravelerDetail } from '../../domain/people/identity-text.ts';
import { emailText, maskEmail, maskNumber } from '../../domain/people/masked.ts';
import {
  documentKind,
  type EnteredDetails,
  emailKey,
  type PersonName,
  type Phone,
  type TravelDocument,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { ArgsOf, ToolContext } from '../definition/define.ts';
import type { detailFields, PhoneInput } from '../definition/input-fields.ts';
import { oneByRef, unknownRefs } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { type AgeType, firstMisfit } from '../rules/party-size.ts';
import { assertEntered, checkDocument, lastArrival, sentDocument, sentPhone } from '../rules/passenger-details.ts';
import { notSent } from '../rules/why-not.ts';
import { quotedName } from '../views/terms-text.ts';

const REFS_ARE = 'the booking has';

/** The types of passengers that the details page knows. */
const CARD_TYPES: readonly AgeType[] = ['ADT', 'CHD', 'INF'];

/** Finds the passenger with this ref. `path`: of the change in the input, `changes[0]`. Throws E_INPUT with the refs of the booking. */
export function findPassenger(booking: Booking, ref: string, path: string): Traveler {
  return oneByRef(booking.travelers, ref, `${path}.passenger_ref`, REFS_ARE);
}

/** Where a change belongs: its booking, its path in the input, `changes[0]`, and the problems of all changes. */
export interface ChangePlace {
  readonly booking: Booking;
  readonly path: string;
  readonly problems: InputProblems;
}

/** The passenger with this ref as they were read. */
export function passengerAsRead(ref: string, { booking, path }: Omit<ChangePlace, 'problems'>): Traveler {
  return travelerAsRead(booking, findPassenger(booking, ref, path));
}

/** How one act changes passengers. */
interface ChangeRules<C, E> {
  /** Gives one passenger after their change, and notes its problems. */
  readonly applyChange: (change: C, place: ChangePlace) => Traveler;
  readonly expect: (booking: Booking, wanted: readonly Traveler[], digest: Digest, stated: StatedDetails) => E;
  /** What to read again if nothing changes: `names`. */
  readonly detailsWord: string;
}

/**
 * The details of each passenger that a call states, by ref. They count as changed: whether they are what the booking has already is not
 * told, because a call could find out what was entered on the details page.
 */
export type StatedDetails = ReadonlyMap<string, readonly TravelerDetail[]>;

/**
 * Gives what a call changes of passengers: those who are sent, and as the terms show them. Throws E_INPUT with all that is wrong with the
 * changes, E_ALREADY_DONE if nothing changes.
 */
export async function changedPassengers<C extends StatedChange, E extends { readonly changes: readonly NameChange[] }>(
  booking: Booking,
  input: ChangesInput<C>,
  { applyChange, expect, detailsWord }: ChangeRules<C, E>,
  ctx: ToolContext,
) {
  // For this call or an earlier one: the terms then show no birth date and no day of expiry.
  const areEntered = await ctx.state.enteredOnPage(booking);
  const changes = withEntered(input, ctx.entered);
  assertPassengers(booking, changes);
  const problems = new InputProblems({ hidesDetails: areEntered });
  const wanted = changes.map((change, i) => applyChange(change, { booking, path: `changes[${i}]`, problems }));
  checkDocumentsDiffer(changes, problems);
  problems.assertNone();
  const stated: StatedDetails = new Map(changes.map((change) => [change.passenger_ref, statedIn(change)]));
  const subject = expect(booking, wanted, ctx.identity, stated);
  const refs = subject.changes.map(({ ref }) => ref);
  const sent = wanted.filter(({ ref }) => refs.includes(ref));
  if (sent.length === 0) {
    const problem = `Booking ${booking.locator} holds these details already.`;
    throw notSent('E_ALREADY_DONE', problem, `Call read_booking to see the ${detailsWord}.`);
  }
  return {
    areEntered,
    subject,
    sent,
    changed: withoutDetails({ travelers: sent }, booking.reading.travelers).travelers,
    whom: sent.length === 1 ? 'a passenger' : `${sent.length} passengers`,
    sold: soldFacts(booking, { passengers: sent.map(({ ref }) => ref) }),
    warnings: problems.warnings,
  };
}

interface StatedChange {
  readonly passenger_ref: string;
  readonly birth_date?: string | undefined;
  readonly document?: { readonly number: string } | undefined;
}

function statedIn({ birth_date: birthDate, document }: StatedChange): readonly TravelerDetail[] {
  return [...(birthDate === undefined ? [] : (['birth_date'] as const)), ...(document ? (['document'] as const) : [])];
}

interface ChangesInput<C> {
  readonly changes: readonly C[];
  readonly details?: string | undefined;
}

/** Adds what was entered on the details page to the changes. A field that was left blank there stays as the call says. */
export function withEntered<C extends object>(
  { changes, details }: ChangesInput<C>,
  entered: readonly EnteredDetails[] | undefined,
): readonly (C & Partial<EnteredDetails>)[] {
  if (details === undefined) return changes;
  assertEntered(entered, changes.length);
  return changes.map((change, i) => ({ ...change, ...entered[i] }));
}

/**
 * Warns about each passenger for whom another birth date was entered than the booking has: the details may be somebody else's, even
 * if the names are the same. The warning names no date.
 */
export function otherBirthDates(
  booking: Booking,
  changes: readonly { readonly passenger_ref: string }[],
  entered: readonly EnteredDetails[] = [],
): readonly string[] {
  return changes.flatMap(({ passenger_ref: ref }, i) => {
    const booked = travelerAsRead(booking, findPassenger(booking, ref, `changes[${i}]`)).birthDate;
    const corrected = entered[i]?.birth_date;
    if (booked === undefined || corrected === undefined || booked === corrected) return [];
    return [
      `Passenger ${cleanRef(ref)}: the birth date that was entered is not the one in the booking. If it was not to be corrected, ask whose details these are.`,
    ];
  });
}

/** Makes one card of the details page for each change. The page checks the age of an unknown type as an adult's. */
export function changeCards(
  booking: Booking,
  changes: readonly { readonly passenger_ref: string }[],
): readonly DetailsCard[] {
  assertPassengers(booking, changes);
  return changes.map(({ passenger_ref: ref }, i) => {
    const { type, name } = findPassenger(booking, ref, `changes[${i}]`);
    const cardType = CARD_TYPES.find((known) => known === type) ?? 'ADT';
    return { type: cardType, asks: name === undefined ? 'unnamed' : 'named' };
  });
}

/** Checks that each change names a passenger of the booking, and each passenger once. Throws E_INPUT with all that do not. */
function assertPassengers(booking: Booking, changes: readonly { readonly passenger_ref: string }[]): void {
  const refs = changes.map((change) => change.passenger_ref);
  const faults = refs.flatMap((ref, i): readonly InputFault[] => {
    const field = `changes[${i}].passenger_ref`;
    if (refs.indexOf(ref) !== i) return [{ field, problem: 'expected each passenger once.' }];
    return unknownRefs(booking.travelers, [ref], field, REFS_ARE);
  });
  if (faults.length > 0) throw inputFaults(faults);
}

type DetailsInput = ArgsOf<typeof detailFields> & {
  readonly email?: string | undefined;
  readonly phone?: PhoneInput | undefined;
};

/** Gives the passenger with the new details; the others stay. Checks age and document as at booking. */
export function mergedDetails(
  before: Traveler,
  details: DetailsInput,
  { booking, path, problems }: ChangePlace,
): Traveler {
  const { name } = findPassenger(booking, before.ref, path);
  const segments = activeSegments(booking);
  const misfit = details.birth_date && firstMisfit(before.type, details.birth_date, segments);
  if (misfit) problems.add(`${path}.birth_date`, `expected the age of ${before.type} on ${misfit.date}`);
  const documentPlace = { field: `${path}.document`, holder: quotedName(name) };
  if (details.document) checkDocument(details.document, lastArrival(segments), documentPlace, problems);
  return {
    ...before,
    gender: details.gender ?? before.gender,
    birthDate: details.birth_date ?? before.birthDate,
    document: details.document ? sentDocument(details.document) : before.document,
    otherDocuments: details.document ? undefined : before.otherDocuments,
    emails: replaceFirstEmail(before.emails, details.email),
    phones: replaceFirstPhone(before.phones, details.phone),
  };
}

/** Gives the e-mail addresses with this one as the first. An airline may list one twice. */
export function replaceFirstEmail(before: readonly string[], email: string | undefined): readonly string[] {
  if (email === undefined) return before;
  const each = new Map(before.map((known) => [emailKey(known), known]));
  return replaceFirst([...each.values()], email, emailKey);
}

/** Gives the telephones with this one as the first. */
export function replaceFirstPhone(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  return replaceFirst(before, phone && sentPhone(phone), phoneText);
}

/**
 * Adds a telephone to those of a passenger who is the contact: the airline keeps the old ones (docs/wire/notes.md, Changes).
 */
export function addPhone(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  if (phone === undefined) return before;
  const added = sentPhone(phone);
  return before.some((known) => phoneText(known) === phoneText(added)) ? before : [...before, added];
}

/** Replaces the first item; the others stay, as a request carries all of them (docs/wire/interface.md, Traveller). */
function replaceFirst<T>(before: readonly T[], fresh: T | undefined, key: (item: T) => string): readonly T[] {
  const [first, ...others] = before;
  if (fresh === undefined || (first !== undefined && key(first) === key(fresh))) return before;
  return [fresh, ...others.filter((known) => key(known) !== key(fresh))];
}

/** Refuses a document number that the call gives to two passengers. */
function checkDocumentsDiffer(changes: readonly StatedChange[], problems: InputProblems): void {
  const numbers = changes.map(({ document }) => document && foldName(document.number));
  for (const [i, number] of numbers.entries()) {
    const first = numbers.indexOf(number);
    if (number === undefined || first === i) continue;
    problems.add(`changes[${i}].document.number`, `expected another number than changes[${first}] has`);
  }
}

/** Writes one line for each detail that changes: `  e-mail: was …, now …`. */
export function changedLines(changes: Readonly<Record<string, string | undefined>>, indent = '  '): readonly string[] {
  return Object.entries(changes).flatMap(([detail, text]) =>
    text === undefined ? [] : [`${indent}${detail}: ${text}`],
  );
}

/**
 * Says for people what changes of a passenger, without the name.
 * @param areEntered whether details were entered on the details page: the lines then name no birth date and no day of expiry, and not
 *   what the booking has
 */
export function detailLines(
  booking: Booking,
  after: Traveler,
  changes: readonly NameChange[],
  areEntered: boolean,
): readonly string[] {
  const before = findPassenger(booking, after.ref, 'changes');
  const read = travelerAsRead(booking, before);
  const details = changes.filter(({ ref }) => ref === after.ref).flatMap((change) => change.details);
  const birthDateText = areEntered
    ? 'the one given now'
    : `was ${cleanCode(read.birthDate ?? 'none')}, now ${after.birthDate}`;
  const bookedGender = quoted(before.gender ?? 'none', 12);
  return changedLines({
    title: wasNow(titleText(before.name), titleText(after.name)),
    'birth date': details.includes('birth_date') ? birthDateText : undefined,
    gender: before.gender === after.gender ? undefined : wasNow(bookedGender, after.gender),
    document: details.includes('document') ? documentChange(read.document, after.document, areEntered) : undefined,
    'e-mail': emailChangeText(before.emails, after.emails),
    phone: phoneChangeText(before.phones, after.phones),
  });
}

/** `was …, now …`. Undefined if it is the same. */
export function wasNow(was: string, now: string | undefined): string | undefined {
  return was === now ? undefined : `was ${was || 'none'}, now ${now}`;
}

/** Joins the prefix and the title: airlines store a title as either (docs/wire/notes.md, Travellers). */
function titleText(name: PersonName | undefined): string {
  const text = [...(name?.prefix ?? []), ...(name?.title ?? [])].join(' ').trim();
  return text === '' ? 'none' : quoted(text, 20);
}

/** Says how a document changes, with masked numbers, and marks documents that differ although they look alike. */
function documentChange(was: TravelDocument | undefined, now: TravelDocument | undefined, areEntered: boolean): string {
  if (areEntered) return `now ${documentText(now && { ...now, number: '', expires: undefined })}`;
  const looksAlike = was?.number !== now?.number && numberText(was) === numberText(now);
  return `was ${documentText(was)}, now ${documentText(now)}${looksAlike ? ' (another number)' : ''}`;
}

/** `passport •••••678 (SA, expires 2031-01-01)`; `document of type 9, no details known` where the airline states no more. */
function documentText(document: TravelDocument | undefined): string {
  if (document === undefined) return 'none';
  const { docType, number, nationality, expires } = document;
  const kind = kindText(docType);
  const country = nationality && cleanCode(nationality, 12);
  const expiry = expires && `expires ${cleanCode(expires, 12)}`;
  const details = [country, expiry].filter(Boolean);
  if (number === undefined && details.length === 0) return `${kind}, no details known`;
  const name = number === undefined ? `${kind}, number not known` : `${kind} ${numberText(document)}`;
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

function kindText(docType: string | undefined): string {
  if (docType === undefined) return 'document';
  const kind = cleanCode(documentKind(docType));
  return kind === cleanCode(docType) ? `document of type ${kind}` : kind;
}

function numberText(document: TravelDocument | undefined): string {
  return document?.number === undefined ? '?' : maskNumber(cleanCode(document.number, 40));
}

/** Says which telephone {@link addPhone} added, and which the airline keeps. Undefined if it added none. */
export function addedPhoneText(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const [added] = after.slice(before.length);
  if (added === undefined) return undefined;
  const oldPhones = before.map((phone) => maskNumber(phoneText(phone)));
  const oldNote = oldPhones.length === 0 ? '' : `; the airline keeps ${oldPhones.join(', ')}`;
  return `now also ${phoneText(added)}${oldNote}`;
}

/** Says how the first e-mail address changes, and which others stay. Undefined if it does not change. */
export function emailChangeText(before: readonly string[], after: readonly string[]): string | undefined {
  const [was] = before;
  const [now = '', ...others] = after;
  if ((was ?? '') === now) return undefined;
  const masked = (email: string) => `“${maskEmail(email)}”`;
  // quoted() would put a space after each full stop.
  return firstChangeText(was && masked(was), `“${emailText(now)}”`, others.map(masked));
}

/** Says how the first telephone changes, and which others stay. Undefined if it does not change. */
export function phoneChangeText(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const was = phoneText(before[0]);
  const now = phoneText(after[0]);
  if (was === now) return undefined;
  const others = after.slice(1).map((phone) => maskNumber(phoneText(phone)));
  return firstChangeText(was && maskNumber(was), now, others);
}

function firstChangeText(was: string | undefined, now: string, others: readonly string[]): string {
  const othersNote = others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'stays' : 'stay'}`;
  return `was ${was || 'none'}, now ${now}${othersNote}`;
}

/** `+966551234567`, or empty. */
function phoneText(phone: Phone | undefined): string {
  const digits = `${phone?.countryCode ?? ''}${phone?.number ?? ''}`.replace(/\D/g, '');
  return digits === '' ? '' : `+${digits}`;
}
