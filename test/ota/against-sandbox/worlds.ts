/**
 * Random airlines and bookings: tariffs in currencies of different digits, parties, trips, moments and what is cancelled.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { Dialect } from '../../../src/sandbox/wire.ts';
import type { Deviation } from '../../support/sandbox/deviations.ts';

export interface Cancellation {
  /** Which of the segments or passengers, as bits. */
  readonly of: 'segments' | 'passengers';
  readonly bits: number;
}

export interface BookingCase {
  readonly passengers: { readonly adults: number; readonly children: number; readonly infants: number };
  /** One or two legs, each in a fare of its own: places in the list of what is offered. */
  readonly offers: readonly number[];
  readonly route: number;
  readonly day: number;
  /** Hours before the first departure at which cuts are looked at, falling. */
  readonly hours: readonly number[];
  readonly cuts: readonly Cancellation[];
  /** Cancelled for good in the end, one after the other. */
  readonly acts: readonly Cancellation[];
}

export interface World {
  readonly dialect: Dialect;
  readonly tariff: Tariff;
  /** Deviations of the replies: some forms of the price cannot be split. */
  readonly forms: readonly Deviation[];
  readonly bookings: readonly BookingCase[];
}

/** Routes of each network; the last of the airline changes at a hub. */
export const ROUTES: Readonly<Record<Dialect, readonly (readonly [string, string])[]>> = {
  rail: [
    ['QCA', 'XMD'],
    ['XJA', 'XMD'],
  ],
  airline: [
    ['DXB', 'RUH'],
    ['DXB', 'JED'],
    ['BOM', 'CDG'],
  ],
};

const cancellation: fc.Arbitrary<Cancellation> = fc.record({
  of: fc.constantFrom('segments', 'passengers'),
  bits: fc.integer({ min: 1, max: 511 }),
});

const bookingCase: fc.Arbitrary<BookingCase> = fc.record({
  passengers: fc
    .record({ adults: fc.integer({ min: 1, max: 4 }), children: fc.nat(3), infants: fc.nat(2) })
    .map((party) => ({ ...party, infants: Math.min(party.infants, party.adults) })),
  offers: fc.array(fc.nat(200), { minLength: 1, maxLength: 2 }),
  route: fc.nat(10),
  day: fc.integer({ min: 8, max: 60 }),
  hours: fc
    .array(fc.integer({ min: 3, max: 7 * 24 }), { minLength: 1, maxLength: 3 })
    .map((hours) => hours.toSorted((a, b) => b - a)),
  cuts: fc.array(cancellation, { minLength: 3, maxLength: 6 }),
  acts: fc.array(cancellation, { minLength: 1, maxLength: 2 }),
});

/** An amount of the tariff, with more digits than the currency may have. */
const amount = (most: number) =>
  fc.oneof(
    { arbitrary: fc.constant('0'), weight: 1 },
    { arbitrary: fc.integer({ min: 1, max: most * 1000 }).map((minor) => (minor / 1000).toFixed(3)), weight: 5 },
  );

const refund = fc
  .array(fc.record({ hours: fc.integer({ min: 1, max: 150 }), allowed: fc.boolean(), amount: amount(120) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((windows) => {
    const hours = [...new Set(windows.map((one) => one.hours))].sort((a, b) => b - a).slice(0, windows.length - 1);
    return [...hours, 0].map((untilHours, i) => ({
      untilHours,
      // Three of four give something back.
      allowed: windows[i]?.allowed === true || (windows[i]?.hours ?? 0) % 2 === 0,
      amount: windows[i]?.amount ?? '0',
    }));
  });

const tariff = fc.record({
  currency: fc.constantFrom('JPY', 'SAR', 'KWD'),
  price: fc.record({ start: amount(200), perMinute: amount(3), step: fc.constantFrom('1', '5', '0.1') }),
  vat: fc.constantFrom(0, 5, 15, 7.5),
  charge: fc.record({ percent: fc.constantFrom(0, 5, 15, 12.5), fee: amount(20) }),
  share: fc.record({ CHD: fc.integer({ min: 1, max: 100 }), INF: fc.integer({ min: 0, max: 30 }) }),
  refunds: fc.array(refund, { minLength: 4, maxLength: 4 }),
});

type Tariff = typeof tariff extends fc.Arbitrary<infer T> ? T : never;

const file = (dialect: Dialect) => new URL(`../../../src/sandbox/${dialect}-network.json`, import.meta.url);

/**
 * Charges of which the airline keeps some when a flight is changed: any mix, by the bits of the first booking. Half of these airlines set the
 * fare and each tax off by itself.
 */
export function mixedCharges({ tariff: { charge }, bookings: [first] }: World) {
  const [a = 0, b = 0] = (first?.cuts ?? []).map(({ bits }) => bits);
  const kept = (bit: number) => (a >> bit) % 2 === 1;
  const network = {
    taxes: [
      { code: 'VAT', name: 'Tax', percent: charge.percent },
      { code: 'YQ', name: 'Fuel', percent: 1 + (b % 7) },
      { code: 'AP', name: 'Airport', amount: charge.fee },
    ],
    fees: [
      { code: 'SVC', name: 'Fee', amount: charge.fee, types: ['ADT', 'CHD'] },
      { code: 'HND', name: 'Handling', percent: b % 4 },
      { code: 'PAY', name: 'Payment', amount: '1' },
    ],
  };
  return { network, byPart: kept(3), keptFees: ['SVC', 'HND', 'PAY'].filter((_, bit) => kept(bit)) };
}

/** The text of the network file. @param charges in place of its taxes and fees */
export function networkOf({ dialect, tariff }: World, charges: object = {}): string {
  const { currency, price, vat, charge, share, refunds } = tariff;
  const written = JSON.parse(readFileSync(file(dialect), 'utf8'));
  const step = currency === 'JPY' && price.step === '0.1' ? '1' : price.step;
  return JSON.stringify({
    ...written,
    name: `Random ${dialect}`,
    currency,
    price: { ...price, perMinute: price.perMinute === '0' ? '0.5' : price.perMinute, step },
    penaltyVatPercent: vat,
    typePercent: { ADT: 100, ...share },
    taxes: [{ code: 'VAT', name: 'Tax', percent: charge.percent }],
    fees: [{ code: 'SVC', name: 'Fee', amount: charge.fee, types: ['ADT', 'CHD'] }],
    ...charges,
    fares: written.fares.map((fare: object, i: number) => ({ ...fare, closesBelowPercent: 0, refund: refunds[i] })),
  });
}

export function world(bookings: number): fc.Arbitrary<World> {
  return fc.record({
    dialect: fc.constantFrom<Dialect>('rail', 'airline'),
    tariff,
    forms: fc.constantFrom<readonly Deviation[]>(
      [],
      [],
      [],
      ['secondTotal'],
      ['oldPriceRows'],
      ['withoutPriceRows'],
      ['paidWithoutRules'],
    ),
    bookings: fc.array(bookingCase, { minLength: bookings, maxLength: bookings }),
  });
}
