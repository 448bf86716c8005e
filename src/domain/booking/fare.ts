/** The price of a booking or offer: its amounts, and its fares with their penalty rules and time limits. */
import { type Money, sumIfAllKnown } from '../../core/money.ts';
import type { PassengerType } from '../people/traveler.ts';

export interface PriceLine {
  readonly kind: 'tax' | 'fee';
  readonly code: string;
  readonly amount: Money;
  /** Percent × 100, if the airline states a VAT. */
  readonly vatHundredths?: number;
}

/** The price of the whole party or of all passengers of one type. */
export interface Price {
  readonly base: Money;
  readonly taxes: Money;
  readonly fees: Money;
  readonly total: Money;
  readonly lines: readonly PriceLine[];
  readonly baggage: readonly string[];
  readonly remarks: readonly string[];
}

/** A refund that the airline states: `itinTotalFare[]` or `passengerFare[]` with `usage: "refund"`. */
export interface StatedRefund {
  readonly amount: Money;
  /** `REFUND_PENALTY`. */
  readonly penalty?: Money;
  /** `REFUND_PENALTY_VAT`. */
  readonly vat?: Money;
}

/** In force in [from, until), UTC. */
interface TimedRule {
  readonly passengerType: string;
  readonly from?: string;
  readonly until?: string;
  readonly texts: readonly RuleText[];
}

/** What the airline says of a rule, in one language. */
interface RuleText {
  readonly locale?: string;
  readonly text: string;
}

/**
 * A penalty for cancelling or changing. Amounts as stated, per passenger of the type and per fare component; `keptBy`
 * in refund/penalty-rules.ts computes what the airline keeps (docs/wire/notes.md, Money and rules).
 */
export interface PenaltyRule extends TimedRule {
  /** In a rule for cancelling: money may come back. In a rule for changing: the change is permitted. */
  readonly refundable: boolean;
  /** Without tax. */
  readonly base: Money;
  /** The tax on `base`. */
  readonly tax: Money;
  /** `base` and `tax` together. */
  readonly total: Money;
  /** The airline sent neither base nor tax; both are zero here. */
  readonly totalAlone?: boolean;
  /** The rate of `tax`, percent × 100: 1500 for 15 %. Never applied to `total`. */
  readonly vatHundredths: number;
}

/** A rule that does not say whether money comes back, or what is kept, so that only its texts count. */
interface WordedRule extends TimedRule {
  readonly refundable?: boolean;
}

export type FareRule = PenaltyRule | WordedRule;

export function isPenalty(rule: FareRule): rule is PenaltyRule {
  return 'base' in rule;
}

/** The text of a rule, as sent: in English if there is one, else in any language. */
export function ruleWords(rule: FareRule): string | undefined {
  return preferredText(rule)?.text;
}

/** The language of {@link ruleWords}: `en`. Undefined where it is not known. */
export function wordsLanguage(rule: FareRule): string | undefined {
  return languageOf(preferredText(rule));
}

function preferredText(rule: FareRule): RuleText | undefined {
  const written = writtenTexts(rule);
  return written.find((text) => languageOf(text) === 'en') ?? written[0];
}

/** All texts of a rule in the language of {@link ruleWords}, as sent, with those whose language is not known. */
export function allWords(rule: FareRule): readonly string[] {
  const language = wordsLanguage(rule);
  const isOther = (text: RuleText) => language !== undefined && (languageOf(text) ?? language) !== language;
  return writtenTexts(rule)
    .filter((text) => !isOther(text))
    .map(({ text }) => text);
}

function writtenTexts({ texts }: FareRule): readonly RuleText[] {
  return texts.filter(({ text }) => text.trim() !== '');
}

/** `en` of `en-GB`. */
function languageOf(text: RuleText | undefined): string | undefined {
  return text?.locale?.slice(0, 2).toLowerCase();
}

export interface FareReference {
  readonly code: string;
  readonly bookingClass?: string;
}

/** A time limit that the airline did not send as an exact time: one by the clock of the station, a day, or what cannot be read. */
export interface LooseLimit {
  readonly what: 'pay_by' | 'names_until' | 'cancel_until' | 'rule';
  readonly sent: string;
}

/** A fare between two points with its rules and limits (`fareInfos.fareInfo[]`). */
export interface FareComponent {
  readonly ref?: string;
  readonly references: readonly FareReference[];
  readonly from?: string;
  readonly to?: string;
  /**
   * UTC. The airline refuses cancelling after `cancelUntil` and name changes after `namesUntil`; a hold lapses at
   * `payBy`.
   */
  readonly cancelUntil?: string;
  readonly payBy?: string;
  readonly namesUntil?: string;
  readonly refundRules: readonly FareRule[];
  readonly changeRules: readonly FareRule[];
}

export interface TypePrice {
  readonly type: PassengerType;
  readonly count: number;
  /** The airline does not state `count`. */
  readonly isCountGuessed?: true;
  readonly price?: Price;
  readonly refunds: readonly StatedRefund[];
  readonly fareBasis: readonly { readonly code: string; readonly segmentRef?: string }[];
  readonly travelerRefs: readonly string[];
  /** Segment pointers (`ticketDesignators`, `flightRefNumberRPHList`). */
  readonly segmentRefs: readonly string[];
}

/** `priceInfo` or `airItineraryPricingInfo`. */
export interface Pricing {
  readonly total?: Price;
  /** The airline stated a total that is no amount (`1,438.84`): what is to be paid is not known. */
  readonly hasUnreadableTotal?: true;
  readonly refunds: readonly StatedRefund[];
  readonly fares: readonly FareComponent[];
  readonly perType: readonly TypePrice[];
  readonly quoteId?: string;
}

interface TypeTotal {
  readonly type: string;
  readonly count: number;
  readonly total: Money;
}

/**
 * One total per type, in the order of the rows; none for a type with an unpriced row or two currencies. `party`: the
 * number of passengers per type, if known.
 */
export function totalsByType(
  rows: readonly TypePrice[],
  party: Readonly<Record<string, number>> = {},
): readonly TypeTotal[] {
  return [...Map.groupBy(rows, ({ type }) => type)].flatMap(([type, ofType]) => {
    const total = sumIfAllKnown(ofType.map(({ price }) => price?.total));
    if (total === undefined) return [];
    const count = (Object.hasOwn(party, type) && party[type]) || countPassengers(ofType);
    return [{ type, count, total }];
  });
}

/** Number of passengers of one type. Rows that name neither passengers nor segments are for the same passengers. */
function countPassengers(rows: readonly TypePrice[]): number {
  const largestCount = Math.max(...rows.map(({ count }) => count));
  if (rows.length === 1) return largestCount;

  const named = new Set(rows.flatMap(({ travelerRefs }) => travelerRefs));
  if (named.size > 0 && rows.every(({ travelerRefs }) => travelerRefs.length > 0)) return named.size;

  const areSameSegments = rows.every(
    ({ segmentRefs }) => segmentRefs.length > 0 && sameSet(segmentRefs, rows[0]?.segmentRefs),
  );
  return areSameSegments ? rows.reduce((sum, { count }) => sum + count, 0) : largestCount;
}

function sameSet(a: readonly string[], b: readonly string[] = []): boolean {
  return new Set([...a, ...b]).size === new Set(a).size && new Set(a).size === new Set(b).size;
}
