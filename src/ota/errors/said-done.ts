/**
 * What the airline says beside an error: that something was done all the same, and which booking it names. Its words are read
 * as English and in favour of doubt: what is read too much costs one reading of the booking.
 */
import { isObject } from '../../core/own.ts';
import { asList, readJson } from '../messages/json.ts';
import { chooseLocator, readPointer, readReferences, record } from '../messages/reader.ts';

/** Characters of an answer that are read. */
const MOST_CHARACTERS = 16_000;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** `Payment received`, `has been created`, `your card was charged`. */
const DONE = wordsOf(
  'done created made received charged debited issued ticketed refunded completed processed succeeded success successful successfully confirmed accepted',
);
/** They tell of money only with a word of it: seats are taken too. */
const PAID = wordsOf('paid taken');
const MONEY = wordsOf('payment amount money sum fare');
/** Before the word, in the same clause: it was not done, or is still to do. */
const NOT_DONE = wordsOf(
  "not cannot can't couldn't wasn't isn't hasn't never no none nothing without unable failed failure must should need needs require required please if until before be",
);
/** How many words before it count. */
const WORDS_BEFORE = 3;
/** What ends a clause. */
const CLAUSE_END = wordsOf('. ; : , ! ? ( ) but and although though however yet because while');
/** Words, and the signs that end a clause. */
const TOKENS = /[\p{L}\p{N}'\u2019]+|[.;:,!?()]/gu;

/** Whether an answer says that something was created, received, charged or done, or names a booking in words. */
export function saysSomethingDone(answer: string): boolean {
  return textsOf(answer).some((text) => saysDone(text) || locatorIn(text) !== undefined);
}

function saysDone(text: string): boolean {
  const words = text.toLowerCase().replaceAll('\u2019', "'").match(TOKENS) ?? [];
  return words.some((word, at) => {
    const before = words.slice(Math.max(0, at - WORDS_BEFORE), at);
    const clause = before.slice(before.findLastIndex((each) => CLAUSE_END.has(each)) + 1);
    const isDone = DONE.has(word) || (PAID.has(word) && clause.some((each) => MONEY.has(each)));
    return isDone && !clause.some((each) => NOT_DONE.has(each));
  });
}

/** The texts of an answer: every value of JSON, or else the answer itself. */
function textsOf(answer: string): readonly string[] {
  const head = answer.slice(0, MOST_CHARACTERS);
  const reading = readJson(answer);
  return reading.ok ? valueTexts(reading.value) : [head];
}

function valueTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.slice(0, MOST_CHARACTERS)];
  if (Array.isArray(value)) return value.flatMap(valueTexts);
  return isObject(value) ? Object.values(value).flatMap(valueTexts) : [];
}

/** `PNR K7PL2M`, `booking reference: K7PL2M`. */
const NAMES = wordsOf('pnr locator booking reservation');
/** What may stand between. */
const FILLERS = wordsOf('reference locator number code id no is : . (');
const MOST_FILLERS = 3;
const LOCATOR = /^(?=.*[A-Z])[A-Z0-9]{5,8}$/;

/** The locator in a text. In a text of capitals only, a word without a digit is taken for a word. */
function locatorIn(text: string): string | undefined {
  const isShouted = text === text.toUpperCase();
  const words = text.match(TOKENS) ?? [];

  for (const [at, word] of words.entries()) {
    if (!NAMES.has(word.toLowerCase())) continue;
    const named = words.slice(at + 1, at + 2 + MOST_FILLERS).find((each) => !FILLERS.has(each.toLowerCase())) ?? '';
    if (LOCATOR.test(named) && (!isShouted || /\d/.test(named))) return named;
  }

  return undefined;
}

/** The booking that the answer to a create names. */
export function bookingNamed(body: Readonly<Record<string, unknown>>): string | undefined {
  return locatorsNamed(body)[0];
}

/** The places of an answer that hold references. */
export function referenceLists(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const reservation = asList(body.airReservation).find(isObject);
  return [body.bookingReferenceID, body.uniqueID, reservation?.bookingReferenceID];
}

/** The bookings that an answer names: in its fields, else as a quote or in its words. */
export function locatorsNamed(body: Readonly<Record<string, unknown>>): readonly string[] {
  const inFields = referenceLists(body).map((references) => chooseLocator(readReferences(references)));
  const known = inFields.filter((id) => id !== undefined);
  if (known.length > 0) return [...new Set(known)];
  // In the airline dialect `quoteID` is the locator of a booking from counts.
  const quoted = readPointer(record(body.pricedItinerary).quoteID);
  const inWords = () => valueTexts(body).map(locatorIn);
  return [quoted, ...inWords()].filter((locator) => locator !== undefined).slice(0, 1);
}
