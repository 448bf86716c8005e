/** What airlines do otherwise: forms of replies (docs/reference/dialects.md), and the airline dialect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Deviation, deviations } from '../support/sandbox/deviations.ts';
import {
  adults,
  good,
  HOUR,
  infant,
  type Json,
  networkOf,
  newStateFile,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  type TravelAgent,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const pointerOf = (it: Json) => it.flightRefRPH;
const birthOf = (it: Json) => it.birthDate;
const statusOf = (it: Json) => it.tpaExtensions.orderInfo.status;
const ruleOf = (it: Json) => it.priceInfo.fareInfos.fareInfo[1].ruleInfo;
const rowsOf = (prices: Json): Json[] => prices.ptcfareBreakdowns.ptcfareBreakdown;
const segmentsIn = (row: Json) => row.flightRefNumberRPHList;
const classIn = (row: Json) => row.fareInfo[0].fareReference[0].resBookDesigCode;
/** A row of one passenger and no segment, for each of two. */
const ALONE = [
  [1, []],
  [1, []],
];
const linkOf = (it: Json) => new URL(`https://x${it.tpaextensions.links[0].href}`).searchParams.get('departure');

describe('each deviation', () => {
  const stateFile = newStateFile();
  let locator = '';
  /** The reply to a reading of one booking in another form. */
  const rewritten = async (...names: Deviation[]): Promise<Json> => {
    const agent = await openTravelAgent({ stateFile, rewrite: deviations(...names) });
    const reply = JSON.stringify(good(await agent.readReply(locator)));
    await agent.close();
    return JSON.parse(reply.replaceAll(agent.sandbox.url, ''));
  };

  beforeAll(async () => {
    const agent = await openTravelAgent({ stateFile });
    const trip = await agent.trip([TRAIN, TRAIN_BACK], 'CSAVE');
    locator = await agent.sell(trip, [passenger('1'), passenger('2'), infant('3', '1')]);
    good(await agent.cancelOptions(locator, ['1']));
    await agent.close();
  });

  it.each<[Deviation, (reservation: Json, body: Json) => unknown, unknown]>([
    ['extensionSpelling', (it) => it.ticketing[0].tpaExtensions.couponInfos.length, 2],
    ['extensionSpelling', (it) => Object.keys(ruleOf(it)), expect.arrayContaining(['TPA_Extensions'])],
    ['paidWithoutRules', (it) => ruleOf(it).chargesRules, undefined],
    ['providersByPointer', (it) => it.ticketing[0].tpaextensions.couponProviderDetails.map(pointerOf), ['2', '1']],
    ['ticketsByLink', (it) => ticketsOf(it).map(linkOf), ['XMD', 'XMD', 'XMD']],
    ['ticketsByLink', (it) => ticketsOf(it)[0].tpaextensions.couponInfos, undefined],
    ['contactLast', (it) => travelersOf(it).at(-1).passengerTypeCode, 'CTC'],
    ['nullNamePrefix', (it) => travelersOf(it)[1].personName.namePrefix, [null]],
    ['splitDocuments', (it) => travelersOf(it)[1].document.map(birthOf), [undefined, '1990-05-05']],
    ['echoedPointOfSale', (_, it) => it.pos.source[0], { isoCurrency: 'SAR' }],
    ['breakdownsElsewhere', (it) => it.priceInfo.ptcfareBreakdowns, undefined],
    ['breakdownsElsewhere', (it) => it.airItineraryPricingInfo.ptcfareBreakdowns.ptcfareBreakdown.length, 4],
    ['missingBranches', (it) => segmentsOf(it)[0].equipment, undefined],
    ['pendingRefunds', (it) => it.offer.priced.map(statusOf), ['PAID', 'PENDING']],
    ['spacedUrls', (it) => it.ticketing[0].tpaextensions.urls.split(' ').length, 1],
    ['spacedUrls', (it) => it.ticketing[0].tpaextensions.links, undefined],
    ['unwrappedItinerary', (it) => it.airItinerary.originDestinationOption.length, 2],
  ])('%s changes a reply as its name says', async (name, see, due) => {
    const body = await rewritten(name);
    expect(see(body.airReservation, body)).toEqual(due);
  });

  it('leaves a reply unchanged that it does not concern', async () => {
    const plain = await rewritten();
    expect(ruleOf(plain.airReservation).chargesRules).toBeDefined();
    expect(await rewritten('bareAfterCancellation', 'unorderedCalendar', 'otherPaymentType')).toEqual(plain);
  });

  it.each<[Deviation, (prices: Json, found: Json) => unknown, unknown]>([
    ['oldPriceRows', (it) => rowsOf(it).map((row) => [row.passengerTypeQuantity.quantity, segmentsIn(row)]), ALONE],
    ['otherClassRows', (it) => rowsOf(it).map(classIn).sort(), ['C', 'C', 'Y', 'Y']],
    ['secondTotal', (it, found) => it.itinTotalFare[1].totalFare.amount * 2 === totalOf(found), true],
    ['withoutPriceRows', (it) => it.ptcfareBreakdowns, undefined],
    [
      'searchWithoutPointers',
      (_, found) => [optionsOf(found)[0].rph, segmentsOf(found)[0].rph],
      [undefined, undefined],
    ],
  ])('%s changes the reply to a search', async (name, see, due) => {
    const agent = await openTravelAgent({ rewrite: deviations(name) });
    const [found] = await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 2, classes: ['Y', 'C'] });
    expect(see(found.airItineraryPricingInfo, found)).toEqual(due);
    await agent.close();
  });

  it('holdShowsOneSegment: a reading shows both', async () => {
    const agent = await openTravelAgent({ rewrite: deviations('holdShowsOneSegment') });
    const [found] = await agent.itineraries([TRAIN, TRAIN_BACK]);
    const { airReservation } = good(await agent.book(found, [passenger('1')]));
    expect(segmentsOf(airReservation).length).toBe(1);
    expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
    const reading = await agent.read(airReservation.bookingReferenceID[0].id);
    expect([segmentsOf(reading).length, totalOf(reading)]).toEqual([2, totalOf(found)]);
    await agent.close();
  });

  it.each<[Deviation, object]>([
    ['errorObject', { status: 404, error: { code: '97', title: 'Booking not found' } }],
    ['errorNumber', { code: 97 }],
    ['errorCause', { title: '', cause: { cause: { title: 'Booking not found' } } }],
    ['errorOlder', { status: 404, message: 'no booking ZZZZZZ', exception: 'AirlineException' }],
    ['errorList', { errors: [{ code: '97', message: 'Booking not found' }] }],
    ['errorOta', { errors: { error: [{ code: '97', shortText: 'Booking not found' }] } }],
  ])('%s: another form of refusal', async (name, due) => {
    const agent = await openTravelAgent({ rewrite: deviations(name) });
    const { status, body } = await agent.readReply('ZZZZZZ');
    expect(status).toBe(404);
    expect(body).toMatchObject(due);
    await agent.close();
  });
});

describe('the airline dialect', () => {
  let agent: TravelAgent;
  beforeAll(async () => {
    agent = await openTravelAgent({ dialect: 'airline' });
  });
  afterAll(() => agent.close());

  const FLIGHT = { from: 'DXB', to: 'LHR', date: '2026-12-10' };
  const ALL = ['3', '10', '30'];
  const permitted = (segment: Json): string[] => {
    return (segment.tpaextensions.operations ?? []).map((it: Json) => it.modificationType);
  };

  it('names both carriers of a flight that another airline operates', async () => {
    const trip = await agent.trip([{ ...FLIGHT, to: 'DOH' }]);
    const [segment] = segmentsOf(trip);
    expect([segment.operatingAirline.code, segment.marketingAirline.code]).toEqual(['ZR', agent.setting('CARRIER')]);
    good(await agent.book(trip, [passenger('1')]));
    segment.operatingAirline.code = 'ZQ';
    good(await agent.book(trip, [passenger('1')]));
  });

  it('the airline dialect states a refund only in a PENDING order', async () => {
    const trip = await agent.trip([FLIGHT, { from: 'LHR', to: 'DXB', date: '2026-12-20' }]);
    const locator = await agent.sell(trip, adults(2));
    const before = await agent.read(locator);
    const after = good(await agent.cancelOptions(locator, ['1'])).airReservation;
    expect([before, after].map((it) => segmentsOf(it).map(permitted))).toEqual([
      [ALL, ALL],
      [[], ALL],
    ]);
    // What comes back stands in the order alone: 50.00 less for each of two adults, and 5 % on it.
    expect(after.priceInfo).toBeUndefined();
    const row = before.priceInfo.ptcfareBreakdowns.ptcfareBreakdown[0].passengerFare[0].totalFare.amount;
    expect(after.offer.priced[1].tpaExtensions.orderInfo).toMatchObject({
      ...{ action: 'OTHER', direction: 'REFUND', status: 'PENDING', totalAmount: (row - 105).toFixed(2) },
    });
    const reading = await agent.read(locator);
    expect(reading.priceInfo.itinTotalFare.map((it: Json) => it.usage)).toEqual([undefined]);
    good(await agent.cancelPassengers(locator, ['2']));
    const bare = good(await agent.cancelOptions(locator, ['2'])).airReservation;
    expect([bare.airItinerary, bare.priceInfo, bare.travelerInfo]).toEqual([undefined, undefined, undefined]);
    expect([bare.ticketing, bare.bookingReferenceID.length]).toEqual([[], 1]);
    const refunds = bare.offer.priced.slice(1).map((it: Json) => Number(it.tpaExtensions.orderInfo.totalAmount));
    const ledger = agent.sandbox.ledger().filter((it) => it.locator === locator && it.event === 'refunded');
    expect(refunds).toEqual(ledger.map((it) => (it.amount?.minor ?? 0) / 100));
  });

  it('stops offering operations as their time passes', async () => {
    const own = await openTravelAgent({ dialect: 'airline' });
    const trip = await own.trip([FLIGHT]);
    const locator = await own.sell(trip, [passenger('1')]);
    const departure = Date.parse(segmentsOf(trip)[0].departureDateTime);
    const seen: string[][] = [];
    for (const hours of [73, 72, 1, 0]) {
      own.sandbox.advance(departure - hours * HOUR - own.sandbox.now());
      await own.logIn();
      seen.push(permitted(segmentsOf(await own.read(locator))[0]));
    }
    expect(seen).toEqual([ALL, ['10', '30'], [], []]);
    await own.close();
  });

  it('sells a connection as one option, and cancels it whole', async () => {
    const trip = await agent.trip([{ from: 'BOM', to: 'CDG', date: '2026-12-10', after: 'P2D' }]);
    const [{ flightSegment: flights }] = optionsOf(trip);
    expect(flights[0].arrivalAirport).toEqual(flights[1].departureAirport);
    const reservation = await agent.read(await agent.sell(trip, [passenger('1')]));
    expect(totalOf(reservation)).toBe(totalOf(trip));
    const [option] = optionsOf(reservation);
    const cancel = (flightSegment: Json[]) => {
      const originDestinationOptions = { originDestinationOption: [{ ...option, flightSegment }] };
      return agent.modify(reservation, { modificationType: '10', airItinerary: { originDestinationOptions } });
    };
    expect((await cancel(option.flightSegment.slice(0, 1))).body.code).toBe('172');
    expect((await cancel(option.flightSegment)).status).toBe(200);
  });

  it('books the cheaper of two fares in a class if the class chooses the fare', async () => {
    const network = networkOf('airline', (it) => {
      it.name = 'Two tariffs in a class';
      for (const fare of it.fares) fare.bookingClass = fare.cabin ?? fare.bookingClass;
    });
    const own = await openTravelAgent({ dialect: 'airline', network });
    const { airReservation } = good(await own.book(await own.trip([FLIGHT]), [passenger('1')]));
    expect(segmentsOf(airReservation)[0].tpaextensions.fareBasis).toBe('YLSAVE');
    await own.close();
  });
});
