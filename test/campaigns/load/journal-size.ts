/**
 * A journal of a busy agency's year: whether its figures are still true to the last cent, what questions and lists take, and
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
import { sqlOver } from '../../support/run-sql.ts';
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
/** The words of query_ledger for states. */
const OUTCOMES: Readonly<Record<string, string>> = { succeeded: 'done', not_executed: 'not_done' };
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
  await judgeFigures(name, state);
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

/** A call at the end of the journal, by a clerk whose airline lists no routes. */
async function called(state: State, tool: string, args: object) {
  const clock = { now: () => END, sleep: () => new Promise<void>(() => undefined) };
  const clerk = clerkOn(
    runtimeOf({ airline: { routes: async () => [], pausedMs: async () => 0 } as never, state, clock }),
    [],
    { runSql: sqlOver(state.ledgerRows) },
  );
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

/** What `query_ledger` answers by tool, outcome and caller, against what was invented. */
async function judgeFigures(name: string, state: State): Promise<void> {
  const wrong: string[] = [];
  for (const key of ['tool', 'outcome', 'asked_by'] as const) {
    const due = expected(key);
    const heard = new Map<string, string>();
    const take = (what: string, rows: readonly unknown[][], width: number) => {
      for (const row of rows) heard.set([what, ...row.slice(-width, -1)].join(' '), String(row.at(-1)));
    };
    const ask = async (sql: string) =>
      ((await called(state, 'query_ledger', { ...DAYS, sql, max_rows: 500 })) as { rows: unknown[][] }).rows;
    take('operations', await ask(`select ${key}, count(*) from operation group by 1`), 2);
    const settled = `from operation where outcome in ('in_doubt', 'needs_person')`;
    take('not settled', await ask(`select ${key}, count(*) ${settled} group by 1`), 2);
    for (const column of ['paid', 'refunded']) {
      const moved = `from operation where outcome = 'done' and ${column} is not null`;
      for (const [figure, sum] of Object.entries({ number: 'count(*)', sum: `sum(${column})` })) {
        const sql = `select ${key}, currency, ${sum} ${moved} group by 1, 2`;
        take(`${figure} of ${column}`, await ask(sql), 3);
      }
    }
    for (const [what, figure] of due)
      if (heard.get(what) !== figure) wrong.push(`${name}: ${what}: ${heard.get(what)}, not ${figure}`);
    if (heard.size !== due.size) wrong.push(`${name}, by ${key}: ${heard.size} figures of ${due.size}`);
  }
  for (const each of wrong.slice(0, 10)) print(each);
  const byDay = { ...DAYS, sql: 'select on_day, count(*) from operation group by 1' };
  figures.push(
    exactly(`${name}: operations in the journal`, await counted(state.operations), TOTAL),
    none(`${name}: figures of questions that are not true`, wrong.length),
    told(`${name}: a question about all days, median`, await median(state, 'query_ledger', byDay), 'ms'),
  );
}

/** Counts the operations, page by page. */
async function counted(operations: Pick<State['operations'], 'page'>): Promise<number> {
  let count = 0;
  for (let after: { createdAt: number; id: string } | undefined; ; ) {
    const rows = await operations.page({ after, limit: 10_000 });
    count += rows.length;
    after = rows.at(-1)?.operation;
    if (after === undefined) return count;
  }
}

/** Each figure by its words, as text. */
function expected(key: 'tool' | 'outcome' | 'asked_by'): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const sums = new Map<string, { minor: number; currency: string }>();
  const count = (...words: readonly string[]) => counts.set(words.join(' '), (counts.get(words.join(' ')) ?? 0) + 1);
  for (let n = 0; n < TOTAL; n++) {
    const { operation, pays, amount, end } = inventedAct(n, TOTAL);
    const value = { tool: operation.tool, outcome: OUTCOMES[end] ?? end, asked_by: operation.caller }[key];
    count('operations', value);
    if (end === 'in_doubt' || end === 'needs_person') count('not settled', value);
    if (end !== 'succeeded') continue;
    const column = pays ? 'paid' : 'refunded';
    count('number of', column, value, amount.currency);
    const what = `sum of ${column} ${value} ${amount.currency}`;
    sums.set(what, { minor: (sums.get(what)?.minor ?? 0) + amount.minor, currency: amount.currency });
  }
  const texts = [...counts].map(([what, number]) => [what, String(number)] as const);
  return new Map([...texts, ...[...sums].map(([what, sum]) => [what, String(Number(formatMoney(sum)))] as const)]);
}
