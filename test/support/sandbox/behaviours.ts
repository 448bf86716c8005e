/**
 * Airlines that behave differently from the sandbox: `startSandbox({ rewrite: duplicatesRefused })`. Each is a function over
 * the reply, which runs within the transaction of its message.
 */

import {
  activeSegments,
  allBookings,
  type CarrierBooking,
  findBooking,
  isExpired,
  saveBooking,
} from '../../../src/sandbox/record.ts';
import { Refusal } from '../../../src/sandbox/refusal.ts';
import { writeReservation } from '../../../src/sandbox/replies/reservation.ts';
import { moveExpiry } from '../../../src/sandbox/stock.ts';
import { type Answered, BOOK, bookingIn, type Json, type Rewrite } from './deviations.ts';
import { ERROR_FORMS } from './error-forms.ts';
import { inDialect } from './forms.ts';

const PRICE = 'OTA_AirPriceRQ';
const MODIFY = 'OTA_AirBookModifyRQ';

/** An airline of its dialect with one other behaviour. */
const otherwise =
  (behaviour: Rewrite): Rewrite =>
  (reply, answered) =>
    inDialect(answered.carrier.dialect, behaviour(reply, answered));

/** The hold that a reply tells of, if its message makes holds. */
function madeHold(reply: Json, { name, carrier }: Answered): CarrierBooking | undefined {
  if (name !== BOOK && name !== PRICE) return undefined;
  const { airReservation, bookingReferenceID, pricedItinerary } = reply;
  const locator = airReservation?.bookingReferenceID[0].id ?? bookingReferenceID?.id ?? pricedItinerary?.quoteID;
  return locator && findBooking(carrier.state, locator);
}

const EMPTY = {
  no_tariff: { status: 404, words: 'no price tariff exists' },
  no_availability: { status: 400, words: 'no availability found' },
} as const;

/** The reply of older deployments to a search without result: an error in words, without a code. */
export function emptySearch(form: keyof typeof EMPTY): Rewrite {
  const { status, words } = EMPTY[form];
  return otherwise((reply: Json) => {
    if (reply.pricedItineraries?.pricedItinerary.length === 0) throw new Refusal('322', words, status);
    return reply.detail === words ? ERROR_FORMS.errorOlder(reply) : reply;
  });
}

function isSame(one: CarrierBooking, other: CarrierBooking): boolean {
  const trip = (booking: CarrierBooking): string =>
    activeSegments(booking)
      .map(({ departure }) => `${departure.number} ${departure.serviceDate}`)
      .join();
  const party = ({ travelers }: CarrierBooking): string =>
    travelers
      .map((it) => it.document?.number ?? it.type)
      .sort()
      .join();
  return trip(one) === trip(other) && party(one) === party(other);
}

/** A second hold for the same people on the same departures is refused with 409. */
export const duplicatesRefused: Rewrite = otherwise((reply, answered) => {
  const made = madeHold(reply, answered);
  if (made === undefined) return reply;
  const { state, now } = answered.carrier;
  const same = allBookings(state).some(
    (it) => it.locator !== made.locator && it.state !== 'cancelled' && !isExpired(it, now) && isSame(it, made),
  );
  if (same) throw new Refusal('127', 'a booking of these people on these departures exists');
  return reply;
});

/** A hold by names lasts `ms`. */
export function holdLasts(ms: number): Rewrite {
  return otherwise((reply, answered) => {
    const made = answered.name === BOOK ? bookingIn(reply, answered) : undefined;
    if (made === undefined) return reply;
    const booking = { ...made, payBy: made.createdAt + ms };
    saveBooking(answered.carrier.state, booking);
    moveExpiry(answered.carrier.state, booking.locator, booking.payBy);
    return { ...reply, airReservation: writeReservation(answered.carrier, booking, 'hold') };
  });
}

/** Each change of a flight costs `by` more, in minor units, than the rules of the fare say. */
export function changesCostMore(by: number): Rewrite {
  return (reply, answered) => {
    const booking = answered.name === MODIFY ? bookingIn(reply, answered) : undefined;
    const order = booking?.orders.at(-1);
    if (booking === undefined || order?.amount === undefined || order.direction !== 'PAYMENT') return reply;
    const dearer = { ...order, amount: { ...order.amount, minor: order.amount.minor + by } };
    const changed = { ...booking, orders: booking.orders.with(-1, dearer) };
    saveBooking(answered.carrier.state, changed);
    return { ...reply, airReservation: writeReservation(answered.carrier, changed, 'rebooked') };
  };
}
