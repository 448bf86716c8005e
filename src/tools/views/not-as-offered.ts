/** Says in what a hold differs from what was asked for: in a sentence for results and questions, and as fields. */
import * as z from 'zod';
import { cleanCode, cleanRef, quoted } from '../../core/clean-text.ts';
import { dateOf, localMinute, showDay, showLocal, zoneOf } from '../../core/times.ts';
import { heldDifferences } from '../../domain/booking/asked-and-held.ts';
import type { HeldDifference } from '../../domain/booking/asked-people.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { optionalStrings, strings } from '../definition/field-notes.ts';
import { maskEmail, maskNumber } from './masked-fields.ts';

/** How many differences the sentence tells in full. */
const MOST_IN_FULL = 3;

/** How many characters are shown of a name, and of a rule in words. */
const WORDS_CHARS = 90;

const SAID: Readonly<Record<NonNullable<HeldDifference['since']>, string>> = {
  'the hold': 'at first',
  'the last change': 'after the last change',
};

/** Who reads it. */
interface Readers {
  readonly settings: Parameters<typeof vehicleOf>[0];
  /** Whether travellers entered their details on the details page: then no value of them is shown. */
  readonly areEntered: boolean;
}

export const notAsOfferedSchema = () =>
  z.array(z.object({ ...strings('what'), ...optionalStrings('asked'), ...strings('held') })).optional();

/** `NOT AS OFFERED: flight 1201 leaves 07:05, offered 06:15.` Undefined if nothing differs. */
export function notAsOffered(differences: readonly HeldDifference[], readers: Readers): string | undefined {
  return differences.length === 0 ? undefined : `NOT AS OFFERED: ${differencesInWords(differences, readers)}.`;
}

/** `flight 1201 leaves 07:05, offered 06:15; and 2 more (flight 1203)`. */
function differencesInWords(differences: readonly HeldDifference[], readers: Readers): string {
  const inFull = differences.slice(0, MOST_IN_FULL).map((difference) => sentence(difference, readers));
  const rest = differences.slice(MOST_IN_FULL);
  const about = [...new Set(rest.map((difference) => subject(difference, readers) ?? difference.what))].join(', ');
  const more = rest.length === 0 ? [] : [`and ${rest.length} more (${about})`];
  return [...inFull, ...more].join('; ');
}

/** Compares a booking with what it was asked for. Undefined if nothing differs, or if this server did not make it. */
export async function unlikeAsked(booking: Booking, ctx: ToolContext): Promise<string | undefined> {
  const [asked, areEntered] = await Promise.all([ctx.askedFor(booking), ctx.enteredOnPage(booking)]);
  const differences = heldDifferences(asked, booking, ctx.now());
  return notAsOffered(differences, { settings: ctx.settings, areEntered });
}

/** All differences, as fields. Undefined if there are none. */
export function viewDifferences(differences: readonly HeldDifference[], readers: Readers) {
  if (differences.length === 0) return undefined;
  return differences.map((difference) => {
    const { what, says = 'not shown', asked, held } = difference;
    const about = subject(difference, readers);
    return {
      what: [what, about].filter((part) => part !== undefined).join(' of '),
      asked: asked === undefined ? undefined : fieldText(asked, difference, readers),
      held: held === undefined ? says : fieldText(held, difference, readers),
    };
  });
}

/** `flight HHR101`, `passenger 2`. Undefined for the booking as a whole. */
function subject({ of }: HeldDifference, { settings }: Readers): string | undefined {
  if (of === undefined) return undefined;
  if (of === 'contact') return 'the contact';
  if (of === 'party') return 'the party';
  return isFlight(of) ? `${vehicleOf(settings)} ${of.flight}` : `passenger ${cleanRef(of.passenger)}`;
}

function sentence(difference: HeldDifference, readers: Readers): string {
  const { of, what, says, form, since } = difference;
  const about = subject(difference, readers) ?? '';
  const [asked, held] = shownValues(difference, readers);
  if (of === undefined) {
    const was = asked === undefined ? 'not the one ' : '';
    const when = since === undefined ? 'offered' : SAID[since];
    return `the ${what} is ${held}, ${was}${when}${asked === undefined ? '' : ` ${asked}`}`;
  }
  if (of === 'party' && says === undefined) return `${held} held, offered ${asked}`;
  if (of === 'party') return `${form === undefined ? 'passenger ' : ''}${asked} ${says}`;
  if (isFlight(of)) {
    if (form !== undefined) return `${about} ${says} ${held}, offered ${asked}`;
    const named = asked ?? held;
    return `${named === undefined ? about : `${vehicleOf(readers.settings)} ${named}`} ${says}`;
  }
  if (form === undefined) return `${about}${held === undefined ? '' : ` ${held}`} ${says}`;
  if (held === undefined) return `the ${what} of ${about} is not the one sent`;
  return asked === undefined || asked === held
    ? `the ${what} of ${about} is not the one sent, but ${held}`
    : `the ${what} of ${about} is ${held}, sent ${asked}`;
}

function isFlight(of: HeldDifference['of']): of is { readonly flight: string } {
  return typeof of === 'object' && 'flight' in of;
}

/** The values as people read them; undefined for those that are not known or not shown. */
function shownValues(difference: HeldDifference, readers: Readers): readonly [asked?: string, held?: string] {
  const { asked = '', held = '', form } = difference;
  if (form === 'time') return timesText(asked, held);
  return [valueText(asked, difference, readers) || undefined, valueText(held, difference, readers) || undefined];
}

/** Empty if it is not known or not shown. */
function valueText(value: string, { form, of }: HeldDifference, { areEntered }: Readers): string {
  if (value === '') return '';
  switch (form) {
    case 'number':
      return areEntered ? '' : maskNumber(cleanCode(value, 40));
    case 'email': {
      const masked = maskEmail(value);
      // Other text than an address has no part that could be shown.
      return masked.includes('@') ? masked : '';
    }
    case 'code':
      return cleanCode(value);
    case 'plain':
      return value;
    case 'words':
      return quoted(value, WORDS_CHARS);
    default:
      // The words for a flight that is missing or was not offered are our own; those for a passenger are a name.
      return isFlight(of) ? value : quoted(value, WORDS_CHARS);
  }
}

function fieldText(value: string, difference: HeldDifference, readers: Readers): string {
  if (difference.form === 'time') return localMinute(value);
  return valueText(value, difference, readers) || 'not shown';
}

/** `07:05` and `06:15`; with days or zones if the clock times alone do not tell them apart. */
function timesText(asked: string, held: string): readonly [string, string] {
  const clock = (time: string) => time.slice(11, 16);
  if (zoneOf(asked) !== zoneOf(held) || showLocal(held) === '(no time)') return [showLocal(asked), showLocal(held)];
  if (dateOf(asked) === dateOf(held)) return [clock(asked), clock(held)];
  return [`${showDay(asked)} ${clock(asked)}`, `${showDay(held)} ${clock(held)}`];
}
