/**
 * Readiness with an issuer whose keys, clock and answers are wrong, and with a slow store: over real sockets.
 */
import { afterEach, expect, it } from 'vitest';
import { providerFetch } from '../../../src/auth/callers/provider-fetch.ts';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import { ClockOffsets } from '../../../src/server/clock-offsets.ts';
import { createReadiness } from '../../../src/server/http/readiness.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { openTinyClerk, type TinyClerk } from './support/tiny-clerk.ts';

const PUBLIC_URL = 'https://air.example';
const MINUTE = 60_000;
const NO_KEYS = 'The keys of the issuer cannot be fetched, so no token can be checked.';
const NO_STORE = 'The state store does not answer.';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function open() {
  const [issuer, tiny]: [Issuer, TinyClerk] = await Promise.all([startIssuer(), openTinyClerk()]);
  endings.push(
    () => issuer.close(),
    () => tiny.close(),
  );
  const time = { tick: 0, wrongBy: 0 };
  const tick = () => time.tick;
  const clocks = new ClockOffsets(() => Date.now() + time.wrongBy);
  const fetch: typeof providerFetch = async (...args) => {
    const reply = await providerFetch(...args);
    clocks.saw('issuer', { date: reply.headers.get('date'), age: reply.headers.get('age') });
    return reply;
  };
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL, fetch, tick });
  const changes: (readonly string[])[] = [];
  const ready = createReadiness({
    clerk: tiny.clerk,
    signIn,
    clocks,
    tick,
    changed: (reasons) => changes.push(reasons),
  });
  /** Waits until the last look is too old to be shared. */
  const later = async (ms = 6_000) => {
    time.tick += ms;
    return (await ready()).reasons;
  };
  return { issuer, tiny, time, clocks, signIn, ready, later, changes };
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

/** A clock that differs from this machine's by `ms`, as a shared database has one. */
const databaseAhead = (ms: number) => ({ now: () => Date.now() + ms, sleep: async () => undefined });

it('is not ready while its clock is so wrong that tokens are refused, and ready once the clock is set', async () => {
  const at = await open();
  at.issuer.aheadSeconds = 600;
  at.clocks.database = databaseAhead(600_000);
  const [reason] = await at.later();
  expect(reason).toMatch(
    /^This machine's clock is (599|600|601) s behind the (issuer|database)'s and the (issuer|database)'s: tokens are refused\.$/,
  );
  const token = await at.issuer.sign({ aud: `${PUBLIC_URL}/mcp` });
  expect(await at.signIn.check(token)).toEqual({ kind: 'bad', problem: 'not_yet_valid' });
  // Somebody sets the clock: no reply of the issuer is needed to see it.
  at.time.wrongBy = 600_000;
  expect(await at.later()).toEqual([]);
  at.time.wrongBy = 900_000;
  expect((await at.later())[0]).toMatch(/clock is (299|300|301) s ahead of .*: tokens may be refused\.$/);
});

it('stays ready if it knows one other clock alone, because that one may be the wrong one', async () => {
  const at = await open();
  at.issuer.aheadSeconds = -75;
  expect(await at.later()).toEqual([]);
  expect(at.clocks.all().get('issuer')).toBeGreaterThan(70_000);
  const token = await at.issuer.sign({ aud: `${PUBLIC_URL}/mcp` });
  expect((await at.signIn.check(token)).kind).toBe('good');
});

it('tells a wrong clock once, though the seconds in the reason change', async () => {
  const at = await open();
  at.issuer.aheadSeconds = 600;
  at.clocks.database = databaseAhead(600_000);
  const first = await at.later();
  at.time.wrongBy = 5_000;
  expect(await at.later()).not.toEqual(first);
  expect(at.changes).toEqual([first]);
});

it('trusts its clock if one of two other clocks agrees: the other may be wrong, or its reply old', async () => {
  const at = await open();
  at.issuer.aheadSeconds = -600;
  at.clocks.database = databaseAhead(0);
  expect(await at.later()).toEqual([]);
  at.clocks.saw('issuer', { date: new Date(Date.now() - 600_000).toUTCString(), age: '600' });
  expect(Math.abs(at.clocks.all().get('issuer') ?? Number.NaN)).toBeLessThan(2_000);
});

it('does not take an instance out for the clock of the airline alone', async () => {
  const at = await open();
  const clocks = new ClockOffsets();
  clocks.saw('airline', { date: new Date(Date.now() + 600_000).toUTCString() });
  const ready = createReadiness({ clerk: at.tiny.clerk, signIn: at.signIn, clocks });
  expect((await ready()).reasons).toEqual([]);
});

it('asks the store once for any number of probers, and writes at most every five seconds', async () => {
  const at = await open();
  const { state } = at.tiny.parts;
  let [asked, written] = [0, 0];
  const clerk = {
    parts: async () => {
      asked += 1;
      const unwritable = async () => {
        written += 1;
        return [];
      };
      return { ...at.tiny.parts, state: { ...state, unwritable } };
    },
  };
  const ready = createReadiness({ clerk, tick: () => at.time.tick });
  for (let second = 0; second < 20; second++) {
    await Promise.all(Array.from({ length: 50 }, ready));
    at.time.tick += 1_000;
  }
  expect([asked, written]).toEqual([10, 4]);
});

it('says that the store does not answer while it hangs, asks it only once, and recovers', async () => {
  const at = await open();
  const { promise: hanging, resolve } = Promise.withResolvers<typeof at.tiny.parts>();
  let asked = 0;
  const clerk = {
    parts: () => {
      asked += 1;
      return hanging;
    },
  };
  const ready = createReadiness({ clerk, storeMs: 50 });
  expect((await ready()).reasons).toEqual([NO_STORE]);
  const fresh = createReadiness({ clerk, storeMs: 50, freshMs: 0 });
  expect((await fresh()).reasons).toEqual([NO_STORE]);
  expect((await fresh()).reasons).toEqual([NO_STORE]);
  expect(asked).toBe(2);
  resolve(at.tiny.parts);
  await expect.poll(async () => (await fresh()).reasons).toEqual([]);
});

it('reports the age of the keys and the offset of each clock, and leaves out what is not known', async () => {
  const at = await open();
  const metrics = createMetrics({ process: false });
  metrics.watchHealth({ clocks: at.clocks, signIn: at.signIn });
  expect((await metrics.text()).body).not.toMatch(/^fareclerk_(?:issuer_keys|clock)/m);
  at.issuer.aheadSeconds = 90;
  await at.later();
  at.time.tick += 30_000;
  const { body } = await metrics.text();
  expect(body).toMatch(/^fareclerk_issuer_keys_age_seconds 30$/m);
  expect(Number(/^fareclerk_clock_offset_seconds\{of="issuer"\} (\S+)$/m.exec(body)?.[1])).toBeCloseTo(-90, -1);
  metrics.close();
});

it('fetches old keys again at a scrape, so that an idle server without probes raises no alert', async () => {
  const at = await open();
  const metrics = createMetrics({ process: false });
  metrics.watchHealth({ clocks: at.clocks, signIn: at.signIn });
  await at.signIn.warm();
  at.time.tick += 11 * MINUTE;
  await metrics.text();
  await expect.poll(async () => (await metrics.text()).body).toMatch(/^fareclerk_issuer_keys_age_seconds 0$/m);
  at.issuer.down = true;
  at.time.tick += 16 * MINUTE;
  await metrics.text();
  expect((await metrics.text()).body).toMatch(/^fareclerk_issuer_keys_age_seconds 960$/m);
  metrics.close();
});

it('tells what cannot be opened apart from a store that does not answer, and logs the failure once', async () => {
  const at = await open();
  const mistake = new Error('callers file: no such file');
  let broken = true;
  const failures: unknown[] = [];
  const ready = createReadiness({
    clerk: { parts: async () => (broken ? Promise.reject(mistake) : at.tiny.parts) },
    failed: (error) => failures.push(error),
    freshMs: 0,
  });
  const unopened = ['The server cannot open what calls need: see the log.'];
  expect((await ready()).reasons).toEqual(unopened);
  expect((await ready()).reasons).toEqual(unopened);
  expect(failures).toEqual([mistake]);
  broken = false;
  expect((await ready()).reasons).toEqual([]);
  broken = true;
  expect((await ready()).reasons).toEqual(unopened);
  expect(failures).toEqual([mistake, mistake]);
});

it('says that the store does not answer if its read fails', async () => {
  const at = await open();
  const { state } = at.tiny.parts;
  const operations = { ...state.operations, list: () => Promise.reject(new Error('gone')) };
  const ready = createReadiness({
    clerk: { parts: async () => ({ ...at.tiny.parts, state: { ...state, operations } }) },
  });
  expect((await ready()).reasons).toEqual([NO_STORE]);
});
