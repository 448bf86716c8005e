/**
 * Refunds after a cancellation. First the schemas; then the refund of one cancellation, what the airline states beside what was
 * estimated, as words in a line, in the journal, as data and as text; at last the refunds that a booking shows.
 */
import * as z from 'zod';
import { formatMoney, parseMoney, showMoney, sumMoney, zero } from '../../core/money.ts';
import { listed } from '../../core/words.ts';
import { type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import { expectedRefundsBefore } from '../../domain/facts/expected-change.ts';
import {
  amountKept,
  approvedRefund,
  type ForeignRefund,
  foreignRefund,
  type OperationRefund,
  operationRefund,
  refundsShown,
} from '../../domain/refund/airline-stated-refund.ts';
import { comesBackText, onConditionWords } from '../../domain/refund/back-words.ts';
import type { Outcome } from '../../journal/operation.ts';
import type { Done } from '../definition/define.ts';
import { listedWithoutShape, optionalStrings, strings } from '../definition/field-notes.ts';
import { type AskedRefund, viewSums } from './refund-data.ts';
import { peopleText, type RefundContext, segmentsText } from './refund-lines.ts';
import { refundConditionSchema, refundLimitsSchema } from './refund-schema.ts';
import { conditionTexts, isZero, MOST_CONDITIONS, sumsText } from './refund-text.ts';

const statedSchema = () =>
  z.object({
    ...strings('back'),
    ...optionalStrings('kept'),
    kept_includes_vat: z.boolean().optional(),
    ...optionalStrings('order'),
  });

export function cancellationRefundSchema() {
  const estimate = z.object({
    ...optionalStrings('back', 'kept'),
    kept_includes_vat: z.boolean().optional(),
    between: refundLimitsSchema(),
    refund_condition: listedWithoutShape(refundConditionSchema()),
    ...optionalStrings('note', 'currency'),
  });

  const fields = {
    ...strings('currency'),
    stated: statedSchema().optional(),
    estimate: listedWithoutShape(estimate.describe('as in stated, or between').optional()),
  };
  return z.object(fields);
}

/** For the other tools that cancel: cancel_segment lists the shape. */
export function cancellationRefundOutline() {
  return listedWithoutShape(z.looseObject(strings('currency')));
}

export type CancellationRefund = z.input<ReturnType<typeof cancellationRefundSchema>>;
type StatedView = NonNullable<CancellationRefund['stated']>;

export const refundsShownSchema = () =>
  listedWithoutShape(
    z
      .array(statedSchema().extend(optionalStrings('passengers', 'segments', 'currency')))
      .describe('as in cancel_segment.stated'),
  );

type RefundsShown = z.input<ReturnType<typeof refundsShownSchema>>;

/** Says what comes back, in the line that tells a person that a cancellation is done. */
export function comesBack({ refund, estimate }: Pick<Outcome, 'refund' | 'estimate'> = {}): string {
  const foreign = foreignRefund(refund?.amount, estimate, undefined);
  if (foreign !== undefined) {
    return `${comesBackText({ amount: foreign.stated })}, and ${showMoney(foreign.approved)} was approved`;
  }

  if (refund !== undefined) return comesBackText({ amount: refund.amount });
  if (estimate?.amount !== undefined) {
    const condition = onConditionWords(estimate.onCondition, estimate.amount);
    return `${comesBackText({ amount: estimate.amount }, 'about ')} (estimate)${condition}`;
  }

  return 'the refund is not known yet';
}

/** The part of a refund that the journal keeps. Undefined without an amount or bounds. */
export function estimateTerms({
  refund: { refund_condition: conditions },
  estimate: { amount, bounds, penalty, onCondition },
  doubts,
}: AskedRefund): Outcome['estimate'] {
  if ((amount ?? bounds) === undefined) return undefined;
  const kept = conditions?.slice(0, MOST_CONDITIONS).map(({ says, fare_of: whose }) => ({ says, whose }));
  return { amount, bounds, penalty, onCondition, rule: doubts.join(' '), conditions: kept };
}

/** This operation's own refund: from the journal, from its answer, or from a later reading. */
function findRefund({ operation, evidence, booking }: Done<unknown>): OperationRefund | undefined {
  const { subject, outcome } = operation;
  const before = expectedRefundsBefore(subject);
  if (outcome?.refund !== undefined || before === undefined) return outcome?.refund;
  const after = evidence?.booking ?? booking;
  return after && operationRefund(after, before);
}

/** Undefined where nothing was paid, or no amount is known. */
export function viewCancellationRefund(done: Done<unknown>): CancellationRefund | undefined {
  const { operation, booking } = done;
  const refund = findRefund(done);
  const estimate = operation.outcome?.estimate;
  const bookingTotal = booking?.pricing?.total?.total;
  const currency = (refund?.amount ?? approvedRefund(estimate, operation.amount) ?? bookingTotal)?.currency;
  if (currency === undefined) return undefined;

  const foreign = foreignRefund(refund?.amount, estimate, operation.amount);
  return {
    currency,
    stated: refund && viewStated(refund),
    estimate: viewApproved(estimate, refund !== undefined, foreign),
  };
}

/** The estimate; of a refund in another currency also that of what was approved, and without an estimate the most that was at stake. */
function viewApproved(
  estimate: Outcome['estimate'],
  isStated: boolean,
  foreign: ForeignRefund | undefined,
): CancellationRefund['estimate'] {
  const view = estimate && viewEstimate(estimate, isStated);
  if (foreign === undefined) return view;
  const { approved } = foreign;
  const atMost = { at_least: formatMoney(zero(approved.currency)), at_most: formatMoney(approved) };
  return { ...(view ?? { between: atMost }), currency: approved.currency };
}

function viewStated(refund: OperationRefund): StatedView {
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

/** Leaves out what the estimate rests on if the airline stated the refund. */
function viewEstimate(
  { rule, conditions, ...amounts }: NonNullable<Outcome['estimate']>,
  isStated: boolean,
): NonNullable<CancellationRefund['estimate']> {
  const { back, kept, between } = viewSums(amounts);
  return {
    back,
    kept,
    kept_includes_vat: Number(kept) > 0 || undefined,
    between,
    refund_condition: isStated ? undefined : conditions?.map(({ says, whose }) => ({ says, fare_of: whose })),
    note: (isStated ? undefined : rule) || undefined,
  };
}

/** `The airline states: SAR 200.00 comes back (pending), SAR 149.50 is kept, tax included. The estimate was: …` */
export function cancellationRefundText(refund: CancellationRefund | undefined): string {
  const { currency = '', stated, estimate } = refund ?? {};
  const { currency: approved } = estimate ?? {};
  const estimateText = estimate && sumsText(estimate, approved ?? currency, { withTax: estimate.kept_includes_vat });
  if (stated === undefined) {
    if (estimateText === undefined) return 'The airline did not state the refund, and it could not be estimated.';
    const rule = estimate?.note === undefined ? '' : ` ${estimate.note}`;
    const conditions = conditionTexts(estimate?.refund_condition).map((text) => ` ${text}`);
    return `The airline did not state the refund. Estimated: ${estimateText}.${conditions.join('')}${rule}`;
  }

  if (approved !== undefined) {
    const what = `The airline states: ${statedText(stated, currency)}`;
    return `NOT IN THE CURRENCY THAT WAS APPROVED. ${what}. Approved was: ${estimateText}.`;
  }

  const isAsEstimated = estimate?.back === stated.back && (stated.kept === undefined || estimate.kept === stated.kept);
  const comparison = estimateText === undefined ? '' : `. The estimate was: ${estimateText}`;
  return `The airline states: ${statedText(stated, currency)}${isAsEstimated ? ', as estimated' : comparison}.`;
}

function statedText({ back, kept, kept_includes_vat: withTax, order }: StatedView, currency: string): string {
  const status = order === undefined || isZero(back) ? '' : ` (${order})`;
  return sumsText({ back, kept }, currency, { withTax, when: status }) ?? '';
}

/** The refunds that a booking shows, one for each order; a single one names its passengers and segments. */
export function viewRefundsShown(booking: Booking, currency: string, ctx: RefundContext): RefundsShown {
  const refunds = refundsShown(booking);
  const whose = refunds.length === 1 ? refundedParts(booking, ctx) : undefined;
  return refunds.map((refund) => ({
    currency: refund.amount.currency === currency ? undefined : refund.amount.currency,
    ...viewStated(refund),
    ...whose,
  }));
}

/** Whose coupons are refunded, and for which segments, in words. */
export function refundedParts(
  booking: Booking,
  ctx: RefundContext,
): { passengers: string; segments: string } | undefined {
  const refundedCoupons = booking.tickets.flatMap(({ travelerRefs, coupons }) =>
    coupons.flatMap(({ statusCode, segmentRef }) =>
      statusCode === 'R' && segmentRef !== undefined ? [{ travelerRefs, segmentRef }] : [],
    ),
  );
  const people = new Set(refundedCoupons.flatMap(({ travelerRefs }) => travelerRefs));
  const travelers = booking.travelers.filter(({ ref }) => people.has(ref));
  if (travelers.length === 0) return undefined;

  const refs = refundedCoupons.map(({ segmentRef }) => segmentRef);
  return { passengers: peopleText(travelers, ctx), segments: segmentsText(segmentsOf(booking), refs, ctx) };
}

/** `SAR 173.42 is paid out and SAR 191.82 is pending`: one sum for each state of its orders. */
export function refundsShownText(refunds: RefundsShown, resultCurrency: string): string {
  const byOrder = Map.groupBy(refunds, ({ order, currency }) => `${currency} ${order}`);
  return listed([...byOrder.values()].map((sameOrder) => orderSumText(sameOrder, resultCurrency)));
}

/** `SAR 173.42 is paid out (SAR 20.00 is kept, tax included) for Amal Haddad, train HHR101 …`. */
function orderSumText(refunds: RefundsShown, resultCurrency: string): string {
  const [refund, ...others] = refunds;
  const currency = refund?.currency ?? resultCurrency;

  const back = refunds.map((each) => each.back);
  const kept = refunds.flatMap((each) => each.kept ?? []);
  const tax = refunds.every((each) => each.kept_includes_vat) ? ', tax included' : '';
  const isKeptKnown = kept.length === refunds.length;
  const keptText = isKeptKnown ? ` (${sumText(kept, currency)} is kept${tax})` : '';

  const isSingle = others.length === 0 && refund?.passengers !== undefined;
  const whose = isSingle ? ` for ${refund.passengers}, ${refund.segments}` : '';
  return `${sumText(back, currency)} is ${refund?.order ?? 'stated by the airline'}${keptText}${whose}`;
}

function sumText(amounts: readonly string[], currency: string): string {
  const sum = sumMoney(amounts.flatMap((amount) => parseMoney(amount, currency) ?? []));
  return sum === undefined ? `${currency} 0` : showMoney(sum);
}
