/**
 * Payment and ticket issue (OTA_AirDemandTicketRQ): one ticket per passenger, one coupon per segment, seats assigned.
 */
import type { PaymentReceipt, ReceiptItem } from '../../domain/booking.ts';
import { addMoney, formatMoney, type Money, zero } from '../../domain/money.ts';
import type { Traveler } from '../../domain/traveler.ts';
import type { TicketOrder as PaymentOrder } from '../../ota/messages/ticket.ts';
import { type Carrier, departureOf, needBooking } from '../carrier.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { linksOf } from '../present.ts';
import {
  allSegments,
  type CarrierBooking,
  type HeldCoupon,
  type HeldSegment,
  type HeldTicket,
  isExpired,
  saveBooking,
} from '../record.ts';
import { type Claim, claimsOfBooking, keepForGood } from '../stock.ts';
import { newProviderTicket, newTicketNumber } from './locators.ts';

/** A card holder of this name has no cover: the payment is rejected (167). */
export const DECLINED_HOLDER = 'DECLINED';

export const PAYMENT_CODES: Readonly<Record<PaymentOrder['paymentType'], string>> = {
  external: '32',
  credit_card: '5',
  cash: '1',
  debit_credit_account: '4',
  invoice: '40',
};

function checkPayable(carrier: Carrier, booking: CarrierBooking, order: PaymentOrder): void {
  if (booking.state === 'cancelled') throw new Fault('72', 'the booking is cancelled');
  if (booking.state === 'ticketed') throw new Fault('65', 'the booking is ticketed already');
  if (isExpired(booking, carrier.now)) throw new Fault('73', 'the hold lapsed');
  const first = Math.min(...allSegments(booking).map((it) => departureOf(carrier, it).departsAt));
  if (first <= carrier.now) throw new Fault('74', 'the first departure has left');
  if (order.holderName?.toUpperCase() === DECLINED_HOLDER) throw new Fault('167', 'the card issuer declined');
}

/** Runs within a write transaction. */
export function pay(carrier: Carrier, order: PaymentOrder): PaymentReceipt {
  const booking = needBooking(carrier, order.locator);
  checkPayable(carrier, booking, order);
  const claims = claimsOfBooking(carrier.state, booking.locator);
  const seated = booking.travelers.filter((it) => it.type !== 'INF').length;
  // A clock that was set back does not bring back seats that have been sold since.
  if (claims.length < seated * allSegments(booking).length)
    throw new Fault('73', 'the hold lapsed, and its seats are gone');
  keepForGood(carrier.state, booking.locator);
  const ticketed: CarrierBooking = {
    ...booking,
    state: 'ticketed',
    paymentType: PAYMENT_CODES[order.paymentType],
    tickets: booking.travelers.map((traveler) => issue(carrier, booking, traveler, claims)),
    orders: booking.orders.map((it) => (it.direction === 'PAYMENT' ? { ...it, status: 'PAID' } : it)),
  };
  saveBooking(carrier.state, ticketed);
  const paid = ticketed.orders.find((it) => it.direction === 'PAYMENT')?.amount;
  enter(carrier.state, carrier.now, 'paid', booking.locator, {
    ...(paid === undefined ? {} : { amount: paid }),
    about: ticketed.tickets.map((ticket) => ticket.number),
  });
  return receiptOf(carrier, ticketed);
}

function issue(carrier: Carrier, booking: CarrierBooking, traveler: Traveler, claims: readonly Claim[]): HeldTicket {
  const number = newTicketNumber(carrier);
  const coupons = allSegments(booking).map((segment, i) => couponOf(carrier, traveler, segment, String(i + 1), claims));
  return { number, travelerRef: traveler.ref, coupons };
}

function couponOf(
  carrier: Carrier,
  traveler: Traveler,
  segment: HeldSegment,
  number: string,
  claims: readonly Claim[],
): HeldCoupon {
  const seat = claims.find((it) => it.segment === segment.ref && it.traveler === traveler.ref);
  const providerTicket = newProviderTicket(carrier);
  const seated = seat === undefined ? {} : { coach: seat.coach, seat: seat.seat };
  return { segmentRef: segment.ref, number, status: 'O', ...seated, providerTicket };
}

/** What one passenger pays for the whole journey. */
export function fareOfTraveler(carrier: Carrier, booking: CarrierBooking, type: string): Money {
  const totals = allSegments(booking).map((segment) => segment.prices[type]?.total ?? zero(carrier.network.currency));
  return addMoney(zero(carrier.network.currency), ...totals);
}

function receiptOf(carrier: Carrier, booking: CarrierBooking): PaymentReceipt {
  const { locator, operatorLocator, travelers, tickets, paymentType } = booking;
  const items = tickets.map((ticket, i): ReceiptItem => {
    const traveler = travelers.find((it) => it.ref === ticket.travelerRef);
    const type = traveler?.type ?? 'ADT';
    const amount = formatMoney(fareOfTraveler(carrier, booking, type));
    return {
      ticketNumber: ticket.number,
      ticketType: 'E_TICKET',
      itemNumber: String(i + 1),
      ...(traveler?.name === undefined ? {} : { name: traveler.name }),
      passengerType: type,
      total: amount,
      net: amount,
      ...(paymentType === undefined ? {} : { paymentType }),
      conjunctive: [],
      links: linksOf(carrier, booking, ticket),
    };
  });
  return {
    locator,
    references: [
      { id: locator, type: '14', segmentRefs: [] },
      { id: operatorLocator, type: '14', system: carrier.network.carrier, segmentRefs: [] },
    ],
    items,
    retransmission: false,
    answeredAt: new Date(carrier.now).toISOString(),
  };
}
