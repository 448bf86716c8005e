import { describe, expect, test } from 'vitest';
import type { Seat, SeatCabin, SegmentSeatMap } from '../../src/domain/booking/seat-map.ts';
import { getSeatMap } from '../../src/tools/get-seat-map.ts';
import { held, OUT, partlyCancelled, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk, parsed, refusedWith } from './support/tool-context.ts';

function seat(number: string, column: number, over: Partial<Seat> = {}): Seat {
  return {
    number,
    row: number.replace(/\D/g, ''),
    column,
    status: 'free',
    window: false,
    aisle: false,
    amenities: [],
    services: [],
    ...over,
  };
}

const rowOf = (n: string, gap = 0) => [
  seat(`${n}A`, 1, { window: true, facing: 'forward' }),
  seat(`${n}B`, 2, { aisle: true, status: 'taken' }),
  seat(`${n}C`, 3 + gap, { aisle: true }),
  seat(`${n}D`, 4 + gap, { window: true, status: n === '1' ? 'yours' : 'free', amenities: ['socket'] }),
];

const CABIN: SeatCabin = {
  cabin: 'economy',
  cabinType: 'T',
  zones: [{ id: 'z3', code: '3', name: 'Coach 3', type: 'T', totalSeats: 8 }],
  columns: 4,
  rows: [
    { number: '1', characteristics: [], description: [], seats: rowOf('1').toReversed() },
    { number: '2', characteristics: [], description: [], seats: rowOf('2', 1) },
  ],
};

const map = (over: Partial<SegmentSeatMap> = {}): SegmentSeatMap => ({
  segment: segment('1'),
  travelerRefs: ['1'],
  cabins: [CABIN],
  ...over,
});

async function seats(booking = ticketed(), over: object = {}, maps = [map()]) {
  const desk = openDesk({ bookings: [booking], airline: { seatMap: async () => maps } });
  const args = parsed(getSeatMap, { locator: 'ABC123', ...over });
  const output = getSeatMap.output().parse(await getSeatMap.run(args, desk.ctx));
  return { desk, output, text: getSeatMap.text(output, args) };
}

describe('get_seat_map', () => {
  test('draws rows in column order with the aisle and full seat numbers', async () => {
    const { output, text } = await seats();
    expect(output.segments[0]).toMatchObject({
      segment_ref: '1',
      flight: 'HHR101',
      cabins: [
        {
          cabin: 'economy',
          zone: { id: 'z3', code: '3', name: 'Coach 3', type: 'T', total: 8 },
          columns: 4,
          coach: '3',
          rows: ['1: 1A (1B) | 1C 1D*', '2: 2A (2B) | 2C 2D'],
          free: 5,
          occupied: 2,
          yours: [{ passenger_ref: '1', name: 'Amal Haddad', seat: '1D', coach: '3' }],
        },
      ],
    });
    expect(output.segments[0]?.cabins[0]).not.toHaveProperty('seats');
    expect(text).toContain('Segment 1, HHR101\n  coach 3, economy: 5 free, 2 taken\n    1: 1A (1B) | 1C 1D*');
    expect(text).toContain('    passenger 1 Amal Haddad: coach 3 seat 1D');
    expect(text).not.toContain('window');
    expect(output.legend).toContain('(31) taken');
    expect(output.legend).toContain('which end is the front is not known');
  });

  test('shows each coach of a train by itself, with an aisle where a column number is skipped', async () => {
    const numbered = (code: string, first: number): SeatCabin => ({
      cabin: 'economy',
      zones: [{ code }],
      rows: [
        {
          number: '1',
          characteristics: [],
          description: [],
          seats: [1, 2, 4, 5].map((column, i) => seat(String(first + i), column, { row: '1' })),
        },
      ],
    });
    const { output, text } = await seats(ticketed(), {}, [map({ cabins: [numbered('1', 31), numbered('2', 69)] })]);
    expect(output.segments[0]?.cabins).toMatchObject([
      { coach: '1', rows: ['1: 31 32 | 33 34'] },
      { coach: '2', rows: ['1: 69 70 | 71 72'] },
    ]);
    expect(text).toContain('  coach 2, economy: 4 free, 0 taken\n    1: 69 70 | 71 72');
  });

  test('refuses a seat map after the time limit for names', async () => {
    const desk = openDesk({ bookings: [ticketed()], now: Date.parse('2026-11-30T00:00:00Z') });
    const error = await refusedWith(getSeatMap.run(parsed(getSeatMap, { locator: 'ABC123' }), desk.ctx), 'E_TOO_LATE');
    expect(error.message).toContain(
      'Booking ABC123: the time limit for seats passed on Mon 30 Nov 03:00 (UTC+3). Nothing was sent.',
    );
  });

  test('lists every seat with its features if full detail is requested', async () => {
    const { output, text } = await seats(ticketed(), { detail: 'full' });
    const all = output.segments[0]?.cabins[0]?.seats ?? [];
    expect(all).toHaveLength(8);
    expect(all[0]).toEqual({ seat: '1D', status: 'yours', window: true, aisle: false, amenities: ['socket'] });
    expect(all[3]).toEqual({ seat: '1A', status: 'free', window: true, aisle: false, facing: 'forward' });
    expect(text).toContain('    aisle: 1C 2C\n');
    expect(text).toContain('    window: 1A 2A 2D\n    facing forward: 1A 2A\n');
    expect(text).toContain('    socket: 2D\n');
    expect(text).toContain('    passenger 1 Amal Haddad: coach 3 seat 1D, window, socket');
  });

  test('takes the owner of a seat from the coupon if the map is for several passengers', async () => {
    const booking = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')] });
    const tickets = booking.tickets.map((ticket, i) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon) => ({ ...coupon, coach: '3', seat: i === 1 ? '1D' : '5A' })),
    }));
    const both = [map({ travelerRefs: ['1', '2'] })];
    const { output } = await seats({ ...booking, tickets }, {}, both);
    expect(output.segments[0]?.cabins[0]?.yours).toEqual([
      { passenger_ref: '2', name: 'Noor Haddad', seat: '1D', coach: '3' },
    ]);
    const unknown = await seats(booking, {}, both);
    expect(unknown.output.segments[0]?.cabins[0]?.yours).toEqual([{ seat: '1D', coach: '3' }]);
    expect(unknown.text).toContain('this booking, the airline does not say for whom: coach 3 seat 1D');
  });

  test('requests maps of active segments for passengers with a seat of their own', async () => {
    const family = ticketed({
      travelers: [
        traveler('1', 'Amal', 'Haddad', { segmentRefs: ['1'] }),
        traveler('2', 'Lina', 'Haddad', { type: 'INF', attendantRef: '1' }),
        traveler('3', 'Noor', 'Haddad', { segmentRefs: [] }),
      ],
    });
    const { desk } = await seats(family);
    expect(desk.asked.at(-1)).toMatchObject([
      'seatMap',
      {
        locator: 'ABC123',
        requests: [
          { segment: { ref: '1' }, travelerRefs: ['1', '3'] },
          { segment: { ref: '2' }, travelerRefs: ['3'] },
        ],
        travelers: [{ ref: '1' }, { ref: '3' }],
      },
    ]);
    expect((await seats(partlyCancelled())).desk.asked.at(-1)?.[1]).toMatchObject({
      requests: [{ segment: { ref: '1' } }],
    });
    const one = await seats(family, { segment_refs: ['2'], passenger_refs: ['3'] });
    expect(one.desk.asked.at(-1)?.[1]).toMatchObject({ requests: [{ segment: { ref: '2' }, travelerRefs: ['3'] }] });
    await refusedWith(seats(family, { passenger_refs: ['2'] }), 'E_INPUT');
    await refusedWith(seats(partlyCancelled(), { segment_refs: ['2'] }), 'E_INPUT');
  });

  test('refuses an unpaid booking, naming pay_booking, and a booking without active segments', async () => {
    const error = await refusedWith(seats(held()), 'E_NOT_PAID');
    expect(error.next).toContain('pay_booking');
    const none = ticketed({
      options: [{ ...OUT, segments: OUT.segments.map((each) => ({ ...each, statusCode: '80' })) }],
    });
    await refusedWith(seats(none), 'E_NOT_PERMITTED');
  });
});
