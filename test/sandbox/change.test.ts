import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  basisOf,
  changed,
  child,
  good,
  HOUR,
  inFare,
  infant,
  type Json,
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

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

const refundsOf = (reservation: Json): Json[] =>
  reservation.priceInfo.itinTotalFare.filter((it: Json) => it.usage === 'refund');
const statusesOf = (reservation: Json): string[] => segmentsOf(reservation).map((it) => it.status);
const couponsOf = (reservation: Json): string[][] =>
  ticketsOf(reservation).map((it: Json) => it.tpaextensions.couponInfos.map((one: Json) => one.status));
const departureOf = (itinerary: Json, i = 0): number => Date.parse(segmentsOf(itinerary)[i].departureDateTime);

describe('cancelling segments (type 10)', () => {
  it('cancels one option with segment status 16 and coupons R, keeps the other, and states the refund in three places', async () => {
    const locator = await agent.sell(trip, adults(2));
    const before = await agent.read(locator);
    const reply = good(await agent.cancelOptions(locator, ['1']));
    expect(reply.success).toEqual({});
    const after = reply.airReservation;
    expect(statusesOf(after)).toEqual(['16', '30']);
    expect(couponsOf(after)).toEqual([
      ['R', 'O'],
      ['R', 'O'],
    ]);
    expect(after.priceInfo.fareInfos.fareInfo.map((it: Json) => it.ruleInfo === undefined)).toEqual([true, false]);
    const [refund] = refundsOf(after);
    // More than 72 hours before departure the fare gives all back.
    expect(refund.totalFare.amount).toBeGreaterThan(0);
    expect(refund.fees.amount).toBe(0);
    expect(refund.fees.fee.map((it: Json) => [it.feeCode, it.feeTransactionType, it.amount])).toEqual([
      ['REFUND_PENALTY', 'charge', 0],
      ['REFUND_PENALTY_VAT', 'charge', 0],
    ]);
    const [row, other] = after.priceInfo.ptcfareBreakdowns.ptcfareBreakdown;
    expect(row.passengerFare[1]).toMatchObject({ usage: 'refund', totalFare: refund.totalFare });
    expect(other.passengerFare.length).toBe(1);
    const order = after.offer.priced[1].tpaExtensions.orderInfo;
    expect(order).toMatchObject({ action: 'OTHER', direction: 'REFUND', status: 'PAID' });
    expect(order.totalAmount).toBe(refund.totalFare.amount.toFixed(2));
    expect(totalOf(after)).toBe(totalOf(before));
    expect(await agent.read(locator)).toEqual(after);
  });

  it('refunds the price less 1725.00 for 5 adults on 2 segments at 150.00 each and 15 % VAT', async () => {
    const own = await openTravelAgent();
    const day = '2026-12-10';
    const sameDay = await own.itineraries(
      [
        { from: 'QCA', to: 'XMD', date: day },
        { from: 'XMD', to: 'QCA', date: day },
      ],
      { adults: 5 },
    );
    const found = inFare(sameDay, 'CSAVE');
    const locator = await own.sell(found, adults(5));
    // Under 24 hours before either departure the penalty is 150.00 for each passenger and segment.
    own.sandbox.advance(departureOf(found) - HOUR - own.sandbox.now());
    await own.logIn();
    const paid = totalOf(await own.read(locator));
    const after = good(await own.cancelOptions(locator, ['1', '2'])).airReservation;
    const [refund] = refundsOf(after);
    expect(refund.fees.fee.map((it: Json) => [it.feeCode, it.amount])).toEqual([
      ['REFUND_PENALTY', 1500],
      ['REFUND_PENALTY_VAT', 225],
    ]);
    expect(refund.totalFare.amount).toBe(paid - 1725);
    expect(after.offer.priced[1].tpaExtensions.orderInfo.totalAmount).toBe((paid - 1725).toFixed(2));
    expect(own.sandbox.ledger().at(-1)).toMatchObject({ event: 'refunded', amount: { minor: paid * 100 - 172500 } });
    await own.close();
  });

  it('refunds nothing of a non-refundable fare', async () => {
    const saver = await agent.trip([TRAIN], 'YSAVE');
    const locator = await agent.sell(saver, [passenger('1')]);
    const [refund] = refundsOf(good(await agent.cancelOptions(locator, ['1'])).airReservation);
    expect(refund.totalFare.amount).toBe(0);
    expect(refund.fees.fee[0].amount).toBe(totalOf(saver));
  });

  it('refuses to cancel a cancelled segment (95) and segments of a hold (118)', async () => {
    const held = await agent.hold(trip, [passenger('1')]);
    expect((await agent.cancelOptions(held, ['1'])).body.code).toBe('118');
    const locator = await agent.sell(trip, [passenger('1')]);
    good(await agent.cancelOptions(locator, ['2']));
    expect((await agent.cancelOptions(locator, ['2'])).body.code).toBe('95');
    good(await agent.cancelOptions(locator, ['1']));
    expect((await agent.cancelOptions(locator, ['1'])).body.code).toBe('95');
    expect((await agent.pay(locator)).body.code).toBe('72');
  });

  it('refuses to cancel segments from the time limit on: 150', async () => {
    const own = await openTravelAgent();
    const locator = await own.sell(trip, [passenger('1')]);
    const { fareInfo } = (await own.read(locator)).priceInfo.fareInfos;
    const limit = Date.parse(fareInfo[0].ruleInfo.tpaextensions.cancellationTimeLimit);
    own.sandbox.advance(limit - own.sandbox.now());
    await own.logIn();
    expect((await own.cancelOptions(locator, ['1'])).body.code).toBe('150');
    expect((await own.cancelOptions(locator, ['2'])).status).toBe(200);
    await own.close();
  });

  it('refuses options that are incomplete or of another booking: 83 and 172', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const reservation = await agent.read(locator);
    const cancel = (option: Json) =>
      agent.modify(reservation, {
        modificationType: '10',
        airItinerary: { originDestinationOptions: { originDestinationOption: [option] } },
      });
    const [option] = optionsOf(reservation);
    const code = async (change: (it: Json) => void) => (await cancel(changed(option, change))).body.code;
    expect(await code((it) => (it.rph = '9'))).toBe('83');
    expect(await code((it) => (it.flightSegment[0].flightNumber = '999'))).toBe('83');
    expect(await code((it) => it.flightSegment.push(it.flightSegment[0]))).toBe('172');
    expect(await code((it) => delete it.flightSegment[0].marketingAirline)).toBe('321');
  });
});

describe('the reservation of a change', () => {
  it('refuses a change whose reservation differs from the last reading: 320', async () => {
    const locator = await agent.sell(trip, adults(2));
    const reservation = await agent.read(locator);
    const change = (of: Json) =>
      agent.modify(of, { modificationType: '2', travelerInfo: { airTraveler: [travelersOf(reservation)[2]] } });
    const detail = async (edit: (it: Json) => void) => {
      const { body } = await change(changed(reservation, edit));
      return [body.code, body.detail];
    };
    expect(await detail((it) => (travelersOf(it)[1].gender = 'Female'))).toEqual([
      '320',
      '$.airReservation.travelerInfo.airTraveler[1].gender: not as in the last read of the booking',
    ]);
    expect((await detail((it) => delete it.offer))[0]).toBe('320');
    expect((await detail((it) => (it.extra = 1)))[0]).toBe('320');
    expect((await detail((it) => it.ticketing.pop()))[0]).toBe('320');
    good(await change(reservation));
    // The booking has moved on: the same reservation is stale now.
    expect((await change(reservation)).body.code).toBe('320');
  });

  it('refuses a change without its required branches or without a currency at the point of sale', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const reservation = await agent.read(locator);
    const { body } = await agent.modify(
      { bookingReferenceID: reservation.bookingReferenceID },
      { modificationType: '2' },
    );
    expect([body.status, body.detail]).toEqual([400, expect.stringMatching(/^\$\.airReservation/)]);
    const request = {
      version: '2.001',
      pos: agent.pos(),
      airReservation: reservation,
      airBookModifyRQ: { modificationType: '10' },
    };
    const source = request.pos.source[0];
    source.isoCurrency = source.isocurrency;
    delete source.isocurrency;
    const answer = await agent.post(`${agent.setting('BASE_URL')}_AirBookModifyRQ`, request);
    expect(answer.body.detail).toBe('$.pos.source[0].isocurrency: missing');
  });
});

describe('cancelling passengers (type 2)', () => {
  it('refuses to leave a child alone or a booking empty', async () => {
    const locator = await agent.sell(trip, [passenger('1'), child('2')]);
    expect((await agent.cancelPassengers(locator, ['1'])).body.code).toBe('26');
    expect((await agent.cancelPassengers(locator, ['1', '2'])).body.code).toBe('172');
    const reservation = await agent.read(locator);
    const code = async (airTraveler: Json[]) =>
      (await agent.modify(reservation, { modificationType: '2', travelerInfo: { airTraveler } })).body.code;
    expect(await code([{ travelerRefNumber: { rph: '7' }, passengerTypeCode: 'ADT' }])).toBe('83');
    expect(await code([{ travelerRefNumber: { rph: '2' }, passengerTypeCode: 'ADT' }])).toBe('320');
    const other = { givenName: ['Omar'], surname: 'Other' };
    expect(await code([{ travelerRefNumber: { rph: '2' }, passengerTypeCode: 'CHD', personName: other }])).toBe('320');
    expect(await code([{ travelerRefNumber: { rph: '2' }, passengerTypeCode: 'CHD' }])).toBeUndefined();
  });
});

describe('changing names (type 3)', () => {
  const rename = async (from: TravelAgent, locator: string, rph: string, change: (it: Json) => void) => {
    const reservation = await from.read(locator);
    const traveler = travelersOf(reservation).find((it) => it.travelerRefNumber?.rph === rph);
    return from.modify(reservation, {
      modificationType: '3',
      travelerInfo: { airTraveler: [changed(traveler, change)] },
    });
  };

  it('refuses new names once names are fixed (417) and for a lapsed hold (73)', async () => {
    const own = await openTravelAgent();
    const locator = await own.sell(trip, [passenger('1')]);
    const held = await own.hold(trip, [passenger('1')]);
    const surname = (it: Json) => (it.personName.surname = 'Rahman');
    own.sandbox.advance(departureOf(trip) - 72 * HOUR - 1 - own.sandbox.now());
    await own.logIn();
    expect((await rename(own, held, '1', surname)).body.code).toBe('73');
    good(await rename(own, locator, '1', surname));
    own.sandbox.advance(1);
    expect((await rename(own, locator, '1', surname)).body.code).toBe('417');
    await own.close();
  });

  it('refuses new names that break the rules for passengers', async () => {
    const locator = await agent.sell(trip, [passenger('1'), passenger('2'), infant('3', '1')]);
    const code = async (rph: string, change: (it: Json) => void) =>
      (await rename(agent, locator, rph, change)).body.code;
    expect(await code('1', (it) => (it.personName.surname = '1'))).toBe('285');
    expect(await code('1', (it) => (it.passengerTypeCode = 'CHD'))).toBe('320');
    expect(await code('1', (it) => (it.document[0].docID = 'P0000002'))).toBe('1083');
    expect(await code('3', (it) => (it.document[0].birthDate = '2020-01-01'))).toBe('860');
    expect(await code('3', (it) => (it.comment[0].value = '2'))).toBe('3005');
    expect(await code('1', (it) => (it.travelerRefNumber.rph = '9'))).toBe('83');
    expect(await code('1', (it) => it.flightSegmentRPHs.flightSegmentRPH.push('7'))).toBe('83');
    expect(basisOf(await agent.read(locator))).toBe('YFLEX');
  });
});

it('refuses an unknown modification type', async () => {
  const locator = await agent.sell(trip, [passenger('1')]);
  const { body } = await agent.modify(await agent.read(locator), { modificationType: '99' });
  expect(body.code).toBe('320');
});
