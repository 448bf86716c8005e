/**
 * `offer.priced[]`: the orders of a booking, money that went or goes one way (docs/wire/interface.md, Reservation).
 */
import type { Order } from '../../../domain/booking/booking.ts';
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
