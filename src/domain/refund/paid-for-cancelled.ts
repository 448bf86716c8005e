/** What was paid for each segment that is cancelled already, as its price rows and the payment show it. */

import { type Money, subtractMoney, sumMoney } from '../../core/money.ts';
import { type Booking, segmentsOf } from '../booking/booking.ts';
import { paidOrders, wasPaid } from '../booking/paid-and-refunded.ts';
import { segmentStatus } from '../booking/status-codes.ts';
import { refundCount } from '../facts/expected-change.ts';

/**
 * What was paid for each cancelled segment, by ref; none of an unpaid hold. Its own price rows say it. If the airline leaves out the rows
 * of one segment, that one cost what the only payment exceeds the other rows by, unless a refund may have been a passenger's.
 */
export function paidForCancelled(booking: Booking): ReadonlyMap<string, Money> {
  const segments = segmentsOf(booking);
  const cancelled = segments.filter(({ statusCode }) => segmentStatus(statusCode) === 'cancelled');
  const rows = rowsBySegment(booking);
  if (cancelled.length === 0 || rows === undefined || !wasPaid(booking)) return new Map();

  const paid = new Map<string, Money>();
  for (const { ref } of cancelled) {
    const sum = sumMoney(rows.get(ref) ?? []);
    if (sum !== undefined) paid.set(ref, sum);
  }

  const [missing, ...others] = segments.filter(({ ref }) => !rows.has(ref));
  if (missing === undefined || others.length > 0 || !cancelled.includes(missing)) return paid;

  const rest = paidBesideRows(booking, rows);
  if (rest !== undefined && rest.minor > 0 && isAnyRefundOf(booking, missing.ref)) paid.set(missing.ref, rest);

  return paid;
}

/** What the only payment exceeds all rows by; undefined with several payments, or in another currency. */
function paidBesideRows(booking: Booking, rows: ReadonlyMap<string, readonly Money[]>): Money | undefined {
  const sum = sumMoney([...rows.values()].flat());
  const [payment, ...others] = paidOrders(booking);
  const amount = payment?.amount;
  if (others.length > 0 || amount === undefined || amount.currency !== sum?.currency) return undefined;
  return subtractMoney(amount, sum);
}

/** Prices of each segment; undefined unless each row is of one segment and has a price. */
function rowsBySegment({ pricing }: Booking): ReadonlyMap<string, readonly Money[]> | undefined {
  const rows = pricing?.perType ?? [];
  const prices = rows.flatMap(({ segmentRefs: [ref, ...others], price }) =>
    ref === undefined || others.length > 0 || price === undefined ? [] : [{ ref, total: price.total }],
  );
  if (rows.length === 0 || prices.length < rows.length) return undefined;

  const bySegment = Map.groupBy(prices, ({ ref }) => ref);
  return new Map([...bySegment].map(([ref, ofSegment]) => [ref, ofSegment.map(({ total }) => total)]));
}

/** Whether no refund was made, or the only one is of this segment, as its coupons show. */
function isAnyRefundOf(booking: Booking, ref: string): boolean {
  const refunds = refundCount(booking);
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons).filter(({ segmentRef }) => segmentRef === ref);
  return refunds === 0 || (refunds === 1 && coupons.some(({ statusCode }) => statusCode === 'R'));
}
