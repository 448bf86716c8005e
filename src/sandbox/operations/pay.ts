/**
 * Payment and ticket issue (OTA_AirDemandTicketRQ): one ticket per passenger, one coupon per segment, seats assigned.
 */
import type { Money } from '../../core/money.ts';
import { exactAmount, nothing, sum } from '../amounts.ts';
import { type Carrier, findDeparture, needBooking, serviceCancelled } from '../carrier.ts';
import { enter } from '../ledger.ts';
import {
  allSegments,
  type CarrierBooking,
  type HeldCoupon,
  type HeldSegment,
  type HeldTicket,
  isExpired,
  saveBooking,
  type Traveler,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { Payment } from '../requests/messages.ts';
import { bookingClaims, type Claim, keepForGood } from '../stock.ts';
import { type Numbering, newProviderTicket, newTicketNumber } from './locators.ts';

/** Payments with this card holder are rejected (167). */
const DECLINED_HOLDER = 'DECLINED';
/** The account that payments of type 4 charge. */
export const ACCOUNT_NAME = 'sandbox-account';
/** Code of the reservation system in its references. */
export const OWN_COMPANY = 'SBX';

function due(booking: CarrierBooking): Money | undefined {
  return booking.orders.find((order) => order.direction === 'PAYMENT')?.amount;
}

function checkPayable(carrier: Carrier, booking: CarrierBooking, payment: Payment): void {
  if (booking.state === 'cancelled') throw new Refusal('72', 'the booking is cancelled');
  if (booking.state === 'ticketed') throw new Refusal('65', 'the booking is ticketed already');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
  const departures = allSegments(booking).map((segment) => findDeparture(carrier, segment));
  const off = departures.find((departure) => departure.cancelled);
  if (off !== undefined) throw serviceCancelled(carrier, off);
  const first = Math.min(...departures.map((departure) => departure.departsAt));
  if (first <= carrier.now) throw new Refusal('74', 'the first departure has left');
  checkPayment(carrier, booking, payment);
}

/** What a payment says of company, account and amount (docs/wire/notes.md, Money and rules, Payment message). */
function checkPayment(carrier: Carrier, booking: CarrierBooking, payment: Payment): void {
  const { company, type, holder, currency, amount } = payment;
  const companies = [OWN_COMPANY, carrier.tenant, carrier.network.carrier];
  if (company !== undefined && !companies.includes(company.code)) {
    throw new Refusal('248', `no company ${company.code}`);
  }
  if (type === '4' && holder !== ACCOUNT_NAME) throw new Refusal('167', `no account ${holder}`);
  if (holder?.toUpperCase() === DECLINED_HOLDER) throw new Refusal('167', 'the card issuer declined');
  if (currency !== undefined && currency !== carrier.network.currency) {
    throw new Refusal('713', `the booking is in ${carrier.network.currency}`);
  }
  if (amount === undefined) return;
  if (exactAmount(amount, carrier.network.currency)?.minor !== due(booking)?.minor) {
    throw new Refusal('885', 'the amount is not the price of the booking');
  }
}

/** Runs within a write transaction. */
export function pay(carrier: Carrier, payment: Payment): CarrierBooking {
  const booking = needBooking(carrier, payment.locator);
  checkPayable(carrier, booking, payment);
  const claims = bookingClaims(carrier.state, booking.locator);
  const seated = booking.travelers.filter((traveler) => traveler.type !== 'INF').length;
  const segments = allSegments(booking).filter((segment) => !segment.cancelled);
  // Setting the clock back does not return seats that were sold since.
  if (claims.length < seated * segments.length) throw new Refusal('73', 'the hold lapsed, and its seats are gone');
  keepForGood(carrier.state, booking.locator);
  const ticketed: CarrierBooking = {
    ...booking,
    state: 'ticketed',
    paymentType: payment.type,
    tickets: booking.travelers.map((traveler) => issue(carrier, segments, traveler, claims)),
    orders: booking.orders.map((order) => (order.direction === 'PAYMENT' ? { ...order, status: 'PAID' } : order)),
  };
  saveBooking(carrier.state, ticketed);
  enter(carrier.state, carrier.now, 'paid', booking.locator, {
    amount: due(ticketed),
    about: ticketed.tickets.map((ticket) => ticket.number),
  });
  return ticketed;
}

function issue(
  carrier: Carrier,
  segments: readonly HeldSegment[],
  traveler: Traveler,
  claims: readonly Claim[],
): HeldTicket {
  const number = newTicketNumber(carrier);
  const coupons = segments.map((segment, i) => issueCoupon(carrier, traveler, segment, String(i + 1), claims));
  return { number, travelerRef: traveler.ref, coupons };
}

function issueCoupon(
  carrier: Carrier,
  traveler: Traveler,
  segment: HeldSegment,
  number: string,
  claims: readonly Claim[],
): HeldCoupon {
  const seat = claims.find((claim) => claim.segment === segment.ref && claim.traveler === traveler.ref);
  const providerTicket = newProviderTicket(carrier);
  const seated = seat === undefined ? {} : { coach: seat.coach, seat: seat.seat };
  return { segmentRef: segment.ref, number, status: 'O', ...seated, providerTicket };
}

/** What one passenger pays for the whole journey. */
export function travelerFare(carrier: Carrier, booking: CarrierBooking, type: string): Money {
  const { currency } = carrier.network;
  const totals = allSegments(booking).map((segment) => segment.prices[type]?.total ?? nothing(currency));
  return sum(currency, totals);
}

/**
 * Issues new tickets for those that are meant and have open coupons, which then show as exchanged (docs/wire/notes.md,
 * Statuses). Runs within a write transaction.
 */
export function reissued(
  airline: Numbering,
  booking: CarrierBooking,
  isMeant: (ticket: HeldTicket) => boolean,
): CarrierBooking {
  const tickets = booking.tickets.flatMap((ticket) => {
    const isOpen = ticket.coupons.some((coupon) => coupon.status === 'O');
    if (!isOpen || !isMeant(ticket)) return [ticket];
    const old = ticket.coupons.map((coupon) => (coupon.status === 'O' ? { ...coupon, status: 'E' } : coupon));
    const fresh = ticket.coupons.filter((coupon) => coupon.status === 'O');
    return [
      { ...ticket, coupons: old },
      { ...ticket, number: newTicketNumber(airline), coupons: fresh },
    ];
  });
  return { ...booking, tickets };
}
