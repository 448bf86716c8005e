/**
 * Details of passengers that the airline holds, and new ones over them: what change_names and update_passenger share.
 */

import type { Booking } from '../../domain/booking/booking.ts';
import { activeSegments } from '../../domain/booking/expected-change.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { maskNumber } from '../../domain/people/mask-personal-data.ts';
import { firstMisfit } from '../../domain/people/passenger-age.ts';
import { documentKind } from '../../domain/people/travel-documents.ts';
import type { PersonName, TravelDocument, Traveler } from '../../domain/people/traveler.ts';
import { cleanCode, quoted } from '../../domain/time-and-text/clean-text.ts';
import { inputError } from '../../errors.ts';
import { emailsShown, phonesShown } from './emails-and-phones.ts';
import { checkDocument, type DocumentInput, type Findings, lastArrival } from './passenger-details.ts';

/** The passenger with this ref. Throws E_INPUT with the refs of the booking. */
export function passengerNamed(booking: Booking, ref: string, field: string): Traveler {
  const found = booking.travelers.find((traveler) => traveler.ref === ref);
  if (found !== undefined) return found;
  const known = booking.travelers.map((traveler) => traveler.ref).join(', ');
  throw inputError(field, `expected a ref of this booking: ${known}.`);
}

/** Each passenger once in a list of changes. */
export function assertOnce(refs: readonly string[]): void {
  const twice = refs.findIndex((ref, i) => refs.indexOf(ref) !== i);
  if (twice >= 0) throw inputError(`changes[${twice}].passenger_ref`, 'expected each passenger once.');
}

/** Age and document as the airline checks them at booking. */
export function checkDetails(
  booking: Booking,
  before: Traveler,
  given: { readonly birth_date?: string | undefined; readonly document?: DocumentInput | undefined },
  field: string,
  findings: Findings,
): void {
  const segments = activeSegments(booking);
  if (given.birth_date !== undefined) {
    const misfit = firstMisfit(before.type, given.birth_date, segments);
    if (misfit) findings.problem(`${field}.birth_date`, `expected the age of ${before.type} on ${misfit.date}`);
  }
  if (given.document === undefined) return;
  checkDocument(given.document, lastArrival(segments), `${field}.document`, findings);
}

/** A document that is new is nobody else's on the booking. */
export function checkDocumentsDiffer(booking: Booking, wanted: readonly Traveler[], findings: Findings): void {
  const numberOf = (traveler: Traveler | undefined) => foldName(traveler?.document?.number ?? '');
  const after = booking.travelers.map((one) => wanted.find(({ ref }) => ref === one.ref) ?? one);
  for (const [i, traveler] of wanted.entries()) {
    const number = numberOf(traveler);
    if (number === numberOf(booking.travelers.find(({ ref }) => ref === traveler.ref))) continue;
    const other = after.find((one) => one.ref !== traveler.ref && numberOf(one) === number);
    if (other === undefined) continue;
    findings.problem(`changes[${i}].document.number`, `expected another number than passenger ${other.ref} has`);
  }
}

/** What changes of a passenger besides the name, for a person to read. */
export function detailLines(before: Traveler, after: Traveler): readonly string[] {
  const lines: string[] = [];
  lines.push(...titleLine(before.name, after.name));
  if (before.birthDate !== after.birthDate)
    lines.push(
      `  birth date: was ${before.birthDate === undefined ? 'none' : cleanCode(before.birthDate)}, now ${after.birthDate}`,
    );
  if (before.gender !== after.gender)
    lines.push(`  gender: was ${quoted(before.gender ?? 'none', 12)}, now ${after.gender}`);
  lines.push(...documentLine(before.document, after.document));
  const [email, phone] = [emailsShown(before.emails, after.emails), phonesShown(before.phones, after.phones)];
  if (email !== undefined) lines.push(`  e-mail: ${email}`);
  if (phone !== undefined) lines.push(`  phone: ${phone}`);
  return lines;
}

/** Airlines keep a title as a prefix or as a title (docs/wire/notes.md, Travellers). */
function titleLine(was: PersonName | undefined, now: PersonName | undefined): readonly string[] {
  const [before, after] = [was, now].map((name) => shownWords([...(name?.prefix ?? []), ...(name?.title ?? [])]));
  return before === after ? [] : [`  title: was ${before}, now ${after}`];
}

function shownWords(words: readonly string[] = []): string {
  const text = words.join(' ').trim();
  return text === '' ? 'none' : quoted(text, 20);
}

/** All of a document that is sent, the number masked; two that look alike masked are told to differ. */
function documentLine(was: TravelDocument | undefined, now: TravelDocument | undefined): readonly string[] {
  if (now === undefined || SENT.every((field) => was?.[field] === now[field])) return [];
  const alike = was?.number !== now.number && numberText(was) === numberText(now);
  return [`  document: was ${documentText(was)}, now ${documentText(now)}${alike ? ' (another number)' : ''}`];
}

const SENT = ['number', 'docType', 'nationality', 'expires'] as const;

/** `passport •••••678 (SA, expires 2031-01-01)`. */
function documentText(document: TravelDocument | undefined): string {
  if (document === undefined) return 'none';
  const { docType, nationality = '?', expires = '?' } = document;
  const rest = `${shownCode(nationality)}, expires ${shownCode(expires)}`;
  return `${cleanCode(documentKind(docType))} ${numberText(document)} (${rest})`;
}

const shownCode = (text: string) => (text === '?' ? text : cleanCode(text, 12));

function numberText(document: TravelDocument | undefined): string {
  return document?.number === undefined ? '?' : maskNumber(cleanCode(document.number, 40));
}
