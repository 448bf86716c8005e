/** Commands of the next version on the newest state that is kept: what reads refuses it, what writes takes it over. */
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Main from '../../../src/main.ts';
import { type Cluster, startCluster } from '../../campaigns/support/postgres.ts';
import { EARLIER } from '../../store/support/kept.ts';
import { NEXT, nextVersionTo } from '../../support/next-version.ts';
import { freshState, ran as ranHere, stateFile, temporary } from '../screen.ts';

const KEPT = fileURLToPath(new URL(`../../store/kept/${EARLIER}`, import.meta.url));
const ONE = '00000000-0000-4000-8000-000000000003';
const SCHEMA = 'fareclerk_sandbox';

/** Runs a command line of the next version. */
const ran = (env: Readonly<Record<string, string>>, argv: readonly string[]) => ranHere(env, argv, {}, next.main);

type Rows = readonly Record<string, unknown>[];

interface EarlierState {
  readonly env: Record<string, string>;
  sql(sql: string): Promise<Rows>;
  tables(): Promise<readonly string[]>;
}

let cluster: Cluster;
let next: typeof Main;
beforeAll(async () => {
  cluster = await startCluster();
  const folder = temporary('next');
  nextVersionTo(folder);
  next = await import(pathToFileURL(join(folder, 'src', 'main.ts')).href);
});
afterAll(() => cluster.close());

async function sqlite(): Promise<EarlierState> {
  const env = freshState();
  const file = stateFile(env);
  mkdirSync(dirname(file), { mode: 0o700 });
  copyFileSync(join(KEPT, 'journal.sqlite'), file);
  cpSync(join(KEPT, 'records'), join(dirname(file), 'witness'), { recursive: true });
  const sql = async (text: string) => {
    const db = new DatabaseSync(file);
    try {
      return db.prepare(text.replaceAll('$.', '')).all() as Rows;
    } finally {
      db.close();
    }
  };
  await sql("update meta set value = 'sandbox' where key = 'airline'");
  const named = () => sql("select name from sqlite_master where type = 'table'");
  return { env, sql, tables: async () => (await named()).map(({ name }) => String(name)) };
}

let made = 0;
async function postgres(): Promise<EarlierState> {
  made += 1;
  const database = `kept${made}`;
  const url = await cluster.database(database);
  const script = readFileSync(join(KEPT, 'postgres.sql'), 'utf8');
  const named = script.replace('create schema kept;', `create schema ${SCHEMA};`).replaceAll('kept.', `${SCHEMA}.`);
  await cluster.sql(database, named);
  const sql = (text: string) => cluster.sql(database, text.replaceAll('$.', `${SCHEMA}.`));
  await sql("update $.meta set value = 'sandbox' where key = 'airline'");
  const folders = freshState();
  cpSync(join(KEPT, 'postgres-records'), join(dirname(stateFile(folders)), 'witness'), { recursive: true });
  const env = { ...folders, FARECLERK_DATABASE_URL: url };
  return { env, sql, tables: () => cluster.tables(database, SCHEMA) };
}

describe.each([
  { name: 'SQLite', state: sqlite },
  { name: 'PostgreSQL', state: postgres },
])('an earlier state on $name', ({ name, state }) => {
  const versionIn = async ({ sql }: EarlierState) =>
    (await sql("select value from $.meta where key = 'schema_version'")).map(({ value }) => value);
  const contents = async ({ sql, tables }: EarlierState) => {
    const all: Record<string, Rows> = {};
    for (const table of await tables()) all[table] = (await sql(`select * from $.${table}`)).map((row) => ({ ...row }));
    return all;
  };

  it('is refused to what only reads, and stays as it is', async () => {
    const earlier = await state();
    const before = await contents(earlier);
    const files = () =>
      globSync('**', { cwd: earlier.env.FARECLERK_STATE_DIR ?? '' }).filter((one) => !/-(?:wal|shm)$/.test(one));
    const filesBefore = files();
    const reads = ['journal list', `journal show ${ONE}`, 'journal verify', 'journal export', 'events', 'findings'];
    for (const line of reads) {
      const { code, stdout, stderr } = await ran(earlier.env, line.split(' '));
      expect([line, code, stdout]).toEqual([line, 1, '']);
      expect(stderr).toContain(`was written by an earlier fareclerk (its version is ${EARLIER}`);
    }
    const doctor = (await ran(earlier.env, ['doctor', '--json'])).json();
    const found = (id: string) => doctor.checks.find((one: { id: string }) => one.id === id);
    expect(found('state')).toMatchObject({ level: 'warn', finding: 'state_earlier' });
    expect(found('journal')).toBeUndefined();
    expect(await contents(earlier)).toEqual(before);
    expect(files()).toEqual(filesBefore);
  });

  it('is refused to what writes while an earlier program works with it; then that takes it over', async () => {
    const earlier = await state();
    const until = Date.now() + 60_000;
    await earlier.sql(`insert into $.lease(name, owner, lease_until) values ('program x', '${EARLIER}', ${until})`);
    const before = await contents(earlier);
    const writes = [
      ['pause', 'a test'],
      ['resume'],
      ['approve'],
      ['journal', 'reconcile'],
      ['forget', '--locator', 'KEPT01'],
    ];
    for (const argv of writes) {
      const { code, stderr } = await ran(earlier.env, argv);
      expect([argv, code, stderr]).toEqual([
        argv,
        1,
        expect.stringContaining('still in use by 1 program of an earlier fareclerk'),
      ]);
      expect(stderr).toContain('or runs this command with their version');
    }
    // What a model reads.
    const called = await ran(earlier.env, ['call', 'list_routes', '--json']);
    expect([called.code, called.stdout]).toEqual([
      1,
      expect.stringContaining('of an earlier fareclerk. It was not changed.'),
    ]);
    expect(await contents(earlier)).toEqual(before);
    await earlier.sql("delete from $.lease where name = 'program x'");
    expect(await ran(earlier.env, ['pause', 'a test'])).toMatchObject({ code: 0 });
    expect(await versionIn(earlier)).toEqual([NEXT]);
    const copy = `${stateFile(earlier.env)}.v${EARLIER}`;
    if (name === 'SQLite') expect(statSync(copy).mode & 0o777).toBe(0o600);
  });
});

it('of a real airline stays as it is when the sandbox is looked at', async () => {
  const live = await sqlite();
  const { FARECLERK_STATE_DIR: folder = '' } = live.env;
  const file = join(folder, 'fareclerk.sqlite');
  copyFileSync(stateFile(live.env), file);
  const env = { ...live.env, FARECLERK_STATE_DIR: folder };
  expect(await ran(env, ['approve', '--sandbox'])).toMatchObject({ code: 0 });
  const db = new DatabaseSync(file);
  expect(db.prepare("select value from meta where key = 'schema_version'").get()).toMatchObject({ value: EARLIER });
  db.close();
});
