import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { DEFAULT_PACES } from '../../src/domain/booking/reading-schedule.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { createWatcher, isBusyAt } from '../../src/watching/watcher.ts';
import { TestClock } from '../journal/harness.ts';
import { NOW, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';

type Booking = ReturnType<typeof ticketed>;
type ErrorCode = ClerkError['code'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let wall: TestClock;
let state: Awaited<ReturnType<typeof openSqliteState>>;
let reads: { readonly locator: string; readonly caller: string; readonly at: number }[];
let answer: (locator: string) => Promise<Booking>;
let logged: string[];
beforeEach(async () => {
  wall = new TestClock();
  wall.time = NOW;
  state = await openSqliteState(':memory:', { now: () => wall.now() });
  [reads, logged] = [[], []];
  answer = async () => ticketed();
});
afterEach(() => state.close());

const record = (locator: string, tenant = 't', id = 'ann') => {
  const seen = { madeHere: true, seenAt: wall.now(), state: 'ticketed' as const, departs: '2026-12-05T15:00:00Z' };
  return state.ledger.record({ tenant, id }, { locator, ...seen });
};
const clock = { now: () => wall.now(), sleep: async () => undefined };
const watcher = (over: Partial<Parameters<typeof createWatcher>[0]> = {}) =>
  createWatcher({
    ...{ acts: ACTS, state, clock, owner: 'one', readsPerHour: 60, paces: DEFAULT_PACES },
    ...{ digest: (text: string) => text, isBusy: () => false },
    readerFor: ({ id: caller }) => ({
      read(locator) {
        reads.push({ locator, caller, at: wall.now() });
        return answer(locator);
      },
    }),
    log: { warn: (_fields, message) => logged.push(message) },
    ...over,
  });
const refuse = (code: ErrorCode) => async () => {
  throw new ClerkError(code, 'no', { next: 'none' });
};

/** Steps until the time; returns how many readings were made. */
async function play(one: ReturnType<typeof watcher>, ms: number): Promise<number> {
  const [until, before] = [wall.now() + ms, reads.length];
  while (wall.now() < until) wall.time = Math.min(until, wall.now() + (await one.step()));
  return reads.length - before;
}

describe('the watcher', () => {
  it('reads the bookings of the ledger under the caller who made them, evenly spread over the hour', async () => {
    for (let i = 0; i < 90; i++) await record(`L${i}`);
    expect(await play(watcher(), HOUR)).toBe(60);
    const gaps = reads.slice(1).map(({ at }, i) => at - (reads[i]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(MINUTE);
    expect(new Set(reads.map(({ locator }) => locator)).size).toBe(60);
    expect(reads.every(({ caller }) => caller === 'ann')).toBe(true);
  });

  it('watches what was made after the clock was set back', async () => {
    const one = watcher();
    wall.time = NOW + 3 * HOUR;
    await one.step();
    wall.time = NOW;
    await record('ABC123');
    expect(await play(one, MINUTE)).toBe(1);
  });

  it('renews the ledger by what it reads', async () => {
    await record('ABC123');
    const renewed: unknown[] = [];
    await play(watcher({ renew: async (tenant, { locator }, at) => void renewed.push([tenant, locator, at]) }), MINUTE);
    expect(renewed).toEqual([['t', 'ABC123', NOW]]);
  });

  it('neither keeps the booking to which the airline gave the locator anew nor renews a list by it, and tells of it once', async () => {
    await record('ABC123');
    const [renewed, outcomes]: [number[], string[]] = [[], []];
    const one = watcher({
      renew: async (...[, , at]) => void renewed.push(at),
      countReading: (outcome) => outcomes.push(outcome),
      idleMs: 24 * HOUR,
    });
    await play(one, HOUR);
    const before = renewed.length;
    const kept = (await state.watches.get('t', 'ABC123'))?.kept;
    const stranger = traveler('1', 'Ursula', 'Quast');
    answer = async () => ticketed({ createdAt: '2027-08-01T10:00:00Z', travelers: [stranger], options: [] });
    await play(one, 10 * 24 * HOUR);
    expect([renewed.length, new Set(outcomes)]).toEqual([before, new Set(['first', 'same', 'not_found'])]);
    expect((await state.watches.get('t', 'ABC123'))?.kept).toEqual(kept);
    const found = await state.findings.list('t', { limit: 9 });
    expect(found.map(({ kind }) => kind)).toEqual(['other_booking']);
    // It is read ever less, and no more after the departure.
    expect(reads.length).toBeLessThan(20);
    expect(await state.watches.nextDue()).toBeUndefined();
  });

  it.each<ErrorCode>(['E_NOT_FOUND', 'E_NOT_PERMITTED'])(
    'asks ever less for what the airline has no more: %s',
    async (code) => {
      await record('ABC123');
      answer = refuse(code);
      await play(watcher({ idleMs: 24 * HOUR }), 10 * 24 * HOUR);
      const gaps = reads.slice(1).map(({ at }, i) => Math.round((at - (reads[i]?.at ?? 0)) / MINUTE));
      expect(gaps.slice(0, 8)).toEqual([15, 30, 60, 120, 240, 480, 960, 1440]);
      // The departure is on the seventh day.
      expect(reads.at(-1)?.at).toBeLessThan(Date.parse('2026-12-06T15:00:00Z'));
      expect(await state.watches.nextDue()).toBeUndefined();
    },
  );

  it('gives each tenant its own budget', async () => {
    for (let i = 0; i < 20; i++) for (const tenant of ['t', 'u']) await record(`L${i}`, tenant, tenant);
    await play(watcher(), 10 * MINUTE);
    expect(['t', 'u'].map((one) => reads.filter(({ caller }) => caller === one).length)).toEqual([10, 10]);
  });

  it('reads nothing while calls of people wait, and nothing twice before it is due', async () => {
    await record('ABC123');
    let isBusy = true;
    const one = watcher({ isBusy: () => isBusy });
    expect(await play(one, MINUTE)).toBe(0);
    isBusy = false;
    expect(await play(one, HOUR / 2)).toBe(1);
  });

  it('asks an airline that does not answer once a minute, and goes on when it is back', async () => {
    for (let i = 0; i < 30; i++) await record(`L${i}`);
    const outcomes: string[] = [];
    const one = watcher({ readsPerHour: 3_600, countReading: (outcome) => outcomes.push(outcome) });
    for (const code of ['E_AIRLINE_DOWN', 'E_AIRLINE_TIMEOUT', 'E_AIRLINE_BUSY'] as const) {
      answer = refuse(code);
      expect(await play(one, 5 * MINUTE)).toBeLessThanOrEqual(6);
    }
    expect(new Set(reads.map(({ locator }) => locator)).size).toBeGreaterThan(12);
    answer = async () => ticketed();
    await play(one, 20 * MINUTE);
    expect([...new Set(outcomes)]).toEqual(['airline_down', 'first']);
  });

  it('reads the other bookings a minute after one that the airline cannot show', async () => {
    for (const locator of ['BAD001', 'GOOD01', 'GOOD02', 'GOOD03']) await record(locator);
    answer = (locator) => (locator === 'BAD001' ? refuse('E_AIRLINE_DOWN')() : Promise.resolve(ticketed({ locator })));
    const one = watcher({ readsPerHour: 3_600 });
    await play(one, 2 * MINUTE);
    expect(reads.map(({ locator }) => locator).sort()).toEqual(['BAD001', 'GOOD01', 'GOOD02', 'GOOD03']);
    await play(one, 42 * MINUTE);
    expect(reads.filter(({ locator }) => locator === 'BAD001')).toHaveLength(3);
  });

  it('asks nothing for as long as an airline that is busy wants', async () => {
    for (let i = 0; i < 9; i++) await record(`L${i}`);
    answer = () => Promise.reject(new ClerkError('E_AIRLINE_BUSY', 'no', { next: 'none', retry: 'after_s:240' }));
    const one = watcher({ readsPerHour: 3_600 });
    for (let minute = 0; minute < 4; minute++) expect(await play(one, MINUTE)).toBe(minute === 0 ? 1 : 0);
    expect(await play(one, MINUTE)).toBe(1);
  });

  it('goes on with other bookings after one that fails, and comes back to it', async () => {
    await record('BAD001');
    await record('GOOD01');
    const one = watcher({ readsPerHour: 3_600 });
    for (const fails of [refuse('E_AIRLINE_REPLY'), refuse('E_NOT_FOUND'), () => Promise.reject(new Error('odd'))]) {
      const before = reads.length;
      answer = (locator) => (locator === 'BAD001' ? fails() : Promise.resolve(ticketed({ locator })));
      await play(one, 40 * MINUTE);
      expect(reads.slice(before).filter(({ locator }) => locator === 'BAD001').length).toBeGreaterThan(0);
    }
    expect((await state.watches.get('t', 'GOOD01'))?.kept).toBeDefined();
    expect(new Set(logged)).toEqual(new Set(['a reading could not be compared']));
  });

  it('asks for a booking that the airline forgot as seldom as before', async () => {
    await record('ABC123');
    const one = watcher();
    await play(one, MINUTE);
    const due = (await state.watches.get('t', 'ABC123'))?.nextAt ?? 0;
    answer = refuse('E_NOT_FOUND');
    wall.time = due;
    await one.step();
    expect((await state.watches.get('t', 'ABC123'))?.nextAt).toBe(due + (due - NOW));
  });

  it('is one for a fleet, also while the airline is busy: another takes over when the first ends', async () => {
    for (let i = 0; i < 9; i++) await record(`L${i}`);
    answer = () => Promise.reject(new ClerkError('E_AIRLINE_BUSY', 'no', { next: 'none', retry: 'after_s:240' }));
    const endings = [new AbortController(), new AbortController()];
    const runs = endings.map(({ signal }, i) =>
      watcher({ owner: `process ${i}`, clock: wall, readsPerHour: 3_600 }).run(signal),
    );
    await wall.pass(3 * MINUTE);
    // Each process would have asked once.
    expect(reads).toHaveLength(1);
    const first = (await state.leases.take('watch', 'process 0', wall.now() + 30_000, wall.now())) ? 0 : 1;
    answer = async () => ticketed();
    endings[first]?.abort();
    await wall.pass(MINUTE);
    expect(reads.length).toBeGreaterThan(1);
    endings[1 - first]?.abort();
    await Promise.all(runs);
    expect(await state.leases.take('watch', 'a third', wall.now() + 1, wall.now())).toBe(true);
  });

  it('logs that the state cannot be read, and tries again', async () => {
    const ending = new AbortController();
    const waits: number[] = [];
    const watches = { ...state.watches, enrol: () => Promise.reject(new Error('away')) };
    const sleep = (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      return wall.sleep(ms, signal);
    };
    const run = watcher({ state: { ...state, watches }, clock: { now: () => wall.now(), sleep } }).run(ending.signal);
    await wall.pass(16_000);
    ending.abort();
    await run;
    expect(waits.filter((ms) => ms === 15_000)).toHaveLength(2);
    expect(logged).toEqual(['watching failed', 'watching failed']);
  });

  it('gives way to calls that wait, and to many that run', () => {
    expect(isBusyAt([{ active: 15, waiting: 0, slots: 32 }])).toBe(false);
    expect(isBusyAt([{ active: 0, waiting: 1, slots: 32 }])).toBe(true);
    expect(isBusyAt([{ active: 16, waiting: 0, slots: 32 }])).toBe(true);
  });
});
