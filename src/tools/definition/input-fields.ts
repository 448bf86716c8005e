/**
 * Pieces of tool inputs. What JSON Schema need not say (shapes, ranges, real dates) is checked here, so that the listed
 * schemas stay short and every refusal names what was expected and the nearest valid value.
 */
import * as z from 'zod';
import { twoLetterCountry } from '../../domain/people/country-codes.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../domain/people/travel-documents.ts';
import type { PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { isRealDate, nearestDates } from '../../domain/time-and-text/times.ts';

export { bookingOutline as bookingSchema, shortBookingSchema } from '../views/booking-schema.ts';

type Problem = string | undefined;

/** A check that says itself what is wrong; undefined where nothing is. */
export function checked<T>(problem: (value: T) => Problem) {
  return z.check<T>((context) => {
    const message = problem(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
  });
}

const upper = (text: string) => text.trim().toUpperCase();

/** Free text of at most `max` characters, trimmed, not empty. */
export function text(max = 60) {
  return z
    .string()
    .overwrite((value) => value.trim())
    .check(checked((value) => (value !== '' && value.length <= max ? undefined : `expected 1 to ${max} characters`)));
}

/** Who pays, as terms quote it: nothing that could read as more than a name. */
export function holderName() {
  return z
    .string()
    .overwrite((value) => value.trim())
    .check(
      checked((value) =>
        /^[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}\p{Nd} '.-]{1,60}$/u.test(value)
          ? undefined
          : 'expected 1 to 60 letters, digits, spaces, hyphens, apostrophes and full stops',
      ),
    );
}

/** A booking reference: the reservation system's, or the operator's longer one. */
export function locator() {
  return z
    .string()
    .overwrite(upper)
    .check(
      checked((value) =>
        /^[A-Z0-9][A-Z0-9-]{3,23}$/.test(value)
          ? undefined
          : 'expected a booking reference: 4 to 24 letters and digits',
      ),
    );
}

/** IATA code, or the name of a city or station; places.ts finds out which station is meant. */
export function station() {
  return z
    .string()
    .overwrite((value) => value.trim())
    .check(
      checked((value) =>
        value !== '' && value.length <= 60
          ? undefined
          : 'expected an IATA code such as JED, or the name of a city or station; see list_routes',
      ),
    );
}

/**
 * YYYY-MM-DD, and a day that exists. Where nothing comes near, `example` shows the form; without one the refusal is
 * marked, and who knows today's date shows one to come.
 */
export function date(example?: string) {
  return z
    .string()
    .overwrite((value) => value.trim())
    .check((context) => {
      if (isRealDate(context.value)) return;
      const near = nearestDates(context.value);
      const shown = near.length > 0 ? `; nearest valid: ${near.join(' or ')}` : example && `, such as ${example}`;
      const message = `expected a date as YYYY-MM-DD${shown ?? ''}`;
      const params = { [NEEDS_DATE]: shown === undefined };
      context.issues.push({ code: 'custom', message, params, input: context.value });
    });
}

/** In the params of an issue: its words would be clearer with a date to come. */
export const NEEDS_DATE = 'needsDate';

/** The form of a birth date. */
export const BIRTH = '1990-12-31';

export function whole(min: number, max: number) {
  return z.int().check(
    checked((value) => {
      if (value >= min && value <= max) return undefined;
      return `expected ${min} to ${max}; nearest valid: ${value < min ? min : max}`;
    }),
  );
}

/** A list of `min` to `max` items. */
export function listOf<T extends z.ZodType>(item: T, min: number, max: number) {
  return z
    .array(item)
    .check(
      checked((list) =>
        list.length >= min && list.length <= max ? undefined : `expected ${min} to ${max} items, found ${list.length}`,
      ),
    );
}

/** Pointers of segments or passengers: read_booking shows them. */
export function refs() {
  return listOf(text(12), 1, 40);
}

export function bookingClasses() {
  const letter = z
    .string()
    .overwrite(upper)
    .check(checked((value) => (/^[A-Z]$/.test(value) ? undefined : 'expected one letter, such as Y or C')));
  return listOf(letter, 1, 12);
}

export function detail() {
  return z.enum(['concise', 'full']);
}

export function counts() {
  return z.strictObject({ adults: whole(1, 99), children: whole(0, 99).optional(), infants: whole(0, 99).optional() });
}

export function countsOf(given: z.output<ReturnType<typeof counts>>): PassengerCounts {
  return { adults: given.adults, children: given.children ?? 0, infants: given.infants ?? 0 };
}

export function document() {
  return z.strictObject({
    type: z.enum(Object.keys(DOCUMENT_TYPES) as [DocumentKind, ...DocumentKind[]]),
    number: text(30),
    nationality: country(),
    expires: date(),
  });
}

/** ISO 3166, two letters: what replies hold in three is sent in two. */
export function country() {
  return z
    .string()
    .overwrite(upper)
    .check(
      checked((value) => {
        if (/^[A-Z]{2}$/.test(value)) return undefined;
        const near = twoLetterCountry(value);
        return `expected an ISO country code of two letters${near === undefined ? ', such as SA' : `; nearest valid: ${near}`}`;
      }),
    );
}

export function email() {
  return z
    .string()
    .overwrite((value) => value.trim())
    .check(
      checked((value) =>
        /^[^\s@<>",;]{1,64}@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/.test(value) &&
        value.length <= 120 &&
        cleanText(value) === value
          ? undefined
          : 'expected an e-mail address',
      ),
    );
}

export function phone() {
  return z.strictObject({
    country_code: digits(1, 4, 'expected a country calling code, such as 966'),
    number: digits(4, 15, 'expected 4 to 15 digits'),
  });
}

function digits(min: number, max: number, problem: string) {
  return z
    .string()
    .overwrite((value) => value.replace(/[\s()+.-]/g, ''))
    .check(
      checked((value) => (/^\d+$/.test(value) && value.length >= min && value.length <= max ? undefined : problem)),
    );
}

export function approvalId() {
  return text(80).optional();
}
