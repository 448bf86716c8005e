/**
 * The facts of a booking as a whole: a row for each. A side says several values of one, such as limits or rules: what it says no longer,
 * and what it says anew, are a difference.
 *
 * In this order: what a side says, the rows, their comparison.
 */
import { quoted } from '../../core/clean-text.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { asUtc, earliestTime } from '../../core/times.ts';
import { type Booking, segmentsOf } from '../booking/booking.ts';
import { hasPassed } from '../booking/booking-state.ts';
import { type DeadlineName, showDeadline } from '../booking/deadlines.ts';
import type { FareComponent } from '../booking/fare.ts';
import type { FindingKind } from '../booking/finding.ts';
import {
  isRuleOver,
  isSameRule,
  type KeptRules,
  type KeptRuleWords,
  refundRulesSaid,
  type Said,
  textsSaid,
} from '../refund/rules-in-force.ts';
import type { KeptReading } from './kept-reading.ts';
import { isSameTime, sameAllowance, type ValueForm } from './values.ts';

export interface OfferedTerms {
  readonly total?: Money;
  /** As the airline writes it. */
  readonly baggage?: readonly string[] | undefined;
  readonly rules?: KeptRules | undefined;
  /** The refund rule as it was shown, if there is one offer. */
  readonly ruleWords?: string | undefined;
}

/** What the airline said of a hold first. */
export interface FirstSaid {
  readonly rules?: KeptRules | undefined;
  /** UTC, by the name of the row. */
  readonly limits: Readonly<Record<string, readonly string[]>>;
}

/** What was said of a hold: by its offer, and by its first reply. */
interface SaidOfHold {
  readonly offer?: OfferedTerms | undefined;
  readonly first?: FirstSaid | undefined;
}

export interface BookingRow {
  readonly what: string;
  readonly form: ValueForm;
  readonly kind: FindingKind;
  /** The name of the limit in a finding. */
  readonly deadline?: DeadlineName;
  /** Absent of what no hold is compared with. */
  readonly offered?: (said: SaidOfHold, booking: Booking) => readonly Said[];
  /** Read as the earlier side was kept. */
  readonly held?: (booking: Booking, said: SaidOfHold, now: number) => readonly Said[];
  /** Absent of what no reading keeps. */
  readonly kept?: (reading: KeptReading) => readonly Said[];
  readonly same: (was: string, is: string) => boolean;
  /** An airline shows the next one in the place of one that is over. */
  readonly isOver?: (was: string, now: number) => boolean;
  /** It is no difference that one is no longer there, if none is new. */
  readonly isSameWithFewer?: true;
  /** Reports all values that differ, not only the first. */
  readonly tellsAll?: true;
}

const sumSaid = (sum: Money | undefined): readonly Said[] =>
  sum === undefined ? [] : [{ value: `${sum.currency} ${sum.minor}`, words: () => showMoney(sum) }];

const allowances = (texts: readonly string[] = []): readonly Said[] =>
  texts.map((text) => ({ value: text, words: () => text }));

const rulesSaid = ({ rules, words }: KeptRuleWords = { rules: [], words: [] }): readonly Said[] =>
  rules.map((value, i) => ({ value, words: () => words[i] }));

/** Each limit once, UTC, the earliest first. */
export function limitsSaid(limits: readonly (string | undefined)[], departs?: string): readonly Said[] {
  const times = [...new Set(limits.flatMap((limit) => asUtc(limit) ?? []))].toSorted();
  return times.map((value) => ({ value, words: () => showDeadline(value, departs) }));
}

const faresOf = ({ pricing }: Booking): readonly FareComponent[] => pricing?.fares ?? [];

/** One that is after the departure is none. */
function paymentLimits(booking: Booking): readonly (string | undefined)[] {
  const departs = earliestTime(segmentsOf(booking).map((segment) => segment.departs));
  const limits = faresOf(booking).map(({ payBy }) => payBy);
  return limits.filter((limit) => earliestTime([limit, departs]) === limit);
}

/** A limit begins with the hold. */
const limitRow = (
  what: string,
  read: (booking: Booking) => readonly (string | undefined)[],
  ofReadings?: Required<Pick<BookingRow, 'kept' | 'deadline'>>,
): BookingRow => ({
  what,
  form: 'plain',
  kind: 'deadline_moved',
  same: isSameTime,
  isOver: hasPassed,
  isSameWithFewer: true,
  offered: ({ first }, booking) => limitsSaid(first?.limits[what] ?? [], segmentsOf(booking)[0]?.departs),
  held: (booking) => limitsSaid(read(booking), segmentsOf(booking)[0]?.departs),
  ...ofReadings,
});

/** The rules, or texts, with which those of a hold are compared. */
const rulesBefore = ({ offer, first }: SaidOfHold, part: 'rules' | 'texts'): KeptRules | undefined =>
  offer?.rules?.[part] === undefined ? first?.rules : offer.rules;

export const TOTAL: BookingRow = {
  what: 'total',
  form: 'plain',
  kind: 'price_changed',
  offered: ({ offer }) => sumSaid(offer?.total),
  held: ({ pricing }) => sumSaid(pricing?.total?.total),
  kept: ({ total }) => sumSaid(total),
  same: (was, is) => was === is,
};

export const BAGGAGE: BookingRow = {
  what: 'baggage',
  form: 'words',
  kind: 'fare_changed',
  tellsAll: true,
  offered: ({ offer }) => allowances(offer?.baggage),
  held: ({ pricing }) => allowances(pricing?.total?.baggage),
  kept: ({ baggage }) => allowances(baggage?.split(', ')),
  same: sameAllowance,
};

export const REFUND_RULE: BookingRow = {
  what: 'refund rule',
  form: 'plain',
  kind: 'refund_rule_changed',
  offered: (said) => {
    const words = said.offer?.ruleWords;
    return (rulesBefore(said, 'rules')?.rules ?? []).map((value) => ({ value, words: () => words && quoted(words) }));
  },
  held: (booking, said, now) => refundRulesSaid(booking, rulesBefore(said, 'rules')?.at ?? 0, now),
  kept: ({ rules }) => rulesSaid(rules),
  same: isSameRule,
  isOver: isRuleOver,
};

export const RULE_TEXT: BookingRow = {
  what: 'text of the refund rule',
  form: 'plain',
  kind: 'refund_rule_changed',
  offered: (said) => (rulesBefore(said, 'texts')?.texts ?? []).map((value) => ({ value, words: () => undefined })),
  held: ({ options }) => textsSaid(options),
  kept: ({ ruleTexts }) => rulesSaid(ruleTexts),
  same: (was, is) => was === is,
};

export const CHANGE_RULE: BookingRow = {
  what: 'change rule',
  form: 'plain',
  kind: 'change_rule_changed',
  kept: ({ changeRules }) => rulesSaid(changeRules),
  same: isSameRule,
  isOver: isRuleOver,
};

const TO_PAY = 'time limit for payment';
const TO_TICKET = 'time limit for tickets';
/** The limits until when a hold can be paid. */
export const PAYMENT_LIMITS: readonly string[] = [TO_PAY, TO_TICKET];

export const PAY_LIMIT = /* @__PURE__ */ limitRow(TO_PAY, paymentLimits, {
  deadline: 'pay_by',
  kept: ({ payBy }) => limitsSaid([payBy]),
});

export const CANCEL_LIMIT = /* @__PURE__ */ limitRow(
  'time limit for cancelling',
  (booking) => faresOf(booking).map(({ cancelUntil }) => cancelUntil),
  { deadline: 'cancel_until', kept: ({ cancelUntil }) => limitsSaid([cancelUntil]) },
);

export const BOOKING_ROWS: readonly BookingRow[] = [
  TOTAL,
  BAGGAGE,
  REFUND_RULE,
  RULE_TEXT,
  CHANGE_RULE,
  PAY_LIMIT,
  limitRow(TO_TICKET, ({ tickets }) => tickets.map(({ timeLimit }) => timeLimit)),
  limitRow('time limit for names', (booking) => faresOf(booking).map(({ namesUntil }) => namesUntil), {
    deadline: 'names_until',
    kept: ({ namesUntil }) => limitsSaid([namesUntil]),
  }),
  CANCEL_LIMIT,
];

/** What two sides say otherwise: what is no longer said, or all of it; what is said anew, or all of it. */
interface OtherSaid {
  readonly was: readonly Said[];
  readonly is: readonly Said[];
}

/**
 * Compares what two sides say. Undefined if that is the same, or if one of them says nothing. What is over counts no more, and the airline
 * may show the next one in its place.
 * @param now milliseconds since 1970
 */
export function otherSaid(
  { same, isOver = () => false, isSameWithFewer }: BookingRow,
  was: readonly Said[],
  is: readonly Said[],
  now: number,
): OtherSaid | undefined {
  if (was.length === 0 || is.length === 0) return undefined;
  const gone = was.filter((one) => !is.some((other) => same(one.value, other.value)) && !isOver(one.value, now));
  const fresh = is.filter((one) => !was.some((other) => same(other.value, one.value)));
  const isNext = gone.length === 0 && was.some(({ value }) => isOver(value, now));
  const isOther = fresh.length > 0 || (gone.length > 0 && isSameWithFewer !== true);
  if (!isOther || isNext) return undefined;
  return { was: gone.length > 0 ? gone : was, is: fresh.length > 0 ? fresh : is };
}

/** The same of two readings. */
export function otherKept(row: BookingRow, expected: KeptReading, known: KeptReading): OtherSaid | undefined {
  const { kept = () => [] } = row;
  return otherSaid(row, kept(expected), kept(known), known.at);
}

/** Says the values as people read them; undefined where a side did not keep its words. */
export function saidInWords({ tellsAll }: BookingRow, said: readonly Said[]): string | undefined {
  const told = tellsAll === true ? said : said.slice(0, 1);
  const words = told.flatMap((one) => one.words() ?? []);
  return words.length === 0 ? undefined : words.join(', ');
}
