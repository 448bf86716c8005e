import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { SeatMapQuery, SegmentSeatMap } from '../../src/domain/seat-map.ts';
import { SEAT_MAP, seatMapReply, seatMapRequest } from '../../src/ota/messages/seat-map.ts';
import { fixture } from './fixture.ts';
import { named, RETURN, SARA } from './values.ts';

const QUERY: SeatMapQuery = {
  locator: 'K7M4QX',
  requests: [{ segment: RETURN, travelerRefs: ['1'] }],
  travelers: [
    {
      ...SARA,
      name: named(['SARA'], 'HADDAD'),
      document: { number: 'A1234567', docType: '2' },
    },
  ],
};

describe('seat map request', () => {
  test('is OTA_AirSeatMapRQ', () => expect(SEAT_MAP).toBe('OTA_AirSeatMapRQ'));
  test('encodes', () => expect(z.encode(seatMapRequest, QUERY)).toEqual(fixture('seat-map-request')));
  test('decodes', () => expect(seatMapRequest.parse(fixture('seat-map-request'))).toEqual(QUERY));

  test('decodes with segment, travellers and reference as the read reply gave them', () => {
    const wire = fixture('seat-map-request') as z.input<typeof seatMapRequest>;
    const [request] = wire.seatMapRequests.seatMapRequest;
    const flightSegmentInfo = { ...request?.flightSegmentInfo, tpaextensions: { operations: [] }, equipment: [null] };
    const contact = { passengerTypeCode: 'CTC', personName: { namePrefix: [null] } };
    const copied = {
      seatMapRequests: { seatMapRequest: [{ ...request, flightSegmentInfo }] },
      airTravelers: { airTraveler: [...wire.airTravelers.airTraveler, contact] },
      bookingReferenceID: [
        { companyName: { code: 'HHR' }, type: '14', id: '77204518B', flightRefNumberRPHList: [] },
        { companyName: { code: 'W1' }, type: '14', id: 'K7M4QX' },
      ],
    };
    expect(seatMapRequest.parse(copied)).toEqual({
      ...QUERY,
      requests: [{ segment: { ...RETURN, permitted: [] }, travelerRefs: ['1'] }],
    });
  });

  test.each([
    ['no traveller for a segment', { ...QUERY, requests: [{ segment: RETURN, travelerRefs: [] }] }],
    ['a traveller who is not listed', { ...QUERY, requests: [{ segment: RETURN, travelerRefs: ['7'] }] }],
    ['no segment', { ...QUERY, requests: [] }],
  ])('cannot be sent with %s', (_, query) => {
    expect(() => z.encode(seatMapRequest, query)).toThrow(z.ZodError);
  });
});

const SEAT = { row: '2', window: false, aisle: false, amenities: [], services: [] };

const MAPS: SegmentSeatMap[] = [
  {
    segment: RETURN,
    travelerRefs: ['1'],
    cabins: [
      {
        cabin: 'economy',
        cabinType: 'T',
        zones: [{ id: '60010000060000', code: '006', name: 'Coach 6', description: '6', totalSeats: 38, type: 'T' }],
        columns: 5,
        startingRow: '0',
        endingRow: '10',
        rows: [
          {
            number: '2',
            characteristics: ['TABLE'],
            description: ['Quiet zone'],
            seats: [
              {
                ...SEAT,
                number: '142',
                column: 4,
                sequence: 142,
                status: 'taken',
                window: true,
                facing: 'forward',
                amenities: ['SOCKET'],
                services: ['MEAL'],
              },
              {
                ...SEAT,
                number: '143',
                column: 3,
                sequence: 143,
                status: 'free',
                aisle: true,
                facing: 'backward',
              },
              { ...SEAT, number: '144', column: 1, sequence: 144, status: 'yours' },
              { ...SEAT, number: '145', status: 'free' },
              { ...SEAT, number: '146', status: 'free' },
              { ...SEAT, number: '147', status: 'free' },
            ],
          },
        ],
      },
      {
        cabin: 'business',
        cabinType: 'P',
        zones: [{ id: '5', code: '001', type: 'P' }],
        rows: [
          {
            number: '1',
            characteristics: [],
            description: [],
            seats: [{ ...SEAT, row: '1', number: '1A', status: 'free' }],
          },
        ],
      },
    ],
  },
];

describe('seat map reply', () => {
  test('decodes', () => expect(seatMapReply.parse(fixture('seat-map-reply'))).toEqual(MAPS));

  test('decodes what it encodes to', () => {
    expect(z.decode(seatMapReply, z.encode(seatMapReply, MAPS))).toEqual(MAPS);
  });

  test('is written as documented', () => {
    const wire = z.encode(seatMapReply, MAPS);
    const [cabin] = cabins(wire);
    const [documented] = cabins(fixture('seat-map-reply'));
    expect(cabin?.availabilityList?.slice(0, 3)).toEqual(documented?.availabilityList);
    expect(cabin?.rowInfo?.[0]?.seatInfo.slice(0, 3)).toEqual(documented?.rowInfo?.[0]?.seatInfo.slice(0, 3));
    expect({ ...cabin, availabilityList: [], rowInfo: [] }).toEqual({
      ...documented,
      availabilityList: [],
      rowInfo: [],
    });
  });
});

interface Cabin {
  readonly availabilityList?: object[];
  readonly rowInfo?: { seatInfo: object[] }[];
}

function cabins(wire: object): Cabin[] {
  const { seatMapResponses } = wire as {
    seatMapResponses: { seatMapResponse: { seatMapDetails: { cabinClass: Cabin[] }[] }[] };
  };
  return seatMapResponses.seatMapResponse[0]?.seatMapDetails[0]?.cabinClass ?? [];
}
