/**
 * A journal of a busy agency's year: whether its report is still true to the last cent, whether Prometheus still reads
 * in no time, also with PostgreSQL away, and whether commands that read all of it take little memory.
 * `node test/campaigns/load/journal-size.ts [--operations 50000] [--store sqlite|postgres|both]`
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import client from 'postgres';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { serve } from '../../server/http/support/serve.ts';
import { openTinyClerk } from '../../server/http/support/tiny-clerk.ts';
import { newFolder } from '../support/folders.ts';
import type { State } from '../support/office.ts';
import { seenWithin } from '../support/pace.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { conclude, exactly, flags, least, most, none, print, quantile, told } from '../support/report.ts';
import { DAY_MS, END, START } from './support/invented-acts.ts';
import { judgeCommands } from './support/journal-commands.ts';
import { type Asking, KEYS, openBySql, sumsBySql } from './support/journal-sums.ts';
import { listed, openListed, pagesOf, reported } from './support/reports.ts';
import { seedBeside, seedPostgres, seedSqlite } from './support/seed-journal.ts';

const { operations: TOTAL, store } = flags({ operations: 50_000, store: 'both' });
/** Where the program keeps the sandbox's journal. */
const SCHEMA = 'fareclerk_sandbox';
const SCRAPES = 60;
const figures: Parameters<typeof conclude>[1][number][] = [];

if (store !== 'postgres') await onSqlite();
if (store !== 'sqlite') await onPostgres();
conclude(`journal of ${TOTAL} operations`, figures);

async function onSqlite(): Promise<void> {
  const folder = newFolder('journal');
  const file = join(folder, 'sandbox', 'fareclerk.sqlite');
  await (await openSqliteState(file)).close();
  await seedSqlite(file, TOTAL);
  const state = await openSqliteState(file);
  await seedBeside(state, TOTAL);
  const raw = new DatabaseSync(file, { readOnly: true });
  const scraped = await judge('SQLite', state, {
    sqlite: true,
    schema: '',
    all: async (sql) => raw.prepare(sql).all(),
  });
  await scraped.close();
  raw.close();
  await state.close();
  figures.push(...(await judgeCommands('SQLite', folder, { FARECLERK_STATE_DIR: folder }, TOTAL)));
}

async function onPostgres(): Promise<void> {
  const cluster = await startCluster();
  const url = await cluster.database('clerk');
  const state = await openPostgresState(url, { now: () => END, schema: SCHEMA });
  const sql = client(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => {} });
  await seedPostgres(sql, SCHEMA, TOTAL);
  await seedBeside(state, TOTAL);
  // As the server does by itself within a minute.
  await sql.unsafe('vacuum analyze');
  const all: Asking['all'] = async (text) => await sql.unsafe(text);
  const scraped = await judge('PostgreSQL', state, { sqlite: false, schema: `${SCHEMA}.`, all });
  await sql.end();
  await whileAway(scraped, cluster);
  await scraped.close();
  await state.close();
  const folder = newFolder('journal');
  const env = { FARECLERK_STATE_DIR: folder, FARECLERK_DATABASE_URL: url };
  figures.push(...(await judgeCommands('PostgreSQL', folder, env, TOTAL)));
  await cluster.close();
}

/** The report of the tool against figures that other SQL gives: for every grouping, the whole time and a part of it. */
async function judge(name: string, state: State, asking: Asking) {
  const [made] = await asking.all(`select count(*) as n from ${asking.schema}operation`);
  const whole = { from: START, to: END };
  const took: number[] = [];
  const differing: string[] = [];
  let compared = 0;
  for (const span of [whole, { from: START + 101 * DAY_MS, to: START + 139 * DAY_MS }]) {
    for (const key of KEYS) {
      const began = performance.now();
      const heard = await reported(state, key, span);
      took.push(performance.now() - began);
      const expected = await sumsBySql(asking, key, span);
      compared += Object.keys(expected).length;
      for (const field of new Set([...Object.keys(heard), ...Object.keys(expected)])) {
        const [is, due] = [heard[field], expected[field]];
        if (is !== due) differing.push(`${name}, by ${key}: ${field}: told ${is}, true ${due}`);
      }
    }
  }
  for (const each of differing.slice(0, 10)) print(each);
  const open = (await openListed(state, whole)) === (await openBySql(asking, whole));
  figures.push(
    exactly(`${name}: operations in the journal`, Number(made?.n), TOTAL),
    least(`${name}: figures of reports compared with other SQL`, compared, 200),
    none(`${name}: of them different`, differing.length),
    told(`${name}: a report, median`, quantile(took, 0.5), 'ms'),
    exactly(`${name}: the newest in doubt as other SQL lists them`, Number(open), 1),
    told(`${name}: a further page behind a number, the slowest`, await pagesOf(state, whole), 'ms'),
  );
  const scraped = await scraping(state);
  const scrapes = await scraped.many(SCRAPES);
  const gauge = (of: string) => scrapes.at(-1)?.value(`fareclerk_${of}`) ?? -1;
  figures.push(
    exactly(`${name}: scrapes answered with 200`, scrapes.filter(({ status }) => status === 200).length, SCRAPES),
    most(
      `${name}: a scrape that counts anew, median`,
      quantile(
        scrapes.map(({ ms }) => ms),
        0.5,
      ),
      20,
      'ms',
    ),
    least(`${name}: in doubt, by the gauge`, gauge('operations_in_doubt'), 1),
    least(`${name}: with a person`, gauge('operations_needing_person'), 1),
    least(`${name}: state store up`, gauge('state_store_up'), 1),
  );
  for (const [what, ms] of await listed(state))
    figures.push(most(`${name}: list_bookings, ${what}, median`, ms, 500, 'ms'));
  return scraped;
}

/** A server with that state; every scrape counts anew, which in production happens every few seconds. */
async function scraping(state: State) {
  const metrics = createMetrics({ state: { freshMs: 0 } });
  const tiny = await openTinyClerk();
  const clock = { ...tiny.parts.clock, now: () => END };
  const clerk = { ...tiny.clerk, parts: async () => ({ ...tiny.parts, state, clock }) };
  const served = await serve({ metrics }, { ...tiny, clerk });
  const one = async () => {
    const began = performance.now();
    const reply = await fetch(`http://127.0.0.1:${served.port}/metrics`);
    const lines = (await reply.text()).split('\n');
    const ms = performance.now() - began;
    const value = (series: string) => {
      const line = lines.find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    };
    return { status: reply.status, ms, value };
  };
  const many = async (count: number) => {
    const all: Awaited<ReturnType<typeof one>>[] = [];
    while (all.length < count) all.push(await one());
    return all;
  };
  return { one, many, close: served.close };
}

/** PostgreSQL stops between two scrapes and in the middle of some, and comes back. */
async function whileAway({ one, many }: Awaited<ReturnType<typeof scraping>>, cluster: Cluster) {
  const during = Array.from({ length: 10 }, one);
  await cluster.kill();
  const seen = [...(await Promise.all(during)), ...(await many(20))];
  const away = seen.at(-1);
  await cluster.start();
  const isUp = ({ value }: (typeof seen)[number]) => value('fareclerk_state_store_up') === 1;
  const back = await seenWithin(30_000, 100, one, isUp);
  figures.push(
    exactly(
      'PostgreSQL away: scrapes answered with 200',
      seen.filter(({ status }) => status === 200).length,
      seen.length,
    ),
    most('PostgreSQL away: the slowest of them', Math.max(...seen.map(({ ms }) => ms)), 10_000, 'ms'),
    exactly('PostgreSQL away: state store up', away?.value('fareclerk_state_store_up') ?? -1, 0),
    least('PostgreSQL away: counts that are shown', away?.value('fareclerk_operations_in_doubt') ?? -1, 1),
    exactly('PostgreSQL back within 30 s: state store up', Number(isUp(back)), 1),
  );
}
