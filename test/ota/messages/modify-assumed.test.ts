/**
 * The modifications whose payload docs/wire/notes.md gives, written by hand from its table.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Modification } from '../../../src/domain/booking/airline-requests.ts';
import type { Segment } from '../../../src/domain/booking/itinerary.ts';
import { ClerkError } from '../../../src/errors.ts';
import { encodeModifyRequest } from '../../../src/ota/messages/modify.ts';
import { record } from '../../../src/ota/messages/parts/reader.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { fixture } from './fixture.ts';
import { LINA, SARA } from './values.ts';

const SOURCE = fixture('modify-source');
const BOOKING = decodeReadReply({ success: {}, airReservation: SOURCE });

const sent = (change: Modification) => record(encodeModifyRequest(change, 'rail').airBookModifyRQ);

describe('choosing seats (type 5)', () => {
  const change: Modification = {
    kind: 'assign_seats',
    booking: BOOKING,
    seats: [
      { segmentRef: '1', travelerRef: '1', seat: '12A' },
      { segmentRef: '2', travelerRef: '2', seat: '3C', coach: '4' },
    ],
  };
  const wire = {
    modificationType: '5',
    travelerInfo: {
      specialReqDetails: [
        {
          seatRequests: {
            seatRequest: [
              { flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: ['1'], seatNumber: '12A' },
              { flightRefNumberRPHList: ['2'], travelerRefNumberRPHList: ['2'], seatNumber: '3C' },
            ],
          },
        },
      ],
    },
  };

  test('encodes a choice of seats', () => expect(sent(change)).toEqual(wire));
  test('rejects a choice of no seats', () => expect(() => sent({ ...change, seats: [] })).toThrow(z.ZodError));
});

describe('splitting a booking (type 7)', () => {
  const change: Modification = { kind: 'split_booking', booking: BOOKING, travelers: BOOKING.travelers.slice(1) };

  test('names the passengers to split off by pointer, even those without a name', () => {
    expect(sent(change)).toEqual({
      modificationType: '7',
      travelerInfo: { airTraveler: [{ travelerRefNumber: { rph: '2' }, passengerTypeCode: 'ADT' }] },
    });
  });
});

describe('changing the contact (type 3)', () => {
  const change: Modification = { kind: 'update_contact', booking: BOOKING, contact: LINA };
  const airTraveler = [
    {
      personName: { givenName: ['LINA'], surname: 'HADDAD' },
      telephone: [{ countryAccessCode: '966', phoneNumber: '501234567' }],
      email: [{ value: 'lina@example.com' }],
      address: [{ cityName: 'Jeddah', countryName: { code: 'SA' } }],
      passengerTypeCode: 'CTC',
    },
  ];

  test('encodes a change of contact', () =>
    expect(sent(change)).toEqual({ modificationType: '3', travelerInfo: { airTraveler } }));
  test('rejects a contact without a name', () => {
    const { name: _, ...nameless } = LINA;
    expect(() => sent({ ...change, contact: nameless })).toThrow(ClerkError);
  });
});

describe("changing passengers' information (type 40)", () => {
  const change: Modification = { kind: 'update_passengers', booking: BOOKING, travelers: [SARA] };

  test("sends passengers' information like a change of name, with the name as it was", () => {
    const renamed = sent({ ...change, kind: 'change_names' });
    expect(sent(change)).toEqual({ ...renamed, modificationType: '40' });
    expect(sent(change)).toMatchObject({
      travelerInfo: { airTraveler: [{ personName: { givenName: ['SARA'], surname: 'HADDAD' } }] },
    });
  });
});

describe('rebooking a segment (types 20 and 30)', () => {
  const fresh: Segment = {
    ref: '3',
    optionRef: '3',
    flightNumber: '0122',
    operating: { carrier: 'HHR', number: '0122' },
    from: 'MKX',
    to: 'DMX',
    departs: '2026-12-02T08:00:00.000+03:00',
    arrives: '2026-12-02T10:25:00.000+03:00',
    bookingClass: 'C',
    fareBasis: 'BFLEX1',
    statusCode: '34',
  };
  const rebook = (booking = BOOKING): Modification => ({
    kind: 'rebook_segment',
    booking,
    replacedRef: '1',
    option: { ref: '3', segments: [fresh] },
  });
  const airItinerary = {
    originDestinationOptions: {
      originDestinationOption: [
        {
          flightSegment: [
            {
              departureAirport: { locationCode: 'MKX' },
              arrivalAirport: { locationCode: 'DMX' },
              operatingAirline: { code: 'HHR', flightNumber: '0122' },
              marketingAirline: { code: 'HHR' },
              flightNumber: '0122',
              departureDateTime: '2026-12-02T08:00:00.000+03:00',
              arrivalDateTime: '2026-12-02T10:25:00.000+03:00',
              rph: '3',
              fareBasisCode: 'BFLEX1',
              resBookDesigCode: 'C',
            },
          ],
          rph: '3',
        },
      ],
    },
  };

  const permitting = (...types: string[]) => ({
    ...BOOKING,
    options: BOOKING.options.map((option) => ({
      ...option,
      segments: option.segments.map((one) => ({
        ...one,
        ...(one.ref === '1' && { permitted: types.map((modificationType) => ({ modificationType })) }),
      })),
    })),
  });

  test('sends the new segment of a rebooking without a status', () => {
    expect(sent(rebook())).toEqual({ modificationType: '20', airItinerary });
  });

  test.each([
    [['3', '10', '30'], '30'],
    [['20', '30'], '20'],
    [['20'], '20'],
    [['3'], '20'],
    [[], '20'],
  ])('rebooks a segment that offers %j with type %s', (offered, type) => {
    expect(sent(rebook(permitting(...offered)))).toMatchObject({ modificationType: type });
  });
});
