/**
 * Arbitrary domain values, as requests can carry them.
 */
import fc from 'fast-check';
import type { NewBooking, NewGroupBooking, SeatChoice } from '../../../src/domain/booking/airline-requests.ts';
import type { Segment, SegmentOption } from '../../../src/domain/booking/itinerary.ts';
import type { Contact, PersonName, Traveler } from '../../../src/domain/people/traveler.ts';
import type { FareQuery } from '../../../src/domain/pricing/fare-search.ts';
import type { TicketOrder } from '../../../src/ota/messages/ticket.ts';

/** A record of T whose optional fields may be absent, and are never undefined. */
function some<T extends object>(fields: { [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> }): fc.Arbitrary<T> {
  return fc.record(fields, { requiredKeys: [] }) as unknown as fc.Arbitrary<T>;
}

function both<A extends object, B extends object>(
  first: fc.Arbitrary<A>,
  second: fc.Arbitrary<B>,
): fc.Arbitrary<A & B> {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

const list = <T>(item: fc.Arbitrary<T>, maxLength = 3) => fc.array(item, { maxLength });
const words = fc.string({ minLength: 1, maxLength: 12 });
const texts = list(words, 2);
const code3 = fc.stringMatching(/^[A-Z]{3}$/);
const ref = fc.integer({ min: 1, max: 99 }).map(String);
const digits = fc.stringMatching(/^[1-9]\d{0,3}$/);
const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
const date = day.map((value) => value.toISOString().slice(0, 10));
const local = day.map((value) => value.toISOString().replace('Z', '+03:00'));

const segment = (optionRef: string, place: number): fc.Arbitrary<Segment> =>
  both(
    fc.record({
      ref: fc.constant(place === 0 ? optionRef : `${optionRef}${place}`),
      optionRef: fc.constant(optionRef),
      flightNumber: digits,
      operating: fc.record({ carrier: code3, number: digits }),
      marketing: fc.record({ carrier: code3 }),
      from: code3,
      to: code3,
      departs: local,
      arrives: local,
      fareBasis: words,
    }),
    some<Pick<Segment, 'bookingClass' | 'fareName' | 'statusCode' | 'stops'>>({
      bookingClass: fc.constantFrom('Y', 'C', 'Q'),
      fareName: words,
      statusCode: fc.constantFrom('30', '34', 'HK'),
      stops: fc.nat(3),
    }),
  );

const some1to3 = <T>(item: (place: number) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, place) => item(place))));

/** Options as they are booked: each segment in a fare. */
const options: fc.Arbitrary<SegmentOption[]> = some1to3((place) => {
  const own = String(place + 1);
  return some1to3((index) => segment(own, index)).map((segments) => ({ ref: own, segments }));
});

const personName: fc.Arbitrary<PersonName> = fc.record({
  prefix: texts,
  given: fc.array(words, { minLength: 1, maxLength: 2 }),
  middle: texts,
  surname: words,
  suffix: texts,
  title: texts,
});

const person = both(
  fc.record({
    emails: texts,
    phones: list(some({ countryCode: digits, number: digits }), 2),
    addresses: list(some({ city: words, countryCode: code3, countryName: words }), 2),
    comments: list(both(fc.record({ name: fc.constantFrom('note', 'diet') }), some({ value: words })), 2),
  }),
  some({
    gender: fc.constantFrom('Male', 'Female', 'Unknown'),
    birthDate: date,
    document: both(
      fc.record({ number: words }),
      some({ docType: fc.constantFrom('2', '5'), nationality: code3, expires: date }),
    ),
  }),
);

export const contact: fc.Arbitrary<Contact> = both(person, fc.record({ name: personName }));

export const travelers: fc.Arbitrary<Traveler[]> = some1to3((place) =>
  both(
    both(contact, some({ attendantRef: ref })),
    fc.record({
      ref: fc.constant(String(place + 1)),
      type: fc.constantFrom('ADT', 'CHD', 'INF'),
      segmentRefs: fc.array(ref, { minLength: 1, maxLength: 2 }),
    }),
  ),
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

/** Who asks for a booking: no traveller, so without document and gender. */
const buyer = contact.map(({ gender: _, birthDate: __, document: ___, ...rest }) => ({ ...rest, comments: [] }));

export const newBooking: fc.Arbitrary<NewBooking> = fc.record({ options, contact: buyer, travelers });

export const newGroupBooking: fc.Arbitrary<NewGroupBooking> = both(
  fc.record({ options, contact: buyer, passengers: counts.map((one) => ({ ...one, adults: one.adults + 1 })) }),
  some({ groupName: words }),
);

export const ticketOrder: fc.Arbitrary<TicketOrder> = both(
  fc.record({
    locator: fc.stringMatching(/^[A-Z0-9]{6}$/),
    paymentType: fc.constantFrom('external', 'credit_card', 'cash', 'debit_credit_account', 'invoice'),
  }),
  some({ holderName: words, companyName: some({ code: words, shortName: words }) }),
);

export const seats: fc.Arbitrary<SeatChoice[]> = fc.array(
  fc.record({ segmentRef: ref, travelerRef: ref, seat: fc.stringMatching(/^[0-9]{1,3}[A-F]?$/) }),
  { minLength: 1, maxLength: 3 },
);
