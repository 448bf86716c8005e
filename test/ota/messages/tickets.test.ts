/**
 * Tickets as airlines list them (docs/wire/notes.md, statuses and replies: tickets).
 */
import { describe, expect, test } from 'vitest';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { bookingDeadlines } from '../../../src/domain/booking/deadlines.ts';
import { couponOf, seatOf } from '../../../src/domain/booking/expected-details.ts';
import { isPaid, paidOrders, paymentsOf } from '../../../src/domain/booking/payment-state.ts';
import { whyNotCancel, whyNotCancelPassengers } from '../../../src/tools/rules/permissions.ts';
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

describe('an exchanged ticket', () => {
  test('allows a cancellation in spite of an exchanged ticket', () => {
    const after = booking(EXCHANGED);
    expect(whyNotCancel(after, NOW)).toBeUndefined();
    const two = booking(
      [...EXCHANGED, { ...EXCHANGED[1], travelerRefNumber: ['2'], ticketDocumentNbr: '9990000000124' }],
      undefined,
      2,
    );
    expect(whyNotCancelPassengers(two, NOW, ['1'])).toBeUndefined();
  });

  test('prefers the new ticket to the exchanged one, whatever their order and even if both name the traveller', () => {
    const [old = {}, fresh = {}] = EXCHANGED;
    const named = { ...old, travelerRefNumber: ['1'] };
    for (const ticketing of [
      [named, fresh],
      [fresh, named],
    ]) {
      const after = booking(ticketing);
      expect(couponOf(after, '1', '2')).toEqual({ segmentRef: '2', number: '2', statusCode: 'O' });
      expect(seatOf(after, '1', '1')).toBeUndefined();
      expect(
        whyNotCancelPassengers({ ...after, travelers: [...after.travelers, ...after.travelers] }, NOW, ['1']),
      ).toBeUndefined();
    }
  });

  test.each(['V', 'R', 'X'])('allows cancelling if another ticket has coupon %s', (status) => {
    const [, fresh = {}] = EXCHANGED;
    const old = { ...fresh, ticketDocumentNbr: '9990000000999', tpaextensions: coupons(status) };
    expect(whyNotCancel(booking([old, fresh]), NOW)).toBeUndefined();
  });

  test.each(['C', 'L', 'F', 'S', 'U', 'A', 'Z'])('forbids cancelling if another ticket has coupon %s', (status) => {
    const [old = {}, fresh = {}] = EXCHANGED;
    const used = { ...fresh, tpaextensions: coupons(status) };
    expect(whyNotCancel(booking([old, used]), NOW)).toMatchObject({ code: 'E_NOT_PERMITTED' });
  });
});

test('ignores a ticket row without coupons when it decides on a cancellation', () => {
  const [, fresh] = EXCHANGED;
  expect(whyNotCancel(booking([{ ...fresh, tpaextensions: {} }]), NOW)).toBeUndefined();
});

test('does not count the free order of a name change as a payment', () => {
  const renamed = booking([], [created, renamedFor('0.00')]);
  expect(paymentsOf(renamed)).toHaveLength(1);
  expect(paidOrders(renamed).map(({ action }) => action)).toEqual(['CREATE_BOOKING']);
  expect(isPaid(booking([], [renamedFor('0.00')]))).toBe(false);
});

test('counts the order of a name change that cost something as a payment', () => {
  expect(paymentsOf(booking([], [renamedFor('15.00')]))).toHaveLength(1);
});

describe('a ticketing row with only a time limit', () => {
  const row = {
    ticketTimeLimit: '2031-03-30T10:00:00.000+01:00',
    flightSegmentRefNumber: ['1'],
    travelerRefNumber: [],
  };

  test('reads no pay-by time from a row with only a time limit if the booking is paid without tickets', () => {
    const paid = booking([row]);
    expect(bookingDeadlines(paid).payBy).toBeUndefined();
    expect(bookingState(paid, NOW)).toEqual({ state: 'ticketed', basis: 'paid; tickets are not issued yet' });
  });

  test('reads no pay-by time from a row with only a time limit beside tickets', () => {
    const paid = booking([row, ...EXCHANGED]);
    expect(bookingDeadlines(paid).payBy).toBeUndefined();
    expect(bookingState(paid, NOW)).toEqual({ state: 'ticketed', basis: 'tickets are issued' });
  });
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
    expect(seatOf(read, '1', '1')).toEqual({ seat: '31', coach: '1' });
    expect(seatOf(read, '1', '2')).toEqual({ seat: '52', coach: '2' });
  });

  test('does not give the provider details of one segment to another by their place', () => {
    const read = seated([{ flightRefRPH: '2', seat: '52', coach: '2' }]);
    expect(seatOf(read, '1', '1')).toBeUndefined();
    expect(read.tickets[0]?.coupons).toHaveLength(2);
  });

  test('gives provider details that name no segment to the coupons in order', () => {
    const read = seated([{ seat: '31' }, { seat: '52' }]);
    expect([seatOf(read, '1', '1'), seatOf(read, '1', '2')]).toEqual([{ seat: '31' }, { seat: '52' }]);
  });
});
