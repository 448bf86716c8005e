/**
 * Replies about bookings, written by hand as the airline sends them (docs/wire/notes.md, Replies).
 */
import { describe, expect, test } from 'vitest';
import { refundsShown } from '../../../src/domain/refund/airline-stated-refund.ts';
import { estimateAt } from '../../support/estimate.ts';
import { watchedDispatch } from '../support/samples.ts';
import { shown } from '../support/shown.ts';
import { airlineThatReplies, changed, faresOf, firstSegment, read } from './support/golden-calls.ts';
import * as input from './support/golden-inputs.ts';

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
  test('has fares, pay-by time in local time and penalties in its rows, and neither fare nor status in its segments', async () => {
    const booking = await held('hold-rail');
    expect(faresOf(booking)).toEqual(['ECOFLEX1', 'ECOSAVE2']);
    expect(firstSegment(booking)?.statusCode).toBeUndefined();
    const rules = [{ total: { minor: 4_600 } }];
    expect(booking.pricing?.fares.map(({ refundRules }) => refundRules)).toMatchObject([rules, rules]);
    expect(shown(booking, SALE)).toMatchObject({ state: 'held', deadlines: { pay_by: '2031-04-01T12:30+03:00' } });
  });

  test("has our reference as its locator, and the operator's for each segment", async () => {
    const { locator, references } = await held('hold-rail');
    expect(locator).toBe('K7PL2M');
    expect(references.map(({ id, segmentRefs }) => [id, segmentRefs])).toEqual([
      ['K7PL2M', []],
      ['OPR555011', ['1']],
      ['OPR555012', ['2']],
    ]);
  });
});

test('an airline hold has fares and rules in its segments, their pointers, no contact, and its pay-by time in UTC', async () => {
  const booking = await held('hold-airline');
  expect(faresOf(booking)).toEqual(['LIGHT1', 'LIGHT2']);
  const [out, back] = booking.options.flatMap(({ segments }) => segments);
  // A name that is a template key is left out.
  expect(out).toMatchObject({
    fareName: 'Light',
    fareRules: [{ text: expect.stringContaining('Fee EUR 30.00 per flight.') }],
    permitted: [{ modificationType: '10' }],
  });
  expect(JSON.stringify(out)).not.toContain('${');
  expect(back).toMatchObject({ fareRules: [{ name: 'Changes', text: 'Changes cost EUR 45.00.' }] });
  expect(booking.contact).toBeUndefined();
  expect(booking.travelers.map(({ emails, birthDate }) => [emails, birthDate])).toEqual([
    [['jo@example.test'], undefined],
  ]);
  expect(booking.options.map(({ ref }) => ref)).toEqual(['1', '2']);
  expect(shown(booking, SALE).deadlines?.pay_by).toBe('2031-04-01T12:00+02:00');
});

describe('a booking from counts', () => {
  test('has its reference object and the earliest limit before departure in the rail dialect', async () => {
    const airline = await airlineThatReplies('counts-rail', 'rail');
    const booking = await airline.createFromCounts(input.RAIL_GROUP, watchedDispatch());
    expect([booking.locator, booking.pricing?.quoteId]).toEqual(['G4R8UP', 'G4R8UP']);
    expect(shown(booking, SALE)).toMatchObject({ total: '2760.00', deadlines: { pay_by: '2031-04-01T12:30+03:00' } });
  });

  test('has its quote as locator, one total and bare taxes in the airline dialect', async () => {
    const airline = await airlineThatReplies('counts-airline', 'airline');
    const booking = await airline.createFromCounts(input.AIRLINE_GROUP, watchedDispatch());
    expect(shown(booking, SALE)).toMatchObject({
      locator: 'G5AIRX',
      deadlines: { pay_by: '2031-04-02T12:00+02:00' },
      total: '1800.00',
      price: { taxes: '300.00', per_type: [{ type: 'ADT', count: 15 }] },
    });
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
    expect(estimateAt(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('adds the tax of a penalty that is given only as a percentage', async () => {
    const { booking, one } = await everybody('read-rail-penalty-without-tax');
    expect(estimateAt(booking, one, SALE).amount).toEqual({ minor: 53_600, currency: 'SAR' });
  });

  test('reads time limits without chargesRules as no rule, even a limit a year after the sale', async () => {
    const { booking, one } = await everybody('read-rail-limits-only');
    expect(booking.pricing?.fares.map(({ refundRules }) => refundRules)).toEqual([[], []]);
    expect(booking.pricing?.fares[0]?.cancelUntil).toBe('2032-04-01T09:00:00Z');
    expect(estimateAt(booking, one, SALE).amount).toBeUndefined();
  });
});

describe('the refund of a cancellation', () => {
  test('reads the rail refund from its entry, although the fees of that entry state 0', async () => {
    const booking = await changed('read-rail-penalties-two-segments', 'modify-10-rail', 'rail');
    const sar = (minor: number) => ({ minor, currency: 'SAR' });
    expect(booking.pricing?.refunds).toEqual([{ amount: sar(33_600), penalty: sar(96_000), vat: sar(14_400) }]);
    expect(booking.pricing?.total?.total).toEqual(sar(144_000));
    expect(refundsShown(booking)).toMatchObject([{ amount: sar(33_600), orderStatus: 'PAID' }]);
  });

  test('gives no penalty to two refunds of one amount of which only one has an entry', async () => {
    const booking = await changed('read-rail-penalties-two-segments', 'modify-10-rail', 'rail');
    const twice = { ...booking, orders: [...booking.orders, ...booking.orders] };
    const refund = { amount: { minor: 33_600, currency: 'SAR' }, orderStatus: 'PAID' };
    expect(refundsShown(twice)).toEqual([refund, refund]);
  });

  test('reads the airline refund from its pending order, since there is no price', async () => {
    const booking = await changed('read-airline-paid', 'modify-10-airline', 'airline');
    expect(booking.pricing).toBeUndefined();
    expect(refundsShown(booking)).toMatchObject([
      { amount: { minor: 23_000, currency: 'EUR' }, orderStatus: 'PENDING' },
    ]);
  });
});

describe('tickets', () => {
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
    expect(shown(booking, SALE).state).toBe('ticketed');
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
