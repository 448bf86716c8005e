/**
 * Arbitrary availability results: departures by leg, each class either on sale for the whole party or sold out.
 */
import fc from 'fast-check';
import type { Price, PriceLine, TypePrice } from '../../src/domain/fare.ts';
import type { Segment } from '../../src/domain/itinerary.ts';
import type { Money } from '../../src/domain/money.ts';
import type { FareSearchResult, Offer, SoldOutFlight } from '../../src/domain/offer.ts';

const code3 = fc.stringMatching(/^[A-Z]{3}$/);
const utc = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((value) => value.toISOString());
const money = fc.nat(9_999_999).map((minor): Money => ({ minor, currency: 'SAR' }));

const profileLines: fc.Arbitrary<PriceLine[]> = fc
  .tuple(money, fc.array(money, { maxLength: 2 }))
  .map(([tax, fees]) => [
    { kind: 'tax', code: 'FARE', amount: tax, vatHundredths: 1500 },
    ...fees.map((amount, place): PriceLine => ({ kind: 'fee', code: `FE${place}`, amount, vatHundredths: 1500 })),
  ]);

const sums = fc.tuple(money, money, money).map(([base, taxes, fees]): Omit<Price, 'lines'> => {
  const total = { minor: base.minor + taxes.minor + fees.minor, currency: 'SAR' };
  return { base, taxes, fees, total, baggage: [], remarks: [] };
});

interface Party {
  readonly counts: readonly { type: string; count: number }[];
  readonly seats: number;
}

const party: fc.Arbitrary<Party> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(2), fc.nat(1))
  .map(([adults, children, infants]) => ({
    counts: [
      { type: 'ADT', count: adults },
      { type: 'CHD', count: children },
      { type: 'INF', count: infants },
    ].filter((line) => line.count > 0),
    seats: adults + children,
  }));

/** Lines of the party by hand: one of each code and VAT, in the order in which they first stand. */
function added(perType: readonly TypePrice[]): PriceLine[] {
  const found: PriceLine[] = [];
  for (const line of perType.flatMap((one) => one.price?.lines ?? [])) {
    const place = found.findIndex((one) => one.kind === line.kind && one.code === line.code);
    const known = found[place];
    if (known === undefined) found.push(line);
    else found[place] = { ...known, amount: { ...known.amount, minor: known.amount.minor + line.amount.minor } };
  }
  return found;
}

function offerOf(segment: Segment, leg: number, fareBasis: string, who: Party): fc.Arbitrary<Offer> {
  const basis = [{ code: fareBasis, segmentRef: segment.ref }];
  const perType = who.counts.map(({ type, count }) =>
    fc.tuple(sums, profileLines).map(([price, lines]): TypePrice => {
      const rest = { refunds: [], fareBasis: basis, travelerRefs: [], segmentRefs: [segment.ref] };
      return { type, count, price: { ...price, lines }, ...rest };
    }),
  );
  return fc.tuple(sums, fc.tuple(...perType)).map(([price, types]) => ({
    leg,
    options: [{ ref: segment.ref, segments: [{ ...segment, fareBasis, fareName: `fare ${fareBasis}` }] }],
    pricing: { total: { ...price, lines: added(types) }, refunds: [], fares: [], perType: types },
    notes: [],
  }));
}

interface Departure {
  readonly offers: readonly Offer[];
  readonly soldOut: readonly SoldOutFlight[];
}

function departure(leg: number, place: number, who: Party): fc.Arbitrary<Departure> {
  const ref = String(leg + 1);
  const bare: fc.Arbitrary<Segment> = fc.record({
    ref: fc.constant(ref),
    optionRef: fc.constant(ref),
    flightNumber: fc.constant(`0${leg}${place}`),
    from: code3,
    to: code3,
    departs: utc,
    arrives: utc,
    journeyDate: utc.map((value) => value.slice(0, 10)),
  });
  const inClass = (segment: Segment, bookingClass: string, quantity: number): Segment => ({
    ...segment,
    bookingClass,
    availability: [{ bookingClass, quantity: String(quantity) }],
  });
  return bare.chain((segment) => {
    const economy = inClass(segment, 'Y', who.seats + 3);
    const business = inClass(segment, 'C', who.seats - 1);
    const fares = ['EFLEX', 'ESAVE'].map((fare) => offerOf(economy, leg, fare, who));
    return fc.tuple(...fares).map((offers) => ({ offers, soldOut: [{ segment: business, bookingClass: 'C' }] }));
  });
}

export const availability: fc.Arbitrary<FareSearchResult> = fc
  .tuple(party, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }))
  .chain(([who, legs, departures]) => {
    const all = Array.from({ length: legs }, (_, leg) =>
      Array.from({ length: departures }, (__, place) => departure(leg, place, who)),
    ).flat();
    return fc.tuple(fc.tuple(...all), utc, fc.uuid());
  })
  .map(([found, validUntil, referenceId]) => ({
    form: 'availability' as const,
    offers: found.flatMap((one) => one.offers),
    soldOut: found.flatMap((one) => one.soldOut),
    validUntil,
    referenceId,
  }));
