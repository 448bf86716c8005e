/**
 * Full replies as the domain has them, each with what tools show of it when nothing is held back.
 */
import type { Airline } from '../../../src/domain/airline.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from '../../../src/domain/booking/booking.ts';
import {
  type ExpectedChange,
  expectCancelledSegments,
  expectPayment,
} from '../../../src/domain/booking/expected-change.ts';
import type { SegmentOption } from '../../../src/domain/booking/itinerary.ts';
import { hasTickets } from '../../../src/domain/booking/payment-state.ts';
import type { CalendarDates, Route } from '../../../src/domain/booking/routes-and-calendar.ts';
import type { SegmentSeatMap } from '../../../src/domain/booking/seat-map.ts';
import type { FareComponent, FareRule } from '../../../src/domain/pricing/fare.ts';
import type { FareSearchResult, Offer } from '../../../src/domain/pricing/fare-search.ts';
import { decodeBookReply } from '../../../src/ota/messages/book.ts';
import { decodeCalendarReply } from '../../../src/ota/messages/calendar.ts';
import { decodeCancelReply } from '../../../src/ota/messages/cancel.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeRoutesReply } from '../../../src/ota/messages/routes.ts';
import { decodeSeatMapReply } from '../../../src/ota/messages/seat-map.ts';
import { decodeTicketReply } from '../../../src/ota/messages/ticket.ts';
import { cancelBooking } from '../../../src/tools/cancel-booking.ts';
import { cancelSegment } from '../../../src/tools/cancel-segment.ts';
import { getCalendarDates } from '../../../src/tools/get-calendar-dates.ts';
import { getSeatMap } from '../../../src/tools/get-seat-map.ts';
import { listRoutes } from '../../../src/tools/list-routes.ts';
import { payBooking } from '../../../src/tools/pay-booking.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import { searchFares } from '../../../src/tools/search-fares.ts';
import { sendTickets } from '../../../src/tools/send-tickets.ts';
import { fixture } from '../../ota/messages/fixture.ts';
import { sar } from '../../support/bookings.ts';
import { openDesk, operationOf, parsed } from './tool-context.ts';

export interface FullReply {
  readonly root: string;
  readonly value: object;
  /** The structured results of the tools that such a reply is for. */
  show(value: object): Promise<unknown>;
}

function full<T extends object>(root: string, value: T, show: (value: T) => Promise<unknown>): FullReply {
  return { root, value, show: (given) => show(given as T) };
}

function withoutSource({ source: _, ...booking }: Booking): Booking {
  return booking;
}

const LOCATOR = 'K7M4QX';
const SETTINGS = { carrier: 'HHR', assumedOperations: true };

function desk(airline: Partial<Airline> = {}) {
  return openDesk({ now: Date.parse('2026-11-20T09:05:00Z'), settings: SETTINGS, airline }).ctx;
}

/** New objects each time: a copy of the tree would keep shared ones shared. */
const details = () => ({
  emails: ['one@example.com', 'two@example.com'],
  phones: [
    { countryCode: '966', number: '501112223' },
    { countryCode: '49', number: '30123456' },
  ],
  addresses: [
    { city: 'Riyadh', countryCode: 'SA', countryName: 'Saudi Arabia' },
    { city: 'Berlin', countryCode: 'DE', countryName: 'Germany' },
  ],
  comments: [{ name: 'note', value: 'window' }],
});

/** Fields that the written reply leaves empty and a reply may fill. */
function filled(booking: Booking): Booking {
  const { pricing } = booking;
  const document = { number: 'C1112223', docType: '2', nationality: 'SA', expires: '2031-02-03' };
  const own = { ref: '9', gender: 'Female', birthDate: '1980-02-03', document };
  return {
    ...booking,
    options: booking.options.map(described),
    remarks: ['Paid at the desk'],
    references: [...booking.references, { id: 'CHOIR', type: '9', segmentRefs: [] }],
    travelers: booking.travelers.map((traveler) => ({ ...traveler, ...details() })),
    ...(booking.contact && { contact: { ...booking.contact, ...details(), ...own } }),
    ...(pricing && { pricing: { ...pricing, quoteId: 'Q-1', fares: pricing.fares.map(withEnglishLast) } }),
  };
}

/** With what the airline dialect says of a segment. */
function described(option: SegmentOption): SegmentOption {
  const permitted = [{ modificationType: '10', name: 'Cancel segment' }];
  const fareRules = [{ code: 'PEN', name: 'Penalties', text: 'Fee SAR 30.00' }];
  const segments = option.segments.map((segment) => ({ ...segment, fareName: 'Light', fareRules, permitted }));
  return { ...option, segments };
}

/** A text's language then decides which one is shown. */
function withEnglishLast(fare: FareComponent): FareComponent {
  const turned = (rules: readonly FareRule[]) => rules.map((rule) => ({ ...rule, texts: rule.texts.toReversed() }));
  return { ...fare, refundRules: turned(fare.refundRules), changeRules: turned(fare.changeRules) };
}

const BOOKING = filled(withoutSource(decodeReadReply(fixture('read-reply'))));

const done = (tool: string, subject: ExpectedChange) => operationOf(tool, { subject } as never, { locator: LOCATOR });

/** Read whole and revealed, as a cancellation reports it, and with the addresses its tickets are mailed to. */
async function showBooking(booking: Booking): Promise<unknown> {
  const ctx = desk({ read: async () => booking, sendMail: async () => {} });
  const args = parsed(readBooking, { locator: LOCATOR, detail: 'full', reveal_personal: true });
  const subject = expectCancelledSegments({ ...BOOKING, pricing: { refunds: [], fares: [], perType: [] } }, ['2']);
  const cancelled = {
    args: parsed(cancelSegment, { locator: LOCATOR, segment_refs: ['2'] }),
    operation: done('cancel_segment', subject),
    booking,
    evidence: { booking },
  };
  const mail = parsed(sendTickets, { locator: LOCATOR, what: 'tickets' });
  return [
    await readBooking.run(args, ctx),
    cancelSegment.report(cancelled, ctx).added,
    ...(hasTickets(booking) ? [await sendTickets.run(mail, ctx)] : []),
  ];
}

async function showReceipt(receipt: PaymentReceipt): Promise<unknown> {
  const args = parsed(payBooking, { locator: LOCATOR, payment: { type: 'cash' } });
  const operation = { ...done('pay_booking', expectPayment(BOOKING, sar(37505))), amount: sar(37505) };
  return payBooking.report({ args, operation, evidence: { receipt } }, desk()).added;
}

async function showCancelled(cancelled: CancelReceipt): Promise<unknown> {
  const args = parsed(cancelBooking, { locator: LOCATOR });
  const operation = done('cancel_booking', { kind: 'cancel_booking' });
  return cancelBooking.report({ args, operation, evidence: { cancelled } }, desk()).added;
}

function showSearch(found: FareSearchResult): Promise<unknown> {
  const legs = [{ from: 'MKX', to: 'DMX', date: '2026-12-01' }];
  const args = { legs, passengers: { adults: 1 }, include_sold_out: true, max_results: 50, detail: 'full' };
  return searchFares.run(parsed(searchFares, args), desk({ searchFares: async () => found }));
}

function showSeats(maps: readonly SegmentSeatMap[]): Promise<unknown> {
  const ctx = desk({ read: async () => BOOKING, seatMap: async () => maps });
  return getSeatMap.run(parsed(getSeatMap, { locator: LOCATOR, detail: 'full' }), ctx);
}

function showRoutes(routes: readonly Route[]): Promise<unknown> {
  return listRoutes.run(parsed(listRoutes, { max_results: 500 }), desk({ routes: async () => routes }));
}

function showCalendar(found: CalendarDates): Promise<unknown> {
  const args = { from: 'MKX', to: 'DMX', start_date: '2026-12-01', end_date: '2026-12-31' };
  return getCalendarDates.run(parsed(getCalendarDates, args), desk({ calendar: async () => found }));
}

/** Offers with a whole booking's price, and with the seats left in two classes. */
function priced(found: FareSearchResult): FareSearchResult {
  const { refunds: _, ...pricing } = BOOKING.pricing ?? { refunds: [], fares: [], perType: [] };
  const availability = [
    { bookingClass: 'C', quantity: '2', statusCode: 'A' },
    { bookingClass: 'Y', quantity: '9', statusCode: 'A' },
  ];
  const options = (offer: Offer) =>
    offer.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, availability })),
    }));
  const offers = found.offers.map((offer) => ({
    ...offer,
    options: options(offer),
    pricing: { ...pricing, refunds: [] },
  }));
  return { ...found, offers };
}

export const FULL_REPLIES: readonly FullReply[] = [
  full('booking', BOOKING, showBooking),
  full('booking', withoutSource(decodeBookReply(fixture('book-reply'))), showBooking),
  full('search', priced(decodeFareSearchReply(fixture('fare-search-reply'))), showSearch),
  full('search', decodeFareSearchReply(fixture('availability-reply')), showSearch),
  full('receipt', decodeTicketReply(fixture('ticket-reply')), showReceipt),
  full('cancelled', decodeCancelReply(fixture('cancel-reply')), showCancelled),
  full('seats', decodeSeatMapReply(fixture('seat-map-reply')), showSeats),
  full('routes', decodeRoutesReply(fixture('routes-reply')), showRoutes),
  full('calendar', decodeCalendarReply(fixture('calendar-reply')), showCalendar),
];
