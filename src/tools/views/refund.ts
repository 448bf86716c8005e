/**
 * A refund as it is reported: what the airline stated of this very operation, else the estimate, called so.
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { StatedRefund } from '../../domain/fare.ts';
import { addMoney, formatMoney, type Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { RefundEstimate } from '../../domain/refund.ts';
import { refundsOf } from '../../domain/subject.ts';
import type { Outcome } from '../../guard/terms.ts';
import type { Done } from '../define.ts';

export function refundSchema() {
  return z.object({
    currency: z.string(),
    stated: z
      .object({
        amount: z.string(),
        penalty: z.string().optional(),
        vat: z.string().optional(),
        order_status: z.string().optional(),
      })
      .optional(),
    estimate: z
      .object({ amount: z.string(), penalty: z.string().describe('VAT included'), rule: z.string() })
      .optional(),
  });
}

/** The same where its shape is written out elsewhere: every listed schema is paid for. */
export function refundOutline() {
  return z.looseObject({ currency: z.string() }).describe('as in cancel_segment');
}

export type RefundView = z.input<ReturnType<typeof refundSchema>>;

type Stated = NonNullable<Outcome['refund']>;

/** What is kept of an estimate with the operation; none where no amount could be told. */
export function estimateTerms(estimate: RefundEstimate): NonNullable<Outcome['estimate']> | undefined {
  const { amount, penalty, rule } = estimate;
  return amount && penalty ? { amount, penalty, rule } : undefined;
}

/** The refund entries from `before` on (those seen before the operation) to `end`, as one. */
export function newRefund(booking: Booking, before: number, end?: number): Stated | undefined {
  const fresh = refundsOf(booking).slice(before, end);
  const [first, ...rest] = fresh;
  if (first === undefined || rest.some((entry) => entry.amount.currency !== first.amount.currency)) return undefined;
  const total = (of: (entry: StatedRefund) => Money | undefined) => {
    const [head, ...tail] = fresh.flatMap((entry) => of(entry) ?? []);
    return head && addMoney(head, ...tail);
  };
  return present({
    amount: addMoney(first.amount, ...rest.map((entry) => entry.amount)),
    penalty: total((entry) => entry.penalty),
    vat: total((entry) => entry.vat),
    orderStatus: booking.orders.filter((order) => order.direction === 'REFUND').at(-1)?.status,
  });
}

/** This operation's own entries: all that its answer adds; of a later reading only the one that comes next. */
function statedRefund({ operation, evidence, booking }: Done<unknown>): Stated | undefined {
  const { subject, outcome } = operation;
  if (!('refundsBefore' in subject)) return outcome?.refund;
  const answered = evidence?.booking && newRefund(evidence.booking, subject.refundsBefore);
  const later = booking && newRefund(booking, subject.refundsBefore, subject.refundsBefore + 1);
  return answered ?? outcome?.refund ?? later;
}

export function refundView(done: Done<unknown>): RefundView | undefined {
  const { operation, booking } = done;
  const stated = statedRefund(done);
  const estimate = operation.outcome?.estimate;
  const known = stated?.amount ?? estimate?.amount ?? operation.amount ?? booking?.pricing?.total?.total;
  const currency = known?.currency;
  if (currency === undefined) return undefined;
  return present({
    currency,
    stated:
      stated &&
      present({
        amount: formatMoney(stated.amount),
        penalty: stated.penalty && formatMoney(stated.penalty),
        vat: stated.vat && formatMoney(stated.vat),
        order_status: stated.orderStatus,
      }),
    estimate: estimate && {
      amount: formatMoney(estimate.amount),
      penalty: formatMoney(estimate.penalty),
      rule: estimate.rule,
    },
  });
}

export function refundText(refund: RefundView | undefined): string {
  if (refund === undefined) return 'The airline did not state the refund, and it could not be estimated.';
  const { currency, stated, estimate } = refund;
  if (stated !== undefined) {
    const kept = [stated.penalty && `penalty ${stated.penalty}`, stated.vat && `VAT ${stated.vat}`].filter(Boolean);
    const after = kept.length > 0 ? ` after ${kept.join(' and ')}` : '';
    const order = stated.order_status === undefined ? '' : `; refund order ${stated.order_status}`;
    return `Refund stated by the airline: ${currency} ${stated.amount}${after}${order}.`;
  }
  const words =
    estimate === undefined ? '' : `; the estimate was ${currency} ${estimate.amount} under the rule: ${estimate.rule}`;
  return estimate === undefined
    ? 'The airline did not state the refund, and it could not be estimated.'
    : `The airline did not state the refund${words}`;
}
