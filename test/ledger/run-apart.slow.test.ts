/**
 * The process that answers a question: it says what rows that are read in this process say, it learns where the state is by its stdin
 * alone, and whichever of the two processes dies, the other ends and nobody gets a part of an answer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLERK, END, manyActs, postgresWords, SQLITE, START } from '../../bench/support/many-acts.ts';
import { rowsApartFrom, type StatePlace } from '../../src/ledger/run-apart.ts';
import { answerApart, childEnvironment, runSql } from '../../src/ledger/run-sql.ts';
import type { SqlEnd } from '../../src/ledger/sql-tables.ts';
import { openSqliteRows } from '../../src/store/sqlite/rows.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import { seenWithin } from '../campaigns/support/pace.ts';
import type { State } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { overState } from '../support/run-sql.ts';
import { atNight, WHOLE } from '../support/whole.ts';
import { descendants, ENDLESS, isReader, lives, questionOn, read } from './support/apart.ts';

const OPERATIONS = 3_000;
const LONG_MS = 60_000;
const now = () => END;
const folder = newFolder('apart');
const file = join(folder, 'state-of-the-secret-desk.sqlite');
const apart = rowsApartFrom({ file });
const { open, cluster, url, freshSchema } = suiteDatabase();
/** As the suite names it. */
const DATABASE = 'clerk';
let state: State;

beforeAll(async () => {
  state = (await openSqliteState(file, { now })) as State;
  const db = new DatabaseSync(file);
  for (const sql of manyActs(SQLITE, OPERATIONS)) db.exec(sql);
  db.close();
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

const failureOf = (end: SqlEnd) => ('failed' in end ? end.failed : end);
const rowsIn = (end: SqlEnd) => ('failed' in end ? end.failed.why : end.rows);

/** The processes of questions that this process asks. */
const asked = () => descendants().filter(isReader);

/** A question whose process has said what its statement reads, with that process. */
async function endless(signal?: AbortSignal) {
  const began = Promise.withResolvers<void>();
  const prepare = async () => {
    began.resolve();
    return {};
  };
  const end = apart(questionOn(ENDLESS, { signal, prepare }), LONG_MS);
  await Promise.race([began.promise, end]);
  const [reader = { pid: 0, command: '' }] = asked();
  return { end, reader };
}

/** The statement may use a minute: what ends within seconds was ended. */
const goneSoon = (one: Parameters<typeof lives>[0]): Promise<boolean> =>
  seenWithin(
    5_000,
    20,
    () => !lives(one),
    (gone) => gone,
  );

describe('the rows', () => {
  /** The answer where rows are read in this process. */
  async function here(of: State, sql: string, caller?: string): Promise<unknown> {
    const query = { tenant: CLERK.tenant, from: START, to: END + 1, ...(caller && { caller }) };
    return rowsIn(await overState(of.ledgerRows)(questionOn(sql, { query }), LONG_MS));
  }

  const COUNT = 'select count(*) from operation';
  const SINCE = { tenant: CLERK.tenant, from: START - 1, to: END + 1, months: [START] };
  const ALL = [
    'select * from operation order by id limit 500',
    'select * from booking order by locator',
    'select act, outcome, currency, count(*), sum(paid), sum(refunded) from operation group by 1, 2, 3',
    "select * from history where locator = 'B000578' order by at, rowid",
  ];
  const STATEMENTS = atNight(ALL, ALL.slice(0, 1));

  it.each(STATEMENTS)('are those that this process reads, on SQLite: %s', async (sql) => {
    const ofAll = await apart(questionOn(sql), LONG_MS);
    expect(rowsIn(ofAll)).toEqual(await here(state, sql));
    const query = { tenant: CLERK.tenant, from: START, to: END + 1, caller: CLERK.id };
    const ofOne = await apart(questionOn(sql, { query }), LONG_MS);
    expect(rowsIn(ofOne)).toEqual(await here(state, sql, CLERK.id));
    expect(rowsIn(ofOne)).not.toEqual(rowsIn(ofAll));
  });

  it('are those that this process reads, on PostgreSQL', async () => {
    const schema = freshSchema();
    const onPostgres = await open({ now, schema });
    for (const sql of manyActs(postgresWords(schema), OPERATIONS)) await cluster().sql(DATABASE, sql);
    for (const sql of STATEMENTS) {
      const end = await rowsApartFrom({ url: url(), schema })(questionOn(sql), LONG_MS);
      expect(rowsIn(end)).toEqual(await here(onPostgres, sql));
    }
    const begun = await rowsApartFrom({ url: url(), schema })(questionOn(COUNT, { query: SINCE }), LONG_MS);
    expect(begun).toMatchObject({ rows: [[OPERATIONS]], seen: { from: START } });
  });

  it('begin at the month from which there are not too many, on SQLite', async () => {
    const begun = await apart(questionOn(COUNT, { query: SINCE }), LONG_MS);
    expect(begun).toMatchObject({ rows: [[OPERATIONS]], seen: { from: START } });
  });

  it('tell which operations are not settled, and when the oldest booking was read', async () => {
    const sql = 'select count(*) from operation, (select count(*) from booking)';
    const entries = new DatabaseSync(file, { readOnly: true });
    const { oldest } = entries.prepare('select min(seen_at) as oldest from booking').get() ?? {};
    const { open: unsettled } =
      entries.prepare("select count(*) as open from operation where state in ('in_doubt', 'needs_person')").get() ?? {};
    entries.close();
    expect(unsettled).toBeGreaterThan(1);
    expect(await apart(questionOn(sql), LONG_MS)).toMatchObject({ rows: [[OPERATIONS]], seen: { unsettled, oldest } });
  });

  it('have the names of stations, and what was stored just before they are read', async () => {
    const leg = { from: 'MKX', to: 'DMX', departs: '2026-12-09T15:40:00+03:00', train: 'HHR101' };
    const prepare = async () => {
      const entry = { locator: 'LATEST', madeHere: true, seenAt: END, state: 'ticketed', legs: [leg] };
      await state.ledger.record(CLERK, entry as never);
      return { MKX: 'Makkah' };
    };
    const sql = "select from_name, to_name from segment where locator = 'LATEST'";
    expect(rowsIn(await apart(questionOn(sql, { prepare }), LONG_MS))).toEqual([['Makkah', null]]);
  });
});

describe('the place of the state', () => {
  it('is in no argument and no environment of a process, nor is anything else of this one', async () => {
    process.env.PGPASSWORD = 'hunter2 of the environment';
    const leaving = new AbortController();
    try {
      const { end, reader } = await endless(leaving.signal);
      const words = `${reader.command} ${read(reader.pid, 'environ')}`;
      expect(asked()).toHaveLength(1);
      leaving.abort();
      await end;
      for (const secret of ['secret-desk', 'hunter2', CLERK.tenant, 'recursive', 'HOME=', 'PATH='])
        expect(words).not.toContain(secret);
    } finally {
      delete process.env.PGPASSWORD;
    }
  });

  it('without a state is an error of ours, that names no path', async () => {
    const nowhere: StatePlace = { file: join(folder, 'nowhere-of-the-secret-desk.sqlite') };
    const error = await rowsApartFrom(nowhere)(questionOn('select count(*) from operation'), LONG_MS).catch(String);
    expect(error).toBe('ClerkError: The state file cannot be read. Nothing was changed.');
  });

  it('where nothing answers is an error of ours, that names no password', async () => {
    const away: StatePlace = { url: 'postgres://desk:hunter2@127.0.0.1:1/clerk', schema: 's1' };
    const error = await rowsApartFrom(away)(questionOn('select count(*) from operation'), LONG_MS).catch(String);
    expect(error).toMatch(/^ClerkError: /);
    expect(error).not.toMatch(/hunter2|127\.0/);
  });

  it('may be on a full disk: rows are read, and sorted in memory, all the same', async () => {
    const script = fileURLToPath(new URL('support/asks-apart.ts', import.meta.url));
    const sql = "select id, printf('%01000d', rowid) as wide from operation order by wide desc";
    // No process may make a file longer, as on a full disk.
    const limited = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, '--no-warnings', script, file, sql];
    const server = spawn('bash', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [, answer] = (await server.stdout.toArray()).join('').trim().split('\n');
    const { rows, cut } = JSON.parse(answer ?? '{}') as { rows: unknown[]; cut?: string };
    expect(rows.length).toBeGreaterThan(900);
    expect(cut).toBe('text');
  });

  it('is opened only to read, and closed before the statement runs', async () => {
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const rows = await openSqliteRows(file);
    const [opened] = prepared.mock.contexts as unknown as DatabaseSync[];
    prepared.mockRestore();
    expect(() => opened?.exec('delete from booking')).toThrow('readonly');
    await rows.close();
    expect(opened?.isOpen).toBe(false);
  });
});

it('let others go first, with all their threads', async () => {
  const leaving = new AbortController();
  const { end, reader } = await endless(leaving.signal);
  const threads = readdirSync(`/proc/${reader.pid}/task`).map((id) => read(reader.pid, `task/${id}/stat`));
  leaving.abort();
  await end;
  expect(threads.length).toBeGreaterThan(4);
  // proc_pid_stat(5): the 19th field is the nice value; the second one, in parentheses, is a name.
  const nice = threads.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  expect(new Set(nice)).toEqual(new Set([constants.priority.PRIORITY_BELOW_NORMAL]));
});

const inTheNight = WHOLE ? it : () => undefined;

inTheNight('are answered beside processes that keep every processor busy', async () => {
  const busy = Array.from({ length: 2 * availableParallelism() }, () => spawn(process.execPath, ['-e', 'for(;;);']));
  try {
    expect(rowsIn(await apart(questionOn('select count(*) from operation'), LONG_MS))).toEqual([[OPERATIONS]]);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
});

it('say that they cannot run where the program is gone, and not that they may be repeated', async () => {
  const gone = { args: [join(folder, 'gone.js')], env: childEnvironment(), signal: undefined };
  const end = await answerApart({ ...gone, request: {}, statementMs: LONG_MS, onReads: async () => undefined });
  expect(failureOf(end)).toMatchObject({ kind: 'broken' });
});

describe('when a process ends', () => {
  it('of kill -9, the one that answers: the question fails', async () => {
    const { end, reader } = await endless();
    process.kill(reader.pid, 'SIGKILL');
    expect(failureOf(await end)).toMatchObject({ kind: 'too_large' });
  });

  inTheNight('before any row was read, no answer comes from none', async () => {
    const prepare = async () => {
      for (const { pid } of asked()) process.kill(pid, 'SIGKILL');
      return {};
    };
    const end = await apart(questionOn('select count(*) from operation', { prepare }), LONG_MS);
    expect(failureOf(end)).toMatchObject({ kind: 'too_large' });
  });

  it('because who asked has left, the other does', async () => {
    const leaving = new AbortController();
    const { end, reader } = await endless(leaving.signal);
    leaving.abort();
    expect(failureOf(await end)).toMatchObject({ kind: 'lost' });
    expect(await goneSoon(reader)).toBe(true);
  });

  it('of kill -9, the server: the other ends too', async () => {
    const script = fileURLToPath(new URL('support/asks-apart.ts', import.meta.url));
    const server = spawn(process.execPath, ['--no-warnings', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(server.stdout, 'data');
    const [reader, ...others] = descendants(server.pid).filter(isReader);
    server.kill('SIGKILL');
    expect(others).toEqual([]);
    expect(reader && (await goneSoon(reader))).toBe(true);
  });

  inTheNight('because its statement takes too long, the next question has its turn', async () => {
    expect(failureOf(await apart(questionOn(ENDLESS), 200))).toMatchObject({ kind: 'too_slow' });
    expect(rowsIn(await runSql(questionOn('select 1'), apart))).toEqual([[1]]);
    await expect.poll(asked).toEqual([]);
  });
});
