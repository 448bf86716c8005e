import { afterAll, describe, expect, it } from 'vitest';
import { availabilityRecord } from '../support/sandbox/availability-record.ts';
import {
  basisOf,
  fareOf,
  good,
  type Json,
  openTravelAgent,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  totalOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
afterAll(() => agent.close());

describe('priced itineraries', () => {
  it('returns one itinerary per departure, class and fare, cheapest first', async () => {
    const body = good(await agent.search([TRAIN]));
    expect(body.success).toEqual({});
    expect(body.timeStamp).toMatch(/Z$/);
    const found: Json[] = body.pricedItineraries.pricedItinerary;
    expect(found.map((it) => it.sequenceNumber)).toEqual(found.map((_, i) => i + 1));
    const totals = found.map(totalOf);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(new Set(found.map(basisOf))).toEqual(new Set(['YSAVE', 'YFLEX', 'CSAVE', 'CFLEX']));
    const keys = found.map((it) => `${segmentsOf(it)[0].flightNumber} ${basisOf(it)}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('returns totals equal to base, taxes and fees, and rows that add up to the party', async () => {
    for (const itinerary of await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 2, children: 1, infants: 1 })) {
      const { itinTotalFare, ptcfareBreakdowns } = itinerary.airItineraryPricingInfo;
      const [fare] = itinTotalFare;
      const cents = (amount: number) => Math.round(amount * 100);
      const parts = [fare.baseFare, fare.taxes, fare.fees].map(({ amount }) => cents(amount));
      expect(cents(fare.totalFare.amount)).toBe(parts.reduce((total, amount) => total + amount));
      const rows: Json[] = ptcfareBreakdowns.ptcfareBreakdown;
      // One row for each passenger type and segment.
      const types = Object.entries({ ADT: 2, CHD: 1, INF: 1 }).map(([code, quantity]) => ({ code, quantity }));
      expect(rows.map((row) => [row.passengerTypeQuantity, row.flightRefNumberRPHList])).toEqual(
        types.flatMap((type) => ['1', '2'].map((rph) => [type, [rph]])),
      );
      const sum = rows.reduce((all, row) => all + cents(row.passengerFare[0].totalFare.amount), 0);
      expect(sum).toBe(cents(fare.totalFare.amount));
    }
  });

  it('returns fares without rules in a search, and the penalty windows and time limits in a hold', async () => {
    const itinerary = await agent.trip([TRAIN]);
    const [searched] = itinerary.airItineraryPricingInfo.fareInfos.fareInfo;
    expect(searched.fareReference).toEqual([{ value: 'YFLEX', resBookDesigCode: 'Y' }]);
    expect(searched.ruleInfo).toBeUndefined();
    const { airReservation } = good(await agent.book(itinerary, [passenger('1')]));
    const [{ ruleInfo }] = airReservation.priceInfo.fareInfos.fareInfo;
    const { rules } = ruleInfo.chargesRules.voluntaryRefunds.TPA_Extensions.penaltyRules[0];
    // Base without tax, the tax on it, both together, and the percentage that the tax was computed with.
    expect(rules.map((rule: Json) => [rule.base, rule.tax, rule.total, rule.vat])).toEqual([
      [0, 0, 0, 15],
      [20, 3, 23, 15],
      [50, 7.5, 57.5, 15],
    ]);
    for (const [i, rule] of rules.entries()) if (i > 0) expect(rule.applyFromTime).toBe(rules[i - 1].applyUntilTime);
    const departure = Date.parse(segmentsOf(itinerary)[0].departureDateTime);
    expect(Date.parse(rules.at(-1).applyUntilTime)).toBe(departure);
    expect(Date.parse(ruleInfo.tpaextensions.updateTravellersTimeLimit)).toBe(departure - 72 * 3_600_000);
    expect(Date.parse(ruleInfo.tpaextensions.cancellationTimeLimit)).toBeLessThan(departure);
  });

  it('joins legs in order, in one fare', async () => {
    for (const itinerary of await agent.itineraries([TRAIN, TRAIN_BACK])) {
      const segments = segmentsOf(itinerary);
      expect(segments.map((segment) => segment.rph)).toEqual(['1', '2']);
      expect(new Set(segments.map((segment) => fareOf(itinerary, segment.rph))).size).toBe(1);
      expect(segments.every((segment) => segment.fareBasisCode === undefined)).toBe(true);
      expect(Date.parse(segments[1].departureDateTime)).toBeGreaterThan(Date.parse(segments[0].arrivalDateTime));
    }
  });

  it('returns an empty list, not an error, if nothing runs', async () => {
    const early = await openTravelAgent({ now: () => Date.parse('2026-11-20T20:59:00Z') });
    const body = good(await early.search([{ from: 'XRN', to: 'XHL', date: '2026-11-20' }]));
    expect(body).toMatchObject({ success: {}, pricedItineraries: { pricedItinerary: [] } });
    await early.close();
  });
});

const FLIGHT = { ...TRAIN, from: 'DXB', to: 'LHR' };

it('answers every search with the availability record where the airline is such a one', async () => {
  const other = await openTravelAgent({ rewrite: availabilityRecord });
  expect(good(await other.search([TRAIN])).availability.segments).toHaveLength(1);
  await other.close();
});

it('answers with the availability record in the airline dialect too', async () => {
  const airline = await openTravelAgent({ dialect: 'airline' });
  const body = good(await airline.search([FLIGHT], { availableFlightsOnly: false }));
  expect(body.availability.segments[0].offers[0].transport).toMatchObject({ departureStation: FLIGHT.from });
  await airline.close();
});

describe('the availability record, which answers a search that names availableFlightsOnly', () => {
  it('has the departures of each leg', async () => {
    const body = good(await agent.search([TRAIN, TRAIN_BACK], { availableFlightsOnly: false, adults: 2, children: 1 }));
    expect(body.availability.referenceId).toMatch(/^[A-Z0-9]{10}$/);
    expect(body.availability.segments.map((segment: Json) => segment.id)).toEqual([1, 2]);
    const travellers = [2, 1].map((quantity, i) => ({ profileId: i + 1, quantity }));
    expect(body.availability.travellers).toEqual(travellers);
    const [{ transport, pricing }] = body.availability.segments[0].offers;
    expect(transport).toMatchObject({ journeyDate: '2026-12-10', departureStation: 'QCA', arrivalStation: 'XMD' });
    expect(transport.departureTime).toMatch(/Z$/);
    expect(transport.code).toMatch(/^70\d{3}$/);
    expect(pricing[0]).toMatchObject({ currency: 'SAR' });
    expect(pricing[0].fares[0].profiles[0]).toMatchObject({ id: 1, quantity: 2 });
  });

  it('shows sold-out classes only on request', async () => {
    const full = async (availableFlightsOnly: boolean): Promise<number> => {
      const body = good(await agent.search([{ ...TRAIN, after: 'P7D' }], { availableFlightsOnly }));
      const categories: Json[] = body.availability.segments[0].offers.flatMap((it: Json) => it.transport.categories);
      return categories.filter((it) => it.availableQty === 0).length;
    };
    expect(await full(false)).toBeGreaterThan(0);
    expect(await full(true)).toBe(0);
  });
});
