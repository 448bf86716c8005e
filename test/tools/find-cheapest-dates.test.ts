import { describe, expect, test } from 'vitest';
import type { Segment } from '../../src/domain/booking/itinerary.ts';
import type { FareQuery, FareSearchResult } from '../../src/domain/pricing/fare-search.ts';
import { ClerkError } from '../../src/errors.ts';
import { findCheapestDates } from '../../src/tools/find-cheapest-dates.ts';
import { BACK, NOW, option, price, sar, segment } from '../support/bookings.ts';
import { type Desk, offer, openDesk, parsed, refusedWith } from './support/tool-context.ts';

const DATES = { from: 'MED', to: 'JED', start_date: '2026-12-01', end_date: '2026-12-04', passengers: { adults: 1 } };

/** The times of a train on another day. */
function onDay({ departs = '', arrives = '' }: Partial<Segment> = {}, date: string) {
  return { departs: date + departs.slice(10), arrives: date + arrives.slice(10) };
}

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
        const options = query.legs.map(({ date }, i) => {
          const [train] = i === 0 ? [segment('1')] : BACK.segments;
          return option(segment(String(i + 1), { ...train, ...onDay(train, date) }));
        });
        const dear = offer({ options, pricing: { total: price(sar(found + 1)), refunds: [], fares: [], perType: [] } });
        const best = offer({ options, pricing: { total: price(sar(found)), refunds: [], fares: [], perType: [] } });
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

  test('searches each day with service, names the cheapest and marks sold-out days', async () => {
    const { output, text, desk } = await cheapest(WEEK);
    expect(output).toEqual({
      currency: 'SAR',
      days: [
        {
          date: '2026-12-01',
          total: '200.00',
          offer_id: expect.any(String),
          flight: 'HHR101',
          trip: 'HHR101 08:00-10:10',
        },
        { date: '2026-12-02', sold_out: true },
        {
          date: '2026-12-03',
          total: '300.00',
          offer_id: expect.any(String),
          flight: 'HHR101',
          trip: 'HHR101 08:00-10:10',
        },
      ],
      cheapest: {
        date: '2026-12-01',
        total: '200.00',
        offer_id: expect.any(String),
        flight: 'HHR101',
        trip: 'HHR101 08:00-10:10',
      },
      no_service: ['2026-12-04'],
      searched: 3,
      skipped: 0,
    });
    expect(desk.shelf.get(output.cheapest?.offer_id ?? '')?.offer.pricing.total?.total).toEqual(sar(20000));
    expect(text).toMatch(
      /^MED → JED: 3 days searched, 2026-12-01 to 2026-12-04; lowest totals for 1 adult in SAR\. Times are local\.$/m,
    );
    expect(text).toMatch(/Tue 1 Dec {2}200\.00 +HHR101 08:00-10:10 +o\d{6} +CHEAPEST/);
    expect(text).toContain('The calendar lists no service on this day; a search can still find some: Fri 4 Dec.');
  });

  test('marks every day at the lowest total, and says how many there are', async () => {
    const days = { '2026-12-01': 20000, '2026-12-02': 30000, '2026-12-03': 20000 };
    const { text } = await cheapest(days, { end_date: '2026-12-03' });
    expect(text.match(/CHEAPEST/g)).toHaveLength(2);
    expect(text.split('\n').at(-1)).toBe('2 days at SAR 200.00.');
  });

  test('counts the days that were not searched', async () => {
    const { text } = await cheapest({ '2026-12-01': 20000, '2026-12-02': 'busy', '2026-12-03': 100 });
    expect(text).toContain('2 of 3 days searched');
    expect(text).toContain('1 day not searched: call again with start_date 2026-12-02.');
  });

  test('skips invalid dates of the calendar', async () => {
    const sent = { '2026-12-01': 20000, '2026-11-3<script>': 100, '2026-11-31': 100 };
    const { output, searched } = await cheapest(sent, { start_date: '2026-11-30' });
    expect(searched.map(({ legs }) => legs[0]?.date)).toEqual(['2026-12-01']);
    expect(output).toMatchObject({ searched: 1, skipped: 0 });
  });

  test('searches round trips with return_after_days', async () => {
    const { searched, output, text } = await cheapest({ '2026-12-01': 20000 }, { return_after_days: 4 });
    expect(searched[0]?.legs).toMatchObject([
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ]);
    expect(output.days[0]?.flight).toBe('HHR101+HHR202');
    expect(text).toMatch(/ {2}Tue 1 Dec {2}200\.00 {2}HHR101 08:00-10:10, back Sat 5 Dec HHR202 18:00-20:10 +o\d{6}/);
  });

  test('names the date to continue from if a search failed, and fails if every search failed', async () => {
    const { output } = await cheapest({ '2026-12-01': 20000, '2026-12-02': 'busy', '2026-12-03': 100 });
    expect(output).toMatchObject({
      searched: 2,
      skipped: 1,
      continue_from: '2026-12-02',
      cheapest: { date: '2026-12-03' },
    });
    await refusedWith(cheapest({ '2026-12-01': 'busy' }), 'E_AIRLINE_BUSY');
  });

  test('stops before its time runs out and returns the days it has searched', async () => {
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

  test('stops searching when the caller cancels', async () => {
    const { searched, output } = await cheapest(WEEK, {}, { signal: AbortSignal.abort() });
    expect(searched).toEqual([]);
    expect(output).toMatchObject({ days: [], searched: 0, skipped: 3, continue_from: '2026-12-01' });
  });

  test('refuses dates without service, too many days and more infants than adults', async () => {
    const none = await refusedWith(cheapest({}), 'E_NO_AVAILABILITY');
    expect(none.message).toBe('The calendar lists no service MED → JED on these days. Nothing was searched.');
    expect(none.next).toContain('search_fares can still find some');
    await refusedWith(cheapest(WEEK, { end_date: '2027-01-05' }), 'E_INPUT');
    await refusedWith(cheapest(WEEK, { passengers: { adults: 1, infants: 2 } }), 'E_INPUT');
  });
});
