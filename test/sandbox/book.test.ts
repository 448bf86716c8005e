import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  basisOf,
  bookBody,
  good,
  type Json,
  leftIn,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

describe('a regular booking', () => {
  it('holds a booking for half an hour at the price of the search', async () => {
    const { airReservation, ...others } = good(await agent.book(trip, [passenger('1')]));
    expect(others).toEqual({});
    expect(totalOf(airReservation)).toBe(totalOf(trip));
    // A rail hold says neither status nor fare on its segments, nor when it was made.
    const segments = segmentsOf(airReservation).map(({ rph, status, fareBasisCode }) => ({
      rph,
      status,
      fareBasisCode,
    }));
    expect(segments).toEqual([{ rph: '1' }, { rph: '2' }]);
    expect(airReservation.createDateTime).toBeUndefined();
    const limits = airReservation.priceInfo.fareInfos.fareInfo[0].ruleInfo.tpaextensions;
    expect(limits.confirmationTimeLimit).toBe('2026-11-20T08:30:00.000Z');
    const local = '2026-11-20T11:30:00.000+03:00';
    expect(airReservation.ticketing.map((it: Json) => [it.flightSegmentRefNumber, it.ticketTimeLimit])).toEqual([
      [['1'], local],
      [['2'], local],
    ]);
    expect(airReservation.offer.priced[0].tpaExtensions.orderInfo).toEqual({
      ...{ action: 'CREATE_BOOKING', orderType: 'BOOKING', direction: 'PAYMENT', status: 'PENDING' },
      ...{ currencyCode: 'SAR', totalAmount: totalOf(trip).toFixed(2) },
    });
  });

  it('gives a booking its own locator and a longer one per segment, and reads by any of them', async () => {
    const { airReservation } = good(await agent.book(trip, [passenger('1')]));
    const [own, ...operators] = airReservation.bookingReferenceID;
    expect(own).toMatchObject({ type: '14', id: expect.stringMatching(/^[A-Z0-9]{6}$/) });
    expect(operators).toEqual(
      ['1', '2'].map((rph) => ({
        type: '14',
        companyName: { code: 'HHR' },
        id: expect.stringMatching(/^HHR\w{10}$/),
        flightRefNumberRPHList: [rph],
      })),
    );
    expect(operators[0].id).not.toBe(operators[1].id);
    for (const { id } of operators) expect(await agent.read(id)).toEqual(await agent.read(own.id));
  });

  it('accepts a contact listed last, and a passenger who names only some of the segments', async () => {
    const body = bookBody(trip, [passenger('1')]);
    body.travelerInfo.airTraveler.reverse();
    body.travelerInfo.airTraveler[0].flightSegmentRPHs.flightSegmentRPH.pop();
    delete optionsOf(body)[0].rph;
    const { airReservation } = good(await agent.send('OTA_AirBookRQ', body));
    expect(travelersOf(airReservation)[1].flightSegmentRPHs.flightSegmentRPH).toEqual(['1', '2']);
    expect(optionsOf(airReservation).map((option) => option.rph)).toEqual(['1', '2']);
  });
});

/** Departures of eight days, so that some with few seats left are among them. */
const WEEK = { ...TRAIN, after: 'P7D' };

describe('seats', () => {
  it('refuses more seats than are left: 1053, or 499 if none are left', async () => {
    const small = await openTravelAgent();
    const [first] = (await small.itineraries([WEEK], { classes: ['C'] })).filter(
      (itinerary) => leftIn(itinerary, 'C') < 9,
    );
    const left = leftIn(first, 'C');
    expect((await small.book(first, adults(left + 1))).body.code).toBe('1053');
    good(await small.book(first, adults(left)));
    expect((await small.book(first, adults(1))).body.code).toBe('499');
    const sameTrain = (await small.itineraries([WEEK])).filter(
      (itinerary) => departureOf(itinerary) === departureOf(first),
    );
    expect(sameTrain.filter((it) => leftIn(it, 'C') > 0)).toEqual([]);
    await small.close();
  });

  it('refuses a closed sub-fare: 1055', async () => {
    const small = await openTravelAgent();
    const [saver] = (await small.itineraries([WEEK]))
      .filter((it) => basisOf(it) === 'YSAVE' && leftIn(it, 'Y') <= 50)
      .sort((a, b) => leftIn(a, 'Y') - leftIn(b, 'Y'));
    const codes = [];
    for (let i = 0; i < 6; i++) codes.push((await small.book(saver, adults(8))).body.code);
    expect(codes.find((code) => code !== undefined)).toBe('1055');
    await small.close();
  });
});

const departureOf = (itinerary: Json): string => segmentsOf(itinerary)[0].departureDateTime;

describe('a hold', () => {
  it('frees the seats of a hold when it lapses or is released', async () => {
    const own = await openTravelAgent();
    const [before] = await own.itineraries([TRAIN], { classes: ['C'] });
    const again = async () => {
      const found = await own.itineraries([TRAIN], { classes: ['C'] });
      return found.filter((it) => departureOf(it) === departureOf(before)).map((it) => leftIn(it, 'C'))[0];
    };
    const left = leftIn(before, 'C');
    const locator = await own.hold(before, adults(2));
    expect(await again()).toBe(left - 2);
    good(await own.cancelBooking(locator));
    expect(await again()).toBe(left);
    await own.hold(before, adults(3));
    expect(await again()).toBe(left - 3);
    own.sandbox.advance(30 * 60_000);
    expect(await again()).toBe(left);
    await own.close();
  });

  it('prices a hold higher if the class has filled up since the search', async () => {
    const own = await openTravelAgent();
    const found = await own.itineraries([TRAIN], { classes: ['C'] });
    const first = found.find((it) => leftIn(it, 'C') > 27 && leftIn(it, 'C') < 36);
    good(await own.book(first, adults(9)));
    const { airReservation } = good(await own.book(first, adults(1)));
    expect(totalOf(airReservation)).toBeGreaterThan(totalOf(first));
    await own.close();
  });
});
