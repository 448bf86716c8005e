/** What the figures of a quote cannot say: why an amount is absent, and what it rests on. */
import type { Operation } from '../../approvals/terms.ts';
import { quotedWords } from '../../core/clean-text.ts';
import { showDeadline } from '../../core/local-times.ts';
import { showMoney, sumMoney } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { hasRefund } from '../../domain/booking/payment-state.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import type { RuleGap, TripPart } from '../../domain/pricing/apply-penalty-rules.ts';
import { gapTexts, readingText, refundDoubts } from '../../domain/pricing/describe-refund.ts';
import type { RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import { cancelLimit } from '../../domain/pricing/fare-units.ts';
import type { LaterRefund } from '../../domain/pricing/later-refunds.ts';
import type { CancelledPart } from '../../domain/pricing/refund-amount.ts';
import { statedRefund } from '../../domain/pricing/stated-refund.ts';
import type { ToolContext } from '../definition/define.ts';
import type { QuotedPart } from '../rules/quoted-part.ts';
import { peopleText, segmentText } from './quote-names.ts';
import { CHANGES_AGAIN, textsOf } from './terms-lines.ts';

export interface QuoteFacts {
  readonly booking: Booking;
  readonly given: CancelledPart;
  readonly estimate: RefundEstimate;
  readonly windows: readonly LaterRefund[];
  readonly more: boolean;
  /** A departure whose offset gives the local time of deadlines. */
  readonly near: string | undefined;
  readonly part: QuotedPart;
  readonly open: Operation | undefined;
}

export function quoteNotes(told: QuoteFacts, ctx: ToolContext): readonly string[] {
  const { booking, estimate, part, open } = told;
  const { amount, bounds, lines } = estimate;
  const unknown = amount === undefined && bounds === undefined && lines.length > 0;
  const doubts = unknown ? [estimate.rule] : refundDoubts(estimate);
  return [
    ...holdNote(part),
    ...lateNote(told),
    ...(open ? [`${open.tool} is still open: its outcome is not known yet, and the amounts may change.`] : []),
    ...part.notes,
    ...gapNotes(told, ctx),
    ...doubts,
    ...laterNotes(told),
    ...partNote(told),
    ...earlierNote(booking),
    ...textsOf(estimate, ctx.settings.locale).map((text) => `The airline's words: ${quotedWords(text)}`),
    ...((amount ?? bounds) ? [estimateNote(told)] : []),
  ];
}

function estimateNote({ given, estimate }: QuoteFacts): string {
  const reading = readingText(estimate, given.travelers.length) === '' ? '' : ', a penalty for each person and segment';
  return `Estimated from the airline's rules${reading}; the airline decides.`;
}

function holdNote({ state, price }: QuotedPart): readonly string[] {
  if (state !== 'held') return [];
  const paying = price === undefined ? 'paying' : `paying ${showMoney(price)}`;
  return [`Not paid: releasing this hold costs nothing. The amounts are for ${paying} now and cancelling afterwards.`];
}

function lateNote({ estimate: { tooLate, rule } }: QuoteFacts): readonly string[] {
  return tooLate ? [`${rule} A person must ask the airline what can still be done.`] : [];
}

function gapNotes({ booking, given, estimate: { lines, gaps } }: QuoteFacts, ctx: ToolContext): readonly string[] {
  const everything: readonly TripPart[] = [...lines, ...gaps];
  const refsOf = (parts: readonly TripPart[]) => [...new Set(parts.flatMap(({ segmentRefs }) => segmentRefs))];
  const typesOf = (parts: readonly TripPart[]) => new Set(parts.map(({ type }) => type));
  const label = (parts: readonly RuleGap[]) => {
    const [refs, types] = [refsOf(parts), typesOf(parts)];
    const people = given.travelers.filter(({ type }) => types.has(type));
    const some = types.size < typesOf(everything).size;
    return listed([
      ...(some ? [peopleText(people)] : []),
      ...(refs.length < refsOf(everything).length ? [segmentText(booking, refs, ctx)] : []),
    ]).replace(/ and (?=train|flight)/, ', ');
  };
  return gapTexts(gaps, label);
}

function laterNotes({ windows, more, near }: QuoteFacts): readonly string[] {
  const unsaid = windows.flatMap(({ from, amount, bounds, assessment }) => {
    if (amount !== undefined) return [];
    const worded = gapTexts(assessment.gaps, () => '');
    const between = bounds && `between ${showMoney(bounds.atLeast)} and ${showMoney(bounds.atMost)} comes back.`;
    const why = assessment.gaps.some(({ words }) => words) || !between ? worded.join(' ') || UNKNOWN : between;
    return [`From ${showDeadline(from, near)}: ${why.slice(0, 1).toLowerCase()}${why.slice(1)}`];
  });
  return [...unsaid, ...(more ? [CHANGES_AGAIN] : [])];
}

const UNKNOWN = 'what comes back is not known.';

/** The first train that leaves ends the cancelling of the whole; the others can still be cancelled alone. */
function partNote({ booking, given, near }: QuoteFacts): readonly string[] {
  const whole = cancelLimit(booking, given.options);
  const longer = given.options.flatMap((option) => {
    const own = cancelLimit(booking, [option]);
    const isLater = own !== undefined && whole !== undefined && (instantOf(own) ?? 0) > (instantOf(whole) ?? 0);
    return isLater
      ? [`segment ${option.segments.map(({ ref }) => ref).join('+')} until ${showDeadline(own, near)}`]
      : [];
  });
  return longer.length === 0 ? [] : [`Alone, ${longer.join('; ')} can still be cancelled: quote it with segment_refs.`];
}

function earlierNote(booking: Booking): readonly string[] {
  const earlier = hasRefund(booking) ? statedRefund(booking) : undefined;
  if (earlier === undefined) return [];
  return [`${showMoney(earlier.amount)} was refunded before, for other parts. It is not counted here.`];
}

/** For a booking that is cancelled, or a hold that has lapsed. */
export function overNotes(booking: Booking, { state }: QuotedPart): readonly string[] {
  const { locator } = booking;
  if (state !== 'cancelled') {
    return [`The hold ${locator} has lapsed by itself. Nothing was paid, so nothing comes back.`];
  }
  const stated = statedRefund(booking);
  const cancelled = `Booking ${locator} is cancelled already.`;
  if (stated === undefined) return [`${cancelled} The airline states no refund.`];
  const { amount, penalty, vat, orderStatus: status } = stated;
  const kept = sumMoney([penalty, vat].filter((money) => money !== undefined));
  return [
    [
      `${cancelled} The airline states a refund of ${showMoney(amount)}`,
      kept && `, after keeping ${showMoney(kept)}`,
      status && ` (refund order: ${orderStatus(status)})`,
      '.',
    ]
      .filter(Boolean)
      .join(''),
  ];
}
