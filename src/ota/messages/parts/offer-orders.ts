/**
 * `offer.priced[]`: the orders of a booking, money that went or goes one way (interface.md, reservation).
 */
import type { Order } from '../../../domain/booking.ts';
import { formatMoney } from '../../../domain/money.ts';
import { amount, currencyOf } from './money.ts';
import { defined, extensions, record, records, text, type Wire } from './reader.ts';

function readOrder(wire: Wire): Order | undefined {
  const info = record(extensions(wire).orderInfo);
  const order = defined({
    id: text(wire.id),
    action: text(info.action),
    direction: text(info.direction),
    orderType: text(info.orderType),
    status: text(info.status),
    amount: amount(info.totalAmount, currencyOf(info)),
  });
  return Object.keys(order).length === 0 ? undefined : order;
}

export function readOrders(offer: unknown): Order[] {
  return records(record(offer).priced).flatMap((wire) => readOrder(wire) ?? []);
}

const EMPTY_ARRAYS = [
  'shortDescription',
  'longDescription',
  'originDestination',
  'otherServices',
  'restriction',
  'termsAndConditions',
  'commission',
  'multimedia',
  'bookingReferenceID',
];

function writeOrder(order: Order): Wire {
  const orderInfo = defined({
    action: order.action,
    currencyCode: order.amount?.currency,
    direction: order.direction,
    orderType: order.orderType,
    status: order.status,
    totalAmount: order.amount && formatMoney(order.amount),
  });
  const empty = Object.fromEntries(EMPTY_ARRAYS.map((name) => [name, []]));
  return defined({ id: order.id, ...empty, tpaExtensions: { orderInfo } });
}

export function writeOffer(orders: readonly Order[]): Wire {
  return { summary: [], priced: orders.map(writeOrder), purchased: [] };
}
