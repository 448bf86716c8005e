import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  changed,
  good,
  HOUR,
  inFare,
  type Json,
  NOW,
  openTravelAgent,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

const refundsOf = (reservation: Json): Json[] =>
  reservation.priceInfo.itinTotalFare.filter((it: Json) => it.usage === 'refund');
const statusesOf = (reservation: Json): string[] => segmentsOf(reservation).map((segment) => segment.status);

describe('cancelling segments (type 10)', () => {
  it('cancels one option with segment status 16 and coupons R, keeps the other, and states the refund in three places', async () => {
    const locator = await agent.sell(trip, adults(2));
    const { success, airReservation: after } = good(await agent.cancelOptions(locator, ['1']));
    expect(success).toEqual({});
    expect(statusesOf(after)).toEqual(['16', '30']);
    expect(after.priceInfo.fareInfos.fareInfo.map((it: Json) => it.ruleInfo === undefined)).toEqual([true, false]);
    // More than 72 hours before departure the fare gives all back.
    const free = { feeTransactionType: 'charge', amount: 0 };
    const fees = ['REFUND_PENALTY', 'REFUND_PENALTY_VAT'].map((feeCode) => ({ feeCode, ...free }));
    const [row, other] = after.priceInfo.ptcfareBreakdowns.ptcfareBreakdown;
    const { totalFare } = row.passengerFare[0];
    expect(refundsOf(after)).toMatchObject([{ totalFare, fees: { amount: 0, fee: fees } }]);
    expect(row.passengerFare[1]).toMatchObject({ usage: 'refund', totalFare });
    expect(other.passengerFare.length).toBe(1);
    const totalAmount = totalFare.amount.toFixed(2);
    const order = { action: 'OTHER', direction: 'REFUND', status: 'PAID', totalAmount };
    expect(after.offer.priced[1].tpaExtensions.orderInfo).toMatchObject(order);
    expect(await agent.read(locator)).toEqual(after);
  });

  it('refunds the price less 1725.00 for 5 adults on 2 segments at 150.00 each and 15 % VAT', async () => {
    const own = await openTravelAgent();
    const sameDay = [TRAIN, { ...TRAIN_BACK, date: TRAIN.date }];
    const found = inFare(await own.itineraries(sameDay, { adults: 5 }), 'CSAVE');
    const locator = await own.sell(found, adults(5));
    // Under 24 hours before either departure the penalty is 150.00 for each passenger and segment.
    own.sandbox.advance(Date.parse(segmentsOf(found)[0].departureDateTime) - HOUR - own.sandbox.now());
    await own.logIn();
    const paid = totalOf(await own.read(locator));
    const after = good(await own.cancelOptions(locator, ['1', '2'])).airReservation;
    const [refund] = refundsOf(after);
    expect(refund.fees.fee.map((it: Json) => [it.feeCode, it.amount])).toEqual([
      ['REFUND_PENALTY', 1500],
      ['REFUND_PENALTY_VAT', 225],
    ]);
    expect(refund.totalFare.amount).toBe(paid - 1725);
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
});

describe('other changes', () => {
  const change = async (locator: string, airBookModifyRQ: Json) =>
    good(await agent.modify(await agent.read(locator), airBookModifyRQ)).airReservation;

  it('adds special services (type 5)', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const asked = { ssrCode: 'WCHR', serviceQuantity: 1, status: 'Requested', text: 'to the platform' };
    const of = { flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: ['1'] };
    const specialReqDetails = [{ specialServiceRequests: { specialServiceRequest: [{ ...asked, ...of }] } }];
    const after = await change(locator, { modificationType: '5', travelerInfo: { specialReqDetails } });
    expect(after.travelerInfo.specialReqDetails[0].specialServiceRequests.specialServiceRequest).toEqual([
      { ssrcode: 'WCHR', text: 'to the platform', serviceQuantity: 1, status: '30', number: 1, ...of },
    ]);
  });

  it('changes passenger information (type 40)', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const [, traveler] = travelersOf(await agent.read(locator));
    const airTraveler = [changed(traveler, (it) => (it.document[0].docID = 'N1234567'))];
    const after = await change(locator, { modificationType: '40', travelerInfo: { airTraveler } });
    expect(travelersOf(after)[1].document[0]).toMatchObject({ docID: 'N1234567', birthDate: '1990-05-05' });
    expect(agent.sandbox.ledger().at(-1)).toMatchObject({ event: 'passenger_updated', locator, about: ['1'] });
  });
});

describe('a payment', () => {
  it('seats a party together', async () => {
    const locator = await agent.sell(trip, adults(3));
    const details: Json[] = ticketsOf(await agent.read(locator)).map(
      (ticket: Json) => ticket.tpaextensions.couponProviderDetails[0],
    );
    expect(new Set(details.map((it) => it.coach)).size).toBe(1);
    // Four seats to a row, numbered through the train.
    const seats = details.map((it) => Number.parseInt(it.seat, 10));
    expect(Math.max(...seats) - Math.min(...seats)).toBeLessThanOrEqual(11);
  });
});

describe('releasing', () => {
  it('ends a hold, with segment status 16, no rules and no order', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect(good(await agent.cancelBooking(locator))).toMatchObject({
      ...{ success: {}, segment: [], status: 'CANCELLED', timeStamp: NOW },
      uniqueID: [{ id: locator, type: '14' }],
    });
    const reservation = await agent.read(locator);
    expect(statusesOf(reservation)).toEqual(['16', '16']);
    expect(reservation.priceInfo.fareInfos.fareInfo.map((it: Json) => it.ruleInfo)).toEqual([undefined, undefined]);
    expect(reservation.offer.priced).toEqual([]);
  });
});
