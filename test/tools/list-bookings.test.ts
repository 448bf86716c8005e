import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/approvals/terms.ts';
import type { FareQuery, FareSearchResult } from '../../src/domain/pricing/fare-search.ts';
import { ClerkError } from '../../src/errors.ts';
import { findCheapestDates } from '../../src/tools/find-cheapest-dates.ts';
import { listBookings } from '../../src/tools/list-bookings.ts';
import { reportActivity } from '../../src/tools/report-activity.ts';
import { held, NOW, price, sar, ticketed } from '../domain/support/bookings.ts';
import { type Desk, offer, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const TERMS = { locator: 'ABC123', lines: [], act: '', ask: true, subject: { kind: 'create' }, send: 0 } as const;
const operation = (over: Partial<Operation>) => operationOf(over.tool ?? 'pay_booking', TERMS, over);

async function list(args: object, desk: Desk) {
  const given = parsed(listBookings, args);
  const output = listBookings.output().parse(await listBookings.run(given, desk.ctx));
  return { output, text: listBookings.text(output, given) };
}

const second = ticketed({ locator: 'XYZ789', references: [{ id: 'XYZ789', segmentRefs: [] }] });

describe('list_bookings', () => {
  test('reads those named into the ledger, and says whose list it is', async () => {
    const told: number[] = [];
    const desk = openDesk({ bookings: [held(), second], progress: (done) => told.push(done) });
    const { output, text } = await list({ locators: ['abc123', 'XYZ789'] }, desk);
    expect(output.total_found).toBe(2);
    expect(output.bookings[0]).toEqual({
      locator: 'ABC123',
      state: 'held',
      contact_name: 'Amal Haddad',
      route: 'MED-JED-MED',
      departs: '2026-12-01T08:00:00.000+03:00',
      total: '690.00',
      currency: 'SAR',
      next_deadline: { what: 'pay_by', at: '2026-11-29T05:25:00Z' },
      seen_at: '2026-11-29T05:00:00Z',
      needs_attention: 'unpaid, and pay_by is within the hour',
    });
    expect(told).toEqual([1, 2]);
    expect(text).toContain('The airline has no list call');
    expect(text).toContain('ABC123  held');
  });

  test('filters: state, words, deadline, attention', async () => {
    const desk = openDesk({ bookings: [held(), second] });
    await list({ locators: ['ABC123', 'XYZ789'] }, desk);
    const found = async (args: object) => (await list(args, desk)).output.bookings.map((row) => row.locator);
    expect(await found({ state: 'ticketed' })).toEqual(['XYZ789']);
    expect(await found({ query: 'XYZ' })).toEqual(['XYZ789']);
    expect(await found({ deadline_within_hours: 1 })).toEqual(['ABC123']);
    expect(await found({ needs_attention: true })).toEqual(['ABC123']);
    expect(await found({ needs_attention: false })).toEqual(['XYZ789']);
    desk.operations.push(operation({ state: 'needs_person', locator: 'XYZ789' }));
    expect((await list({ query: 'XYZ' }, desk)).output.bookings[0]?.needs_attention).toBe(
      'a person must check pay_booking',
    );
  });

  test('one asked for by name that cannot be read, and was never seen, is not dropped', async () => {
    const { output, text } = await list({ locators: ['ABC123', 'NOSUCH', 'nosuch'] }, openDesk({ bookings: [held()] }));
    expect(output.total_found).toBe(2);
    expect(output.bookings[1]).toMatchObject({
      locator: 'NOSUCH',
      state: 'unknown',
      needs_attention: 'could not be read now (E_NOT_FOUND)',
    });
    expect(text).toContain('2 of 2 bookings');
  });

  test('refresh reads again; one that cannot be read is told in its row', async () => {
    const desk = openDesk({ bookings: [held(), second] });
    await list({ locators: ['ABC123', 'XYZ789'] }, desk);
    const later = openDesk({ bookings: [ticketed()] });
    for (const [locator, entry] of desk.ledger) later.ledger.set(locator, entry);
    const { output } = await list({ refresh: true }, later);
    expect(output.bookings.map((row) => [row.locator, row.state, row.needs_attention])).toEqual([
      ['ABC123', 'ticketed', undefined],
      ['XYZ789', 'ticketed', 'could not be read now (E_NOT_FOUND)'],
    ]);
    expect(later.asked.map(([, locator]) => locator).sort()).toEqual(['ABC123', 'XYZ789']);
  });
});

async function report(operations: Operation[], args: object = {}) {
  const desk = openDesk();
  desk.operations.push(...operations);
  const given = parsed(reportActivity, args);
  const output = reportActivity.output().parse(await reportActivity.run(given, desk.ctx));
  return { output, text: reportActivity.text(output, given) };
}

const DAY = 86_400_000;

describe('report_activity', () => {
  const paid = operation({ id: 'p1', direction: 'payment', amount: sar(69000) });
  const refunded = operation({
    id: 'r1',
    tool: 'cancel_segment',
    direction: 'refund',
    amount: sar(69000),
    outcome: { refund: { amount: sar(17250) } },
    createdAt: NOW - DAY,
  });
  const unstated = operation({ id: 'r2', tool: 'cancel_segment', direction: 'refund', amount: sar(5000) });
  const declined = operation({ id: 'p2', direction: 'payment', amount: sar(99900), state: 'refused' });
  const doubt = operation({ id: 'p3', direction: 'payment', amount: sar(11100), state: 'in_doubt', locator: 'XYZ789' });

  test('by day: what came to pass is summed, what is in doubt is listed, a refund not stated is counted', async () => {
    const { output, text } = await report([paid, refunded, unstated, declined, doubt]);
    expect(output.rows).toEqual([
      { key: '2026-11-28', operations: 1, paid: '0.00', refunded: '172.50', currency: 'SAR' },
      { key: '2026-11-29', operations: 4, paid: '690.00', refunded: '0.00', refunds_not_stated: 1, currency: 'SAR' },
    ]);
    expect(output.totals).toEqual([
      { operations: 5, paid: '690.00', refunded: '172.50', refunds_not_stated: 1, currency: 'SAR' },
    ]);
    expect(output.in_doubt).toEqual([
      { operation_id: 'p3', tool: 'pay_booking', status: 'in_doubt', locator: 'XYZ789', since: '2026-11-29T05:00:00Z' },
    ]);
    expect(text).toContain('In doubt');
    expect(text).toContain('1 refunds not stated');
  });

  test('two currencies are never added', async () => {
    const euros = operation({ id: 'p4', direction: 'payment', amount: { minor: 100, currency: 'EUR' } });
    const { output } = await report([paid, euros], { group_by: 'tool' });
    expect(output.rows.map((row) => [row.key, row.currency, row.paid])).toEqual([
      ['pay_booking', 'SAR', '690.00'],
      ['pay_booking', 'EUR', '1.00'],
    ]);
    expect(output.totals).toHaveLength(2);
  });

  test.each([
    ['status', ['refused', 'succeeded']],
    ['caller', ['ann']],
    ['route', ['unknown']],
  ])('by %s', async (group_by, keys) => {
    expect((await report([paid, declined], { group_by })).output.rows.map((row) => row.key)).toEqual(keys);
  });

  test('what is not listed is counted, and said', async () => {
    const callers = Array.from({ length: 300 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const many = callers.map((caller, i) => operation({ id: `m${i}`, caller, direction: 'payment', amount: sar(100) }));
    const busiest = operation({ id: 'm300', caller: 'c299', direction: 'payment', amount: sar(100) });
    const open = callers.map((_, i) =>
      operation({ id: `d${i}`, caller: 'zoe', state: 'in_doubt', createdAt: NOW - i }),
    );
    const { output, text } = await report([...many, busiest, ...open], { group_by: 'caller' });
    expect(output.rows).toHaveLength(250);
    expect(output.rows.map(({ key }) => key).slice(-2)).toEqual(['c299', 'zoe']);
    expect(output.rows_left_out).toBe(51);
    expect(output.totals).toEqual([{ operations: 601, paid: '301.00', refunded: '0.00', currency: 'SAR' }]);
    expect([output.in_doubt.length, output.in_doubt_total]).toEqual([100, 300]);
    expect(output.in_doubt[0]?.operation_id).toBe('d0');
    expect(text).toContain('51 rows with fewer operations are not listed; the total has them.');
    expect(text).toContain('200 older ones are not listed: 300 in all.');
    const byDay = await report([...many, ...open]);
    expect(byDay.output).not.toHaveProperty('rows_left_out');
    expect(byDay.output.rows).toHaveLength(1);
  });

  test('only the days asked for, both included; nothing is an answer', async () => {
    const one = await report([paid, refunded], { from: '2026-11-28', to: '2026-11-28' });
    expect(one.output.totals).toMatchObject([{ operations: 1 }]);
    expect((await report([])).text).toBe('Nothing was done in this time.');
    await refusedWith(report([], { from: '2026-11-28', to: '2026-11-27' }), 'E_INPUT');
  });
});

const DATES = { from: 'MED', to: 'JED', start_date: '2026-12-01', end_date: '2026-12-04', passengers: { adults: 1 } };

async function cheapest(
  prices: Record<string, number | 'none' | 'busy'>,
  args: object = {},
  ctx: Partial<Desk['ctx']> = {},
) {
  const searched: FareQuery[] = [];
  const desk = openDesk({
    airline: {
      calendar: async () => ({ from: 'MED', to: 'JED', startDate: '', endDate: '', dates: Object.keys(prices) }),
      searchFares: async (query): Promise<FareSearchResult> => {
        searched.push(query);
        const found = prices[query.legs[0]?.date ?? ''];
        if (found === 'busy') throw new ClerkError('E_AIRLINE_BUSY', 'The airline is busy.', { next: 'Wait.' });
        if (typeof found !== 'number')
          throw new ClerkError('E_NO_AVAILABILITY', 'Nothing.', { next: 'Look elsewhere.' });
        const dear = offer({ pricing: { total: price(sar(found + 1)), refunds: [], fares: [], perType: [] } });
        const best = offer({ pricing: { total: price(sar(found)), refunds: [], fares: [], perType: [] } });
        return { form: 'itineraries', offers: [dear, best], soldOut: [] };
      },
    },
  });
  const given = parsed(findCheapestDates, { ...DATES, ...args });
  const output = findCheapestDates.output().parse(await findCheapestDates.run(given, { ...desk.ctx, ...ctx }));
  return { searched, desk, output, text: findCheapestDates.text(output, given) };
}

describe('find_cheapest_dates', () => {
  const WEEK = { '2026-12-03': 30000, '2026-12-01': 20000, '2026-12-02': 'none' } as const;

  test('one search for each day with service, the cheapest named, sold out said', async () => {
    const { output, text, desk } = await cheapest(WEEK);
    expect(output).toEqual({
      currency: 'SAR',
      days: [
        { date: '2026-12-01', total: '200.00', offer_id: expect.any(String), flight: 'HHR101' },
        { date: '2026-12-02', sold_out: true },
        { date: '2026-12-03', total: '300.00', offer_id: expect.any(String), flight: 'HHR101' },
      ],
      cheapest: { date: '2026-12-01', total: '200.00', offer_id: expect.any(String), flight: 'HHR101' },
      searched: 3,
      skipped: 0,
    });
    expect(desk.shelf.get(output.cheapest?.offer_id ?? '')?.offer.pricing.total?.total).toEqual(sar(20000));
    expect(text).toMatch(/2026-12-01 {2}200\.00 +HHR101 +o\d{6} +CHEAPEST/);
  });

  test('what is no date is not searched', async () => {
    const sent = { '2026-12-01': 20000, '2026-11-3<script>': 100, '2026-11-31': 100 };
    const { output, searched } = await cheapest(sent, { start_date: '2026-11-30' });
    expect(searched.map(({ legs }) => legs[0]?.date)).toEqual(['2026-12-01']);
    expect(output).toMatchObject({ searched: 1, skipped: 0 });
  });

  test('with a way back so many days later', async () => {
    const { searched } = await cheapest({ '2026-12-01': 20000 }, { return_after_days: 4 });
    expect(searched[0]?.legs).toMatchObject([
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ]);
  });

  test('what failed is left over, and where to go on is said; all failing is the failure', async () => {
    const { output } = await cheapest({ '2026-12-01': 20000, '2026-12-02': 'busy', '2026-12-03': 100 });
    expect(output).toMatchObject({
      searched: 2,
      skipped: 1,
      continue_from: '2026-12-02',
      cheapest: { date: '2026-12-03' },
    });
    await refusedWith(cheapest({ '2026-12-01': 'busy' }), 'E_AIRLINE_BUSY');
  });

  test('stops in time with what it has', async () => {
    let now = NOW;
    const days = Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`2026-12-${String(i + 1).padStart(2, '0')}`, 100 + i]),
    );
    const clock = () => {
      now += 3000;
      return now;
    };
    const { output } = await cheapest(days, { end_date: '2026-12-10' }, { now: clock });
    expect(output.searched).toBeGreaterThan(0);
    expect(output.searched).toBeLessThan(10);
    expect(output.searched + output.skipped).toBe(10);
    expect(output.continue_from).toBe(`2026-12-${String(output.searched + 1).padStart(2, '0')}`);
  });

  test('a caller who gives up ends it', async () => {
    const { searched, output } = await cheapest(WEEK, {}, { signal: AbortSignal.abort() });
    expect(searched).toEqual([]);
    expect(output).toMatchObject({ days: [], searched: 0, skipped: 3, continue_from: '2026-12-01' });
  });

  test('refused: no service, too many days, a party that cannot travel', async () => {
    await refusedWith(cheapest({}), 'E_NO_AVAILABILITY');
    await refusedWith(cheapest(WEEK, { end_date: '2027-01-05' }), 'E_INPUT');
    await refusedWith(cheapest(WEEK, { passengers: { adults: 1, infants: 2 } }), 'E_INPUT');
  });
});
