/** Takes payments and issues tickets (OTA_AirDemandTicketRQ): one per passenger, with a coupon for each segment. */
import type { Money } from '../../core/money.ts';
import { exactAmount, sum, zeroAmount } from '../amounts.ts';
import { type AirlineNow, type Carrier, cancelledServiceRefusal, findDeparture, requireBooking } from '../carrier.ts';
import { recordEvent } from '../ledger.ts';
import {
  activeSegments,
  allSegments,
  type CarrierBooking,
  type HeldSegment,
  type HeldTicket,
  isExpired,
  isOpenCoupon,
  saveBooking,
  seatedTravelers,
  type Traveler,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { Payment } from '../requests/messages.ts';
import { bookingClaims, type Claim, claimedSeat, makeClaimsPermanent } from '../stock.ts';
import { newProviderTicket, newTicketNumber } from './locators.ts';

/** Payments with this card holder are rejected (167). */
const DECLINED_HOLDER = 'DECLINED';
/** The account that payments of type 4 charge. */
export const ACCOUNT_NAME = 'sandbox-account';
/** Code of the reservation system in its references. */
export const OWN_COMPANY = 'SBX';

/** Pays a hold and issues its tickets. Runs within a write transaction. */
export function pay(carrier: Carrier, payment: Payment): CarrierBooking {
  const booking = requireBooking(carrier, payment.locator);
  checkPayable(carrier, booking, payment);

  const claims = bookingClaims(carrier.state, booking.locator);
  const segments = activeSegments(booking);
  // Setting the clock back does not return seats that were sold since.
  if (claims.length < seatedTravelers(booking).length * segments.length)
    throw new Refusal('73', 'the hold lapsed, and its seats are gone');

  makeClaimsPermanent(carrier.state, booking.locator);

  const ticketed: CarrierBooking = {
    ...booking,
    state: 'ticketed',
    paymentType: payment.type,
    tickets: booking.travelers.map((traveler) => issueTicket(carrier, segments, traveler, claims)),
    orders: booking.orders.map((order) => (order.direction === 'PAYMENT' ? { ...order, status: 'PAID' } : order)),
  };
  const about = ticketed.tickets.map((ticket) => ticket.number);
  recordEvent(carrier, 'paid', booking.locator, { amount: amountDue(ticketed), about });

  return saveBooking(carrier.state, ticketed);
}

/** Throws unless the booking can be paid now, and the payment fits it. */
function checkPayable(carrier: Carrier, booking: CarrierBooking, payment: Payment): void {
  if (booking.state === 'cancelled') throw new Refusal('72', 'the booking is cancelled');
  if (booking.state === 'ticketed') throw new Refusal('65', 'the booking is ticketed already');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');

  const departures = allSegments(booking).map((segment) => findDeparture(carrier, segment));
  const cancelledDeparture = departures.find((departure) => departure.cancelled);
  if (cancelledDeparture !== undefined) throw cancelledServiceRefusal(carrier, cancelledDeparture);

  const hasLeft = departures.some((departure) => departure.departsAt <= carrier.now);
  if (hasLeft) throw new Refusal('74', 'the first departure has left');

  checkPayment(carrier, booking, payment);
}

/** Checks company, account and amount of a payment (docs/wire/notes.md, Money and rules, Payment message). */
function checkPayment(carrier: Carrier, booking: CarrierBooking, payment: Payment): void {
  const { company, type, holder, currency, amount } = payment;
  const companies = [OWN_COMPANY, carrier.tenant, carrier.network.carrier];
  if (company !== undefined && !companies.includes(company.code))
    throw new Refusal('248', `no company ${company.code}`);
  if (type === '4' && holder !== ACCOUNT_NAME) throw new Refusal('167', `no account ${holder}`);

  if (holder?.toUpperCase() === DECLINED_HOLDER) throw new Refusal('167', 'the card issuer declined');
  if (currency !== undefined && currency !== carrier.network.currency)
    throw new Refusal('713', `the booking is in ${carrier.network.currency}`);
  if (amount === undefined) return;
  if (exactAmount(amount, carrier.network.currency)?.minor !== amountDue(booking)?.minor)
    throw new Refusal('885', 'the amount is not the price of the booking');
}

function amountDue(booking: CarrierBooking): Money | undefined {
  return booking.orders.find((order) => order.direction === 'PAYMENT')?.amount;
}

/** Issues a traveller's ticket, with an open coupon (`O`) for each segment. */
function issueTicket(
  carrier: Carrier,
  segments: readonly HeldSegment[],
  { ref: travelerRef }: Traveler,
  claims: readonly Claim[],
): HeldTicket {
  const number = newTicketNumber(carrier);
  const coupons = segments.map(({ ref: segmentRef }, i) => ({
    segmentRef,
    number: String(i + 1),
    status: 'O',
    ...claimedSeat(claims, segmentRef, travelerRef),
    providerTicket: newProviderTicket(carrier),
  }));
  return { number, travelerRef, coupons };
}

/** Sums what one passenger of a type pays for all segments. */
export function travelerFare(carrier: Carrier, booking: CarrierBooking, type: string): Money {
  const { currency } = carrier.network;
  const totals = allSegments(booking).map((segment) => segment.prices[type]?.total ?? zeroAmount(currency));
  return sum(currency, totals);
}

/**
 * Issues new tickets for those that `isReissued` selects, if they have open coupons. The old coupons show as exchanged,
 * `E` (docs/wire/notes.md, Statuses). Runs within a write transaction.
 */
export function reissueTickets(
  airline: AirlineNow,
  booking: CarrierBooking,
  isReissued: (ticket: HeldTicket) => boolean,
): CarrierBooking {
  const tickets = booking.tickets.flatMap((ticket) => {
    const openCoupons = ticket.coupons.filter(isOpenCoupon);
    if (openCoupons.length === 0 || !isReissued(ticket)) return [ticket];
    const coupons = ticket.coupons.map((coupon) => (isOpenCoupon(coupon) ? { ...coupon, status: 'E' } : coupon));
    const newTicket = { ...ticket, number: newTicketNumber(airline), coupons: openCoupons };
    return [{ ...ticket, coupons }, newTicket];
  });
  return { ...booking, tickets };
}
