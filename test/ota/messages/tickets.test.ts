/**
 * Tickets as airlines list them (docs/wire/notes.md, statuses and replies: tickets).
 */
import { describe, expect, test } from 'vitest';
import { assignedSeat, findCoupon } from '../../../src/domain/facts/expected-change.ts';
import { permissionsOf } from '../../support/permissions.ts';
import { shown } from '../support/shown.ts';
import { between, bookingOf, flight, itinerary, option, order, person } from '../support/wire.ts';

const NOW = Date.parse('2031-04-01T00:00:00Z');

const created = order('1', { action: 'CREATE_BOOKING', totalAmount: '240.00' });
const renamedFor = (totalAmount: string) => order('2', { action: 'CHANGE_NAME', totalAmount });

function booking(ticketing: object[], orders: object[] = [created], people = 1) {
  const flightSegmentRPHs = { flightSegmentRPH: ['1', '2'] };
  const back = { ...between('BBB', 'AAA'), departureDateTime: '2031-05-09T08:10:00.000+03:00', rph: '2' };
  return bookingOf({
    airItinerary: itinerary(option('1', flight({ rph: '1' })), option('2', flight(back))),
    travelerInfo: {
      airTraveler: ['JO', 'KAI'].slice(0, people).map((given, i) => person(`${i + 1}`, given, { flightSegmentRPHs })),
    },
    ticketing,
    offer: { priced: orders },
  });
}

const coupons = (status: string) => ({
  couponInfos: [
    { flightRefRPH: '1', number: '1', status },
    { flightRefRPH: '2', number: '2', status },
  ],
});

const ticketRow = (over: object) => ({
  ticketType: 'E_TICKET',
  flightSegmentRefNumber: ['1'],
  passengerTypeCode: 'ADT',
  ...over,
});

/** After a change of name on a paid booking: the old ticket names no traveller, the new one has the lower number. */
const EXCHANGED = [
  ticketRow({
    travelerRefNumber: [],
    ticketDocumentNbr: '9990000000500',
    tpaextensions: { ...coupons('E'), couponProviderDetails: [{ flightRefRPH: '1', seat: '4A' }] },
  }),
  ticketRow({ travelerRefNumber: ['1'], ticketDocumentNbr: '9990000000123', tpaextensions: coupons('O') }),
];

const view = (...of: Parameters<typeof booking>) => shown(booking(...of), NOW);
const OK = { ok: true };

describe('an exchanged ticket', () => {
  const [old = {}, fresh = {}] = EXCHANGED;

  test('allows a cancellation, of passengers too', () => {
    expect(permissionsOf(view(EXCHANGED)).cancel_segment).toEqual(OK);
    const other = { ...fresh, travelerRefNumber: ['2'], ticketDocumentNbr: '9990000000124' };
    expect(permissionsOf(view([...EXCHANGED, other], undefined, 2))).toMatchObject({
      cancel_segment: OK,
      cancel_passenger: OK,
    });
  });

  test('counts less than the new one, whatever their order and even if both name the traveller', () => {
    const named = { ...old, travelerRefNumber: ['1'] };
    for (const ticketing of [
      [named, fresh],
      [fresh, named],
    ]) {
      const after = booking(ticketing);
      expect(findCoupon(after, '1', '2')).toEqual({ segmentRef: '2', number: '2', statusCode: 'O' });
      expect(assignedSeat(after, '1', '1')).toBeUndefined();
      expect(permissionsOf(view(ticketing, undefined, 2)).cancel_passenger).toEqual(OK);
    }
  });

  test.each([
    ...['V', 'R', 'X'].map((status) => [status, true] as const),
    ...['C', 'L', 'F', 'S', 'U', 'A', 'Z'].map((status) => [status, false] as const),
  ])('beside a ticket with coupon %s: whether the booking may be cancelled: %s', (status, ok) => {
    const other = { ...fresh, ticketDocumentNbr: '9990000000999', tpaextensions: coupons(status) };
    expect(permissionsOf(view([other, ok ? fresh : old])).cancel_segment).toMatchObject({ ok });
  });
});

test('ignores a ticket row without coupons when it decides on a cancellation', () => {
  const [, fresh] = EXCHANGED;
  expect(permissionsOf(view([{ ...fresh, tpaextensions: {} }])).cancel_segment).toEqual(OK);
});

test('counts the order of a name change as a payment only if it cost something', () => {
  expect(view([], [created, renamedFor('0.00')])).toMatchObject({ state: 'ticketed', paid: '240.00' });
  expect(view([], [created, renamedFor('15.00')]).paid).toBe('255.00');
  expect(view([], [renamedFor('0.00')]).paid).toBeUndefined();
  expect(view([], [renamedFor('0.00')]).state).not.toBe('ticketed');
});

test.each([
  ['without tickets', [], 'paid; no ticket is shown yet'],
  ['beside tickets', EXCHANGED, 'tickets are issued'],
])('reads no pay-by time from a row with only a time limit if the booking is paid, %s', (_, tickets, basis) => {
  const limit = {
    ticketTimeLimit: '2031-03-30T10:00:00.000+01:00',
    flightSegmentRefNumber: ['1'],
    travelerRefNumber: [],
  };
  const paid = view([limit, ...tickets]);
  expect(paid).toMatchObject({ state: 'ticketed', state_basis: basis });
  expect(paid.deadlines ?? {}).not.toHaveProperty('pay_by');
});

describe('a ticket without coupons', () => {
  const download = 'https://rest.example/tickets/confirmation/K7PL2M/download?firstName=JO&lastName=BERG';
  const link = (from: string, to: string) => ({
    href: `${download}&departure=${from}&arrival=${to}`,
    rel: 'downloadTicket',
  });
  const row = (links: object[]) =>
    ticketRow({ travelerRefNumber: ['1'], ticketDocumentNbr: '9990000000123', tpaextensions: { links } });

  test('merges the rows of one ticket number, and finds each segment by the stations in the link', () => {
    const { tickets } = booking([row([link('AAA', 'BBB')]), row([link('BBB', 'AAA')])]);
    expect(tickets).toHaveLength(1);
    expect(tickets[0]).toMatchObject({
      number: '9990000000123',
      travelerRefs: ['1'],
      segmentRefs: ['1', '2'],
      links: [{ segmentRef: '1' }, { segmentRef: '2' }],
    });
  });

  test('finds the segment of a link by stations that are beside its address', () => {
    const own = { href: 'https://rest.example/t', departure: 'BBB', arrival: 'AAA' };
    expect(booking([row([own])]).tickets[0]?.links).toEqual([{ href: 'https://rest.example/t', segmentRef: '2' }]);
  });

  test('gives a link no segment if its stations fit none', () => {
    const { tickets } = booking([row([link('AAA', 'ZZZ')]), row([{ href: 'not an address' }])]);
    expect(tickets[0]?.links.map(({ segmentRef }) => segmentRef)).toEqual([undefined, undefined]);
    expect(tickets[0]?.segmentRefs).toEqual(['1']);
  });
});

describe('provider details of coupons', () => {
  const seated = (couponProviderDetails: object[]) => {
    const [, fresh = {}] = EXCHANGED;
    return booking([{ ...fresh, tpaextensions: { ...coupons('O'), couponProviderDetails } }]);
  };

  test('gives provider details to the coupon of the segment that they name', () => {
    const read = seated([
      { flightRefRPH: '2', seat: '52', coach: '2' },
      { flightRefRPH: '1', seat: '31', coach: '1' },
    ]);
    expect(assignedSeat(read, '1', '1')).toEqual({ seat: '31', coach: '1' });
    expect(assignedSeat(read, '1', '2')).toEqual({ seat: '52', coach: '2' });
  });

  test('does not give the provider details of one segment to another by their place', () => {
    const read = seated([{ flightRefRPH: '2', seat: '52', coach: '2' }]);
    expect(assignedSeat(read, '1', '1')).toBeUndefined();
    expect(read.tickets[0]?.coupons).toHaveLength(2);
  });

  test('gives provider details that name no segment to the coupons in order', () => {
    const read = seated([{ seat: '31' }, { seat: '52' }]);
    expect([assignedSeat(read, '1', '1'), assignedSeat(read, '1', '2')]).toEqual([{ seat: '31' }, { seat: '52' }]);
  });

  test('keeps their order where the airline says a coupon, or its details, twice', () => {
    const [, fresh = {}] = EXCHANGED;
    const [first, second] = coupons('O').couponInfos;
    const couponInfos = [first, first, second];
    const details = ['31', '52'].map((seat) => ({ seat, providerTicketNumber: `6${seat}` }));
    for (const couponProviderDetails of [details, [...details.slice(0, 1), ...details]]) {
      const read = booking([{ ...fresh, tpaextensions: { couponInfos, couponProviderDetails } }]);
      expect(read.tickets[0]?.coupons.map(({ seat }) => seat)).toEqual(['31', '52']);
    }
  });
});
