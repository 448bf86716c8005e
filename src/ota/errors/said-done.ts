/**
 * What the airline says beside an error: that something was done all the same, and which booking it names. Its words are read
 * as English and in favour of doubt: what is read too much costs one reading of the booking.
 */
import { isObject } from '../../core/own.ts';
import { chooseLocator, readPointer, readReferences, record } from '../messages/reader.ts';
import { asList, readJson } from '../transport/json.ts';

/** Characters of an answer that are read. */
const MOST_CHARACTERS = 16_000;
/** How deep texts are searched for. */
const DEEPEST_TEXT = 32;

/** `Payment received`, `has been created`, `your card was charged`. */
const DONE =
  /\b(?:done|created|made|received|charged|debited|issued|ticketed|refunded|completed|processed|succeeded|success|successful|successfully|confirmed|accepted)\b|\b(?:payment|amount|money|sum|fare)\b[^.;,]{0,20}\b(?:paid|taken)\b/gi;
/** What ends the part of a sentence for which a "not" counts. */
const CLAUSE_END = /[.;:,!?()\n]|\b(?:but|and|although|though|however|yet|because|while)\b/i;
/** In the three words before it: it was not done, or is still to do. */
const NOT_DONE =
  /(?:\b(?:not|cannot|never|no|none|nothing|without|unable|failed|failure|must|should|needs?|required?|please|if|until|before|to be|can be|be)\b|n['\u2019]t\b)(?:\W+\w+){0,3}\W*$/i;

/** Whether an answer says that something was created, received, charged or done, or names a booking in words. */
export function saysSomethingDone(answer: string): boolean {
  return textsOf(answer).some((text) => saysDone(text) || locatorIn(text) !== undefined);
}

function saysDone(text: string): boolean {
  return [...text.matchAll(DONE)].some(({ index }) => {
    const clause = text.slice(0, index).split(CLAUSE_END).at(-1) ?? '';
    return !NOT_DONE.test(clause);
  });
}

/** The texts of an answer: every value of JSON, or else the answer itself. */
function textsOf(answer: string): readonly string[] {
  const head = answer.slice(0, MOST_CHARACTERS);
  const reading = readJson(answer);
  return reading.ok ? valueTexts(reading.value, 0).map((text) => text.slice(0, MOST_CHARACTERS)) : [head];
}

function valueTexts(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth >= DEEPEST_TEXT) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valueTexts(item, depth + 1));
  return isObject(value) ? Object.values(value).flatMap((item) => valueTexts(item, depth + 1)) : [];
}

/** `PNR K7PL2M`, `booking reference: K7PL2M`. */
const NAMED =
  /\b(?:pnr|locator|booking|reservation)\b(?:\s+(?:reference|locator|number|code|id|no\.?))?\s*(?:is\b)?[\s:#="'(]*([a-z0-9]{5,8})\b/gi;

/** The locator in a text. In a text of capitals only, a word without a digit is taken for a word. */
function locatorIn(text: string): string | undefined {
  const isShouted = text === text.toUpperCase();
  const words = [...text.matchAll(NAMED)].map(([, word = '']) => word);
  return words.find((word) => word === word.toUpperCase() && !/^\d+$/.test(word) && (!isShouted || /\d/.test(word)));
}

/** The booking that the answer to a create names: in a field, or else in its words. */
export function bookingNamed(body: Readonly<Record<string, unknown>>): string | undefined {
  const reservation = asList(body.airReservation).find(isObject);
  const lists = [body.bookingReferenceID, body.uniqueID, reservation?.bookingReferenceID];
  const inFields = lists.map((references) => chooseLocator(readReferences(references))).find((id) => id !== undefined);
  // In the airline dialect `quoteID` is the locator of a booking from counts.
  const quoted = readPointer(record(body.pricedItinerary).quoteID);
  const inWords = () =>
    valueTexts(body, 0)
      .map(locatorIn)
      .find((locator) => locator !== undefined);
  return inFields ?? quoted ?? inWords();
}
