/**
 * Arbitrary domain values, as the messages can carry them.
 */
import fc from 'fast-check';
import type {
  Booking,
  BookingReference,
  Coupon,
  Emd,
  Order,
  PaymentReceipt,
  Ticket,
} from '../../src/domain/booking.ts';
import type { Pricing } from '../../src/domain/fare.ts';
import { type Segment, segmentStatus } from '../../src/domain/itinerary.ts';
import type { FareQuery, FareSearchResult, Offer } from '../../src/domain/offer.ts';
import type { Modification, NewBooking, NewGroupBooking, SeatChoice } from '../../src/domain/requests.ts';
import type { Station } from '../../src/domain/schedule.ts';
import type { Seat, SeatCabin, SeatMapQuery, SegmentSeatMap } from '../../src/domain/seat-map.ts';
import type { Traveler } from '../../src/domain/traveler.ts';
import { toMillis } from '../../src/ota/messages/parts/times.ts';
import type { TicketOrder } from '../../src/ota/messages/ticket.ts';
import {
  both,
  code3,
  contact,
  currency,
  date,
  digits,
  list,
  local,
  moneyIn,
  options,
  personName,
  pricing,
  ref,
  segment,
  some,
  texts,
  travelers,
  utc,
  words,
} from './arbitrary-parts.ts';

const locator = fc.stringMatching(/^[A-Z0-9]{6}$/);

const operatorReference: fc.Arbitrary<BookingReference> = both(
  fc.record({ id: fc.stringMatching(/^[A-Z0-9]{9}$/), segmentRefs: list(ref, 2) }),
  some({ type: fc.constant('14'), system: code3 }),
);

const references = (own: string): fc.Arbitrary<BookingReference[]> =>
  fc
    .tuple(some<{ system: string }>({ system: code3 }), list(operatorReference, 2), fc.boolean())
    .map(([system, others, first]) => {
      const mine = { id: own, type: '14', segmentRefs: [], ...system };
      return first ? [mine, ...others] : [...others, mine];
    });

const coupon: fc.Arbitrary<Coupon> = some({
  number: digits,
  statusCode: fc.constantFrom('O', 'R', 'F', '?'),
  seat: words,
  coach: words,
  providerTicket: words,
});

const href = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example\/[a-z0-9]{1,8}$/);
const links = fc.uniqueArray(both(fc.record({ href }), some({ rel: words, segmentRef: ref, travelerRef: ref })), {
  maxLength: 2,
  selector: (link) => link.href,
});

const downloads = fc.uniqueArray(both(fc.record({ href }), some({ rel: words })), {
  maxLength: 2,
  selector: (link) => link.href,
});

const ticket: fc.Arbitrary<Ticket> = both(
  fc.record({
    number: fc.oneof(fc.constant(''), fc.stringMatching(/^\d{13}$/)),
    travelerRefs: list(ref, 2),
    segmentRefs: list(ref, 2),
    coupons: list(coupon).map((found) => found.map((one, place) => ({ ...one, segmentRef: String(place + 1) }))),
    links,
  }),
  some({ ticketType: fc.constantFrom('E_TICKET', 'PAPER'), passengerType: words, timeLimit: local }),
);

const order: fc.Arbitrary<Order> = both(
  fc.record({ id: digits }),
  some({ action: words, direction: words, orderType: words, status: words, amount: currency.chain(moneyIn) }),
);

const emd: fc.Arbitrary<Emd> = some({ number: digits, type: words, text: words });

const service = both(
  fc.record({ travelerRefs: list(ref, 2), segmentRefs: list(ref, 2) }),
  some({ code: words, text: words, status: words }),
);

/** A booking as reservations carry it (no quote: that comes with a priced itinerary). */
export const booking: fc.Arbitrary<Booking> = locator.chain((own) =>
  both(
    fc.record({
      locator: fc.constant(own),
      references: references(own),
      options: options(true),
      travelers: travelers(false),
      tickets: list(ticket, 2),
      orders: list(order, 2),
      services: list(service, 2),
      emds: list(emd, 2),
    }),
    some({ createdAt: utc, contact, pricing }),
  ),
);

const quoted: fc.Arbitrary<Pricing> = both(pricing, some({ quoteId: words }));

export const groupBooking: fc.Arbitrary<Booking> = locator.chain((own) =>
  fc.record({
    locator: fc.constant(own),
    references: references(own),
    options: options(true),
    pricing: quoted,
    travelers: fc.constant([]),
    tickets: fc.constant([]),
    orders: fc.constant([]),
    services: fc.constant([]),
    emds: fc.constant([]),
  }),
);

const counts = fc.record({ adults: fc.nat(9), children: fc.nat(9), infants: fc.nat(9) });

export const fareQuery: fc.Arbitrary<FareQuery> = fc.record({
  legs: fc.array(fc.record({ from: code3, to: code3, date, daysBefore: fc.nat(7), daysAfter: fc.nat(7) }), {
    minLength: 1,
    maxLength: 6,
  }),
  passengers: counts,
  bookingClasses: texts,
  includeSoldOut: fc.boolean(),
});

export const offer: fc.Arbitrary<Offer> = both(
  fc.record({ options: options(true), pricing: quoted, notes: texts }),
  some({ sequence: fc.nat(500) }),
);

export const itineraries: fc.Arbitrary<FareSearchResult> = both(
  fc.record({ form: fc.constant('itineraries' as const), offers: list(offer), soldOut: fc.constant([]) }),
  some({ searchedAt: utc }),
);

/** Options as they are booked: each segment in a fare. */
const chosen = options(false).map((all) =>
  all.map((option) => ({
    ...option,
    segments: option.segments.map((one) => ({ ...one, fareBasis: one.fareBasis ?? 'EFLEX1' })),
  })),
);

export const newBooking: fc.Arbitrary<NewBooking> = fc.record({
  options: chosen,
  contact,
  travelers: travelers(true),
});

export const newGroupBooking: fc.Arbitrary<NewGroupBooking> = both(
  fc.record({ options: chosen, contact, passengers: counts }),
  some({ groupName: words }),
);

export const paymentOrder: fc.Arbitrary<TicketOrder> = both(
  fc.record({
    locator,
    paymentType: fc.constantFrom('external', 'credit_card', 'cash', 'debit_credit_account', 'invoice'),
  }),
  some({ holderName: words, companyName: some({ code: words, shortName: words }) }),
);

const amountText = fc.tuple(fc.nat(99_999), fc.nat(99)).map(([whole, part]) => String(whole + part / 100));

export const receipt: fc.Arbitrary<PaymentReceipt> = locator.chain((own) =>
  both(
    fc.record({
      locator: fc.constant(own),
      references: references(own),
      items: list(
        both(
          fc.record({ ticketNumber: digits, conjunctive: texts, links: downloads }),
          some({
            ticketType: words,
            itemNumber: digits,
            name: personName,
            passengerType: words,
            total: amountText,
            net: amountText,
            paymentType: digits,
          }),
        ),
      ),
    }),
    some({ retransmission: fc.boolean(), answeredAt: utc }),
  ),
);

const seat = (row: string): fc.Arbitrary<Seat> =>
  both(
    fc.record({
      number: digits,
      row: fc.constant(row),
      status: fc.constantFrom<Seat['status']>('free', 'taken', 'yours'),
      window: fc.boolean(),
      aisle: fc.boolean(),
      amenities: texts,
      services: texts,
    }),
    some({ column: fc.nat(9), sequence: fc.nat(999), facing: fc.constantFrom('forward', 'backward') }),
  );

const zone = some({
  id: words,
  code: words,
  name: words,
  description: words,
  totalSeats: fc.nat(99),
  type: fc.constantFrom('T', 'P'),
});

const CABINS = { T: 'economy', P: 'business', F: 'other' } as const;

const cabin: fc.Arbitrary<SeatCabin> = fc.constantFrom('T' as const, 'P' as const, 'F' as const).chain((cabinType) =>
  both(
    fc.record({
      cabin: fc.constant(CABINS[cabinType]),
      cabinType: fc.constant(cabinType),
      zones: list(zone, 2),
      rows: fc.array(
        digits.chain((number) =>
          fc.record({
            number: fc.constant(number),
            characteristics: texts,
            description: texts,
            seats: list(seat(number)),
          }),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    some({ columns: fc.nat(9), startingRow: digits, endingRow: digits }),
  ),
);

const oneSegment = segment('1', 0);

export const seatMaps: fc.Arbitrary<SegmentSeatMap[]> = fc
  .array(fc.record({ segment: oneSegment, travelerRefs: list(ref, 2), cabins: list(cabin, 2) }), { maxLength: 2 })
  .map((maps) =>
    maps.map((map, place) => {
      const own = String(place + 1);
      return { ...map, segment: { ...map.segment, ref: own, optionRef: own } };
    }),
  );

export const seatMapQuery: fc.Arbitrary<SeatMapQuery> = fc
  .tuple(travelers(false), oneSegment, locator)
  .map(([people, one, own]) => ({
    locator: own,
    requests: [{ segment: one, travelerRefs: people.map((traveler) => traveler.ref) }],
    travelers: people,
  }));

export const station: fc.Arbitrary<Station> = fc.record({
  code: code3,
  name: words,
  city: words,
  cityCode: code3,
  country: words,
});

export const calendarQuery = fc.record({
  from: code3,
  to: code3,
  startDate: date,
  endDate: date,
  direct: fc.boolean(),
});

export const calendarDates = fc.record({ from: code3, to: code3, startDate: date, endDate: date, dates: list(date) });

export const bookingKey = fc.record({ locator });
export const cancelReceipt = both(fc.record({ locator }), some({ status: words, answeredAt: utc }));

/** Of the travellers to cancel, the message carries the pointer, the type and the name. */
function leaving(one: Traveler): Traveler {
  const { ref: pointer, type, name } = one;
  const rest = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: [] };
  return { ref: pointer, type, ...(name === undefined ? {} : { name }), ...rest };
}

const seatChoice: fc.Arbitrary<SeatChoice> = fc.record({
  segmentRef: ref,
  travelerRef: ref,
  seat: fc.stringMatching(/^[0-9]{1,3}[A-F]?$/),
});

/** What a request carries of a segment: its operating and marketing carrier, and nothing of availability. */
function asSent(one: Segment): Segment {
  const { ref: pointer, flightNumber, from, to, departs, arrives, bookingClass, fareBasis } = one;
  const operating = one.operating ?? { carrier: one.marketing?.carrier ?? '', number: flightNumber };
  const marketing = { carrier: one.marketing?.carrier ?? operating.carrier };
  const sold = { ...(bookingClass !== undefined && { bookingClass }), ...(fareBasis !== undefined && { fareBasis }) };
  const times = { departs: toMillis(departs), arrives: toMillis(arrives) };
  return { ref: pointer, optionRef: pointer, flightNumber, operating, marketing, from, to, ...times, ...sold };
}

/** Of the segment it replaces the message says only the stations. */
function rebooking(read: Booking, one: Segment): Modification {
  const same = read.options
    .flatMap((option) => option.segments)
    .find((each) => segmentStatus(each.statusCode) === 'active' && each.from === one.from && each.to === one.to);
  const option = { ref: one.ref, segments: [one] };
  return { kind: 'rebook_segment', booking: read, replacedRef: same?.ref ?? '', option };
}

/** Changes of a booking that was just read. */
export function modification(read: Booking): fc.Arbitrary<Modification> {
  const segments = read.options.slice(0, 1);
  const people = read.travelers.map(leaving);
  // Naming a group adds which adult has which infant.
  const nameless = read.travelers.some(({ name }) => name === undefined);
  return fc.oneof(
    fc.constant({ kind: 'cancel_segments' as const, booking: read, options: segments }),
    fc.constant({ kind: 'cancel_passengers' as const, booking: read, travelers: people }),
    fc.constant({ kind: 'split_booking' as const, booking: read, travelers: people }),
    ...(nameless
      ? []
      : [
          travelers(true).map((renamed) => ({ kind: 'change_names' as const, booking: read, travelers: renamed })),
          travelers(true).map((updated) => ({ kind: 'update_passengers' as const, booking: read, travelers: updated })),
        ]),
    contact.map((updated) => ({ kind: 'update_contact' as const, booking: read, contact: updated })),
    list(seatChoice)
      .filter((seats) => seats.length > 0)
      .map((seats) => ({ kind: 'assign_seats' as const, booking: read, seats })),
    segment('9', 0)
      .filter((one) => one.operating !== undefined || one.marketing?.carrier !== undefined)
      .map((one) => rebooking(read, asSent(one))),
  );
}
