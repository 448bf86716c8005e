/** get_seat_map and assign_seats: the map, whom each seat belongs to, what a person is asked and what is sent. */
import { describe, expect, test } from 'vitest';
import {
  BACK,
  coupons,
  gone,
  held,
  inStatus,
  OUT,
  option,
  partlyCancelled,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Airline, type Booking, callsOf, expectRefusals, expectTexts } from './support/desk.ts';

const map = callsOf('get_seat_map');
const assign = callsOf('assign_seats');

type SegmentMap = Awaited<ReturnType<Airline['seatMap']>>[number];
type Cabin = SegmentMap['cabins'][number];
type Seat = Cabin['rows'][number]['seats'][number];

const at = (time: string) => ({ now: Date.parse(time) });
const seat = (number: string, over: Partial<Seat> = {}): Seat => ({
  ...{ number, row: number.replace(/\D/g, ''), status: 'free', window: false, aisle: false },
  ...{ amenities: [], services: [] },
  ...over,
});
const coach = (code: string | undefined, seats: readonly Seat[], number = '1'): Cabin => ({
  cabin: 'economy',
  zones: code === undefined ? [] : [{ code }],
  rows: [{ number, seats: [...seats] }],
});
const mapOf = (cabins: readonly Cabin[], travelerRefs = ['1']): SegmentMap => ({
  segment: segment('1'),
  travelerRefs,
  cabins,
});
const maps = (...all: SegmentMap[]) => ({ airline: { seatMap: async () => all } });

const rowOf = (n: string, gap = 0) => [
  seat(`${n}A`, { column: 1, window: true, facing: 'forward' }),
  seat(`${n}B`, { column: 2, aisle: true, status: 'taken' }),
  seat(`${n}C`, { column: 3 + gap, aisle: true }),
  seat(`${n}D`, { column: 4 + gap, window: true, status: n === '1' ? 'yours' : 'free', amenities: ['socket'] }),
];
const COACH_3: Cabin = {
  ...{ cabin: 'economy', cabinType: 'T', columns: 4 },
  zones: [{ code: '3', name: 'Coach 3' }],
  rows: [
    { number: '1', seats: rowOf('1').toReversed() },
    { number: '2', seats: rowOf('2', 1) },
  ],
};
const ONE_COACH = maps(mapOf([COACH_3]));
const AS_ASKED: ReturnType<typeof maps> = {
  airline: {
    seatMap: async ({ requests }: Parameters<Airline['seatMap']>[0]) =>
      requests.map(({ segment: asked }) => ({ ...mapOf([COACH_3]), segment: asked })),
  } as never,
};

describe('get_seat_map', () => {
  test('draws rows in column order with the aisle, and every seat in full detail', async () => {
    const concise = map.read(ticketed(), {}, ONE_COACH);
    const full = map.read(ticketed(), { detail: 'full' }, ONE_COACH);
    const numbered = (code: string, first: number) => {
      const seats = [1, 2, 4, 5].map((column, i) => seat(String(first + i), { column }));
      return coach(code, seats);
    };
    const train = map.read(ticketed(), {}, maps(mapOf([numbered('1', 31), numbered('2', 69)])));
    await expectTexts('results/get_seat_map', {
      'One coach': concise,
      'In full': full,
      'Two coaches, with a column left out for the aisle': train,
    });
    const [shown] = (await concise).view.segments;
    for (const field of ['seats', 'name']) expect(shown.cabins[0]).not.toHaveProperty(field);
    expect(shown.cabins[0]).toMatchObject({ coach: '3', free: 5, occupied: 2 });
    const { seats } = (await full).view.segments[0].cabins[0];
    expect(seats).toHaveLength(8);
    expect(seats[3]).toEqual({ seat: '1A', status: 'free', window: true, facing: 'forward' });
  });

  test('takes the owner of a seat from the coupon if the map is for several passengers', async () => {
    const booking = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')] });
    const tickets = coupons(booking, (_coupon, i) => ({ coach: '3', seat: i === 1 ? '1D' : '5A' }));
    const both = maps(mapOf([COACH_3], ['1', '2']));
    const yours = async (one: Booking) => (await map.read(one, {}, both)).view.segments[0].cabins[0].yours;
    expect(await yours({ ...booking, tickets })).toEqual([{ passenger_ref: '2', name: 'Noor Haddad', seat: '1D' }]);
    expect(await yours(booking)).toEqual([{ seat: '1D' }]);
    expect((await map.read(booking, {}, both)).text).toContain('does not say for whom: coach 3 seat 1D');
  });

  const family = ticketed({
    travelers: [
      traveler('1', 'Amal', 'Haddad', { segmentRefs: ['1'] }),
      traveler('2', 'Lina', 'Haddad', { type: 'INF', attendantRef: '1' }),
      traveler('3', 'Noor', 'Haddad', { segmentRefs: [] }),
    ],
  });

  test.each<[string, Booking, object, object[]]>([
    [
      'everybody with a seat of their own',
      family,
      {},
      [
        { segment: { ref: '1' }, travelerRefs: ['1', '3'] },
        { segment: { ref: '2' }, travelerRefs: ['3'] },
      ],
    ],
    ['active segments', partlyCancelled(), {}, [{ segment: { ref: '1' } }]],
    [
      'what is named',
      family,
      { segment_refs: ['2'], passenger_refs: ['3'] },
      [{ segment: { ref: '2' }, travelerRefs: ['3'] }],
    ],
  ])('asks for maps of %s', async (_title, booking, args, requests) => {
    const { desk } = await map.read(booking, args, AS_ASKED);
    const [, query] = desk.asked.find(([method]) => method === 'seatMap') ?? [];
    expect(query).toMatchObject({ locator: 'ABC123', requests });
    expect((query as { requests: unknown[] }).requests).toHaveLength(requests.length);
  });

  test.each([
    ['another number', { flightNumber: '999' }, 'HHR999 MED → JED on Tue 1 Dec'],
    ['another day', { departs: '2026-12-02T17:10:00.000+03:00', journeyDate: '2026-12-02' }, 'on Wed 2 Dec'],
    ['another way', { to: 'QCA' }, 'MED → QCA'],
    ['another class', { bookingClass: 'C' }, 'on Tue 1 Dec in class C, asked for'],
  ])('refuses the map of a train with %s', async (_title, over, words) => {
    const strange = maps({ ...mapOf([COACH_3]), segment: { ...segment('1'), ...over } });
    await expect(map.read(ticketed(), {}, strange)).rejects.toThrow(words);
    await expect(map.read(ticketed(), {}, strange)).rejects.toThrow('asked for were those of HHR101 MED → JED');
    const bare = maps({
      ...mapOf([COACH_3]),
      segment: { ...segment('1'), from: '', to: '', flightNumber: '', ref: '7' },
    });
    expect((await map.read(ticketed(), {}, bare)).text).toContain('Segment 1');
  });

  test.each([
    ['Y', ['Y', 'T', 'ECONOMY', 'Economy', 'M', ''], ['C', 'P', 'F', 'W', 'BUSINESS', 'K', 'X1']],
    ['C', ['C', 'P', 'J', 'Business'], ['Y', 'T', 'F', 'D']],
    ['K', ['K', 'Y', 'economy'], ['C', 'L', 'H', 'W']],
    ['T', ['T', 'Y'], ['P', 'C']],
    // Letters that airlines put into different cabins.
    ['P', ['P', 'C', 'F'], ['D']],
    ['W', ['W', 'Y', 'premium economy'], ['K']],
  ])(
    'takes the map of class %s under the name of its class or cabin, %j, and refuses %j',
    async (bookingClass, taken, refused) => {
      const [first, ...others] = ticketed().options;
      const options = [{ ...first, segments: first?.segments.map((one) => ({ ...one, bookingClass })) }, ...others];
      const booking = ticketed({ options: options as Booking['options'] });
      const shown = (name: string) => maps({ ...mapOf([COACH_3]), segment: { ...segment('1'), bookingClass: name } });
      for (const name of taken)
        expect((await map.read(booking, { segment_refs: ['1'] }, shown(name))).text).toContain('Segment 1');
      for (const name of refused)
        await expect(map.read(booking, { segment_refs: ['1'] }, shown(name))).rejects.toThrow(
          'asked for were those of',
        );
    },
  );

  test('refuses a map that nobody can use', async () => {
    const both = { segment_refs: ['2'], passenger_refs: ['9'] };
    await expectRefusals('get_seat_map', {
      'an unpaid hold': map.refused(held()),
      'no active segment': map.refused(ticketed({ options: gone(ticketed(), ['1', '2']).options, tickets: [] })),
      'after the time limit for seats': map.refused(ticketed(), {}, at('2026-11-30T00:00:00Z')),
      'an infant on the lap': map.refused(family, { passenger_refs: ['2'] }),
      'a cancelled segment': map.refused(partlyCancelled(), { segment_refs: ['2'] }),
      'a cancelled segment and an unknown passenger': map.refused(partlyCancelled(), both),
    });
  });
});

describe('assign_seats', () => {
  /** Two adults and a lap infant; the adults sit in coach 3. */
  function seated(over: Partial<Booking> = {}): Booking {
    const booking = ticketed({
      travelers: [
        traveler('1', 'Amal', 'Haddad'),
        traveler('2', 'Noor', 'Haddad'),
        traveler('3', 'Omar', 'Haddad', { type: 'INF', attendantRef: '1' }),
      ],
      ...over,
    });
    const places = ['1A', '1B'];
    const placed = (i: number) => (places[i] ? { seat: places[i], coach: '3', providerTicket: '77' } : {});
    return { ...booking, tickets: coupons(booking, (_coupon, i) => placed(i)) };
  }
  const COACHES = mapOf(
    [
      coach('3', [
        seat('1A', { status: 'yours', window: true }),
        seat('1B', { status: 'yours' }),
        seat('1C', { aisle: true }),
        seat('1D', { status: 'taken' }),
      ]),
      coach('4', [seat('1C'), seat('2A', { window: true })]),
    ],
    ['1', '2'],
  );
  const wish = (passenger_ref: string, seat: string, segment_ref = '1') => ({ segment_ref, passenger_ref, seat });
  const seats = (...wishes: object[]) => ({ seats: wishes });
  const MAP = maps(COACHES);
  const PLAIN = maps(mapOf([coach(undefined, [seat('1A'), seat('1B', { status: 'taken' })])]));
  const ask = (booking: Booking, wishes: object[], options: object = MAP) =>
    assign.ask(booking, seats(...wishes), options);
  const refused = (booking: Booking, wishes: object[], options: object = {}) =>
    assign.refused(booking, seats(...wishes), { ...MAP, ...options });

  test('shows each passenger’s old and new seat', async () => {
    await expectTexts('questions/assign_seats', {
      'Another seat in the coach': ask(seated(), [wish('1', '1c')]),
      'Two passengers exchange seats': ask(seated(), [wish('1', '1B'), wish('2', '1A')]),
      'No seat before, and no coaches': ask(ticketed(), [wish('1', '1A')], PLAIN),
    });
    expect((await ask({ ...seated(), tickets: [] }, [wish('1', '4-2A')])).act).toBe('Change the seat on ABC123');
  });

  test.each<[string, Booking, object[], object[]]>([
    ['a seat in the own coach', seated(), [wish('1', '1c')], [{ segmentRef: '1', travelerRef: '1', seat: '1C' }]],
    [
      'seats by coach and number',
      seated(),
      [wish('1', '4-2A'), wish('2', '3-1C')],
      [
        { travelerRef: '1', seat: '2A', coach: '4' },
        { travelerRef: '2', seat: '1C' },
      ],
    ],
    [
      'the coach that alone has the number',
      seated(),
      [wish('1', '2A')],
      [{ travelerRef: '1', seat: '2A', coach: '4' }],
    ],
    ['only passengers who move', seated(), [wish('1', '1A'), wish('2', '1C')], [{ travelerRef: '2', seat: '1C' }]],
  ])('sends %s, after a map of the named trains for everybody with a seat', async (_title, booking, wishes, wanted) => {
    const { sent, desk } = await assign.say(booking, seats(...wishes), MAP);
    expect(sent).toMatchObject({ kind: 'assign_seats', seats: wanted });
    expect(sent.seats).toHaveLength(wanted.length);
    const [, query] = desk.asked.find(([method]) => method === 'seatMap') ?? [];
    expect(query).toMatchObject({ locator: 'ABC123', requests: [{ segment: { ref: '1' }, travelerRefs: ['1', '2'] }] });
    expect((query as { requests: unknown[] }).requests).toHaveLength(1);
  });

  test('reports the new seat and ticket that the airline shows', async () => {
    const booking = seated();
    const after = {
      ...booking,
      tickets: coupons(booking, ({ segmentRef }, i) => ({
        ...(i === 0 && segmentRef === '1' && { seat: '2A', coach: '4' }),
        providerTicket: '88',
      })),
    };
    const done = assign.done(booking, seats(wish('1', '4-2A')), { ...MAP, after });
    await expectTexts('results/assign_seats', { 'A seat in another coach': done });
    const { view, operation } = await done;
    expect(view.seats).toMatchObject([{ passenger_ref: '1', segment_ref: '1', now: '4-2A' }]);
    const moved = { was: { seat: '1A', coach: '3' }, wanted: { seat: '2A', coach: '4' } };
    expect(operation.subject).toMatchObject({ kind: 'assign_seats', seats: [{ travelerRef: '1', ...moved }] });
    expect(operation).not.toHaveProperty('direction');
  });

  test('reports the requested seat if the booking cannot be read later', async () => {
    const sitting = (own: string) => {
      const tickets = coupons(ticketed(), ({ segmentRef }) => (segmentRef === '1' ? { seat: own } : {}));
      return { ...ticketed(), tickets };
    };
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads > 2) throw new Error('away');
      return sitting('1B');
    };
    const { desk, again } = await assign.done(ticketed(), seats(wish('1', '1A')), {
      airline: { ...PLAIN.airline, read, modify: async () => sitting('1A') },
    });
    expect((await desk.read('assign_seats', again)).view.seats).toMatchObject([{ was: '1B', now: '1A' }]);
  });

  test('can be assigned again where the map shows what the booking does not show yet', async () => {
    const before = seated();
    const moved = coupons(before, (coupon, i) =>
      i === 0 && coupon.segmentRef === '1' ? { seat: '2A', coach: '4' } : {},
    );
    const own = coach('4', [seat('2A', { status: 'yours' })]);
    let hasMoved = false;
    const { desk } = await assign.done(before, seats(wish('1', '4-2A')), {
      ...{ canUseTerminal: true, waitMs: 0 },
      airline: {
        read: async () => before,
        seatMap: async () => (hasMoved ? [mapOf([own], ['1', '2'])] : MAP.airline.seatMap()),
        modify: async () => {
          hasMoved = true;
          return { ...before, tickets: moved };
        },
      },
    });
    desk.moveTo('2026-11-29T06:00:00Z');
    const args = { locator: 'ABC123', ...seats(wish('1', '4-2A')), although_done: true };
    const { view } = await desk.read('assign_seats', args);
    expect(view.status).toBe('approval_required');
  });

  test('refuses seats that cannot be had', async () => {
    const own = [wish('1', '1C')];
    const apart = seated({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'N', 'H', { segmentRefs: ['2'] })],
    });
    const boarded = { ...seated(), tickets: coupons(seated(), () => ({ statusCode: 'L' })) };
    await expectRefusals('assign_seats', {
      'a taken seat': refused(seated(), [wish('1', '1D')]),
      'a seat of another passenger of the booking': refused(seated(), [wish('1', '1B')]),
      'a seat that is not on the map': refused(seated(), [wish('1', '9Z')]),
      'a seat in a coach that does not exist': refused(seated(), [wish('1', '7-1A')]),
      'one seat for two': refused(seated(), [wish('1', '1C'), wish('2', '3-1C')]),
      'two seats for one': refused(seated(), [wish('1', '1C'), wish('1', '4-2A')]),
      'a lap infant': refused(seated(), [wish('3', '1C')]),
      'a segment that is not in the booking': refused(seated(), [wish('1', '1C', '9')]),
      'no seat number': refused(seated(), [wish('1', 'by the window')]),
      'a passenger who is not on the train': refused(apart, [wish('2', '1C')]),
      'the seats that they have': refused(seated(), [wish('1', '1A'), wish('2', '03-1B')]),
      'a number that several coaches have': refused(ticketed(), own),
      'a number of another coach that several have': refused(seated(), [wish('1', '4-1C')]),
      'a cancelled booking': refused(ticketed({ cancelled: true }), own),
      'a used coupon': refused(boarded, own),
      'a train that the airline cancelled': refused(ticketed({ options: [inStatus(OUT, '16'), BACK] }), own),
      'two segments under one ref': refused(seated({ options: [OUT, BACK, option(segment('1'))] }), own),
      'an unpaid hold': refused(held(), own),
      'a hold that has lapsed': refused(held(), own, at('2026-11-29T06:00:00Z')),
      'after the time limit': refused(seated(), own, at('2026-11-30T00:00:00Z')),
    });
  });
});
