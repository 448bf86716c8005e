/**
 * Readiness with an issuer whose keys and answers are wrong, and with a store that fails: over real sockets.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { serve, serveSigned } from './support/serve.ts';
import { openTinyClerk } from './support/tiny-clerk.ts';

const MINUTE = 60_000;
const NO_KEYS = 'The keys of the issuer cannot be fetched, so no token can be checked.';
const NO_STORE = 'The state store does not answer.';
const UNOPENED = 'The server cannot open what calls need: see the log.';

/** Milliseconds that have passed on all clocks. */
const time = { passed: 0 };
const steady = performance.now.bind(performance);
const wall = Date.now.bind(Date);
const endings: (() => Promise<void>)[] = [];
beforeEach(() => {
  time.passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => steady() + time.passed);
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + time.passed);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) await end();
});

async function reasonsAt(port: number, headers: Record<string, string> = {}) {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { headers });
  const { status, reasons = [] } = (await reply.json()) as { status: string; reasons?: string[] };
  expect([reply.status, status]).toEqual(reply.status === 200 ? [200, 'ready'] : [503, 'not ready']);
  return reasons;
}

async function open() {
  const changes: (readonly string[])[] = [];
  const metrics = createMetrics({ process: false });
  const at = await serveSigned({
    metrics,
    log: { answered() {}, failure() {}, readiness: (reasons) => changes.push(reasons) },
  });
  endings.push(async () => {
    metrics.close();
    at.issuer.silent = false;
    await at.close();
  });
  /** Asks once the last look is too old to be shared. */
  const later = async (ms = 6_000) => {
    time.passed += ms;
    return reasonsAt(at.port);
  };
  const scrape = async () => (await fetch(`http://127.0.0.1:${at.port}/metrics`)).text();
  return { ...at, later, changes, scrape };
}

it('is not ready without keys of the issuer, and recovers by itself', async () => {
  const at = await open();
  at.issuer.down = true;
  expect(await at.later()).toEqual([NO_KEYS]);
  at.issuer.down = false;
  expect(await at.later()).toEqual([]);
  // Known keys last an hour, so that an issuer that restarts takes nobody out.
  at.issuer.down = true;
  expect(await at.later(59 * MINUTE)).toEqual([]);
  expect(await at.later(2 * MINUTE)).toEqual([NO_KEYS]);
  at.issuer.down = false;
  expect(await at.later()).toEqual([]);
  expect(at.changes).toEqual([[NO_KEYS], [], [NO_KEYS], []]);
});

it('answers within its own deadline if the issuer accepts connections and never answers', async () => {
  const at = await open();
  at.issuer.silent = true;
  expect(await at.later()).toEqual([NO_KEYS]);
});

it('asks the store once for any number of probers, and writes at most every five seconds', async () => {
  const tiny = await openTinyClerk();
  const count = { asked: 0, written: 0 };
  const unwritable = async () => {
    count.written += 1;
    return [];
  };
  const parts = async () => {
    count.asked += 1;
    return { ...tiny.parts, state: { ...tiny.parts.state, unwritable } };
  };
  const at = await serve({}, { ...tiny, clerk: { ...tiny.clerk, runtime: parts } });
  endings.push(at.close);
  // No other time passes, however busy the machine is.
  const began = steady();
  vi.spyOn(performance, 'now').mockImplementation(() => began + time.passed);
  for (let second = 0; second < 20; second += 2) {
    await Promise.all(Array.from({ length: 20 }, () => reasonsAt(at.port)));
    time.passed += 2_001;
  }
  expect(count).toEqual({ asked: 10, written: 4 });
});

it('is not ready while a server that began earlier has another of the settings that a yes depends on', async () => {
  const tiny = await openTinyClerk();
  let unlike = [{ setting: 'FARECLERK_LIMIT_PER_DAY', here: '300', there: '150' }];
  const parts = async () => ({ ...tiny.parts, state: { ...tiny.parts.state, unlikeSettings: async () => unlike } });
  const at = await serve({}, { ...tiny, clerk: { ...tiny.clerk, runtime: parts } });
  endings.push(at.close);
  expect(await reasonsAt(at.port)).toEqual([
    'FARECLERK_LIMIT_PER_DAY is 300 here, and 150 at a server that works with this state.',
  ]);
  unlike = [];
  time.passed += 3_000;
  expect(await reasonsAt(at.port)).toEqual([]);
});

it('tells what cannot be opened apart from a store whose read fails, and logs a failure once', async () => {
  const tiny = await openTinyClerk();
  const mistake = new Error('postgres://user:secret@host: callers file: no such file');
  const get = () => Promise.reject(new Error('gone'));
  const broken = {
    ...tiny.parts,
    state: { ...tiny.parts.state, operations: { ...tiny.parts.state.operations, get } },
  };
  let opens: () => Promise<typeof tiny.parts> = () => Promise.reject(mistake);
  const at = await serve({}, { ...tiny, clerk: { ...tiny.clerk, runtime: () => opens() } });
  endings.push(at.close);
  const later = async () => {
    time.passed += 3_000;
    return reasonsAt(at.port);
  };
  expect([await later(), await later(), at.failures]).toEqual([[UNOPENED], [UNOPENED], [mistake]]);
  // Whoever comes through a proxy gets no reasons.
  expect(await reasonsAt(at.port, { 'x-forwarded-for': '203.0.113.7' })).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${at.port}/healthz`)).status).toBe(200);
  opens = async () => tiny.parts;
  expect(await later()).toEqual([]);
  opens = async () => broken;
  expect(await later()).toEqual([NO_STORE]);
  opens = () => Promise.reject(mistake);
  expect(await later()).toEqual([UNOPENED]);
  expect(at.failures).toEqual([mistake, mistake]);
});

it('says that the store does not answer while it hangs, asks it only once, and recovers', async () => {
  const tiny = await openTinyClerk();
  const { promise: hanging, resolve } = Promise.withResolvers<typeof tiny.parts>();
  let asked = 0;
  const parts = () => {
    asked += 1;
    return hanging;
  };
  const at = await serve({}, { ...tiny, clerk: { ...tiny.clerk, runtime: parts } });
  endings.push(at.close);
  expect(await reasonsAt(at.port)).toEqual([NO_STORE]);
  time.passed += 3_000;
  const second = reasonsAt(at.port);
  // Long enough that the second look waits for the first question, also on a busy machine.
  setTimeout(() => resolve(tiny.parts), 1_500);
  expect([await second, asked]).toEqual([[], 1]);
});

it('reports the age of the keys, and fetches old keys again at a scrape', async () => {
  const at = await open();
  const keysAge = async () => /^fareclerk_issuer_keys_age_seconds (\d+)/m.exec(await at.scrape())?.[1];
  at.issuer.down = true;
  expect(await at.scrape()).not.toMatch(/^fareclerk_issuer_keys/m);
  at.issuer.down = false;
  await at.later();
  time.passed += 30_000;
  expect(await keysAge()).toBe('30');
  // An idle server without probes raises no alert.
  time.passed += 11 * MINUTE;
  await keysAge();
  await expect.poll(keysAge).toBe('0');
  at.issuer.down = true;
  time.passed += 16 * MINUTE;
  await keysAge();
  expect(await keysAge()).toBe('960');
});
