/**
 * The rail dialect as the service publishes it (docs/wire/notes.md): requests written by hand, replies looked at as they came.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  bookItinerary,
  CONTACT,
  changed,
  child,
  good,
  infant,
  type Json,
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

describe('a booking request', () => {
  it('accepts quantities as numbers or as text', async () => {
    const body = (quantity: number | string): Json => ({
      airItinerary: bookItinerary(trip),
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4', _: 'Quote' }],
        airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity }] }, { airTraveler: CONTACT }],
      },
    });
    for (const quantity of [2, '2']) good(await agent.send('OTA_AirPriceRQ', body(quantity)));
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

describe('a payment', () => {
  const paying = async (payment: Json, company?: Json) => {
    const locator = await agent.hold(trip, [passenger('1')]);
    return { locator, reply: good(await agent.pay(locator, payment, company)) };
  };

  it('charges the account of the agency, which it lists', async () => {
    expect(good(await agent.get('/debit-credit/accounts'))).toMatchObject([
      { accountName: 'sandbox-account', currencyCode: 'SAR', active: true },
    ]);
    await paying({ paymentType: '4', creditCardInfo: [{ cardHolderName: 'sandbox-account' }] });
  });

  it('charges the account of the named company, and returns its name', async () => {
    const companyName = { code: 'sandbox', companyShortName: 'Sandbox' };
    const { locator, reply } = await paying(undefined, companyName);
    expect(reply.bookingReferenceID).toEqual({ id: locator, type: '14', companyName });
  });

  it('takes the exact amount, and no cent more', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const amount = totalOf(await agent.read(locator));
    const card = { paymentType: '5', currencyCode: 'SAR' };
    expect((await agent.pay(locator, { ...card, amount: amount + 0.01 })).body.code).toBe('885');
    good(await agent.pay(locator, { ...card, amount }));
    expect(ticketsOf(await agent.read(locator)).length).toBe(1);
  });
});
