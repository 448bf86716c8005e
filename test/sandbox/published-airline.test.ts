/**
 * The airline dialect as the service publishes it (docs/wire/notes.md): requests written by hand, replies looked at as they
 * came.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  bookBody,
  bookItinerary,
  changed,
  good,
  type Json,
  openTravelAgent,
  passenger,
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
function shortItinerary(of: Json, more: Json = {}): Json {
  const airItinerary = bookItinerary(of);
  for (const segment of segmentsOf({ airItinerary })) {
    for (const field of ['operatingAirline', 'equipment', 'fareBasisCode', 'status']) delete segment[field];
    Object.assign(segment, more);
  }
  return airItinerary;
}

const sent = (passengers: readonly Json[]): Json => ({
  ...bookBody(trip, passengers),
  airItinerary: shortItinerary(trip),
});

const hold = async (passengers: readonly Json[]): Promise<Json> =>
  good(await agent.send('OTA_AirBookRQ', sent(passengers)));
const locatorOf = (body: Json): string => body.airReservation.bookingReferenceID[0].id;
const sell = async (passengers: readonly Json[]): Promise<string> => {
  const locator = locatorOf(await hold(passengers));
  good(await agent.pay(locator));
  return locator;
};
const ordersOf = (reservation: Json): Json[] => reservation.offer.priced.map((it: Json) => it.tpaExtensions.orderInfo);
const servicesOf = (reservation: Json): Json[] =>
  reservation.travelerInfo.specialReqDetails[0].specialServiceRequests.specialServiceRequest;

describe('a fare search', () => {
  it('names segment, travellers and designators in the price rows of a search', () => {
    const rows: Json[] = trip.airItineraryPricingInfo.ptcfareBreakdowns.ptcfareBreakdown;
    expect(rows.map((it) => it.fareBasisCodes.fareBasisCode)).toEqual([[{ value: 'YFLEX' }], [{ value: 'YFLEX' }]]);
    expect(rows.map((it) => [it.flightRefNumberRPHList, it.travelerRefNumber, it.ticketDesignators])).toEqual(
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
    const pairs = new Set(
      found.map((it) => {
        const [row] = it.airItineraryPricingInfo.ptcfareBreakdowns.ptcfareBreakdown;
        return `${segmentsOf(it)[0].resBookDesigCode} ${row.fareBasisCodes.fareBasisCode[0].value}`;
      }),
    );
    expect([...pairs].sort()).toEqual(['C CFLEX', 'D CSAVE', 'L YLSAVE', 'Y YFLEX']);
  });

  it('accepts a search whose point of sale has only a currency', async () => {
    const body = {
      version: '2.001',
      pos: { source: [{ isocurrency: 'AED' }] },
      processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: true },
      originDestinationInformation: [
        {
          originLocation: { locationCode: 'DXB' },
          destinationLocation: { locationCode: 'LHR' },
          departureDateTime: { value: '2026-12-10', windowBefore: 'P0D', windowAfter: 'P0D' },
        },
      ],
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity: '1' }] }] },
      travelPreferences: { fareRestrictPref: { fareRestriction: 'OUT' } },
    };
    const url = `${agent.sandbox.url}/v2015b/OTA_AirLowFareSearchRQ`;
    expect(good(await agent.post(url, body)).success).toEqual({});
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
    expect(people.map((it) => it.passengerTypeCode)).toEqual(['ADT', 'ADT']);
    expect(people.map((it) => it.email[0].value)).toEqual(['layla@example.com', 'omar@example.com']);
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
    const locator = locatorOf(await hold([passenger('1', { specialServiceRequests: [service] })]));
    const lines = servicesOf(await agent.read(locator));
    expect(lines).toEqual([
      {
        ssrcode: 'VGML',
        text: 'no nuts',
        serviceQuantity: 1,
        status: '30',
        number: 1,
        travelerRefNumberRPHList: ['1'],
        flightRefNumberRPHList: ['1', '2'],
      },
      expect.objectContaining({ ssrcode: 'FOID', text: 'PP P0000001', status: '30', travelerRefNumberRPHList: ['1'] }),
    ]);
  });
});

describe('a payment', () => {
  it('requires the amount in a payment by card or cash, and no card with cash', async () => {
    const locator = locatorOf(await hold([passenger('1')]));
    const amount = totalOf(await agent.read(locator));
    const pay = async (payment: Json) => (await agent.pay(locator, payment)).body.code;
    expect(await pay({ paymentType: '5', creditCardInfo: [{ cardHolderName: 'A B' }] })).toBe('321');
    expect(await pay({ paymentType: '1', currencyCode: 'AED' })).toBe('321');
    expect(await pay({ paymentType: '1', currencyCode: 'AED', amount: amount + 1 })).toBe('885');
    expect(await pay({ paymentType: '1', currencyCode: 'AED', amount })).toBeUndefined();
  });
});

describe('a change of type 3', () => {
  const change = async (locator: string, edit: (it: Json) => void): Promise<Json> => {
    const reservation = await agent.read(locator);
    const airTraveler = [changed(travelersOf(reservation)[0], edit)];
    return good(await agent.modify(reservation, { modificationType: '3', travelerInfo: { airTraveler } }))
      .airReservation;
  };
  const rename = (it: Json): void => {
    it.personName = { givenName: ['Sami'], surname: 'Noor' };
  };

  it('issues a new ticket for a changed name, and keeps the old one as exchanged, without a traveller', async () => {
    const locator = await sell(adults(2));
    const [old, other] = ticketsOf(await agent.read(locator));
    const after = await change(locator, rename);
    expect(after.priceInfo).toBeUndefined();
    const reading = await agent.read(locator);
    const seen = ticketsOf(reading).map((it) => [
      it.ticketDocumentNbr,
      it.travelerRefNumber,
      it.tpaextensions.couponInfos.map((one: Json) => one.status).join(''),
    ]);
    expect(seen).toEqual([
      [old.ticketDocumentNbr, [], 'EE'],
      [expect.stringMatching(/^\d{13}$/), ['1'], 'OO'],
      [other.ticketDocumentNbr, ['2'], 'OO'],
    ]);
    expect(seen[1]?.[0]).not.toBe(old.ticketDocumentNbr);
    expect(ordersOf(reading).at(-1)).toMatchObject({ action: 'CHANGE_NAME', totalAmount: '0.00' });
  });

  it('refuses a change of a contact traveller', async () => {
    const locator = await sell([passenger('1')]);
    const contact = { passengerTypeCode: 'CTC', personName: { givenName: ['Nora'], surname: 'Lund' } };
    const answer = await agent.modify(await agent.read(locator), {
      modificationType: '3',
      travelerInfo: { airTraveler: [contact] },
    });
    expect(answer.body.code).toBe('320');
  });
});
