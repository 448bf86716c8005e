/**
 * A journal of a busy agency's year: whether its report is still true to the last cent, what reports and lists take, and
 * whether commands that read all of it take little memory.
 * `node test/campaigns/load/journal-size.ts [--operations 50000]`
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatMoney } from '../../../src/core/money.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { dateIn } from '../../support/people.ts';
import { ACTS } from '../../support/rules.ts';
import type { Settings } from '../support/airline.ts';
import { newFolder } from '../support/folders.ts';
import { clerkOn, runtimeOf, type State } from '../support/office.ts';
import { startCluster } from '../support/postgres.ts';
import { conclude, exactly, flags, most, none, print, quantile, told } from '../support/report.ts';
import { DAY_MS, END, inventedAct, READER, START, seed } from './support/invented-acts.ts';
import { judgeCommands } from './support/journal-commands.ts';

const { operations: TOTAL } = flags({ operations: 50_000 });
// The disk must not set the pace.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
/** Where the program keeps the sandbox's journal. */
const SCHEMA = 'fareclerk_sandbox';
const TIMES = 15;
const LISTS = {
  all: {},
  due: { deadline_within_hours: 24 },
  found: { query: 'B0000F' },
  'not found': { query: 'nobody' },
};
const DAYS = { from: dateIn(START, 0), to: dateIn(END - DAY_MS, 0) };
const figures: Parameters<typeof conclude>[1][number][] = [];

const file = newFolder('journal');
const inFile = await openSqliteState(join(file, 'sandbox', 'fareclerk.sqlite'), { now: () => END });
await seed(inFile, TOTAL);
await judge('SQLite', inFile, file, { FARECLERK_STATE_DIR: file });

const cluster = await startCluster();
const url = await cluster.database('clerk');
const inDatabase = await openPostgresState(url, { now: () => END, schema: SCHEMA });
await seed(inDatabase, TOTAL);
// As the server does by itself within a minute.
await cluster.sql('clerk', 'vacuum analyze');
const folder = newFolder('journal');
await judge('PostgreSQL', inDatabase, folder, { FARECLERK_STATE_DIR: folder, FARECLERK_DATABASE_URL: url });
await cluster.close();
conclude(`journal of ${TOTAL} operations`, figures);

async function judge(name: string, state: State, folder: string, env: Settings) {
  await judgeReports(name, state);
  for (const [what, args] of Object.entries(LISTS)) {
    const ms = await median(state, 'list_bookings', args);
    figures.push(most(`${name}: list_bookings, ${what}, median`, ms, 500, 'ms'));
  }
  const { inDoubt } = await state.openCounts(END, ACTS);
  figures.push(exactly(`${name}: in doubt, as a scrape counts it`, inDoubt, Math.ceil(TOTAL / 211)));
  const counts = quantile(await timed(() => state.openCounts(END, ACTS)), 0.5);
  figures.push(most(`${name}: what is open, as each scrape counts it, median`, counts, 20, 'ms'));
  await state.close();
  figures.push(...(await judgeCommands(name, folder, env, TOTAL)));
}

/** A call at the end of the journal, by a clerk who needs no airline. */
async function called(state: State, tool: string, args: object) {
  const clock = { now: () => END, sleep: () => new Promise<void>(() => undefined) };
  const clerk = clerkOn(runtimeOf({ airline: {} as never, state, clock }), []);
  const answer = await clerk.call(tool, args, { caller: READER, canElicit: false, canOpenUrls: false });
  if (answer.kind !== 'result' || answer.isError) throw new Error(`${tool} gave no result: ${JSON.stringify(answer)}`);
  return answer.structured;
}

async function timed(work: () => Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  while (took.length < TIMES) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return took;
}

async function median(state: State, tool: string, args: object): Promise<number> {
  return quantile(await timed(() => called(state, tool, args)), 0.5);
}

/** The figures of the report, in all and by tool, status and caller, against sums of what was invented. */
async function judgeReports(name: string, state: State): Promise<void> {
  const wrong: string[] = [];
  for (const key of ['tool', 'status', 'caller'] as const) {
    const heard = await called(state, 'report_activity', { ...DAYS, group_by: key });
    const due = expected(key);
    const { rows, totals } = heard as { rows: { key: string; measures: Measures }[]; totals: Measures };
    if (rows.length !== due.size - 1) wrong.push(`${name}, by ${key}: ${rows.length} rows of ${due.size - 1}`);
    for (const { key: row, measures } of [...rows, { key: 'total', measures: totals }]) {
      for (const [measure, { count, sums }] of Object.entries(due.get(row) ?? {})) {
        const money = Object.fromEntries(
          [...sums].map(([currency, minor]) => [currency, formatMoney({ minor, currency })]),
        );
        const is = measures[measure];
        if (is?.count !== count || Object.entries(money).some(([currency, sum]) => is.sums?.[currency] !== sum))
          wrong.push(
            `${name}, by ${key}: ${row} ${measure}: ${JSON.stringify(is)}, not ${count} ${JSON.stringify(money)}`,
          );
      }
    }
  }
  for (const each of wrong.slice(0, 10)) print(each);
  figures.push(
    exactly(`${name}: operations in the journal`, await state.operations.count({}), TOTAL),
    none(`${name}: figures of reports that are not true`, wrong.length),
    told(`${name}: a report, median`, await median(state, 'report_activity', { ...DAYS, group_by: 'day' }), 'ms'),
  );
}

type Measures = Readonly<Record<string, { count: number; sums?: Readonly<Record<string, string>> }>>;
type Sums = Record<string, { count: number; readonly sums: Map<string, number> }>;

function expected(key: 'tool' | 'status' | 'caller'): ReadonlyMap<string, Sums> {
  const rows = new Map<string, Sums>();
  for (let n = 0; n < TOTAL; n++) {
    const { operation, pays, amount, end } = inventedAct(n, TOTAL);
    const keys = { tool: operation.tool, status: end, caller: operation.caller };
    const measures = ['operations', ...(end === 'in_doubt' || end === 'needs_person' ? ['in_doubt'] : [])];
    for (const row of [keys[key], 'total']) {
      const sums = rows.get(row) ?? {};
      rows.set(row, sums);
      for (const measure of measures) sumOf(sums, measure).count += 1;
      if (end !== 'succeeded') continue;
      const moved = sumOf(sums, pays ? 'paid' : 'refunded');
      moved.count += 1;
      moved.sums.set(amount.currency, (moved.sums.get(amount.currency) ?? 0) + amount.minor);
    }
  }
  return rows;
}

function sumOf(row: Sums, measure: string) {
  row[measure] ??= { count: 0, sums: new Map() };
  return row[measure];
}
