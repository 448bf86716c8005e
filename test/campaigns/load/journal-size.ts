/**
 * A journal of a busy agency's year: whether its report is still true to the last cent, whether Prometheus still reads
 * in no time, also with PostgreSQL away, and whether commands that read all of it take little memory.
 * `node test/campaigns/load/journal-size.ts [--operations 50000] [--store sqlite|postgres|both] [--strict]`
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import client from 'postgres';
import { ACTIVITY_KEYS, type ActivityKey, MEASURES } from '../../../src/journal/activity.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { serve } from '../../server/http/support/serve.ts';
import { openTinyClerk } from '../../server/http/support/tiny-clerk.ts';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { conclude, type Figure, quantile } from '../support/report.ts';
import { END, START } from './support/invented-acts.ts';
import { judgeCommands, judgeList } from './support/journal-commands.ts';
import { type Asking, openBySql, type Span, type Sums, sumsBySql } from './support/journal-sums.ts';
import { asked, daysOf, openListed, reported } from './support/reports.ts';
import { seedBeside, seedPostgres, seedSqlite } from './support/seed-journal.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '50000' },
    store: { type: 'string', default: 'both' },
    strict: { type: 'boolean' },
  },
});
const TOTAL = Number(values.operations);
if (!Number.isSafeInteger(TOTAL) || TOTAL < 1_000) throw new RangeError('--operations: expected a number from 1000 on');
if (!['sqlite', 'postgres', 'both'].includes(values.store)) throw new RangeError('--store: sqlite, postgres or both');
/** Where the program keeps the sandbox's journal. */
const SCHEMA = 'fareclerk_sandbox';
const SCRAPES = 60;
const DAY_MS = 86_400_000;
const figures: Figure[] = [];

// Server and folders end with this process, also when it is stopped.
process.once('SIGTERM', () => process.exit(143));
if (values.store !== 'postgres') await onSqlite();
if (values.store !== 'sqlite') await onPostgres();
conclude(`journal of ${TOTAL} operations`, figures, values.strict === true);

async function onSqlite(): Promise<void> {
  const folder = newFolder('journal');
  const file = join(folder, 'sandbox', 'fareclerk.sqlite');
  await (await openSqliteState(file)).close();
  const seconds = await seconded(() => seedSqlite(file, TOTAL));
  const state = await openSqliteState(file);
  await seedBeside(state, TOTAL);
  const raw = new DatabaseSync(file, { readOnly: true });
  const asking: Asking = { sqlite: true, schema: '', all: async (sql) => raw.prepare(sql).all() };
  await judge('SQLite', state, asking, seconds);
  const scraped = await scraping(state);
  tellScrapes('SQLite', await scraped.many(SCRAPES));
  await scraped.close();
  raw.close();
  figures.push(...(await judgeList('SQLite', state)));
  await state.close();
  figures.push(...(await judgeCommands('SQLite', folder, { FARECLERK_STATE_DIR: folder }, TOTAL)));
}

async function onPostgres(): Promise<void> {
  const cluster = await startCluster();
  const url = await cluster.database('clerk');
  const state = await openPostgresState(url, { now: () => END, schema: SCHEMA });
  const sql = client(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => {} });
  const seconds = await seconded(() => seedPostgres(sql, SCHEMA, TOTAL));
  await seedBeside(state, TOTAL);
  // As the server does by itself within a minute.
  await sql.unsafe('vacuum analyze');
  const asking: Asking = { sqlite: false, schema: `${SCHEMA}.`, all: async (text) => await sql.unsafe(text) };
  await judge('PostgreSQL', state, asking, seconds);
  const scraped = await scraping(state);
  tellScrapes('PostgreSQL', await scraped.many(SCRAPES));
  figures.push(...(await judgeList('PostgreSQL', state)));
  await sql.end();
  await whileAway(scraped, cluster);
  await scraped.close();
  await state.close();
  const folder = newFolder('journal');
  const env = { FARECLERK_STATE_DIR: folder, FARECLERK_DATABASE_URL: url };
  figures.push(...(await judgeCommands('PostgreSQL', folder, env, TOTAL)));
  await cluster.close();
}

async function seconded(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The report of the tool against figures that other SQL gives: for every grouping, the whole time and a part of it. */
async function judge(name: string, state: State, asking: Asking, seeding: number): Promise<void> {
  figures.push({ what: `${name}: operations entered a second, in the chain`, value: TOTAL / seeding, unit: '/s' });
  const [made] = await asking.all(`select count(*) as n from ${asking.schema}operation`);
  figures.push({ what: `${name}: operations in the journal`, value: Number(made?.n), atLeast: TOTAL, atMost: TOTAL });
  const whole = { from: START, to: END };
  const part = { from: START + 101 * DAY_MS, to: START + 139 * DAY_MS };
  const [took, differing]: [number[], string[]] = [[], []];
  let compared = 0;
  let held = 0;
  for (const span of [whole, part]) {
    for (const key of ACTIVITY_KEYS) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      await wait(20);
      delay.reset();
      const began = performance.now();
      const told = await reported(state, key, span);
      if (span === whole) took.push(performance.now() - began);
      delay.disable();
      held = Math.max(held, delay.max / 1e6);
      const expected = await expectedOf(asking, key, span);
      compared += Object.keys(expected).length;
      differing.push(...differences(told, expected).map((each) => `${name}, by ${key}: ${each}`));
    }
  }
  await judgePages(name, state, asking, whole);
  for (const each of differing.slice(0, 10)) process.stdout.write(`${each}\n`);
  figures.push(
    { what: `${name}: figures of reports compared with other SQL`, value: compared, atLeast: 200 },
    { what: `${name}: of them different`, value: differing.length, atMost: 0 },
    { what: `${name}: a report of all, median of the five groupings`, value: quantile(took, 0.5), unit: 'ms' },
    { what: `${name}: the longest that it held up this process`, value: held, unit: 'ms' },
  );
}

async function expectedOf(asking: Asking, key: ActivityKey, span: Span): Promise<Sums> {
  const { rows, totals } = await sumsBySql(asking, key, span);
  const named = Object.entries(totals).map(([name, sum]) => [`total${name}`, sum]);
  return { ...rows, ...Object.fromEntries(named), 'rows left out': '0' };
}

/** How long a page takes of the operations behind a number. */
async function judgePages(name: string, state: State, asking: Asking, span: Span): Promise<void> {
  const open = (await openBySql(asking, span)).newest.join();
  const told = await openListed(state, span);
  const took: number[] = [];
  for (const measure of MEASURES) {
    const first = await asked(state, { ...daysOf(span), measure });
    if (first.next === undefined) continue;
    const began = performance.now();
    await asked(state, { ...daysOf(span), measure, after: first.next });
    took.push(performance.now() - began);
  }
  figures.push(
    { what: `${name}: the newest in doubt as other SQL lists them`, value: told === open ? 1 : 0, atLeast: 1 },
    { what: `${name}: a further page behind a number, the slowest`, value: Math.max(...took), unit: 'ms' },
  );
}

function differences(told: Sums, expected: Sums): string[] {
  const names = [...new Set([...Object.keys(told), ...Object.keys(expected)])];
  return names
    .filter((name) => told[name] !== expected[name])
    .map((name) => `${name}: told ${told[name]}, true ${expected[name]}`);
}

interface Scrape {
  readonly status: number;
  readonly ms: number;
  value(series: string): number | undefined;
}

/** A server with that state; every scrape counts anew, which in production happens every few seconds. */
async function scraping(state: State) {
  const metrics = createMetrics({ state: { freshMs: 0 } });
  const tiny = await openTinyClerk();
  const clock = { ...tiny.parts.clock, now: () => END };
  const clerk = { ...tiny.clerk, parts: async () => ({ ...tiny.parts, state, clock }) };
  const served = await serve({ metrics }, { ...tiny, clerk });
  async function one(): Promise<Scrape> {
    const began = performance.now();
    const reply = await fetch(`http://127.0.0.1:${served.port}/metrics`);
    const lines = (await reply.text()).split('\n');
    const value = (series: string) => {
      const line = lines.find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    };
    return { status: reply.status, ms: performance.now() - began, value };
  }
  const many = async (count: number) => {
    const all: Scrape[] = [];
    while (all.length < count) all.push(await one());
    return all;
  };
  return { one, many, close: served.close };
}

function tellScrapes(name: string, scrapes: readonly Scrape[]): void {
  const times = scrapes.map(({ ms }) => ms);
  const last = scrapes.at(-1);
  figures.push(
    { what: `${name}: scrapes answered with 200`, value: countOf(scrapes, 200), atLeast: scrapes.length },
    { what: `${name}: a scrape that counts anew, median`, value: quantile(times, 0.5), unit: 'ms', atMost: 20 },
    { what: `${name}: 95th quantile`, value: quantile(times, 0.95), unit: 'ms' },
    { what: `${name}: in doubt, by the gauge`, value: last?.value('fareclerk_operations_in_doubt') ?? -1, atLeast: 1 },
    { what: `${name}: with a person`, value: last?.value('fareclerk_operations_needing_person') ?? -1, atLeast: 1 },
    { what: `${name}: state store up`, value: last?.value('fareclerk_state_store_up') ?? -1, atLeast: 1 },
  );
}

function countOf(scrapes: readonly Scrape[], status: number): number {
  return scrapes.filter((each) => each.status === status).length;
}

/** PostgreSQL stops between two scrapes and in the middle of some, and comes back. */
async function whileAway(
  scraped: Awaited<ReturnType<typeof scraping>>,
  cluster: Awaited<ReturnType<typeof startCluster>>,
) {
  const during = Array.from({ length: 10 }, () => scraped.one());
  await cluster.kill();
  const seen = [...(await Promise.all(during)), ...(await scraped.many(20))];
  const away = seen.at(-1);
  await cluster.start();
  const back = performance.now();
  let up = 0;
  while (up !== 1 && performance.now() - back < 30_000) {
    up = (await scraped.one()).value('fareclerk_state_store_up') ?? 0;
    if (up !== 1) await wait(100);
  }
  const worst = Math.max(...seen.map(({ ms }) => ms));
  figures.push(
    { what: 'PostgreSQL away: scrapes answered with 200', value: countOf(seen, 200), atLeast: seen.length },
    {
      what: 'PostgreSQL away: the slowest of them',
      value: worst,
      unit: 'ms',
      atMost: 2_000,
      evenBusy: { atMost: 10_000 },
    },
    {
      what: 'PostgreSQL away: state store up',
      value: away?.value('fareclerk_state_store_up') ?? -1,
      atMost: 0,
      atLeast: 0,
    },
    {
      what: 'PostgreSQL away: counts that are shown',
      value: away?.value('fareclerk_operations_in_doubt') ?? -1,
      atLeast: 1,
    },
    { what: 'PostgreSQL back: state store up', value: up, atLeast: 1 },
    {
      what: 'PostgreSQL back: after',
      value: (performance.now() - back) / 1000,
      unit: 's',
      atMost: 10,
      evenBusy: { atMost: 30 },
    },
  );
}
