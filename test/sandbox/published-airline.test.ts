/**
 * The airline dialect as the service publishes it (docs/wire/notes.md): requests written by hand, replies looked at as they
 * came.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  basisOf,
  bookBody,
  changed,
  good,
  type Json,
  locatorOf,
  openTravelAgent,
  passenger,
  searchBody,
  segmentsOf,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const OUT = { from: 'DXB', to: 'LHR', date: '2026-12-10' };
const BACK = { from: 'LHR', to: 'DXB', date: '2026-12-20' };

const agent = await openTravelAgent({ dialect: 'airline' });
const trip = await agent.trip([OUT, BACK]);
afterAll(() => agent.close());

/** Segments as an airline is sent them: no operating carrier, no fare, no status. */
const sent = (passengers: readonly Json[]): Json =>
  changed(bookBody(trip, passengers), (body) => {
    for (const segment of segmentsOf(body))
      for (const field of ['operatingAirline', 'equipment', 'fareBasisCode', 'status']) delete segment[field];
  });

const hold = async (passengers: readonly Json[]): Promise<Json> =>
  good(await agent.send('OTA_AirBookRQ', sent(passengers)));
const held = async (passengers: readonly Json[]): Promise<string> => locatorOf((await hold(passengers)).airReservation);

describe('a fare search', () => {
  it('names segment, travellers and designators in the price rows of a search', () => {
    const rows: Json[] = trip.airItineraryPricingInfo.ptcfareBreakdowns.ptcfareBreakdown;
    expect(rows.map((row) => row.fareBasisCodes.fareBasisCode)).toEqual([[{ value: 'YFLEX' }], [{ value: 'YFLEX' }]]);
    expect(rows.map((row) => [row.flightRefNumberRPHList, row.travelerRefNumber, row.ticketDesignators])).toEqual(
      ['1', '2'].map((rph) => [[rph], [{ rph: '1' }], { ticketDesignator: [{ flightRefRPH: rph }] }]),
    );
  });

  it('leaves the caller to add up taxes and fees', () => {
    const [fare] = trip.airItineraryPricingInfo.itinTotalFare;
    expect([fare.taxes.amount, fare.fees.amount]).toEqual([undefined, undefined]);
    const parts: Json[] = [fare.baseFare, ...fare.taxes.tax, ...fare.fees.fee];
    const cents = parts.reduce((all, it) => all + Math.round(it.amount * 100), 0);
    expect(cents).toBe(Math.round(fare.totalFare.amount * 100));
  });

  it('sells one fare in each booking class', async () => {
    const found = await agent.itineraries([OUT]);
    const pairs = new Set(found.map((it) => `${segmentsOf(it)[0].resBookDesigCode} ${basisOf(it)}`));
    expect([...pairs].sort()).toEqual(['C CFLEX', 'D CSAVE', 'L YLSAVE', 'Y YFLEX']);
  });

  it('accepts a search whose point of sale has only a currency', async () => {
    const pos = { source: [{ isocurrency: 'AED' }] };
    const travelPreferences = { fareRestrictPref: { fareRestriction: 'OUT' } };
    const reply = await agent.send('OTA_AirLowFareSearchRQ', { ...searchBody([OUT]), pos, travelPreferences });
    expect(good(reply).success).toEqual({});
  });
});

describe('a hold', () => {
  it('states the rule of a fixed fare as an unfilled template key', async () => {
    const fixed = await agent.trip([OUT], 'YLSAVE');
    const { airReservation } = good(await agent.book(fixed, [passenger('1')]));
    expect(segmentsOf(airReservation)[0].tpaextensions.fareRule.name).toMatch(/^\$\{.+\}$/);
  });

  it('returns no contact traveller and no birth date, but e-mail and telephone on the passengers', async () => {
    const own = passenger('2', { email: [{ value: 'omar@example.com' }] });
    const people = travelersOf((await hold([passenger('1'), own])).airReservation);
    expect(people.map((person) => person.passengerTypeCode)).toEqual(['ADT', 'ADT']);
    expect(people.map((person) => person.email[0].value)).toEqual(['layla@example.com', 'omar@example.com']);
    expect(people[1].telephone).toEqual([{ countryAccessCode: '966', phoneNumber: '500000000' }]);
    expect(JSON.stringify(people)).not.toContain('birthDate');
  });

  it('ignores the fare code of a segment, as the class chooses the fare', async () => {
    const body = sent([passenger('1')]);
    for (const segment of segmentsOf(body)) segment.fareBasisCode = 'CFLEX';
    const { airReservation } = good(await agent.send('OTA_AirBookRQ', body));
    expect(segmentsOf(airReservation)[0].tpaextensions.fareBasis).toBe('YFLEX');
  });

  it('accepts services on a traveller, and lists documents as FOID', async () => {
    const service = { ssrCode: 'VGML', serviceQuantity: 1, status: 'Requested', text: 'no nuts' };
    const locator = await held([passenger('1', { specialServiceRequests: [service] })]);
    const [{ specialServiceRequests }] = (await agent.read(locator)).travelerInfo.specialReqDetails;
    const line = { status: '30', travelerRefNumberRPHList: ['1'] };
    const meal = { ssrcode: 'VGML', text: 'no nuts', serviceQuantity: 1, number: 1 };
    expect(specialServiceRequests.specialServiceRequest).toEqual([
      { ...line, ...meal, flightRefNumberRPHList: ['1', '2'] },
      expect.objectContaining({ ...line, ssrcode: 'FOID', text: 'PP P0000001' }),
    ]);
  });
});

describe('a payment', () => {
  it('requires the amount in a payment by card or cash, and no card with cash', async () => {
    const locator = await held([passenger('1')]);
    const amount = totalOf(await agent.read(locator));
    const pay = async (payment: Json) => (await agent.pay(locator, payment)).body.code;
    expect(await pay({ paymentType: '5', creditCardInfo: [{ cardHolderName: 'A B' }] })).toBe('321');
    expect(await pay({ paymentType: '1', currencyCode: 'AED' })).toBe('321');
    expect(await pay({ paymentType: '1', currencyCode: 'AED', amount: amount + 1 })).toBe('885');
    expect(await pay({ paymentType: '1', currencyCode: 'AED', amount })).toBeUndefined();
  });
});

describe('a change of type 3', () => {
  const personName = { givenName: ['Sami'], surname: 'Noor' };

  it('issues a new ticket for a changed name, and keeps the old one as exchanged, without a traveller', async () => {
    const locator = await agent.sell(trip, adults(2));
    const reservation = await agent.read(locator);
    const [old, other] = ticketsOf(reservation).map((ticket) => ticket.ticketDocumentNbr);
    const airTraveler = [{ ...travelersOf(reservation)[0], personName }];
    const { airReservation: after } = good(
      await agent.modify(reservation, { modificationType: '3', travelerInfo: { airTraveler } }),
    );
    expect(after.priceInfo).toBeUndefined();
    const reading = await agent.read(locator);
    const coupons = (it: Json) => it.tpaextensions.couponInfos.map((one: Json) => one.status).join('');
    const seen = ticketsOf(reading).map((ticket) => [
      ticket.ticketDocumentNbr,
      ticket.travelerRefNumber,
      coupons(ticket),
    ]);
    expect(seen).toEqual([
      [old, [], 'EE'],
      [expect.stringMatching(/^\d{13}$/), ['1'], 'OO'],
      [other, ['2'], 'OO'],
    ]);
    expect(seen[1]?.[0]).not.toBe(old);
    const { orderInfo } = reading.offer.priced.at(-1).tpaExtensions;
    expect(orderInfo).toMatchObject({ action: 'CHANGE_NAME', totalAmount: '0.00' });
  });

  it('refuses a change of a contact traveller', async () => {
    const reservation = await agent.read(await agent.sell(trip, [passenger('1')]));
    const travelerInfo = { airTraveler: [{ passengerTypeCode: 'CTC', personName }] };
    expect((await agent.modify(reservation, { modificationType: '3', travelerInfo })).body.code).toBe('320');
  });
});
