/** Refunds after a cancellation: what the airline states, apart from what was estimated; and those that a booking shows. */
import * as z from 'zod';
import { formatMoney, type Money, parseMoney, showMoney, sumMoney } from '../../core/money.ts';
import { listed } from '../../core/words.ts';
import { type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { expectedRefundsBefore } from '../../domain/booking/expected-change.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import { refundSentences } from '../../domain/pricing/describe-refund.ts';
import type { RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import type { CancelledPart } from '../../domain/pricing/refund-amount.ts';
import { amountKept, type OperationRefund, operationRefund, refundsShown } from '../../domain/pricing/stated-refund.ts';
import type { Outcome } from '../../journal/operation.ts';
import type { Done } from '../definition/define.ts';
import {
  listedByName,
  listedWithoutShape,
  noted,
  optionalStrings,
  strings,
  USUAL,
  usual,
} from '../definition/field-notes.ts';
import { WHOSE_REFUND } from './booking-schema.ts';
import { peopleText, type RefundContext, segmentsText } from './refund-lines.ts';
import { refundLimitsSchema } from './refund-schema.ts';
import { isZero, sumsText } from './refund-text.ts';

const stated = () =>
  z.object({
    ...strings(usual('back')),
    ...optionalStrings(usual('kept')),
    kept_includes_vat: keptIncludesVat(),
    ...optionalStrings({ order: '`paid out`, `pending`, or another state of its order' }),
  });

const keptIncludesVat = () => noted(USUAL.kept_includes_vat, z.boolean().optional());

export function refundMadeSchema() {
  const estimate = z.object({
    ...optionalStrings(usual('back', 'kept')),
    kept_includes_vat: keptIncludesVat(),
    between: refundLimitsSchema(),
    ...optionalStrings({ note: 'the rule in words' }),
  });
  const fields = {
    ...strings(usual('currency')),
    stated: noted('what the airline states for this operation', stated().optional()),
    estimate: listedWithoutShape(
      noted('what its rules said before', estimate.describe('as in stated, or between').optional()),
    ),
  };
  return noted('what comes back', z.object(fields));
}

/** For the other tools that cancel: cancel_segment lists the shape. */
export function refundMadeOutline() {
  const outline = z.looseObject(strings(usual('currency'))).describe('as in cancel_segment');
  return listedByName(noted('what comes back', outline));
}

export type RefundMade = z.input<ReturnType<typeof refundMadeSchema>>;
type Stated = NonNullable<RefundMade['stated']>;

/** In the line that tells the person that it is done. */
export function comesBack({ refund, estimate }: Pick<Outcome, 'refund' | 'estimate'> = {}): string {
  if (refund !== undefined) return backText(refund.amount);
  if (estimate?.amount !== undefined) return `${backText(estimate.amount, 'about ')} (estimate)`;
  return 'the refund is not known yet';
}

function backText(amount: Money, about = ''): string {
  return amount.minor === 0 ? 'nothing comes back' : `${about}${showMoney(amount)} comes back`;
}

/** What the journal keeps of an estimate, without the airline's words. Undefined without an amount or bounds. */
export function estimateTerms(
  estimate: RefundEstimate,
  { travelers }: CancelledPart,
): NonNullable<Outcome['estimate']> | undefined {
  const { amount, bounds, penalty } = estimate;
  if ((amount ?? bounds) === undefined) return undefined;
  const rule = refundSentences(estimate, travelers.length, estimate, false);
  return { amount, bounds, penalty, rule };
}

/** This operation's own refund: from the journal, from its answer, or from a later reading. */
function statedRefund({ operation, evidence, booking }: Done<unknown>): OperationRefund | undefined {
  const { subject, outcome } = operation;
  const before = expectedRefundsBefore(subject);
  if (outcome?.refund !== undefined || before === undefined) return outcome?.refund;
  const after = evidence?.booking ?? booking;
  return after && operationRefund(after, before);
}

/** Undefined where nothing was paid, or no amount is known. */
export function refundMade(done: Done<unknown>): RefundMade | undefined {
  const { operation, booking } = done;
  const refund = statedRefund(done);
  const guess = operation.outcome?.estimate;
  const guessed = guess?.amount ?? guess?.bounds?.atMost;
  const currency = (refund?.amount ?? guessed ?? operation.amount ?? booking?.pricing?.total?.total)?.currency;
  if (currency === undefined) return undefined;
  return {
    currency,
    stated: refund && viewStated(refund),
    // The view is in one currency.
    estimate: guess && guessed?.currency === currency ? viewEstimate(guess, refund === undefined) : undefined,
  };
}

function viewStated(refund: OperationRefund): Stated {
  const { amount, vat, orderStatus: status } = refund;
  const kept = amountKept(refund);
  return {
    back: formatMoney(amount),
    kept: kept && formatMoney(kept),
    kept_includes_vat: (vat !== undefined && kept !== undefined && kept.minor > 0) || undefined,
    order: status === undefined ? undefined : refundOrderStatus(status),
  };
}

/** The status of an order that pays a refund out, in words. */
export function refundOrderStatus(status: string | undefined): string {
  return status === 'PAID' ? 'paid out' : orderStatus(status);
}

function viewEstimate(
  estimate: NonNullable<Outcome['estimate']>,
  withRule: boolean,
): NonNullable<RefundMade['estimate']> {
  const { amount, bounds, penalty, rule } = estimate;
  return {
    back: amount && formatMoney(amount),
    kept: penalty && formatMoney(penalty),
    kept_includes_vat: (penalty !== undefined && penalty.minor > 0) || undefined,
    between: bounds && { at_least: formatMoney(bounds.atLeast), at_most: formatMoney(bounds.atMost) },
    note: withRule ? rule : undefined,
  };
}

/** `SAR 200.00 comes back (pending), SAR 149.50 is kept, tax included; estimated: …`, as sentences. */
export function refundMadeText(refund: RefundMade | undefined): string {
  const { currency = '', stated: statedRefund, estimate } = refund ?? {};
  const guess = estimate && sumsText(estimate, currency, { withTax: estimate.kept_includes_vat });
  if (statedRefund === undefined) {
    if (guess === undefined) return 'The airline did not state the refund, and it could not be estimated.';
    const rule = estimate?.note === undefined ? '' : ` ${estimate.note}`;
    return `The airline did not state the refund. Estimated: ${guess}.${rule}`;
  }
  const isAsEstimated =
    estimate?.back === statedRefund.back && (statedRefund.kept === undefined || estimate.kept === statedRefund.kept);
  const apart = guess === undefined ? '' : `; estimated: ${guess}`;
  return `The airline states: ${statedText(statedRefund, currency)}${isAsEstimated ? ', as estimated' : apart}.`;
}

function statedText({ back, kept, kept_includes_vat: withTax, order }: Stated, currency: string): string {
  const status = order === undefined || isZero(back) ? '' : ` (${order})`;
  return sumsText({ back, kept }, currency, { withTax, when: status }) ?? '';
}

export const refundsMadeSchema = () =>
  noted(
    'refunds that the airline states already; they are not counted in the other amounts',
    listedWithoutShape(
      z
        .array(stated().extend(optionalStrings({ ...WHOSE_REFUND, ...usual('currency') })))
        .describe('as in cancel_segment.stated'),
    ),
  );
type RefundsMade = z.input<ReturnType<typeof refundsMadeSchema>>;

/** The refunds that a booking shows: one an order, paid out or pending; of a single one with the people and trains refunded. */
export function refundsMade(booking: Booking, currency: string, ctx: RefundContext): RefundsMade {
  const made = refundsShown(booking);
  const names = made.length === 1 ? refundedParts(booking, ctx) : undefined;
  return made.map((entry) => ({
    currency: entry.amount.currency === currency ? undefined : entry.amount.currency,
    ...viewStated(entry),
    ...names,
  }));
}

/** Whose coupons are refunded, and on which trains. */
export function refundedParts(
  booking: Booking,
  ctx: RefundContext,
): { passengers: string; segments: string } | undefined {
  const gone = booking.tickets.flatMap(({ travelerRefs, coupons }) =>
    coupons.flatMap(({ statusCode, segmentRef }) =>
      statusCode === 'R' && segmentRef !== undefined ? [{ travelerRefs, segmentRef }] : [],
    ),
  );
  const people = new Set(gone.flatMap(({ travelerRefs }) => travelerRefs));
  const travelers = booking.travelers.filter(({ ref }) => people.has(ref));
  if (travelers.length === 0) return undefined;
  const refs = gone.map(({ segmentRef }) => segmentRef);
  return { passengers: peopleText(travelers), segments: segmentsText(segmentsOf(booking), refs, ctx) };
}

/** `SAR 173.42 is paid out and SAR 191.82 is pending`: one sum for each state of its orders. */
export function refundsMadeText(made: RefundsMade, of: string): string {
  const byOrder = Map.groupBy(made, ({ order, currency }) => `${currency} ${order}`);
  return listed(
    [...byOrder.values()].map((same) => {
      const [first] = same;
      const {
        currency = of,
        order = 'stated by the airline',
        passengers,
        segments,
      }: Partial<RefundsMade[number]> = first ?? {};
      const kept = same.every((refund) => refund.kept !== undefined) && same.map((refund) => refund.kept ?? '0');
      const tax = same.every((refund) => refund.kept_includes_vat) ? ', tax included' : '';
      const back = same.map((refund) => refund.back);
      const whose = same.length === 1 && passengers !== undefined ? ` for ${passengers}, ${segments}` : '';
      return `${sumText(back, currency)} is ${order}${kept ? ` (${sumText(kept, currency)} is kept${tax})` : ''}${whose}`;
    }),
  );
}

function sumText(amounts: readonly string[], currency: string): string {
  const sum = sumMoney(amounts.flatMap((amount) => parseMoney(amount, currency) ?? []));
  return sum === undefined ? `${currency} 0` : showMoney(sum);
}
