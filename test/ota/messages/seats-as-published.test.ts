/**
 * Seat maps as rail publishes them (docs/wire/notes.md, shapes sent and replies: seat map).
 */
import { expect, test } from 'vitest';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from '../../../src/ota/messages/seat-map.ts';
import { json } from '../support/answers.ts';
import { at, serve } from '../support/harness.ts';

const FLIGHT = {
  departureAirport: { locationCode: 'AAA', terminal: '1' },
  arrivalAirport: { locationCode: 'BBB' },
  operatingAirline: { code: 'RR', flightNumber: '0417' },
  equipment: [],
  departureDateTime: '2031-05-04T08:10:00.000+03:00',
  arrivalDateTime: '2031-05-04T09:02:00.000+03:00',
  rph: '1',
  marketingAirline: { code: 'RR' },
  flightNumber: '0417',
  fareBasisCode: 'ECOFLEX1',
  resBookDesigCode: 'Y',
  status: '30',
  somethingNew: { kept: true },
};

const PEOPLE = [
  {
    personName: { namePrefix: ['MR'], givenName: ['JO'], surname: 'BERG', nameTitle: [] },
    document: [{ docID: 'P1234567', docType: '2', docLimitations: [] }],
    travelerRefNumber: { rph: '1' },
    flightSegmentRPHs: { flightSegmentRPH: ['1'] },
    passengerTypeCode: 'ADT',
  },
  {
    passengerTypeCode: 'CTC',
    personName: { givenName: ['ADA'], surname: 'BERG' },
    email: [{ value: 'ada@example.com', defaultInd: true }],
  },
];

const BOOKING = decodeReadReply({
  success: {},
  airReservation: {
    airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [FLIGHT], rph: '1' }] } },
    travelerInfo: { airTraveler: PEOPLE },
    bookingReferenceID: [
      { companyName: { code: 'OP' }, type: '14', id: '77204518B', flightRefNumberRPHList: ['1'] },
      { companyName: { code: 'RR' }, type: '14', id: 'K7PL2M' },
    ],
  },
});
const segments = BOOKING.options.flatMap((option) => option.segments);

const QUERY = {
  locator: BOOKING.locator,
  requests: segments.map((segment) => ({ segment, travelerRefs: ['1'] })),
  travelers: BOOKING.travelers,
  source: BOOKING.source,
};

const MESSAGE = {
  seatMapRequests: { seatMapRequest: [{ flightSegmentInfo: FLIGHT, travelerRefNumberRPHs: ['1'] }] },
  airTravelers: { airTraveler: PEOPLE },
  bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: 'K7PL2M' }],
};

test('copies flight and travellers, contact included, into a seat map request, with our reference alone', () => {
  expect(encodeSeatMapRequest(QUERY)).toEqual(MESSAGE);
});

test('spells isocurrency in lower case in a seat map request', async () => {
  const server = await serve(json(200, { seatMapResponses: { seatMapResponse: [] } }));
  await at(server.origin).seatMap(QUERY);
  expect(server.received[0]?.body).toMatchObject({ pos: { source: [{ isocurrency: 'SAR' }] }, ...MESSAGE });
});

const seat = (seatNumber: string, columnNumber: number) => ({
  summary: { seatNumber, rowNumber: 4, availableInd: true, occupiedInd: false },
  availability: { value: 'SEAT_AVAILABLE' },
  columnNumber,
});

test('keeps seat numbers as the train has them, whatever their row', () => {
  const cabinClass = [
    { zone: [{ code: '1' }], rowInfo: [{ rowNumber: 4, seatInfo: [seat('43', 1), seat('44', 2), seat('45', 4)] }] },
    {
      zone: [{ code: '2' }],
      availabilityList: [
        { seatNumber: '69', availableInd: true },
        { seatNumber: '70', occupiedInd: true },
      ],
    },
  ];
  const [map] = decodeSeatMapReply({
    seatMapResponses: { seatMapResponse: [{ flightSegmentInfo: FLIGHT, seatMapDetails: [{ cabinClass }] }] },
  });
  expect(map?.cabins).toMatchObject([
    {
      zones: [{ code: '1' }],
      rows: [{ number: '4', seats: [{ number: '43', row: '4' }, { number: '44' }, { number: '45' }] }],
    },
    {
      zones: [{ code: '2' }],
      rows: [
        {
          number: '',
          seats: [
            { number: '69', status: 'free' },
            { number: '70', status: 'taken' },
          ],
        },
      ],
    },
  ]);
});
