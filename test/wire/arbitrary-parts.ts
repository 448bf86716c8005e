/**
 * Arbitrary parts of domain values: segments, people, prices.
 */
import fc from 'fast-check';
import type { FareComponent, PenaltyRule, Price, Pricing, StatedRefund, TypePrice } from '../../src/domain/fare.ts';
import type { Segment, SegmentOption } from '../../src/domain/itinerary.ts';
import type { Money } from '../../src/domain/money.ts';
import type { Contact, PersonName, Traveler } from '../../src/domain/traveler.ts';

/** A record of T whose optional fields may be absent, and are never undefined. */
export function some<T extends object>(fields: { [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> }): fc.Arbitrary<T> {
  return fc.record(fields, { requiredKeys: [] }) as unknown as fc.Arbitrary<T>;
}

export function both<A extends object, B extends object>(
  first: fc.Arbitrary<A>,
  second: fc.Arbitrary<B>,
): fc.Arbitrary<A & B> {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

export const list = <T>(item: fc.Arbitrary<T>, maxLength = 3) => fc.array(item, { maxLength });
export const words = fc.string({ minLength: 1, maxLength: 12 });
export const texts = list(words, 2);
export const code3 = fc.stringMatching(/^[A-Z]{3}$/);
export const ref = fc.integer({ min: 1, max: 99 }).map(String);
export const digits = fc.stringMatching(/^[1-9]\d{0,3}$/);
const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
export const date = day.map((value) => value.toISOString().slice(0, 10));
export const utc = day.map((value) => value.toISOString());
export const local = day.map((value) => value.toISOString().replace('Z', '+03:00'));

export const currency = fc.constantFrom('SAR', 'EUR', 'JPY', 'KWD');
const minor = fc.integer({ min: 0, max: 99_999_999 });
export const moneyIn = (code: string): fc.Arbitrary<Money> => minor.map((value) => ({ minor: value, currency: code }));

export const segment = (optionRef: string, place: number): fc.Arbitrary<Segment> =>
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
    }),
    some({ bookingClass: fc.constantFrom('Y', 'C', 'Q'), fareBasis: words }),
  );

const reported = (base: Segment): fc.Arbitrary<Segment> =>
  some<Pick<Segment, 'statusCode' | 'availability' | 'stops' | 'permitted'>>({
    statusCode: fc.constantFrom('30', '16', '34', '83', 'HK'),
    availability: fc.array(both(fc.record({ bookingClass: words }), some({ quantity: digits, statusCode: words })), {
      minLength: 1,
      maxLength: 2,
    }),
    stops: fc.nat(3),
    permitted: list(both(fc.record({ modificationType: digits }), some({ name: words })), 2),
  }).map((more) => ({ ...base, ...more }));

const option = (place: number, asReported: boolean): fc.Arbitrary<SegmentOption> =>
  fc.integer({ min: 1, max: 2 }).chain((count) => {
    const own = String(place + 1);
    const segments = Array.from({ length: count }, (_, index) => {
      const bare = segment(own, index);
      return asReported ? bare.chain(reported) : bare.map((one) => ({ ...one, statusCode: '30' }));
    });
    return fc.tuple(...segments).map((found) => ({ ref: own, segments: found }));
  });

export const options = (asReported: boolean): fc.Arbitrary<SegmentOption[]> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, place) => option(place, asReported))));

export const personName: fc.Arbitrary<PersonName> = fc.record({
  prefix: texts,
  given: fc.array(words, { minLength: 1, maxLength: 2 }),
  middle: texts,
  surname: words,
  suffix: texts,
  // Requests write a title as a prefix.
  title: fc.constant([]),
});

const notes = list(both(fc.record({ name: fc.constantFrom('note', 'diet') }), some({ value: words })), 2);

const person: fc.Arbitrary<Contact> = both(
  fc.record({
    emails: texts,
    phones: list(some({ countryCode: digits, number: digits }), 2),
    addresses: list(some({ city: words, countryCode: code3, countryName: words }), 2),
    comments: notes,
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

const traveler = (place: number, named: boolean): fc.Arbitrary<Traveler> =>
  both(
    both(named ? contact : both(person, some({ name: personName })), some({ attendantRef: ref })),
    fc.record({
      ref: fc.constant(String(place + 1)),
      type: fc.constantFrom('ADT', 'CHD', 'INF'),
      segmentRefs: fc.array(ref, { minLength: 1, maxLength: 2 }),
    }),
  );

export const travelers = (named: boolean): fc.Arbitrary<Traveler[]> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, place) => traveler(place, named))));

const priceIn = (code: string): fc.Arbitrary<Price> => {
  const money = moneyIn(code);
  const tax = both(fc.record({ kind: fc.constant('tax' as const), code: words, amount: money }), some({ name: words }));
  const fee = fc.record({ kind: fc.constant('fee' as const), code: words.map((word) => `F${word}`), amount: money });
  return both(
    fc.record({
      base: money,
      taxes: money,
      fees: money,
      total: money,
      lines: fc.tuple(list(tax, 2), list(fee, 2)).map(([taxes, fees]) => [...taxes, ...fees]),
      baggage: texts,
      remarks: texts,
    }),
    some({ equivalents: fc.array(currency.chain(moneyIn), { minLength: 1, maxLength: 2 }) }),
  );
};

const refundIn = (code: string): fc.Arbitrary<StatedRefund> =>
  both(fc.record({ amount: moneyIn(code) }), some({ penalty: moneyIn(code), vat: moneyIn(code) }));

const ruleIn = (code: string): fc.Arbitrary<PenaltyRule> =>
  both(
    fc.record({
      passengerType: fc.constantFrom('ADT', 'CHD'),
      refundable: fc.boolean(),
      base: moneyIn(code),
      tax: moneyIn(code),
      total: moneyIn(code),
      vatHundredths: fc.nat(5000),
      texts: list(both(fc.record({ text: words }), some({ locale: words })), 2),
    }),
    some({ from: utc, until: utc }),
  );

const fareIn = (code: string): fc.Arbitrary<FareComponent> =>
  both(
    fc.record({
      references: list(both(fc.record({ code: words }), some({ bookingClass: words, accountCode: words })), 2),
      refundRules: list(ruleIn(code)),
      changeRules: list(ruleIn(code), 2),
    }),
    some({
      ref,
      filingAirline: code3,
      from: code3,
      to: code3,
      cancelUntil: utc,
      payBy: utc,
      namesUntil: utc,
    }),
  );

const typePriceIn = (code: string): fc.Arbitrary<TypePrice> =>
  both(
    fc.record({
      type: fc.constantFrom('ADT', 'CHD', 'INF'),
      count: fc.integer({ min: 1, max: 9 }),
      refunds: list(refundIn(code), 1),
      fareBasis: list(both(fc.record({ code: words }), some({ segmentRef: ref })), 2),
      travelerRefs: list(ref, 2),
      segmentRefs: fc.uniqueArray(ref, { maxLength: 2 }),
    }),
    some({ price: priceIn(code) }),
  );

export const pricing: fc.Arbitrary<Pricing> = currency.chain((code) =>
  fc.record({
    total: priceIn(code),
    refunds: list(refundIn(code), 1),
    fares: list(fareIn(code), 2),
    perType: list(typePriceIn(code), 2),
  }),
);
