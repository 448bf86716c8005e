/**
 * The windows of a refund, as a quote, the question and a reading tell them, for random rules, time limits and departures. They
 * follow each other without a gap until cancelling ends; the last line says so.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fare, NOW, option, price, row, rule, sar, segment, ticketed } from '../support/bookings.ts';
import { openDesk } from './support/desk.ts';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString().replace('.000', '');

const leg = fc.record({
  /** Hours from NOW. */
  departs: fc.integer({ min: 2, max: 900 }),
  /** Before the departure; below zero: after it, as a limit of a year is. */
  limit: fc.constantFrom<number | undefined>(undefined, 0, 1, 24, -48, -8000),
  turns: fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: 4 }).map((all) => all.sort((a, b) => b - a)),
  kept: fc.array(fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constantFrom('nothing' as const, 'words' as const)), {
    ...{ minLength: 5, maxLength: 5 },
  }),
});
type Leg = (typeof leg)['generate'] extends (...args: never[]) => { value: infer L } ? L : never;

/** Rules from before the sale until the departure, one after another. */
function fareOf({ departs, limit, turns, kept }: Leg, ref: string): ReturnType<typeof fare> {
  const bounds = [-1000, ...turns.map((hours) => departs - hours), departs].filter((hours) => hours <= departs);
  const refundRules = bounds.slice(1).map((until, i) => {
    const keeps = kept[i] ?? 0;
    const window = { from: at(bounds[i] ?? 0), until: at(until) };
    if (keeps === 'words') return { passengerType: 'ADT', ...window, texts: [{ text: `Rule ${i} of ${ref}` }] };
    if (keeps === 'nothing') return rule({ refundable: false, base: sar(0), ...window });
    return rule({ base: sar(keeps), ...window });
  });
  const { cancelUntil: _, ...rest } = fare(ref, `A${ref}A`, `B${ref}B`, { refundRules });
  return limit === undefined ? rest : { ...rest, cancelUntil: at(departs - limit) };
}

const bookingOf = (legs: readonly Leg[]) =>
  ticketed({
    options: legs.map(({ departs }, i) => {
      const ref = String(i + 1);
      const times = { departs: at(departs), arrives: at(departs + 2) };
      return option(segment(ref, { optionRef: ref, from: `A${ref}A`, to: `B${ref}B`, ...times }));
    }),
    pricing: {
      ...{ total: price(sar(34500 * legs.length)), refunds: [] },
      fares: legs.map((one, i) => fareOf(one, String(i + 1))),
      perType: legs.map((_, i) => row('ADT', 1, sar(34500), { segmentRefs: [String(i + 1)] })),
    },
  });

const END = /^It can be cancelled until .+; then nothing comes back\.$/;

async function toldOf(legs: readonly Leg[]) {
  const desk = await openDesk({ bookings: [bookingOf(legs)] });
  const args = { locator: 'ABC123' };
  const quote = await desk.read('quote_cancellation', args);
  const read = await desk.read('read_booking', args);
  const question = await desk.ask('cancel_booking', args).catch(() => undefined);
  return { later: quote.view.later as Window[], quote, read, question };
}
interface Window {
  readonly from: string;
  readonly until?: string;
  readonly refund?: string;
}

test('windows begin before they end, without a gap, until cancelling ends, the same in all three', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(leg, { minLength: 1, maxLength: 3 }), async (legs) => {
      const { later, quote, read, question } = await toldOf(legs);
      const ends = later.at(-1)?.from;
      if (ends === undefined) return;
      for (const [i, { from, until }] of later.entries()) {
        expect(Date.parse(from)).toBeGreaterThan(NOW);
        if (until !== undefined) expect(from < until).toBe(true);
        expect(until).toBe(later[i + 1]?.from);
      }
      expect(Date.parse(ends)).toBeLessThanOrEqual(NOW + Math.max(...legs.map(({ departs }) => departs)) * HOUR);
      expect(later.at(-1)?.refund).toBe('0.00');
      expect(quote.view.valid_until ?? later[0]?.from).toBe(later[0]?.from);
      const [line] = quote.lines.filter((one) => END.test(one));
      expect((question?.lines ?? [line]).filter((one) => END.test(one ?? ''))).toEqual([line]);
      const { booking } = read.view;
      expect(booking.deadlines.cancel_until).toBe(ends);
      for (const { from, until } of booking.rules ?? [])
        expect(from === undefined || until === undefined || from < until).toBe(true);
      const own = new Set(booking.segments.map(({ cancel_ends: end }: { cancel_ends?: string }) => end ?? ends));
      const last = read.lines.filter((one) => one.endsWith('; then nothing comes back.'));
      expect(last).toHaveLength(1);
      if (own.size === 1) expect(last).toEqual([line]);
    }),
    { numRuns: 60 },
  );
});

test('the windows of a later segment last until that segment’s own end', async () => {
  const kept = [2000, 4000, 0, 0, 0];
  const legs = [100, 300].map((departs) => ({ departs, limit: 1, turns: [48], kept }));
  const { read } = await toldOf(legs);
  type Rule = { segment_refs: string[]; from: string; until: string };
  expect(read.view.booking.rules.map(({ segment_refs, from, until }: Rule) => [segment_refs, from, until])).toEqual([
    [['1'], at(-1000), at(52)],
    [['1'], at(52), at(99)],
    [['2'], at(-1000), at(252)],
    [['2'], at(252), at(299)],
  ]);
  expect(read.text).toContain(
    'Can be cancelled: segment 1 until Thu 3 Dec 08:00 (UTC); segment 2 until Fri 11 Dec 16:00 (UTC); then nothing comes back.',
  );
});

test('windows end when every train has left, where the time limit is a year after the sale', async () => {
  const { later, quote, read } = await toldOf([{ departs: 100, limit: -8000, turns: [], kept: [4000, 0, 0, 0, 0] }]);
  expect(later).toEqual([{ from: at(100), refund: '0.00', kept: '345.00' }]);
  for (const { text } of [quote, read]) {
    expect(text).toContain('It can be cancelled until Thu 3 Dec 09:00 (UTC); then nothing comes back.');
    expect(text).not.toContain('between SAR 0.00 and SAR 345.00');
  }
});
