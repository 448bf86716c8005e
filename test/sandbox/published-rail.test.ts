/**
 * The rail dialect as the service publishes it (docs/wire/notes.md): requests written by hand, replies looked at as they came.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  bookBody,
  bookItinerary,
  CONTACT,
  changed,
  child,
  good,
  HOUR,
  infant,
  type Json,
  openTravelAgent,
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

describe('a booking request', () => {
  it('books the non-refundable fare without a fare code if the airline is set to do so', async () => {
    const own = await openTravelAgent({ behaviour: { missingFare: 'cheapest' } });
    const found = await own.trip([TRAIN]);
    const body = bookBody(found, [passenger('1')]);
    delete segmentsOf(body)[0].fareBasisCode;
    const { airReservation } = good(await own.send('OTA_AirBookRQ', body));
    expect(airReservation.priceInfo.fareInfos.fareInfo[0].fareReference[0].value).toBe('YSAVE');
    expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
    await own.close();
  });

  it('accepts quantities as numbers or as text', async () => {
    const body = (quantity: number | string): Json => ({
      airItinerary: bookItinerary(trip),
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4', _: 'Quote' }],
        airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity }] }, { airTraveler: CONTACT }],
      },
    });
    for (const quantity of [2, '2']) good(await agent.send('OTA_AirPriceRQ', body(quantity)));
    expect((await agent.send('OTA_AirPriceRQ', body('two'))).body.code).toBe('320');
  });
});

describe('a reading', () => {
  it('adds success, status, fare code and creation time to the reading of a hold', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const body = good(await agent.readReply(locator));
    expect(body.success).toEqual({});
    expect(segmentsOf(body.airReservation).map((it) => [it.status, it.fareBasisCode])).toEqual([
      ['30', 'YFLEX'],
      ['30', 'YFLEX'],
    ]);
    expect(body.airReservation.createDateTime).toBe('2026-11-20T08:00:00.000Z');
  });

  it('keeps the row of the time limit after payment and points to the first segment only', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const { ticketing } = await agent.read(locator);
    expect(ticketing.length).toBe(2);
    expect(ticketing[0].flightSegmentRefNumber).toEqual(['1']);
    expect(ticketing[0].tpaextensions.couponInfos.map((it: Json) => it.flightRefRPH)).toEqual(['1', '2']);
    expect(ticketing[1].ticketDocumentNbr).toBeUndefined();
    expect(ticketing[1].ticketTimeLimit).toBe('2026-11-20T11:30:00.000+03:00');
  });
});

describe('a change of type 3', () => {
  const rename = async (locator: string, airTraveler: Json[], edit: (it: Json) => void = () => undefined) => {
    const reservation = changed(await agent.read(locator), edit);
    return agent.modify(reservation, { modificationType: '3', travelerInfo: { airTraveler } });
  };

  it('replaces name, telephone, address and e-mail of the contact if a change of type 3 includes it', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const contact = {
      passengerTypeCode: 'CTC',
      personName: { givenName: ['Nora'], surname: 'Lund' },
      email: [{ value: 'other@example.com' }],
      address: [{ cityName: 'Oslo', countryName: { code: 'NO', value: 'Norway' } }],
    };
    const named = { ...passenger('1'), flightSegmentRPHs: { flightSegmentRPH: ['1', '2'] } };
    good(await rename(locator, [contact, named], (it) => delete it.priceInfo));
    const [after] = travelersOf(await agent.read(locator));
    expect(after).toEqual(contact);
  });

  it('keeps the contact if a change of type 3 omits it, and names infants with their adult', async () => {
    const locator = await agent.hold(trip, [passenger('1'), child('2'), infant('3', '1')]);
    const before = travelersOf(await agent.read(locator));
    const named = passenger('1', {
      accompaniedByInfantInd: true,
      personName: { givenName: ['Sami'], surname: 'Noor' },
    });
    good(await rename(locator, [named, infant('3', '1')]));
    const after = travelersOf(await agent.read(locator));
    expect([after[0], after[3]]).toEqual([before[0], before[3]]);
    expect(after[1].personName).toEqual({ givenName: ['Sami'], surname: 'Noor' });
  });
});

describe('an unpaid hold', () => {
  const cancelFirst = async (own: TravelAgent, locator: string) => own.cancelOptions(locator, ['1']);

  it('cancels segments of an unpaid hold without a refund if the airline is set to do so', async () => {
    const own = await openTravelAgent({ behaviour: { unpaidSegments: 'released' } });
    const locator = await own.hold(trip, [passenger('1')]);
    const after = good(await cancelFirst(own, locator)).airReservation;
    expect(segmentsOf(after).map((it) => it.status)).toEqual(['16', '30']);
    expect(own.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'segments_cancelled']);
    await own.close();
  });
});

describe('seats', () => {
  it('shows and changes seats until names are fixed', async () => {
    const own = await openTravelAgent();
    const locator = await own.sell(trip, [passenger('1')]);
    const reservation = await own.read(locator);
    own.sandbox.advance(Date.parse(segmentsOf(trip)[0].departureDateTime) - 72 * HOUR - own.sandbox.now());
    await own.logIn();
    const answer = await own.post(`${own.sandbox.url}/v2015b/OTA_AirSeatMapRQ`, {
      version: '2.001',
      pos: own.pos(),
      seatMapRequests: {
        seatMapRequest: [{ flightSegmentInfo: segmentsOf(reservation)[0], travelerRefNumberRPHs: ['1'] }],
      },
      airTravelers: { airTraveler: travelersOf(reservation) },
      bookingReferenceID: [reservation.bookingReferenceID[0]],
    });
    expect(answer.body.code).toBe('150');
    await own.close();
  });
});

describe('the account of the agency', () => {
  it('lists the agency account, and charges it for payments of type 4', async () => {
    expect(good(await agent.get('/debit-credit/accounts'))).toMatchObject([
      { accountName: 'sandbox-account', currencyCode: 'SAR', active: true },
    ]);
    const pay = async (payment: Json) => {
      const answer = await agent.pay(await agent.hold(trip, [passenger('1')]), { paymentType: '4', ...payment });
      return answer.status === 200 ? 'paid' : answer.body.code;
    };
    const account = (cardHolderName: string) => ({ creditCardInfo: [{ cardHolderName }] });
    expect([await pay({}), await pay(account('other')), await pay(account('sandbox-account'))]).toEqual([
      '321',
      '167',
      'paid',
    ]);
  });

  it('charges the account of the named company, and returns its name', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect((await agent.pay(locator, undefined, { code: 'OTHER' })).body.code).toBe('248');
    const reply = good(await agent.pay(locator, undefined, { code: 'sandbox', companyShortName: 'Sandbox' }));
    expect(reply.bookingReferenceID).toEqual({
      id: locator,
      type: '14',
      companyName: { code: 'sandbox', companyShortName: 'Sandbox' },
    });
  });

  it('accepts only a payment of the exact amount', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const due = totalOf(await agent.read(locator));
    const pay = async (currencyCode: string, amount: unknown) =>
      (await agent.pay(locator, { paymentType: '5', currencyCode, amount })).body.code;
    expect(await pay('SAR', due + 0.01)).toBe('885');
    expect(await pay('USD', due)).toBe('713');
    expect(await pay('SAR', String(due))).toBe('320');
    expect(await pay('SAR', due)).toBeUndefined();
    expect(ticketsOf(await agent.read(locator)).length).toBe(1);
  });
});
