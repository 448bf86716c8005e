/**
 * What a customer decides by, of many bookings in one list: when each was made, what comes back if it is cancelled now, and what a change
 * costs. Words of the airline stand once for the whole list, named by letters.
 */
import * as z from 'zod';
import { airlineWords, MOST_WORDS, plainText, quoted } from '../../core/clean-text.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { localMinute, showLocal } from '../../core/times.ts';
import { activeOptions, type Booking } from '../../domain/booking/booking.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { changeCharge, flightsToChange, NO_RULE } from '../../domain/pricing/estimate-change-charge.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { filled, noted, optionalStrings, optionalTexts, unlisted } from '../definition/field-notes.ts';
import { bookingRefund, firstDeparture } from './refund-data.ts';
import { refundLimitsSchema } from './refund-schema.ts';
import { isZero, sumsText } from './refund-text.ts';

/** How many characters the list has of whose fare a condition belongs to. */
const MOST_WHOSE = 80;

/** What a field of a fee holds. */
export const FEE_OF_CHANGE =
  'the fee for another departure or class of each train or flight, beside the difference to a dearer fare';

const CONDITIONS = "the airline's own words that refunds or changes depend on, by the letters in the rows";

export const decisionFields = () =>
  unlisted({
    ...optionalStrings({
      made: 'when the airline made it',
      refund_now: 'what comes back if all of it is cancelled now: an estimate; absent if that cannot be said',
      refund_currency: 'of the refund, if the total has another one',
    }),
    refund_between: refundLimitsSchema(),
    ...optionalStrings({ until: 'until when that holds', refund_note: 'why what comes back is not known' }),
    conditions: optionalTexts('letters of the conditions that the refund depends on, with whose fare they are of'),
    ...optionalStrings({
      change: `${FEE_OF_CHANGE}; or why there is none`,
    }),
  });

export const conditionsField = () => noted(CONDITIONS, z.record(z.string(), z.string()).optional());

type DecidedFields = z.input<z.ZodObject<ReturnType<typeof decisionFields>>>;

/** Gives each text of the airline a letter, equal ones the same. */
export class ConditionLetters {
  readonly #letters = new Map<string, string>();

  of(words: string): string {
    const known = this.#letters.get(words);
    if (known !== undefined) return known;
    const letter = letterOf(this.#letters.size);
    this.#letters.set(words, letter);
    return letter;
  }

  /** The texts by their letters; undefined if there are none. */
  get all(): Record<string, string> | undefined {
    if (this.#letters.size === 0) return undefined;
    return Object.fromEntries([...this.#letters].map(([words, letter]) => [letter, words]));
  }
}

/** `A` to `Z`, `A2` to `Z2`, … */
function letterOf(n: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + (n % 26));
  return n < 26 ? letter : `${letter}${Math.floor(n / 26) + 1}`;
}

/** What is decided by, as fields of its row. */
export function viewDecision(booking: Booking, ctx: ToolContext, letters: ConditionLetters): DecidedFields {
  const made = booking.createdAt && localMinute(booking.createdAt, firstDeparture(booking));
  if (!isPaid(booking)) return { made };
  return { made, ...viewRefundNow(booking, ctx, letters), change: changeCost(booking, ctx, letters) };
}

function viewRefundNow(booking: Booking, ctx: ToolContext, letters: ConditionLetters): DecidedFields {
  const refund = bookingRefund(booking, ctx.now(), ctx);
  if (refund === undefined) return {};
  const { refund_now: now, between, currency, valid_until: until, note, refund_condition: conditions = [] } = refund;
  const isKnown = (now ?? between) !== undefined;
  return {
    refund_now: now,
    refund_currency: currency,
    refund_between: between,
    until: isKnown ? until : undefined,
    refund_note: isKnown ? undefined : note,
    conditions: filled(
      conditions.map(({ says, fare_of: whose }) => {
        const letter = letters.of(says);
        return whose === undefined ? letter : `${letter} (${plainText(whose, MOST_WHOSE)})`;
      }),
    ),
  };
}

type ChangeContext = Pick<ToolContext, 'acts' | 'now' | 'settings'>;

/** The fee of a change, or `none: ` and why there can be none. Undefined once the booking is over. */
function changeCost(booking: Booking, ctx: ChangeContext, letters: ConditionLetters): string | undefined {
  const cost = whatChangeCosts(booking, ctx, (words) => letters.of(words));
  return cost === undefined || 'fee' in cost ? cost?.fee : `none: ${cost.why}`;
}

/** The fee of a change as far as the rules say it, in words. Undefined if the booking allows none, or has no rule for it. */
export function changeFee(booking: Booking, ctx: ChangeContext): string | undefined {
  if (!isPaid(booking)) return undefined;
  const cost = whatChangeCosts(booking, ctx, (words) => `the airline's words: ${quoted(words, MOST_WORDS)}`);
  return cost !== undefined && 'fee' in cost && cost.hasRule ? cost.fee : undefined;
}

/** What the rules keep for a change of each flight; or why it is refused. Undefined once the booking is over. @param quote cites words of the airline */
function whatChangeCosts(
  booking: Booking,
  { acts, now: clock, settings }: ChangeContext,
  quote: (words: string) => string,
): { readonly fee: string; readonly hasRule: boolean } | { readonly why: string } | undefined {
  const now = clock();
  const exchange = acts.all.find(({ countedAs }) => countedAs === 'exchange');
  if (bookingState(booking, now).state === 'cancelled' || exchange === undefined) return undefined;
  const { dialect, assumedOperations } = settings;
  const circumstances = { now, dialect, assumedOperations };
  const refusal = exchange.whyNot?.(booking, circumstances);
  if (refusal !== undefined) return { why: refusal.why };
  const refused = new Set((exchange.whyNotSegments?.(booking, circumstances) ?? []).map(({ ref }) => ref));
  const options = activeOptions(booking).filter(({ segments }) => segments.every(({ ref }) => !refused.has(ref)));
  const charges = options
    .flatMap((option) => flightsToChange(booking, option))
    .map((flight) => changeCharge(booking, flight, [], now));
  const onlyFor = options.length < activeOptions(booking).length ? ` (only ${options.map(refsOf).join(', ')})` : '';
  const quotes = (words: readonly string[]) => [...new Set(words)].map((each) => quote(airlineWords(each))).join(', ');
  const most = dearest(charges.map(({ fees }) => fees));
  if (most !== undefined) {
    const fee = most.minor === 0 ? 'no fee' : `at most ${showMoney(most)} a ${vehicleOf(settings)}`;
    const words = quotes(charges.flatMap(({ airlineWords: said = [] }) => said));
    return { fee: `${fee}${onlyFor}${words && ` (${words})`}`, hasRule: true };
  }
  const said = charges.map(({ rule, airlineWords: words = [], isInWords }) => {
    if (isInWords) return `by ${quotes(words)}`;
    const fee = rule.replace(/\.$/, '');
    return words.length === 0 ? fee : `${fee} (${quotes(words)})`;
  });
  return { fee: `${[...new Set(said)].join('; ')}${onlyFor}`, hasRule: charges.some((each) => each !== NO_RULE) };
}

const refsOf = ({ segments }: Booking['options'][number]) => segments.map(({ ref }) => ref).join('+');

/** The dearest fee; undefined if one is not known, or they are in several currencies. */
function dearest(fees: readonly (Money | undefined)[]): Money | undefined {
  const known = fees.flatMap((fee) => fee ?? []);
  const isComparable = known.length === fees.length && new Set(known.map(({ currency }) => currency)).size === 1;
  return isComparable ? known.toSorted((a, b) => b.minor - a.minor)[0] : undefined;
}

/** The cells of a row: `made Tue 24 Nov 10:11`, `SAR 345.00 comes back now (condition A) until Wed 9 Dec 09:36`, `change: …`. */
export function decisionTexts(row: DecidedFields, currency: string, withoutZone: (time: string) => string): string[] {
  const { made, refund_now: back, refund_between: between, until, refund_note: note, change } = row;
  const conditions = row.conditions ?? [];
  const sums = sumsText({ back, between }, row.refund_currency ?? currency, { when: ' now' });
  const condition =
    conditions.length === 0
      ? ''
      : `, on ${conditions.length === 1 ? 'condition' : 'conditions'} ${conditions.join(', ')}`;
  const end =
    until === undefined || (back !== undefined && isZero(back)) ? '' : `, until ${withoutZone(showLocal(until))}`;
  return [
    made && `made ${withoutZone(showLocal(made))}`,
    sums === undefined ? note && `refund: ${note}${condition}` : `${sums}${condition}${end}`,
    change && `change: ${change}`,
  ].flatMap((text) => text || []);
}

/** What stands below the table: that refunds are estimates, and each condition once. */
export function decisionNotes(
  rows: readonly DecidedFields[],
  conditions: Readonly<Record<string, string>> | undefined = {},
): readonly string[] {
  const hasSum = rows.some(({ refund_now: now, refund_between: between }) => (now ?? between) !== undefined);
  const hasFee = rows.some(({ change = '' }) => /^(?:no fee|at most)/.test(change));
  return [
    ...(hasFee ? ['A change costs the difference to a dearer fare besides.'] : []),
    ...(hasSum ? ['What comes back is estimated by the rules; the airline decides.'] : []),
    ...Object.entries(conditions).map(
      ([letter, words]) => `Condition ${letter}, in the airline's words: ${quoted(words, MOST_WORDS)}`,
    ),
  ];
}
