/** A refund in a result: the airline's amount for this operation, and the estimate. */
import * as z from 'zod';
import type { Outcome } from '../../approvals/terms.ts';
import { cleanCode } from '../../core/clean-text.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { refundsBeforeOf } from '../../domain/booking/expected-change.ts';
import type { RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import { type OperationRefund, operationRefund } from '../../domain/pricing/stated-refund.ts';
import { expectedBy } from '../../journal/act.ts';
import { bookingEvidence } from '../acts/cancel-booking/evidence.ts';
import { type Done, optionalStrings, strings } from '../definition/define.ts';

export function refundSchema() {
  const stated = z.object({ amount: z.string(), ...optionalStrings('penalty', 'vat', 'order_status') });
  const estimate = z.object({
    ...optionalStrings('amount'),
    bounds: z.object(strings('at_least', 'at_most')).optional(),
    penalty: z.string().describe('tax included').optional(),
    ...optionalStrings('rule'),
  });
  return z.object({ currency: z.string(), stated: stated.optional(), estimate: estimate.optional() });
}

/** In the line that tells the person that it is done. */
export function comesBack({ refund, estimate }: Pick<Outcome, 'refund' | 'estimate'> = {}): string {
  if (refund !== undefined) return backText(refund.amount);
  if (estimate?.amount !== undefined) return `${backText(estimate.amount, 'about ')} (estimate)`;
  return 'the refund is not known yet';
}

function backText(amount: Money, about = ''): string {
  return amount.minor === 0 ? 'nothing comes back' : `${about}${showMoney(amount)} comes back`;
}

/** A short form for schemas listed after cancel_segment. */
export function refundOutline() {
  return z.looseObject({ currency: z.string() }).describe('as in cancel_segment');
}

export type RefundView = z.input<ReturnType<typeof refundSchema>>;

/** The part of an estimate that the journal keeps; undefined without an amount or bounds. */
export function estimateTerms(estimate: RefundEstimate): NonNullable<Outcome['estimate']> | undefined {
  const { amount, bounds, penalty, rule } = estimate;
  return (amount ?? bounds) ? omitUndefined({ amount, bounds, penalty, rule }) : undefined;
}

/** This operation's own refund: from the journal, from its answer, or from a later reading. */
function statedRefundOf({ operation, evidence, booking }: Done<unknown>): OperationRefund | undefined {
  const { subject, outcome } = operation;
  const before = refundsBeforeOf(subject);
  if (outcome?.refund !== undefined || before === undefined) return outcome?.refund;
  const shown = evidence?.booking ?? booking;
  return shown && operationRefund(shown, before);
}

export function refundView(done: Done<unknown>): RefundView | undefined {
  const { operation, booking } = done;
  if (expectedBy(bookingEvidence, operation)) return undefined;
  const stated = statedRefundOf(done);
  const guess = operation.outcome?.estimate;
  const guessed = guess?.amount ?? guess?.bounds?.atMost;
  const known = stated?.amount ?? guessed ?? operation.amount ?? booking?.pricing?.total?.total;
  const currency = known?.currency;
  if (currency === undefined) return undefined;
  return omitUndefined({
    currency,
    stated:
      stated &&
      omitUndefined({
        amount: formatMoney(stated.amount),
        penalty: stated.penalty && formatMoney(stated.penalty),
        vat: stated.vat && formatMoney(stated.vat),
        order_status: stated.orderStatus === undefined ? undefined : cleanCode(stated.orderStatus),
      }),
    // The view is in one currency.
    estimate: guess && guessed?.currency === currency ? viewEstimate(guess) : undefined,
  });
}

function viewEstimate(estimate: NonNullable<Outcome['estimate']>): NonNullable<RefundView['estimate']> {
  const { amount, bounds, penalty, rule } = estimate;
  return omitUndefined({
    amount: amount && formatMoney(amount),
    bounds: bounds && { at_least: formatMoney(bounds.atLeast), at_most: formatMoney(bounds.atMost) },
    penalty: penalty && formatMoney(penalty),
    rule,
  });
}

export function refundText(refund: RefundView | undefined): string {
  const { currency, stated, estimate }: Partial<RefundView> = refund ?? {};
  const guessed = estimate === undefined ? '' : `; ${estimateText(currency, estimate)}`;
  if (stated !== undefined) {
    if (Number(stated.amount) === 0) return `Nothing was refunded: the airline states ${currency} 0${guessed}.`;
    const kept = [stated.penalty && `penalty ${stated.penalty}`, stated.vat && `VAT ${stated.vat}`].filter(Boolean);
    const after = kept.length > 0 ? ` after ${kept.join(' and ')}` : '';
    const order = stated.order_status === undefined ? '' : `; refund order ${stated.order_status}`;
    return `Refund stated by the airline: ${currency} ${stated.amount}${after}${order}${guessed}.`;
  }
  if (estimate === undefined) return 'The airline did not state the refund, and it could not be estimated.';
  const rule = estimate.rule === undefined ? '.' : ` under the rule: ${estimate.rule}`;
  return `The airline did not state the refund${guessed}${rule}`;
}

function estimateText(currency: string | undefined, { amount, bounds }: NonNullable<RefundView['estimate']>): string {
  if (amount !== undefined || bounds === undefined) return `the estimate was ${currency} ${amount}`;
  return `it was estimated between ${currency} ${bounds.at_least} and ${currency} ${bounds.at_most}`;
}
