/**
 * Replies about bookings, written by hand as the airline sends them (docs/wire/notes.md, Replies).
 */
import { describe, expect, test } from 'vitest';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { bookingDeadlines } from '../../../src/domain/booking/deadlines.ts';
import { estimateRefund } from '../../../src/domain/pricing/estimate-refund.ts';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import { watchedDispatch } from '../support/samples.ts';
import * as input from './golden-inputs.ts';
import { airlineThatReplies, changed, faresOf, firstSegment, read } from './replied.ts';

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

describe('a rail hold', () => {
  test('takes the fares of a rail hold from the rows, since the segments carry neither fare nor status', async () => {
    const booking = await held('hold-rail');
    expect(faresOf(booking)).toEqual(['ECOFLEX1', 'ECOSAVE2']);
    expect(firstSegment(booking)?.statusCode).toBeUndefined();
  });

  test("takes our reference as the locator of a rail hold, and the operator's for each segment", async () => {
    const { locator, references } = await held('hold-rail');
    expect(locator).toBe('K7PL2M');
    expect(references.map(({ id, segmentRefs }) => [id, segmentRefs])).toEqual([
      ['K7PL2M', []],
      ['OPR555011', ['1']],
      ['OPR555012', ['2']],
    ]);
  });

  test('reads the pay-by time of a rail hold from its rows, in local time', async () => {
    const booking = await held('hold-rail');
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T09:30:00Z');
    expect(bookingState(booking, SALE).state).toBe('held');
  });

  test('reads the penalty rules of a rail hold', async () => {
    const { pricing } = await held('hold-rail');
    expect(pricing?.fares.map(({ refundRules }) => refundRules)).toMatchObject([
      [{ total: { minor: 4_600 } }],
      [{ total: { minor: 4_600 } }],
    ]);
  });
});

describe('an airline hold', () => {
  test('takes the fare of an airline hold from the extensions of the segment', async () => {
    expect(faresOf(await held('hold-airline'))).toEqual(['LIGHT1', 'LIGHT2']);
  });

  test('cleans the fare rules of an airline hold, and leaves out a name that is a template key', async () => {
    const booking = await held('hold-airline');
    const [out, back] = booking.options.flatMap(({ segments }) => segments);
    expect(out).toMatchObject({
      fareName: 'Light',
      fareRules: [{ code: 'PEN', text: expect.stringContaining('Fee EUR 30.00 per flight.') }],
    });
    expect(JSON.stringify(out)).not.toContain('${');
    expect(back).toMatchObject({ fareRules: [{ code: 'CHG', name: 'Changes', text: 'Changes cost EUR 45.00.' }] });
  });

  test('reads an airline hold without a contact, with the e-mail on the passenger', async () => {
    const { contact, travelers } = await held('hold-airline');
    expect(contact).toBeUndefined();
    expect(travelers.map(({ emails, birthDate }) => [emails, birthDate])).toEqual([[['jo@example.test'], undefined]]);
  });

  test('gives options of an airline hold the pointers of their segments, and reads the pay-by time as UTC', async () => {
    const booking = await held('hold-airline');
    expect(booking.options.map(({ ref }) => ref)).toEqual(['1', '2']);
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T10:00:00Z');
    expect(firstSegment(booking)?.permitted).toEqual([{ modificationType: '10', name: 'Cancel segment' }]);
  });
});

describe('a booking from counts', () => {
  test('reads a rail booking from counts with its reference object and the earliest limit before departure', async () => {
    const airline = await airlineThatReplies('counts-rail', 'rail');
    const booking = await airline.createFromCounts(input.RAIL_GROUP, watchedDispatch());
    expect([booking.locator, booking.pricing?.quoteId]).toEqual(['G4R8UP', 'G4R8UP']);
    expect(bookingDeadlines(booking).payBy).toBe('2031-04-01T09:30:00Z');
    expect(booking.pricing?.total?.total.minor).toBe(276_000);
  });

  test('reads an airline booking from counts with its quote as locator, one total and bare taxes', async () => {
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

  test('deducts the penalty with tax for 4 adults on one of two segments: 720.00 − 4 × 46.00', async () => {
    const { booking, one } = await everybody('read-rail-penalties');
    expect(booking).toMatchObject({ pricing: { total: { total: { minor: 144_000 } } } });
    expect(estimateRefund(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('adds the tax of a penalty that is given only as a percentage', async () => {
    const { booking, one } = await everybody('read-rail-penalty-without-tax');
    expect(estimateRefund(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('reads time limits without chargesRules as no rule, even a limit a year after the sale', async () => {
    const { booking, one } = await everybody('read-rail-limits-only');
    expect(booking.pricing?.fares.map(({ refundRules }) => refundRules)).toEqual([[], []]);
    expect(booking.pricing?.fares[0]?.cancelUntil).toBe('2032-04-01T09:00:00Z');
    expect(estimateRefund(booking, one, SALE).amount).toBeUndefined();
  });
});

describe('the refund of a cancellation', () => {
  test('reads the rail refund from its entry, although the fees of that entry state 0', async () => {
    const booking = await changed('read-rail-penalties-two-segments', 'modify-10-rail', 'rail');
    const sar = (minor: number) => ({ minor, currency: 'SAR' });
    expect(booking.pricing?.refunds).toEqual([{ amount: sar(33_600), penalty: sar(96_000), vat: sar(14_400) }]);
    expect(booking.pricing?.total?.total).toEqual(sar(144_000));
    expect(statedRefund(booking, 0)).toMatchObject({ amount: sar(33_600), orderStatus: 'PAID' });
  });

  test('reads the airline refund from its pending order, since there is no price', async () => {
    const booking = await changed('read-airline-paid', 'modify-10-airline', 'airline');
    expect(booking.pricing).toBeUndefined();
    expect(statedRefund(booking, 0)).toMatchObject({
      amount: { minor: 23_000, currency: 'EUR' },
      orderStatus: 'PENDING',
    });
  });
});

describe('tickets', () => {
  test("finds segment and seat of a coupon by flightRefRPH, not by the ticket's list or by place", async () => {
    const booking = await read('read-rail-paid');
    expect(booking.tickets[0]?.coupons).toEqual([
      { segmentRef: '1', number: '1', statusCode: 'O', coach: '3', seat: '41', providerTicket: 'PV11' },
      { segmentRef: '2', number: '2', statusCode: 'O', coach: '5', seat: '71', providerTicket: 'PV21' },
    ]);
  });

  test('keeps an exchanged ticket without its traveller, and reads the name change as free of charge', async () => {
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

  test('reads a rail name change without price, orders or coupons, and merges rows of one ticket number', async () => {
    const booking = await changed('read-rail-paid', 'modify-3-rail', 'rail');
    expect([booking.pricing, booking.orders]).toEqual([undefined, []]);
    expect(booking.tickets.map(({ number }) => number)).toEqual(['9990000000011', '9990000000022']);
    expect(
      booking.tickets.flatMap(({ coupons }) => coupons.map(({ statusCode }) => statusCode ?? 'none')),
    ).not.toContain('O');
    const links = booking.tickets.flatMap((ticket) => ticket.links);
    expect(links.flatMap(({ segmentRef }) => segmentRef ?? [])).toEqual(['1', '2', '1', '2']);
  });

  test("reads an airline rebooking with the same ticket numbers, the airline's pointer and its class", async () => {
    const booking = await changed('read-airline-paid', 'modify-30-airline', 'airline');
    expect(firstSegment(booking)).toMatchObject({ ref: '7', flightNumber: '0208', bookingClass: 'K' });
    expect(booking.travelers.map(({ segmentRefs }) => segmentRefs)).toEqual([['7'], ['7']]);
    expect(booking.tickets.map(({ number }) => number)).toEqual(['1250000000011', '1250000000022']);
  });
});
