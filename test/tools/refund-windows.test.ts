/**
 * The windows of a refund, as a quote, the terms and a reading tell them, for random rules, time limits and departures. Each
 * begins before it ends; they follow each other without a gap until cancelling ends; the last line says so.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import { bookingDeadlines } from '../../src/domain/booking/deadlines.ts';
import { estimateRefund } from '../../src/domain/pricing/estimate-refund.ts';
import type { FareComponent } from '../../src/domain/pricing/fare.ts';
import { type LaterRefunds, laterRefunds } from '../../src/domain/pricing/later-refunds.ts';
import { cancellingEnds } from '../../src/domain/pricing/rule-windows.ts';
import { utcText } from '../../src/domain/time-and-text/times.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { quoteCancellation } from '../../src/tools/quote-cancellation.ts';
import { readBooking } from '../../src/tools/read-booking.ts';
import { fare, NOW, option, price, row, rule, sar, segment, ticketed } from '../support/bookings.ts';
import { openDesk, parsed } from './support/tool-context.ts';

const HOUR = 3_600_000;
const at = (hours: number) => utcText(NOW + hours * HOUR);

interface Leg {
  /** Hours from NOW. */
  readonly departs: number;
  /** Before the departure; below zero: after it, as a limit of a year is. */
  readonly limit: number | undefined;
  readonly turns: readonly number[];
  readonly kept: readonly (number | 'nothing' | 'words')[];
}

const leg: fc.Arbitrary<Leg> = fc.record({
  departs: fc.integer({ min: 2, max: 900 }),
  limit: fc.oneof(fc.constant(undefined), fc.constantFrom(0, 1, 24, -48, -8000)),
  turns: fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: 4 }).map((all) => all.sort((a, b) => b - a)),
  kept: fc.array(fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constantFrom('nothing' as const, 'words' as const)), {
    minLength: 5,
    maxLength: 5,
  }),
});

/** Rules from before the sale until the departure, one after another. */
function fareOf({ departs, limit, turns, kept }: Leg, ref: string): FareComponent {
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

function bookingOf(legs: readonly Leg[]) {
  const refs = legs.map((_, i) => String(i + 1));
  return ticketed({
    options: legs.map(({ departs }, i) => {
      const ref = String(i + 1);
      const times = { departs: at(departs), arrives: at(departs + 2) };
      return option(segment(ref, { optionRef: ref, from: `A${ref}A`, to: `B${ref}B`, ...times }));
    }),
    pricing: {
      total: price(sar(34500 * legs.length)),
      refunds: [],
      fares: legs.map((one, i) => fareOf(one, String(i + 1))),
      perType: refs.map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] })),
    },
  });
}

const legs = fc.array(leg, { minLength: 1, maxLength: 3 });
const given = ({ options, travelers }: ReturnType<typeof bookingOf>) => ({ options, travelers });

const END = /^It can be cancelled until .+; then nothing comes back\.$/;

async function toldOf(booking: ReturnType<typeof bookingOf>) {
  const desk = openDesk({ bookings: [booking] });
  const { locator } = booking;
  const args = parsed(quoteCancellation, { locator });
  const view = quoteCancellation.output().parse(await quoteCancellation.run(args, desk.ctx));
  const wanted = parsed(readBooking, { locator });
  const reading = readBooking.output().parse(await readBooking.run(wanted, desk.ctx));
  const terms = await cancelBooking.preview(parsed(cancelBooking, { locator }), desk.ctx).catch(() => undefined);
  return {
    view,
    quote: quoteCancellation.text(view, args).split('\n'),
    terms: terms && linesOf(terms.sections),
    reading,
    read: readBooking.text(reading, wanted, desk.ctx).split('\n'),
  };
}

/** In order, without a gap, none of them empty, and the last of them the end. */
function expectSound({ windows, more, ends }: LaterRefunds) {
  for (const [i, { from, until }] of windows.entries()) {
    expect(Date.parse(from)).toBeGreaterThan(NOW);
    if (until !== undefined) expect(from < until).toBe(true);
    expect(until).toBe(windows[i + 1]?.from);
  }
  expect(more).toBe(false);
  expect(windows.at(-1)).toMatchObject({ from: ends, closed: true, amount: sar(0) });
  expect(windows.filter(({ closed }) => closed)).toHaveLength(1);
}

describe('the windows of a refund', () => {
  test('begin before they end, in order and without a gap, until cancelling ends, and then nothing comes back', () => {
    fc.assert(
      fc.property(legs, (all) => {
        const booking = bookingOf(all);
        const ends = cancellingEnds(booking, given(booking));
        if (ends === undefined || ends <= NOW) return;
        const lastDeparture = NOW + Math.max(...all.map(({ departs }) => departs)) * HOUR;
        expect(ends).toBeLessThanOrEqual(lastDeparture);
        const found = laterRefunds(booking, given(booking), NOW);
        expectSound(found);
        const { until, next } = estimateRefund(booking, given(booking), NOW);
        if (until !== undefined) expect(until).toBe(found.windows[0]?.from);
        if (next !== undefined) expect(found.windows.map(({ from }) => from)).toContain(next.at);
        expect(estimateRefund(booking, given(booking), ends).tooLate).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('are the same in a quote, in the terms and in a reading, and end in the same line', async () => {
    await fc.assert(
      fc.asyncProperty(legs, async (all) => {
        const booking = bookingOf(all);
        const found = laterRefunds(booking, given(booking), NOW);
        if (found.ends === undefined) return;
        const { view, quote, terms = [], reading, read } = await toldOf(booking);
        expect(view.later.map(({ from, until }) => [from, until])).toEqual(
          found.windows.map(({ from, until }) => [from, until]),
        );
        const [line] = quote.filter((one) => END.test(one));
        expect(terms.filter((one) => END.test(one))).toEqual([line]);
        expect(reading.booking.deadlines.cancel_until).toBe(found.ends);
        for (const { from, until } of reading.booking.rules ?? []) {
          expect(from === undefined || until === undefined || from < until).toBe(true);
        }
        const own = new Set(reading.booking.segments.map(({ cancel_ends: end }) => end ?? found.ends));
        const last = read.filter((one) => one.endsWith('; then nothing comes back.'));
        expect(last).toHaveLength(1);
        if (own.size === 1) expect(last).toEqual([line]);
      }),
      { numRuns: 40 },
    );
  });

  test('of a later segment last until that segment’s own end, not until the first one’s', async () => {
    const early: Leg = { departs: 100, limit: 1, turns: [48], kept: [2000, 4000, 0, 0, 0] };
    const late: Leg = { departs: 300, limit: 1, turns: [48], kept: [2000, 4000, 0, 0, 0] };
    const booking = bookingOf([early, late]);
    expect(bookingDeadlines(booking).cancelUntil).toBe(at(99));
    const { reading, read } = await toldOf(booking);
    expect(reading.booking.rules?.map(({ segment_refs, from, until }) => [segment_refs, from, until])).toEqual([
      [['1'], at(-1000), at(52)],
      [['1'], at(52), at(99)],
      [['2'], at(-1000), at(252)],
      [['2'], at(252), at(299)],
    ]);
    expect(read.join('\n')).toContain(
      'Can be cancelled: segment 1 until Thu 3 Dec 08:00 (UTC); segment 2 until Fri 11 Dec 16:00 (UTC); then nothing comes back.',
    );
  });

  test('end when every train has left, where the time limit is a year after the sale', async () => {
    const booking = bookingOf([{ departs: 100, limit: -8000, turns: [], kept: [4000, 0, 0, 0, 0] }]);
    const { view, quote, read } = await toldOf(booking);
    expect(view.later).toEqual([{ from: at(100), refund: '0.00', kept: '345.00' }]);
    for (const text of [quote, read].map((lines) => lines.join('\n'))) {
      expect(text).toContain('It can be cancelled until Thu 3 Dec 09:00 (UTC); then nothing comes back.');
      expect(text).not.toContain('between SAR 0.00 and SAR 345.00');
    }
  });
});
