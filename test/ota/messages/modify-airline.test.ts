/**
 * Changes as the airline dialect publishes them, and what rail publishes of contacts and groups (docs/wire/notes.md, shapes
 * sent; where the pieces meet).
 */
import { describe, expect, test } from 'vitest';
import type { Modification } from '../../../src/domain/booking/airline-requests.ts';
import { ClerkError } from '../../../src/errors.ts';
import { encodeModifyRequest } from '../../../src/ota/messages/modify.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import type { OtaOptions } from '../../../src/ota/options.ts';
import { json } from '../support/answers.ts';
import { at, serve } from '../support/harness.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';

const FLIGHT = {
  departureAirport: { locationCode: 'AAA', terminal: 'N' },
  arrivalAirport: { locationCode: 'BBB' },
  departureDateTime: '2031-05-04T08:10:00.000+01:00',
  arrivalDateTime: '2031-05-04T09:02:00.000+01:00',
  rph: '1',
  marketingAirline: { code: 'QQ' },
  flightNumber: '0417',
  resBookDesigCode: 'M',
  status: '30',
  tpaextensions: { fareBasis: 'MFLEX', priceGroup: 'Flex' },
};

const JO = {
  personName: { namePrefix: ['MR'], givenName: ['JO'], middleName: [], surname: 'BERG', nameTitle: [] },
  telephone: [{ countryAccessCode: '47', phoneNumber: '55500111', phoneTechType: '1' }],
  email: [{ value: 'jo@example.com', defaultInd: true }],
  document: [
    {
      docID: 'P1234567',
      docType: '2',
      docHolderNationality: 'NO',
      expireDate: '2035-01-31',
      birthDate: '1990-02-03',
      docLimitations: [],
    },
  ],
  travelerRefNumber: { rph: '1', surnameRefNumber: '1' },
  flightSegmentRPHs: { flightSegmentRPH: ['1'] },
  passengerTypeCode: 'ADT',
  gender: 'Male',
  somethingNew: { kept: true },
};

const RESERVATION = {
  airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [FLIGHT] }] } },
  travelerInfo: { airTraveler: [JO], specialReqDetails: [] },
  ticketing: [],
  bookingReferenceID: [{ companyName: { code: 'QQ' }, type: '14', id: 'K7PL2M' }],
};

const BOOKING = decodeReadReply({ success: {}, airReservation: RESERVATION });
const [TRAVELER] = BOOKING.travelers;
if (TRAVELER?.name === undefined) throw new Error('the reservation names a traveller');
const NAME = TRAVELER.name;

const sent = (change: Modification, dialect: 'rail' | 'airline' = 'airline') =>
  encodeModifyRequest(change, dialect).airBookModifyRQ;

const renamed = (over: object): Modification => ({
  kind: 'change_names',
  booking: BOOKING,
  travelers: [{ ...TRAVELER, ...over }],
});

describe('changes of names in the airline dialect (type 3)', () => {
  test('sends renamed passengers in full as they were read, without a contact', () => {
    expect(sent(renamed({ name: { ...NAME, given: ['JOE'] } }))).toEqual({
      modificationType: '3',
      travelerInfo: { airTraveler: [{ ...JO, personName: { ...JO.personName, givenName: ['JOE'] } }] },
    });
  });

  test('replaces the old prefix with a new title', () => {
    const change = renamed({ name: { ...NAME, prefix: ['MRS'], title: [] } });
    expect(sent(change)).toMatchObject({
      travelerInfo: { airTraveler: [{ personName: { ...JO.personName, namePrefix: ['MRS'], nameTitle: [] } }] },
    });
  });

  test('replaces the old document with a new one', () => {
    const document = { number: 'P7654321', docType: '2', nationality: 'NO', expires: '2036-02-01' };
    expect(sent(renamed({ document }))).toMatchObject({
      travelerInfo: {
        airTraveler: [{ ...JO, document: [{ ...JO.document[0], docID: 'P7654321', expireDate: '2036-02-01' }] }],
      },
    });
  });

  test('adds a new telephone to the old one and replaces the e-mail', () => {
    const change: Modification = {
      kind: 'update_passengers',
      booking: BOOKING,
      travelers: [{ ...TRAVELER, emails: ['jb@example.com'], phones: [{ countryCode: '47', number: '55500222' }] }],
    };
    expect(sent(change)).toEqual({
      modificationType: '3',
      travelerInfo: {
        airTraveler: [
          {
            ...JO,
            email: [{ value: 'jb@example.com' }],
            telephone: [
              { countryAccessCode: '47', phoneNumber: '55500111', phoneTechType: '1' },
              { countryAccessCode: '47', phoneNumber: '55500222', phoneTechType: '5' },
            ],
          },
        ],
      },
    });
  });

  test('rejects a change of contact in the airline dialect, which has no contact', () => {
    const change: Modification = { kind: 'update_contact', booking: BOOKING, contact: TRAVELER };
    expect(() => sent(change)).toThrow(ClerkError);
  });
});

test('copies travellers in full, without special requests, to cancel them in the airline dialect', () => {
  expect(sent({ kind: 'cancel_passengers', booking: BOOKING, travelers: [TRAVELER] })).toEqual({
    modificationType: '2',
    travelerInfo: { airTraveler: [JO], specialReqDetails: [] },
  });
});

test('copies the options as they were read, unknown fields included, to cancel segments', () => {
  expect(sent({ kind: 'cancel_segments', booking: BOOKING, options: BOOKING.options })).toMatchObject({
    modificationType: '10',
    airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [FLIGHT] }] } },
  });
});

describe('rebooking', () => {
  const fresh = {
    ref: '2',
    optionRef: '2',
    flightNumber: '0419',
    marketing: { carrier: 'QQ' },
    from: 'AAA',
    to: 'BBB',
    departs: '2031-05-05T08:10:00.000+01:00',
    arrives: '2031-05-05T09:02:00.000+01:00',
    bookingClass: 'K',
    fareBasis: 'KFLEX',
    statusCode: '34',
  };
  const change: Modification = {
    kind: 'rebook_segment',
    booking: BOOKING,
    replacedRef: '1',
    option: { ref: '2', segments: [fresh] },
  };

  test('rebooks in the airline dialect with type 30, one option, and neither status nor fare basis', () => {
    const { airItinerary } = sent(change) as {
      airItinerary: { originDestinationOptions: { originDestinationOption: object[] } };
    };
    expect(sent(change)).toMatchObject({ modificationType: '30' });
    expect(airItinerary.originDestinationOptions.originDestinationOption).toEqual([
      {
        rph: '2',
        flightSegment: [
          {
            departureAirport: { locationCode: 'AAA' },
            arrivalAirport: { locationCode: 'BBB' },
            operatingAirline: { code: 'QQ', flightNumber: '0419' },
            departureDateTime: '2031-05-05T08:10:00.000+01:00',
            arrivalDateTime: '2031-05-05T09:02:00.000+01:00',
            rph: '2',
            marketingAirline: { code: 'QQ' },
            flightNumber: '0419',
            resBookDesigCode: 'K',
          },
        ],
      },
    ]);
  });

  test('rebooks in the rail dialect with type 20 and the fare basis', () => {
    expect(sent(change, 'rail')).toMatchObject({
      modificationType: '20',
      airItinerary: {
        originDestinationOptions: { originDestinationOption: [{ flightSegment: [{ fareBasisCode: 'KFLEX' }] }] },
      },
    });
  });
});

describe('changes of names in the rail dialect (type 3)', () => {
  test('sends a title in the prefix of the name', () => {
    const name = { ...NAME, prefix: [], title: ['MISS'] };
    expect(sent(renamed({ name }), 'rail')).toMatchObject({
      travelerInfo: { airTraveler: [{ personName: { namePrefix: ['MISS'], givenName: ['JO'], surname: 'BERG' } }] },
    });
    expect(JSON.stringify(sent(renamed({ name }), 'rail'))).not.toContain('nameTitle');
  });

  test('names a group: marks adults with an infant and refers infants to their adult', () => {
    const unnamed = (rph: string, passengerTypeCode: string) => ({
      passengerTypeCode,
      gender: 'Unknown',
      travelerRefNumber: { rph },
    });
    const airTraveler = [unnamed('1', 'ADT'), unnamed('2', 'ADT'), unnamed('3', 'INF')];
    const group = decodeReadReply({ success: {}, airReservation: { ...RESERVATION, travelerInfo: { airTraveler } } });
    const travelers = group.travelers.map((one, i) => ({
      ...one,
      name: { ...NAME, given: [['AN', 'BO', 'CY'][i] ?? ''] },
    }));
    const change: Modification = { kind: 'change_names', booking: group, travelers };
    const wires = (sent(change, 'rail') as { travelerInfo: { airTraveler: Record<string, unknown>[] } }).travelerInfo
      .airTraveler;
    expect(wires.map(({ accompaniedByInfantInd }) => accompaniedByInfantInd)).toEqual([true, undefined, undefined]);
    expect(wires.map(({ comment }) => comment)).toEqual([undefined, undefined, [{ name: 'attendantRph', value: '1' }]]);
    expect(wires[0]).not.toHaveProperty('flightSegmentRPHs');
  });

  test('marks no adult with an infant if the people of the booking are already named', () => {
    expect(JSON.stringify(sent(renamed({ name: { ...NAME, given: ['JOE'] } }), 'rail'))).not.toContain(
      'accompaniedByInfantInd',
    );
  });
});

describe('the spelling of the currency', () => {
  const contact: Modification = {
    kind: 'update_contact',
    booking: BOOKING,
    contact: { name: NAME, emails: [], phones: [], addresses: [], comments: [] },
  };
  const kinds: Record<string, Modification> = {
    'type 3': renamed({ name: { ...NAME, given: ['JOE'] } }),
    'the contact': contact,
    'type 5': { kind: 'assign_seats', booking: BOOKING, seats: [{ segmentRef: '1', travelerRef: '1', seat: '52' }] },
    'type 10': { kind: 'cancel_segments', booking: BOOKING, options: BOOKING.options },
  };

  async function spelled(modification: Modification, dialect: OtaOptions['dialect'] & string): Promise<string[]> {
    const server = await serve(json(200, { success: {}, airReservation: RESERVATION }));
    await at(server.origin, { dialect }).modify(confirmed({ modification }, watchedDispatch()));
    const pos = server.received[0]?.body.pos as { source: [object] } | undefined;
    return Object.keys(pos?.source[0] ?? {}).filter((name) => /^isocurrency$/i.test(name));
  }

  test.each([
    ['type 3', 'rail', 'isoCurrency'],
    ['the contact', 'rail', 'isoCurrency'],
    ['type 5', 'rail', 'isoCurrency'],
    ['type 10', 'rail', 'isocurrency'],
    ['type 3', 'airline', 'isoCurrency'],
    ['type 10', 'airline', 'isoCurrency'],
  ] as const)('spells the currency for %s in the %s dialect as %s', async (kind, dialect, spelling) => {
    const change = kinds[kind];
    if (change === undefined) throw new Error(kind);
    expect(await spelled(change, dialect)).toEqual([spelling]);
  });

  test.each([
    ['rail', 'isoCurrency'],
    ['airline', 'isoCurrency'],
  ] as const)('spells the currency for a whole cancellation in the %s dialect as %s', async (dialect, spelling) => {
    const server = await serve(
      json(200, { success: {}, uniqueID: [{ id: 'K7PL2M', type: '14' }], status: 'CANCELLED' }),
    );
    await at(server.origin, { dialect }).cancel(confirmed({ cancellation: { locator: 'K7PL2M' } }, watchedDispatch()));
    expect(server.received[0]?.body.pos).toMatchObject({ source: [{ [spelling]: 'SAR' }] });
  });
});

test('accepts the reply to a change that emptied an airline booking', async () => {
  const { travelerInfo: _, airItinerary: __, ...bare } = RESERVATION;
  const offer = {
    priced: [
      {
        id: '9',
        tpaExtensions: {
          orderInfo: {
            action: 'OTHER',
            direction: 'REFUND',
            status: 'PENDING',
            currencyCode: 'EUR',
            totalAmount: '80.00',
          },
        },
      },
    ],
  };
  const server = await serve(json(200, { success: {}, airReservation: { ...bare, offer } }));
  const modification: Modification = { kind: 'cancel_segments', booking: BOOKING, options: BOOKING.options };
  const after = await at(server.origin, { dialect: 'airline' }).modify(confirmed({ modification }, watchedDispatch()));
  expect(after).toMatchObject({ locator: 'K7PL2M', options: [], travelers: [], tickets: [] });
  expect(after.orders).toMatchObject([
    { direction: 'REFUND', status: 'PENDING', amount: { minor: 8000, currency: 'EUR' } },
  ]);
});
