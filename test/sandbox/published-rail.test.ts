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

it.each([2, '2'])('accepts the quantity %j in a request', async (quantity) => {
  const airTravelerAvail = [{ passengerTypeQuantity: [{ code: 'ADT', quantity }] }, { airTraveler: CONTACT }];
  const travelerInfoSummary = { pricingPref: [{ qualifier: '4', _: 'Quote' }], airTravelerAvail };
  good(await agent.send('OTA_AirPriceRQ', { airItinerary: bookItinerary(trip), travelerInfoSummary }));
});

describe('a reading', () => {
  it('adds success, status, fare code and creation time to the reading of a hold', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const { success, airReservation } = good(await agent.readReply(locator));
    expect([success, airReservation.createDateTime]).toEqual([{}, NOW]);
    for (const segment of segmentsOf(airReservation))
      expect(segment).toMatchObject({ status: '30', fareBasisCode: 'YFLEX' });
  });

  it('keeps the row of the time limit after payment and points to the first segment only', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const { ticketing } = await agent.read(locator);
    const couponInfos = ['1', '2'].map((flightRefRPH) => ({ flightRefRPH }));
    expect(ticketing).toMatchObject([
      { flightSegmentRefNumber: ['1'], tpaextensions: { couponInfos } },
      { ticketTimeLimit: '2026-11-20T11:30:00.000+03:00' },
    ]);
    expect(ticketing[1].ticketDocumentNbr).toBeUndefined();
  });
});

describe('a change of type 3', () => {
  const rename = async (locator: string, airTraveler: Json[], edit: (it: Json) => void = () => undefined) => {
    const reservation = changed(await agent.read(locator), edit);
    return agent.modify(reservation, { modificationType: '3', travelerInfo: { airTraveler } });
  };

  it('replaces name, telephone, address and e-mail of the contact if a change of type 3 includes it', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const name = { passengerTypeCode: 'CTC', personName: { givenName: ['Nora'], surname: 'Lund' } };
    const address = [{ cityName: 'Oslo', countryName: { code: 'NO', value: 'Norway' } }];
    const contact = { ...name, email: [{ value: 'other@example.com' }], address };
    const named = passenger('1', { flightSegmentRPHs: { flightSegmentRPH: ['1', '2'] } });
    good(await rename(locator, [contact, named], (it) => delete it.priceInfo));
    expect(travelersOf(await agent.read(locator))[0]).toEqual(contact);
  });

  it('keeps the contact if a change of type 3 omits it, and names infants with their adult', async () => {
    const locator = await agent.hold(trip, [passenger('1'), child('2'), infant('3', '1')]);
    const before = travelersOf(await agent.read(locator));
    const personName = { givenName: ['Sami'], surname: 'Noor' };
    good(await rename(locator, [passenger('1', { accompaniedByInfantInd: true, personName }), infant('3', '1')]));
    const [contact, adult, , baby] = travelersOf(await agent.read(locator));
    expect([contact, baby]).toEqual([before[0], before[3]]);
    expect(adult.personName).toEqual(personName);
  });
});

describe('a payment', () => {
  it('charges the account of the agency, which it lists', async () => {
    const [account] = good(await agent.get('/debit-credit/accounts'));
    expect(account).toMatchObject({ accountName: 'sandbox-account', currencyCode: 'SAR', active: true });
    const payment = { paymentType: '4', creditCardInfo: [{ cardHolderName: account.accountName }] };
    const locator = await agent.hold(trip, [passenger('1')]);
    good(await agent.pay(locator, payment));
    const [after] = good(await agent.get('/debit-credit/accounts'));
    expect(after.availableCredit).toBe(account.availableCredit - totalOf(await agent.read(locator)));
  });

  it('charges the account of the named company, and returns its name', async () => {
    const companyName = { code: 'sandbox', companyShortName: 'Sandbox' };
    const locator = await agent.hold(trip, [passenger('1')]);
    const reply = good(await agent.pay(locator, undefined, companyName));
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
