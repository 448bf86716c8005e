/**
 * Airlines that behave differently from the sandbox: `startSandbox({ rewrite: duplicatesRefused })`. Each is a function over
 * the reply, which runs within the transaction of its message.
 */
import type { Carrier } from '../../../src/sandbox/carrier.ts';
import { anyFare, bookedFare, checkItinerary } from '../../../src/sandbox/checks/itinerary.ts';
import { seatsFor } from '../../../src/sandbox/checks/party.ts';
import type { Answered, Rewrite } from '../../../src/sandbox/context.ts';
import { inDialect, inReservation } from '../../../src/sandbox/dialects.ts';
import { readLedger } from '../../../src/sandbox/ledger.ts';
import { searchAvailability } from '../../../src/sandbox/operations/availability.ts';
import { unnamed } from '../../../src/sandbox/operations/group-book.ts';
import { hold } from '../../../src/sandbox/operations/hold.ts';
import {
  activeSegments,
  allBookings,
  type CarrierBooking,
  findBooking,
  isExpired,
  saveBooking,
} from '../../../src/sandbox/record.ts';
import { Refusal } from '../../../src/sandbox/refusal.ts';
import { writeAvailability } from '../../../src/sandbox/replies/availability.ts';
import { writeCounts } from '../../../src/sandbox/replies/priced-itinerary.ts';
import { writeReservation } from '../../../src/sandbox/replies/reservation.ts';
import { isPriceCheck, priceCheckFrom, priceCheckRequest } from '../../../src/sandbox/requests/booking.ts';
import { parse } from '../../../src/sandbox/requests/parse.ts';
import { searchOf, searchRequest } from '../../../src/sandbox/requests/search.ts';
import { moveExpiry } from '../../../src/sandbox/stock.ts';
import type { Wire } from '../../../src/sandbox/wire.ts';
import { BOOK, bookingIn, SEARCH } from './deviations.ts';
import { ERROR_FORMS } from './error-forms.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies and requests are looked at as the JSON that they are.
type Json = any;

const PRICE = 'OTA_AirPriceRQ';
const PAY = 'OTA_AirDemandTicketRQ';
const MODIFY = 'OTA_AirBookModifyRQ';

/** An airline of its dialect with one other behaviour. */
const otherwise =
  (behaviour: Rewrite): Rewrite =>
  (reply, answered) =>
    inDialect(answered.carrier.dialect, behaviour(reply, answered));

/** The hold that a reply tells of, if its message makes holds. */
function madeHold(reply: Wire, { name, request, carrier }: Answered): CarrierBooking | undefined {
  const makes = ('airReservation' in reply && name === BOOK) || (name === PRICE && !isPriceCheck(request));
  if (!makes || 'status' in reply) return undefined;
  const locator = readLedger(carrier.state).findLast(({ event }) => event === 'created')?.locator;
  return locator === undefined ? undefined : findBooking(carrier.state, locator);
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

/** Every search is answered with the availability record. */
export const availabilityRecord: Rewrite = otherwise((reply, { name, request, carrier }) => {
  if (name !== SEARCH || !('pricedItineraries' in reply)) return reply;
  const query = searchOf(parse(searchRequest, request).value);
  return writeAvailability(carrier, searchAvailability(carrier, query), query);
});

/** A price check makes a hold, and the reply names its locator. */
export const priceCheckHolds: Rewrite = otherwise((reply: Json, { name, request, carrier }) => {
  if (name !== PRICE || !isPriceCheck(request) || 'status' in reply) return reply;
  const { options, counts } = priceCheckFrom(parse(priceCheckRequest(carrier.dialect), request).value);
  const pick = carrier.dialect === 'rail' ? anyFare : bookedFare;
  const itinerary = checkItinerary(carrier, options, seatsFor(counts), pick);
  const segmentRefs = itinerary.departures.map((it) => it.segment.ref);
  const contact = { emails: [], phones: [], addresses: [], comments: [] };
  const { locator } = hold(carrier, { itinerary, contact, travelers: unnamed(counts, segmentRefs, undefined) });
  const [found] = reply.pricedItineraries.pricedItinerary;
  return {
    ...reply,
    bookingReferenceID: { type: '14', id: locator, companyName: { code: 'SBX' } },
    pricedItineraries: { pricedItinerary: [{ ...found, quoteID: locator }] },
  };
});

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

/** A hold lasts `ms`. */
export function holdLasts(ms: number): Rewrite {
  return otherwise((reply, answered) => {
    const made = madeHold(reply, answered);
    if (made === undefined) return reply;
    const { carrier } = answered;
    const booking = { ...made, payBy: made.createdAt + ms };
    saveBooking(carrier.state, booking);
    moveExpiry(carrier.state, booking.locator, booking.payBy);
    if (answered.name === PRICE) return writeCounts(carrier, booking);
    return { ...reply, airReservation: writeReservation(carrier, booking, 'hold') };
  });
}

function paidAt({ state }: Carrier, locator: string): number {
  const paid = readLedger(state).find((entry) => entry.event === 'paid' && entry.locator === locator);
  return paid === undefined ? 0 : Date.parse(paid.at);
}

/** Tickets are shown `ms` after the payment. */
export function ticketDelay(ms: number): Rewrite {
  return otherwise((reply, answered) => {
    if (answered.name === PAY && 'ticketItemInfo' in reply) return { ...reply, ticketItemInfo: [] };
    const booking = bookingIn(reply, answered);
    const { carrier } = answered;
    if (booking === undefined || carrier.now >= paidAt(carrier, booking.locator) + ms) return reply;
    return inReservation((reservation: Json) => ({
      ...reservation,
      ticketing: reservation.ticketing.filter((row: Json) => row.ticketDocumentNbr === undefined),
    }))(reply);
  });
}

/** A change of type 3 ignores a new e-mail of the contact (rail). */
export const contactEmailKept: Rewrite = otherwise((reply, answered) => {
  const { name, request, carrier }: Json = answered;
  const booking = bookingIn(reply, answered);
  if (name !== MODIFY || booking === undefined || request.airBookModifyRQ.modificationType !== '3') return reply;
  const contact = request.airReservation.travelerInfo.airTraveler.find((it: Json) => it.passengerTypeCode === 'CTC');
  const emails: string[] = contact.email.map((it: Json) => it.value);
  const kept = { ...booking, contact: { ...booking.contact, emails } };
  saveBooking(carrier.state, kept);
  return { ...reply, airReservation: writeReservation(carrier, kept, 'renamed') };
});
