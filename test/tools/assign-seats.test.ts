import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { Seat, SegmentSeatMap } from '../../src/domain/booking/seat-map.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { assignSeats } from '../../src/tools/assign-seats.ts';
import { held, NOW, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, inputProblems, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

function seat(number: string, status: Seat['status'], over: Partial<Seat> = {}): Seat {
  return {
    number,
    row: number.replace(/\D/g, ''),
    status,
    window: false,
    aisle: false,
    amenities: [],
    services: [],
    ...over,
  };
}

function coach(code: string | undefined, ...seats: Seat[]) {
  return {
    cabin: 'economy' as const,
    zones: code === undefined ? [] : [{ code }],
    rows: [{ number: '1', characteristics: [], description: [], seats }],
  };
}

const MAP: SegmentSeatMap = {
  segment: segment('1'),
  travelerRefs: ['1', '2'],
  cabins: [
    coach(
      '3',
      seat('1A', 'yours', { window: true }),
      seat('1B', 'yours'),
      seat('1C', 'free', { aisle: true }),
      seat('1D', 'taken'),
    ),
    coach('4', seat('1C', 'free'), seat('2A', 'free', { window: true })),
  ],
};

/** Two adults and a lap infant; the adults sit in coach 3. */
function seated(over: Partial<Booking> = {}): Booking {
  const people = [
    traveler('1', 'Amal', 'Haddad'),
    traveler('2', 'Noor', 'Haddad'),
    traveler('3', 'Omar', 'Haddad', { type: 'INF', attendantRef: '1' }),
  ];
  const booking = ticketed({ travelers: people, ...over });
  const places: Record<string, string> = { '1': '1A', '2': '1B' };
  return {
    ...booking,
    tickets: booking.tickets.map((ticket) => {
      const own = places[ticket.travelerRefs[0] ?? ''];
      const coupons = ticket.coupons.map((one) => ({
        ...one,
        ...(own && { seat: own, coach: '3', providerTicket: '77' }),
      }));
      return { ...ticket, coupons };
    }),
  };
}

const wish = (passenger: string, number: string, segmentRef = '1') => ({
  segment_ref: segmentRef,
  passenger_ref: passenger,
  seat: number,
});

function deskOf(booking: Booking, maps: readonly SegmentSeatMap[] = [MAP], after = booking, now = NOW) {
  return openDesk({ bookings: [booking], now, airline: { seatMap: async () => maps, modify: async () => after } });
}

const preview = (booking: Booking, seats: object[], maps?: readonly SegmentSeatMap[], now?: number) =>
  assignSeats.preview(parsed(assignSeats, { locator: 'ABC123', seats }), deskOf(booking, maps, booking, now).ctx);

const moved = (booking: Booking, to: Record<string, { seat: string; coach: string }>): Booking => ({
  ...booking,
  tickets: booking.tickets.map((ticket) => ({
    ...ticket,
    coupons: ticket.coupons.map((one) => ({
      ...one,
      ...(one.segmentRef === '1' && to[ticket.travelerRefs[0] ?? '']),
      providerTicket: '88',
    })),
  })),
});

describe('assign_seats', () => {
  test('shows each passenger’s old and new seat in the terms, and sends the new seat', async () => {
    const terms = await preview(seated(), [wish('1', '1c')]);
    expect(terms).toMatchObject({
      act: 'Change the seat on ABC123',
      ask: true,
      subject: {
        kind: 'assign_seats',
        seats: [
          { segmentRef: '1', travelerRef: '1', was: { seat: '1A', coach: '3' }, wanted: { seat: '1C', coach: '3' } },
        ],
      },
      send: { modification: { kind: 'assign_seats', seats: [{ segmentRef: '1', travelerRef: '1', seat: '1C' }] } },
    });
    expect(linesOf(terms.sections)).toEqual([
      'Change a seat of booking ABC123.',
      'Passenger 1: “Amal Haddad”, adult, train HHR101: was coach 3 seat 1A, now coach 3 seat 1C (aisle)',
      'Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'The airline states no price for a change of seats.',
      'Seats can be changed until Mon 30 Nov 03:00 (UTC+3).',
    ]);
    expect(terms.money).toBeUndefined();
  });

  test('requests only the seat maps of the named flights, for everybody with a seat on them', async () => {
    const booking = seated();
    const desk = deskOf(booking);
    await assignSeats.preview(parsed(assignSeats, { locator: 'ABC123', seats: [wish('1', '1C')] }), desk.ctx);
    const [, query] = desk.asked.find(([method]) => method === 'seatMap') ?? [];
    expect(query).toMatchObject({ locator: 'ABC123', requests: [{ segment: { ref: '1' }, travelerRefs: ['1', '2'] }] });
    expect((query as { requests: unknown[] }).requests).toHaveLength(1);
  });

  test('finds a seat in another coach by its number, with or without the coach', async () => {
    const terms = await preview(seated(), [wish('1', '4-2A'), wish('2', '3-1C')]);
    expect(terms.send.modification).toMatchObject({
      seats: [
        { travelerRef: '1', seat: '2A', coach: '4' },
        { travelerRef: '2', seat: '1C' },
      ],
    });
    expect(linesOf(terms.sections)[1]).toContain('was coach 3 seat 1A, now coach 4 seat 2A');
    expect(terms.act).toBe('Change seats on ABC123');
    const bare = await preview(seated(), [wish('1', '2A')]);
    expect(bare.send.modification).toMatchObject({ seats: [{ travelerRef: '1', seat: '2A', coach: '4' }] });
  });

  test('lets two passengers exchange seats, and sends only passengers who move', async () => {
    const terms = await preview(seated(), [wish('1', '1B'), wish('2', '1A')]);
    expect(linesOf(terms.sections).slice(1, 3)).toEqual([
      'Passenger 1: “Amal Haddad”, adult, train HHR101: was coach 3 seat 1A, now coach 3 seat 1B',
      'Passenger 2: “Noor Haddad”, adult, train HHR101: was coach 3 seat 1B, now coach 3 seat 1A (window)',
    ]);
    const one = await preview(seated(), [wish('1', '1A'), wish('2', '1C')]);
    expect(one.send.modification).toMatchObject({ seats: [{ travelerRef: '2', seat: '1C' }] });
  });

  test('assigns a seat if the booking shows no seats and the map has no coaches', async () => {
    const plain = [{ ...MAP, cabins: [coach(undefined, seat('1A', 'free'), seat('1B', 'taken'))] }];
    const terms = await preview(ticketed(), [wish('1', '1A')], plain);
    expect(linesOf(terms.sections)[1]).toBe(
      'Passenger 1: “Amal Haddad”, adult, train HHR101: was no seat, now seat 1A',
    );
  });

  test('refuses a seat number that several coaches have, unless it is in the passenger’s own coach', async () => {
    for (const [booking, number] of [
      [ticketed(), '1C'],
      [ticketed(), '4-1C'],
      [seated(), '4-1C'],
    ] as const) {
      const error = await refusedWith(preview(booking, [wish('1', number)]), 'E_NOT_PERMITTED');
      expect(error.message).toContain('several have this number: 3-1C, 4-1C');
    }
    expect(linesOf((await preview(seated(), [wish('1', '1C')])).sections)[1]).toContain('now coach 3 seat 1C');
  });

  test.each<[string, object[], ErrorCode, string]>([
    ['a taken seat', [wish('1', '1D')], 'E_SOLD_OUT', 'Segment 1, coach 3 seat 1D: it is taken.'],
    [
      'a seat of another passenger of the booking',
      [wish('1', '1B')],
      'E_SOLD_OUT',
      'it is the seat of passenger 2 of this booking',
    ],
    ['a seat that is not on the map', [wish('1', '9Z')], 'E_INPUT', 'free are 3-1C.'],
    [
      'a seat in a coach that does not exist',
      [wish('1', '7-1A')],
      'E_INPUT',
      'seats[0].seat: expected a seat on the map.',
    ],
    [
      'seats that the passengers already have',
      [wish('1', '1A'), wish('2', '03-1B')],
      'E_ALREADY_DONE',
      'has these seats already',
    ],
    [
      'one seat for two passengers',
      [wish('1', '1C'), wish('2', '3-1C')],
      'E_INPUT',
      'seats[1].seat: expected each seat once',
    ],
    [
      'two seats for one passenger',
      [wish('1', '1C'), wish('1', '4-2A')],
      'E_INPUT',
      'seats[1].passenger_ref: expected each passenger once',
    ],
    ['a seat for a lap infant', [wish('3', '1C')], 'E_INPUT', 'expected a ref of a passenger with a seat on it: 1, 2.'],
    [
      'a seat on a flight that is not in the booking',
      [wish('1', '1C', '9')],
      'E_INPUT',
      'expected a ref of an active segment: 1, 2.',
    ],
  ])('refuses to assign %s', async (_what, seats, code, words) => {
    expect((await refusedWith(preview(seated(), seats), code)).message).toContain(words);
  });

  test('refuses seats before payment, after the time limit, off the passenger’s flights and for a used coupon', async () => {
    await refusedWith(preview(held(), [wish('1', '1C')]), 'E_NOT_PAID');
    await refusedWith(preview(seated(), [wish('1', '1C')], [MAP], Date.parse('2026-11-30T00:00:00Z')), 'E_TOO_LATE');
    const apart = seated({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'N', 'H', { segmentRefs: ['2'] })],
    });
    await refusedWith(preview(apart, [wish('2', '1C')]), 'E_INPUT');
    const flown = seated();
    const tickets = flown.tickets.map((one) => ({
      ...one,
      coupons: one.coupons.map((coupon) => ({ ...coupon, statusCode: 'L' })),
    }));
    const error = await refusedWith(preview({ ...flown, tickets }, [wish('1', '1C')]), 'E_NOT_PERMITTED');
    expect(error.message).toContain('not open but boarded');
  });

  test('asks a person to approve a seat on a paid booking, even before tickets appear', async () => {
    const paid = { ...seated(), tickets: [] };
    const terms = await preview(paid, [wish('1', '4-2A')]);
    expect(terms.ask).toBe(true);
  });

  test('reports the new seat and operator ticket that the airline shows', async () => {
    const booking = seated();
    const after = moved(booking, { '1': { seat: '2A', coach: '4' } });
    const desk = deskOf(booking, [MAP], after);
    const { output, report, text } = await carryOut(
      assignSeats,
      { locator: 'ABC123', seats: [wish('1', '4-2A')] },
      desk,
    );
    expect(output).toEqual({
      seats: [{ segment_ref: '1', passenger_ref: '1', was: '3-1A', now: '4-2A', provider_ticket: '88' }],
    });
    expect(report.changed).toEqual(['passenger 1, segment 1: seat 4-2A']);
    expect(text).toBe(
      'Seat changed in booking ABC123. The airline sends the changed tickets itself.\n' +
        "  segment 1  passenger 1  seat 3-1A → 4-2A  operator's ticket 88",
    );
  });

  test('reports the requested seat if the booking is not available later', async () => {
    const terms = await preview(ticketed(), [wish('1', '4-2A')]);
    const operation = operationOf('assign_seats', terms);
    const args = parsed(assignSeats, { locator: 'ABC123', seats: [wish('1', '4-2A')] });
    const { added } = assignSeats.report({ args, operation }, openDesk().ctx);
    expect(added).toEqual({ seats: [{ segment_ref: '1', passenger_ref: '1', now: '2A' }] });
    const other = { ...operation, subject: { kind: 'create' } as const };
    expect(assignSeats.report({ args, operation: other }, openDesk().ctx).added).toEqual({ seats: [] });
  });

  test('rejects a seat that is not a seat number', () => {
    expect(inputProblems(assignSeats, { locator: 'ABC123', seats: [wish('1', 'by the window')] })).toEqual([
      'seats.0.seat: expected a seat such as 52, or 4-52 with its coach',
    ]);
  });
});
