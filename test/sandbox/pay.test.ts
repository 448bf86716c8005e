import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  good,
  type Json,
  openTravelAgent,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

describe('payment', () => {
  it('seats a party together', async () => {
    const locator = await agent.sell(trip, adults(3));
    const details: Json[] = ticketsOf(await agent.read(locator)).map(
      (it: Json) => it.tpaextensions.couponProviderDetails[0],
    );
    expect(new Set(details.map((it) => it.coach)).size).toBe(1);
    // Four seats to a row, numbered through the train.
    const seats = details.map((it) => Number.parseInt(it.seat, 10));
    expect(Math.max(...seats) - Math.min(...seats)).toBeLessThanOrEqual(11);
  });
});

describe('payment is refused', () => {
  it('refuses a second payment: 65', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const { status, body } = await agent.pay(locator);
    expect([status, body.code]).toEqual([409, '65']);
    expect(agent.sandbox.ledger().filter((it) => it.locator === locator && it.event === 'paid').length).toBe(1);
  });

  it('refuses payment of a cancelled hold (72), an unknown booking (97), by an unknown type (163) and by a declined card (167)', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect((await agent.pay(locator, { paymentType: '77' })).body.code).toBe('163');
    const card = { paymentType: '5', creditCardInfo: [{ cardHolderName: 'DECLINED' }] };
    expect((await agent.pay(locator, card)).body.code).toBe('167');
    good(await agent.cancelBooking(locator));
    expect((await agent.pay(locator)).body.code).toBe('72');
    const unknown = await agent.pay('AAAAA0');
    expect([unknown.status, unknown.body.code]).toEqual([404, '97']);
    expect(
      agent.sandbox
        .ledger()
        .filter((it) => it.locator === locator)
        .map((it) => it.event),
    ).toEqual(['created', 'cancelled']);
  });

  it('refuses a payment after the time limit: 73', async () => {
    const own = await openTravelAgent();
    const locator = await own.hold(trip, [passenger('1')]);
    own.sandbox.advance(30 * 60_000 - 1);
    const other = await own.hold(trip, [passenger('1')]);
    own.sandbox.advance(1);
    expect((await own.pay(locator)).body.code).toBe('73');
    expect((await own.pay(other)).status).toBe(200);
    expect((await own.cancelBooking(locator)).body.code).toBe('73');
    await own.close();
  });

  it('reports the path of a card number, which the interface does not have, and never stores the number', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const card = { paymentType: '5', creditCardInfo: [{ cardHolderName: 'A B', cardNumber: '4111111111111111' }] };
    good(await agent.pay(locator, card));
    expect(agent.sandbox.unknownFields()).toEqual([
      {
        message: 'OTA_AirDemandTicketRQ',
        path: '$.demandTicketDetail.paymentInfo[0].creditCardInfo[0].cardNumber',
      },
    ]);
  });
});

describe('reading and releasing', () => {
  it('releases a hold once, with segment status 16, no rules and no order', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect(good(await agent.cancelBooking(locator))).toMatchObject({
      success: {},
      uniqueID: [{ id: locator, type: '14' }],
      segment: [],
      status: 'CANCELLED',
      timeStamp: '2026-11-20T08:00:00.000Z',
    });
    const reservation = await agent.read(locator);
    expect(segmentsOf(reservation).map((it) => it.status)).toEqual(['16', '16']);
    expect(reservation.priceInfo.fareInfos.fareInfo.map((it: Json) => it.ruleInfo)).toEqual([undefined, undefined]);
    expect(reservation.offer.priced).toEqual([]);
    expect((await agent.cancelBooking(locator)).body.code).toBe('95');
  });

  it('refuses to release a paid booking: 3505', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    expect((await agent.cancelBooking(locator)).body.code).toBe('3505');
  });
});
