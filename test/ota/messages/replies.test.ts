/**
 * Replies about bookings, written by hand as the airline sends them (docs/wire/notes.md, Replies).
 */
import { describe, expect, test } from 'vitest';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { bookingDeadlines } from '../../../src/domain/booking/deadlines.ts';
import { isPaid } from '../../../src/domain/booking/payment-state.ts';
import { estimateRefund } from '../../../src/domain/pricing/estimate-refund.ts';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import * as input from './golden-inputs.ts';
import { airlineThatReplies, changed, faresOf, firstSegment, priceOf, read } from './replied.ts';

const SALE = Date.parse('2031-04-01T09:10:00Z');

async function held(name: 'hold-rail' | 'hold-airline') {
  const rail = name === 'hold-rail';
  const airline = await airlineThatReplies(name, rail ? 'rail' : 'airline');
  const kim = { ...input.JO, ref: '2' };
  return airline.create(
    rail
      ? { ...input.RAIL_BOOKING, travelers: [input.JO, kim] }
      : { ...input.AIRLINE_BOOKING, travelers: input.AIRLINE_BOOKING.travelers.slice(0, 1) },
    watchedDispatch(),
  );
}

describe('a hold, rail', () => {
  test('the fares stand in the rows, since the segments carry neither fare nor status', async () => {
    const booking = await held('hold-rail');
    expect(faresOf(booking)).toEqual(['ECOFLEX1', 'ECOSAVE2']);
    expect(firstSegment(booking)?.statusCode).toBeUndefined();
  });

  test('the locator is ours; the operator has a reference for each segment', async () => {
    const { locator, references } = await held('hold-rail');
    expect(locator).toBe('K7PL2M');
    expect(references.map(({ id, segmentRefs }) => [id, segmentRefs])).toEqual([
      ['K7PL2M', []],
      ['OPR555011', ['1']],
      ['OPR555012', ['2']],
    ]);
  });

  test('the limit to pay stands in a row for each segment, in local time', async () => {
    const booking = await held('hold-rail');
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T09:30:00Z');
    expect(bookingState(booking, SALE).state).toBe('held');
  });

  test('the penalty rules come with it', async () => {
    const { pricing } = await held('hold-rail');
    expect(pricing?.fares.map(({ refundRules }) => refundRules.map(({ total }) => total.minor))).toEqual([
      [4_600],
      [4_600],
    ]);
  });
});

describe('a hold, airline', () => {
  test('the fare stands in the extensions of the segment', async () => {
    expect(faresOf(await held('hold-airline'))).toEqual(['LIGHT1', 'LIGHT2']);
  });

  test('the rules are only words: cleaned, and without a name that is a template key', async () => {
    const booking = await held('hold-airline');
    const [out, back] = booking.options.flatMap(({ segments }) => segments);
    expect(out).toMatchObject({
      fareName: 'Light',
      fareRules: [{ code: 'PEN', text: expect.stringContaining('Fee EUR 30.00 per flight.') }],
    });
    expect(JSON.stringify(out)).not.toContain('${');
    expect(back).toMatchObject({ fareRules: [{ code: 'CHG', name: 'Changes', text: 'Changes cost EUR 45.00.' }] });
  });

  test('there is no contact: the e-mail stands on the passenger, who has no birth date', async () => {
    const { contact, travelers } = await held('hold-airline');
    expect(contact).toBeUndefined();
    expect(travelers.map(({ emails, birthDate }) => [emails, birthDate])).toEqual([[['jo@example.test'], undefined]]);
  });

  test('options without a pointer take their segments’, and the limit to pay is in UTC', async () => {
    const booking = await held('hold-airline');
    expect(booking.options.map(({ ref }) => ref)).toEqual(['1', '2']);
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T10:00:00Z');
    expect(firstSegment(booking)?.permitted).toEqual([{ modificationType: '10', name: 'Cancel segment' }]);
  });
});

describe('a booking from counts', () => {
  test('rail: the reference is an object, and the earliest limit before departure counts', async () => {
    const airline = await airlineThatReplies('counts-rail', 'rail');
    const booking = await airline.createFromCounts(input.RAIL_GROUP, watchedDispatch());
    expect([booking.locator, booking.pricing?.quoteId]).toEqual(['G4R8UP', 'G4R8UP']);
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T09:30:00Z');
    expect(booking.pricing?.total?.total.minor).toBe(276_000);
  });

  test('airline: one itinerary on top, one total, bare taxes; quoteID is the locator', async () => {
    const airline = await airlineThatReplies('counts-airline', 'airline');
    const booking = await airline.createFromCounts(input.AIRLINE_GROUP, watchedDispatch());
    expect(booking.locator).toBe('G5AIRX');
    expect(booking.pricing?.total).toMatchObject({ taxes: { minor: 30_000 }, total: { minor: 180_000 } });
    expect(booking.pricing?.perType.map(({ type, count }) => [type, count])).toEqual([['ADT', 15]]);
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-02T10:00:00Z');
    expect(faresOf(booking)).toEqual(['LIGHT1']);
  });
});

describe('penalty rules', () => {
  const everybody = async (name: string) => {
    const booking = await read(name);
    return { booking, one: { options: booking.options.slice(0, 1), travelers: booking.travelers } };
  };

  test('total is kept, tax included: 4 adults on one of two segments, 720.00 − 4 × 46.00', async () => {
    const { booking, one } = await everybody('read-rail-penalties');
    expect(booking).toMatchObject({ pricing: { total: { total: { minor: 144_000 } } } });
    expect(estimateRefund(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('4 adults on both segments at 120.00 + 18.00: 1440.00 − 1104.00', async () => {
    const booking = await read('read-rail-penalties-two-segments');
    expect(estimateRefund(booking, booking, SALE).amount).toEqual({ minor: 33_600, currency: 'SAR' });
  });

  test('a tax that is missing beside its percentage is added', async () => {
    const { booking, one } = await everybody('read-rail-penalty-without-tax');
    expect(estimateRefund(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('limits without chargesRules are no rule, and a limit can lie a year after the sale', async () => {
    const { booking, one } = await everybody('read-rail-limits-only');
    expect(booking.pricing?.fares.map(({ refundRules }) => refundRules)).toEqual([[], []]);
    expect(booking.pricing?.fares[0]?.cancelUntil).toBe('2032-04-01T09:00:00Z');
    expect(estimateRefund(booking, one, SALE).amount).toBeUndefined();
  });
});

describe('what a cancellation gave back', () => {
  test('rail: the refund entry, although its own fees amount is 0 beside its charges', async () => {
    const booking = await changed('read-rail-penalties-two-segments', 'modify-10-rail', 'rail');
    const sar = (minor: number) => ({ minor, currency: 'SAR' });
    expect(booking.pricing?.refunds).toEqual([{ amount: sar(33_600), penalty: sar(96_000), vat: sar(14_400) }]);
    expect(booking.pricing?.total?.total).toEqual(sar(144_000));
    expect(statedRefund(booking, 0)).toMatchObject({ amount: sar(33_600), orderStatus: 'PAID' });
  });

  test('airline: no price, only the order, still pending', async () => {
    const booking = await changed('read-airline-paid', 'modify-10-airline', 'airline');
    expect(booking.pricing).toBeUndefined();
    expect(statedRefund(booking, 0)).toMatchObject({
      amount: { minor: 23_000, currency: 'EUR' },
      orderStatus: 'PENDING',
    });
  });

  test('airline: of an emptied booking only reference and orders are left, and a refund of 0.00 is stated', async () => {
    const booking = await changed('read-airline-paid', 'modify-2-airline-emptied', 'airline');
    expect([booking.locator, booking.options, booking.travelers, booking.tickets]).toEqual(['K7PL2M', [], [], []]);
    expect(statedRefund(booking, 0)?.amount).toEqual({ minor: 0, currency: 'EUR' });
  });
});

describe('tickets', () => {
  test('a coupon’s segment and its seat are found by flightRefRPH, not by the ticket’s own list or by place', async () => {
    const booking = await read('read-rail-paid');
    expect(booking.tickets[0]?.coupons).toEqual([
      { segmentRef: '1', number: '1', statusCode: 'O', coach: '3', seat: '41', providerTicket: 'PV11' },
      { segmentRef: '2', number: '2', statusCode: 'O', coach: '5', seat: '71', providerTicket: 'PV21' },
    ]);
  });

  test('a time limit that outlives payment is no limit to pay', async () => {
    const booking = await read('read-rail-paid');
    expect(bookingDeadlines(booking).payBy).toBeUndefined();
    expect(bookingState(booking, SALE).state).toBe('ticketed');
  });

  test('a paid order without tickets is a paid booking', async () => {
    const booking = await read('read-airline-paid-unticketed', 'airline');
    expect(isPaid(booking)).toBe(true);
    expect(bookingDeadlines(booking).payBy).toBeUndefined();
  });

  test('an exchanged ticket stays without its traveller; the order of the name change moved no money', async () => {
    const booking = await read('read-airline-exchanged', 'airline');
    const rows = booking.tickets.map(({ number, travelerRefs, coupons }) => [
      number,
      travelerRefs,
      coupons[0]?.statusCode,
    ]);
    expect(rows).toEqual([
      ['1250000000011', [], 'E'],
      ['1250000000022', ['2'], 'O'],
      ['1250000000007', ['1'], 'O'],
    ]);
    expect(booking.orders[1]).toMatchObject({ action: 'CHANGE_NAME', amount: { minor: 0 } });
    expect(bookingState(booking, SALE).state).toBe('ticketed');
  });

  test('rail, name change: no price, no order, no coupons, and a number in several rows is one ticket', async () => {
    const booking = await changed('read-rail-paid', 'modify-3-rail', 'rail');
    expect([booking.pricing, booking.orders]).toEqual([undefined, []]);
    expect(booking.tickets.map(({ number }) => number)).toEqual(['9990000000011', '9990000000022']);
    expect(
      booking.tickets.flatMap(({ coupons }) => coupons.map(({ statusCode }) => statusCode ?? 'none')),
    ).not.toContain('O');
    const links = booking.tickets.flatMap((ticket) => ticket.links);
    expect(links.flatMap(({ segmentRef }) => segmentRef ?? [])).toEqual(['1', '2', '1', '2']);
  });

  test('airline, rebooking: the number stays, the pointer is the airline’s own, the class may be another', async () => {
    const booking = await changed('read-airline-paid', 'modify-30-airline', 'airline');
    expect(firstSegment(booking)).toMatchObject({ ref: '7', flightNumber: '0208', bookingClass: 'K' });
    expect(booking.travelers.map(({ segmentRefs }) => segmentRefs)).toEqual([['7'], ['7']]);
    expect(booking.tickets.map(({ number }) => number)).toEqual(['1250000000011', '1250000000022']);
  });
});

describe('people and services', () => {
  test('passengers of a group that are not named yet have no name', async () => {
    const { travelers, locator } = await read('read-rail-group');
    expect(travelers.map(({ name, gender, attendantRef }) => [name, gender, attendantRef])).toEqual([
      [undefined, 'Unknown', undefined],
      [undefined, 'Unknown', '1'],
    ]);
    expect(locator).toBe('K7PL2M');
  });

  test('both spellings of a service code are read', async () => {
    const { services } = await read('read-rail-services');
    expect(services).toMatchObject([
      { code: 'FOID', text: 'PP 000111222', status: '30', travelerRefs: ['1'], segmentRefs: ['1'] },
      { code: 'WCHR' },
    ]);
  });

  test('fields that no paper names go back with the reservation as it came', async () => {
    const { source } = await read('read-rail-paid');
    expect(source).toMatchObject({ ledger: { note: 'a field that no paper names' } });
  });
});

describe('payment', () => {
  const order = input.payment({ paymentType: 'cash' }, 'XY');

  test('rail: the amounts of the items add up to the total', async () => {
    const airline = await airlineThatReplies('pay-rail', 'rail');
    const { items } = await airline.pay(confirmed({ order }, watchedDispatch()));
    expect(items.map(({ total }) => Number(total))).toEqual([230, 230]);
    expect(items.map(({ links }) => links.length)).toEqual([1, 0]);
  });

  test('airline: amount and payment type can be others than were sent', async () => {
    const airline = await airlineThatReplies('pay-airline-cash', 'airline');
    const { items } = await airline.pay(confirmed({ order }, watchedDispatch()));
    expect(items.map(({ total, paymentType }) => [Number(total), paymentType])).toEqual([[121, '32']]);
  });

  test('a whole booking is CANCELLED only in the reply to its cancellation', async () => {
    const airline = await airlineThatReplies('cancel', 'rail');
    const receipt = await airline.cancel(confirmed({ cancellation: { locator: 'K7PL2M' } }, watchedDispatch()));
    expect(receipt).toMatchObject({ locator: 'K7PL2M', status: 'CANCELLED' });
  });
});

test('seats are numbered through the train: neither row nor coach is in the number, and a skipped column is the aisle', async () => {
  const airline = await airlineThatReplies('seat-map', 'rail');
  const [segment] = input.TRAINS[0]?.segments ?? [];
  if (segment === undefined) throw new Error('there is no train');
  const query = { locator: 'K7PL2M', requests: [{ segment, travelerRefs: ['1'] }], travelers: [input.JO] };
  const [map] = await airline.seatMap(query);
  expect(map?.cabins.map(({ zones }) => zones.map(({ code }) => code))).toEqual([['3'], ['4']]);
  const seats = map?.cabins.map(({ rows }) =>
    rows.flatMap((row) => row.seats.map((seat) => [seat.number, row.number, seat.column])),
  );
  expect(seats).toEqual([
    [
      ['31', '1', 1],
      ['32', '1', 2],
      ['33', '1', 4],
    ],
    [
      ['69', '1', 1],
      ['70', '1', 2],
    ],
  ]);
  expect(map?.cabins[0]?.rows[0]?.seats.map(({ status }) => status)).toEqual(['taken', 'free', 'yours']);
});

test('the price of one segment of a reading is known for each type', async () => {
  const { pricing, ...booking } = await read('read-rail-paid');
  if (pricing === undefined) throw new Error('no price');
  expect(priceOf({ ...booking, pricing }, 'ADT', 1)).toEqual([{ count: 2, minor: 23_000 }]);
});
