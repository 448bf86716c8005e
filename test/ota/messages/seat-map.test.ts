import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { SeatMapQuery, SegmentSeatMap } from '../../../src/domain/booking/seat-map.ts';
import { decodeSeatMapReply, encodeSeatMapRequest, SEAT_MAP } from '../../../src/ota/messages/seat-map.ts';
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
  test('uses OTA_AirSeatMapRQ for seat maps', () => expect(SEAT_MAP).toBe('OTA_AirSeatMapRQ'));
  test('encodes a seat map request as the published message', () =>
    expect(encodeSeatMapRequest(QUERY)).toEqual(fixture('seat-map-request')));
  test.each([
    ['no traveller for a segment', { ...QUERY, requests: [{ segment: RETURN, travelerRefs: [] }] }],
    ['a traveller who is not listed', { ...QUERY, requests: [{ segment: RETURN, travelerRefs: ['7'] }] }],
    ['no segment', { ...QUERY, requests: [] }],
  ])('rejects a seat map request with %s', (_, query) => {
    expect(() => encodeSeatMapRequest(query)).toThrow(z.ZodError);
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
  test('decodes the published seat map reply', () =>
    expect(decodeSeatMapReply(fixture('seat-map-reply'))).toEqual(MAPS));
});
