/**
 * Ten times the load that a slow airline can carry: what is still got done, how quickly the rest is turned away, and
 * what memory it takes. `node test/campaigns/load/overload.ts [--seconds 20] [--strict]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { orderFault } from '../../../src/sandbox/faults/orders.ts';
import type { Called, McpCaller } from '../../support/mcp-http.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, quantile } from '../support/report.ts';
import { openStage, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf, SURNAME } from '../support/trip.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, strict: { type: 'boolean' } } });
const SECONDS = Math.min(300, Number(values.seconds));
/** Of the airline, for each read, milliseconds. */
const SLOW_MS = 3_000;
const CALLERS = 24;
const TIMES = 10;

const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const stage = await openStage(sandbox.settings);
const callers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => stage.caller(`caller-${n}`)));
const [first] = callers as [McpCaller];
const locator = await hold(first, await pairOf(first));
if (locator === undefined) throw new Error('no booking was made');
// Every caller claims the booking once, while the airline is quick.
for (const caller of callers) await caller.call('read_booking', { locator, surname: SURNAME });
orderFault(books, { message: 'OTA_ReadRQ', kind: 'commit-then-late', ms: SLOW_MS, times: 1_000_000 });

const read = (n: number) => (callers[n % CALLERS] as McpCaller).call('read_booking', { locator });

/** As many as are served, each caller asking again when answered: the most that gets done in a second. */
async function peak(seconds: number, atOnce: number): Promise<number> {
  let done = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const work = async (n: number) => {
    while (performance.now() < until) if ((await read(n)).outcome === 'ok') done += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, (_, n) => work(n)));
  return done / ((performance.now() - began) / 1000);
}

/** So many a second, whatever becomes of them. */
async function flood(seconds: number, perSecond: number) {
  const calls: Called[] = [];
  /** What the least of all requests takes meanwhile: the machine's own share of every time here. */
  const least: number[] = [];
  const all: Promise<unknown>[] = [];
  let mostMb = 0;
  let sent = 0;
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent++) all.push(read(sent).then((call) => calls.push(call)));
    if (sent % 10 === 0) all.push(alive().then((ms) => least.push(ms)));
    mostMb = Math.max(mostMb, stage.residentMb());
    await wait(10);
  }
  await Promise.all(all);
  return { calls, mostMb, least, took: (performance.now() - began) / 1000 };
}

async function alive(): Promise<number> {
  const sent = performance.now();
  await (await fetch(new URL('/healthz', stage.url))).text();
  return performance.now() - sent;
}

const idleMb = stage.residentMb();
await peak(4, 32);
const best = await peak(Math.max(9, SECONDS / 2), 32);
const { calls, mostMb, least, took } = await flood(SECONDS, best * TIMES);
const good = calls.filter(({ outcome }) => outcome === 'ok');
const turnedAway = calls.filter(({ outcome }) => outcome === 'E_AIRLINE_BUSY' || outcome === 'http 429');
const ms = turnedAway.map((call) => call.ms);
const own = good.map((call) => call.ms - SLOW_MS);
/** Beside the longest wait for a slot. */
const slack = 200 + 10 * quantile(least, 0.99);
const after = await read(0);

conclude(
  `${TIMES} times the load of a slow airline (${SLOW_MS} ms a read), for ${SECONDS} s`,
  [
    { what: 'most that gets done', value: best, unit: '/s' },
    { what: 'asked for', value: calls.length / SECONDS, unit: '/s', atLeast: best * TIMES * 0.9, timed: true },
    { what: 'got done under that load', value: good.length / took, unit: '/s' },
    {
      what: 'of the most that gets done',
      value: (100 * good.length) / took / best,
      unit: '%',
      atLeast: 80,
      evenBusy: { atLeast: 40 },
    },
    { what: 'turned away', value: turnedAway.length },
    { what: 'neither done nor turned away', value: calls.length - good.length - turnedAway.length, atMost: 0 },
    { what: 'GET /healthz meanwhile: median', value: quantile(least, 0.5), unit: 'ms' },
    { what: 'turned away: median', value: quantile(ms, 0.5), unit: 'ms' },
    {
      what: '… as a multiple of GET /healthz',
      value: quantile(ms, 0.5) / quantile(least, 0.5),
      unit: '×',
      atMost: 10,
      timed: true,
    },
    { what: 'turned away: p99', value: quantile(ms, 0.99), unit: 'ms' },
    {
      what: 'done: p99, without the airline’s own time',
      value: quantile(own, 0.99),
      unit: 'ms',
      atMost: 2_000 + slack,
      timed: true,
    },
    { what: 'memory when idle', value: idleMb, unit: 'MB' },
    { what: 'most memory', value: mostMb, unit: 'MB', atMost: 512 },
    { what: 'a call afterwards is served', value: after.outcome === 'ok' ? 1 : 0, atLeast: 1 },
  ],
  values.strict === true,
);
await stage.close();
await sandbox.close();
