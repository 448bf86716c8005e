/**
 * The estimate is the refund: for thousands of random bookings, what we compute is what the published arithmetic says
 * (docs/wire/notes.md, Money and rules). The reference is written from those notes and uses none of our code.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Booking,
  type FareComponent,
  option,
  type PenaltyRule,
  price,
  row,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { estimateAt } from '../../support/estimate.ts';
import { bareTraveler } from '../../support/people.ts';
import { atNight } from '../../support/whole.ts';

const AT = Date.parse('2031-05-01T12:00:00Z');
const time = (hours: number) => new Date(AT + hours * 3_600_000).toISOString();
const TYPES = ['ADT', 'CHD', 'INF'] as const;
type PassengerType = (typeof TYPES)[number];
const STATIONS = ['AAA', 'BBB', 'CCC'];

const party = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(4), fc.nat(2))
  .map(([adults, children, infants]): readonly PassengerType[] => {
    const counts = [adults, children, Math.min(infants, adults)];
    return TYPES.flatMap((type, i) => Array<PassengerType>(counts[i] ?? 0).fill(type)).slice(0, 9);
  });

/** One after another, sometimes with a gap: hours from AT, `until` is not in. Minor units per passenger and segment. */
const windows = fc
  .array(
    fc.record({
      hours: fc.integer({ min: 1, max: 40 }),
      gap: fc.constantFrom(0, 0, 0, 0, 5),
      refundable: fc.constantFrom(true, true, true, false),
      base: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })),
      vatPercent: fc.constantFrom(0, 5, 15, 15, 7.5),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((rows) => {
    let from = -30;
    return rows.map(({ hours, gap, refundable, base, vatPercent }) => {
      const window = { from: from + gap, until: from + gap + hours, refundable, base, vatPercent };
      from = window.until;
      return { ...window, tax: Math.round((base * vatPercent) / 100) };
    });
  });

/** What one passenger of each type paid, and the rules of each type. */
const leg = fc
  .record({
    ends: fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 })),
    fares: fc.tuple(...TYPES.map(() => fc.oneof(fc.nat(300), fc.integer({ max: 900_000, min: 1 })))),
    rules: fc.tuple(windows, windows, windows),
    alike: fc.boolean(),
  })
  .map(({ ends: [start, step], fares, rules, alike }) => {
    const perType = <T>(values: readonly T[]) =>
      Object.fromEntries(TYPES.map((type, i) => [type, values[i]])) as Record<PassengerType, T>;
    const [from = '', to = ''] = [STATIONS[start], STATIONS[(start + step) % 3]];
    return { from, to, fares: perType(fares), rules: perType(alike ? rules.map(() => rules[0]) : rules) };
  });
type Leg = typeof leg extends fc.Arbitrary<infer Value> ? Value : never;

const someOf = (count: number) =>
  fc.subarray(
    Array.from({ length: count }, (_, i) => i),
    { minLength: 1 },
  );

/** Segments are cancelled for everybody, or passengers on every segment. `form`: what fares and rows name. */
const refundCase = fc.tuple(party, fc.array(leg, { minLength: 1, maxLength: 4 })).chain(([passengers, legs]) =>
  fc.record({
    currency: fc.constantFrom('SAR', 'JPY', 'KWD'),
    passengers: fc.constant(passengers),
    legs: fc.constant(legs),
    going: fc.oneof(
      someOf(legs.length).map((segments) => ({ segments, people: [...passengers.keys()] })),
      someOf(passengers.length).map((people) => ({ segments: [...legs.keys()], people })),
    ),
    form: fc.record({ airports: fc.boolean(), pointers: fc.boolean(), named: fc.boolean() }),
  }),
);
type RefundCase = typeof refundCase extends fc.Arbitrary<infer Value> ? Value : never;

/** The paid booking: one price row per type and segment. */
function bookingOf({ currency, passengers, legs, form }: RefundCase): Booking {
  const money = (minor: number) => ({ minor, currency });
  const types = TYPES.filter((type) => passengers.includes(type));
  const refsOf = (type: PassengerType) => passengers.flatMap((own, i) => (own === type ? [`${i + 1}`] : []));
  const ruleOf = (passengerType: PassengerType, window: Leg['rules']['ADT'][number]): PenaltyRule => ({
    ...{ passengerType, refundable: window.refundable, texts: [], vatHundredths: window.vatPercent * 100 },
    ...{ base: money(window.base), tax: money(window.tax), total: money(window.base + window.tax) },
    ...{ from: time(window.from), until: time(window.until) },
  });
  const fares = legs.map(
    ({ from, to, rules }, i): FareComponent => ({
      ...(form.pointers && { ref: `${i + 1}` }),
      ...(form.airports && { from, to }),
      ...{ references: [], changeRules: [] },
      refundRules: types.flatMap((type) => rules[type].map((window) => ruleOf(type, window))),
    }),
  );
  const perType = legs.flatMap((one, i) =>
    types.map((type) => {
      const travelerRefs = refsOf(type);
      const total = money(one.fares[type] * travelerRefs.length);
      const segmentRefs = [`${i + 1}`];
      return row(type, travelerRefs.length, total, { segmentRefs, ...(form.named && { travelerRefs }) });
    }),
  );
  const paid = perType.reduce((sum, one) => sum + (one.price?.total.minor ?? 0), 0);
  return ticketed({
    options: legs.map(({ from, to }, i) =>
      option(segment(`${i + 1}`, { from, to, departs: time(200 + i * 10), arrives: time(202 + i * 10) })),
    ),
    travelers: passengers.map((type, i) => bareTraveler(`${i + 1}`, { type })),
    pricing: { total: price(money(paid)), refunds: [], fares, perType },
  });
}

/**
 * Minor units; undefined where no rule is in force for somebody. The two differ only where a penalty is above what was paid
 * for its own segment and passengers: no published message says whether the rest pays for it.
 */
function reference({ legs, passengers, going }: RefundCase) {
  let together = 0;
  let apart = 0;
  let paid = 0;
  const people = going.people.map((i) => passengers[i]);
  for (const { rules, fares } of legs.filter((_, i) => going.segments.includes(i))) {
    for (const type of TYPES.filter((one) => people.includes(one))) {
      const now = rules[type].filter(({ from, until }) => from <= 0 && 0 < until);
      if (now.length !== 1 || now[0] === undefined) return undefined;
      const count = people.filter((one) => one === type).length;
      paid += fares[type] * count;
      if (!now[0].refundable) continue;
      const left = (fares[type] - now[0].base - now[0].tax) * count;
      together += left;
      apart += Math.max(0, left);
    }
  }
  return { paid, least: Math.max(0, together), most: apart };
}

function estimated(given: RefundCase) {
  const booking = bookingOf(given);
  const options = booking.options.filter((_, i) => given.going.segments.includes(i));
  const travelers = booking.travelers.filter((_, i) => given.going.people.includes(i));
  return estimateAt(booking, { options, travelers }, AT);
}

test('estimates the refund of the published arithmetic for random bookings', () => {
  const seen = { exact: 0, bounded: 0, part: 0 };
  fc.assert(
    fc.property(refundCase, (given) => {
      const { amount, bounds, penalty } = estimated(given);
      const expected = reference(given);
      const money = (minor: number) => ({ minor, currency: given.currency });
      if (given.going.segments.length < given.legs.length || given.going.people.length < given.passengers.length)
        seen.part += 1;
      if (expected === undefined) return;
      const { paid, least, most } = expected;
      if (amount && penalty) expect(amount.minor + penalty.minor).toBe(paid);
      seen[least === most ? 'exact' : 'bounded'] += 1;
      expect({ amount, bounds }).toEqual(
        least === most ? { amount: money(least) } : { bounds: { atLeast: money(least), atMost: money(most) } },
      );
    }),
    { numRuns: atNight(4_000, 1_000) },
  );
  expect(seen.exact).toBeGreaterThan(atNight(800, 200));
  expect(seen.part).toBeGreaterThan(atNight(800, 200));
  expect(seen.bounded).toBeGreaterThan(atNight(40, 10));
});

test('estimates no amount if a passenger has no rule in force', () => {
  fc.assert(
    fc.property(refundCase, (given) => {
      fc.pre(reference(given) === undefined);
      const { amount, bounds } = estimated(given);
      // Zero is known all the same where nothing was paid for what could come back.
      if (amount !== undefined) expect(amount.minor).toBe(0);
      else expect(bounds?.atLeast.minor).toBe(0);
    }),
    { numRuns: atNight(1_000, 500) },
  );
});
