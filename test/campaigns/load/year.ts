/**
 * A year of two hundred clerks, by a simulated clock: whether the state is as large after twelve months as after two, and
 * whether nothing is left of a person who asked to be forgotten, in no file, also after an older copy is restored.
 * `node test/campaigns/load/year.ts [--days 360] [--clerks 200] [--scale 0.01] [--store sqlite|postgres|both]`
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { keyedDigest } from '../../../src/approvals/digest.ts';
import { ClerkError } from '../../../src/errors.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newFolder } from '../support/folders.ts';
import type { State } from '../support/office.ts';
import { startCluster } from '../support/postgres.ts';
import { conclude, exactly, flags, least, most, none, print } from '../support/report.ts';
import { SimulatedDesk } from './support/simulated-desk.ts';

const { days, clerks, scale, store: wanted } = flags({ days: 360, clerks: 200, scale: 0.01, store: 'sqlite' });
if (days < 150) throw new RangeError('--days: 150 or more');

// The clock is simulated, so the disk must not set the pace.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const DAY = 86_400_000;
const MONTH = 30;
const START = Date.parse('2027-01-01T00:00:00Z');
const PERSON = { words: 'WILHELMINA/QUASTENFLOSSER', name: 'Wilhelmina Quastenflosser', mark: 'quastenflosser' };
/** She books at the end of the fourth month and is forgotten then; the copy was made just before. */
const COPIED = 4 * MONTH;
const FLAT = 1.1;
/** PostgreSQL's indexes of random keys are full at first, and two thirds full from the fourth month on. */
const FLAT_INDEXES = 1.25;
/** Counts of smaller tables are left out: a busy day moves them too much. */
const LEAST_ROWS = 200;
const figures: Parameters<typeof conclude>[1][number][] = [];

interface Month {
  readonly size: number;
  readonly rows: Readonly<Record<string, number>>;
}

/** What the two databases measure and copy differently. */
interface Store {
  readonly name: string;
  /** The most that a later month may be larger than the second. */
  readonly flat: number;
  open(now: () => number): Promise<State>;
  /** What PostgreSQL's autovacuum does by itself, which counts by its own clock. */
  vacuum(): Promise<void>;
  /** Bytes of the state, and rows of each table. */
  measure(): Promise<Month>;
  /** Whether a byte of her is in any file of the state. */
  hasHer(): Promise<boolean>;
  copy(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

if (wanted !== 'postgres') await judge(sqliteStore());
if (wanted !== 'sqlite') await judge(await postgresStore());
conclude(`${days} days of ${clerks} clerks, ${scale * 100} % of their traffic`, figures);

async function judge(store: Store): Promise<void> {
  const desk = new SimulatedDesk(START, { clerks, scale });
  const archives = newFolder('archives');
  const state = await store.open(() => desk.now);
  const months: Month[] = [];
  let archived = 0;
  for (let day = 1; day <= days; day++) {
    await desk.day(state, day > COPIED - 3 && day <= COPIED ? [PERSON.name] : []);
    if (day % 3 === 0) await store.vacuum();
    if (day === COPIED) await forgetHer(store, state, desk);
    if (day % MONTH !== 0) continue;
    months.push(await store.measure());
    const file = join(archives, `${months.length}.jsonl.gz`);
    const { operations } = await state.operations.archive({
      file,
      before: desk.now - MONTH * DAY,
      by: 'year',
      now: desk.now,
    });
    archived += operations;
  }
  tellSizes(store, months);
  figures.push(
    least(`${store.name}: operations archived`, archived, 1),
    none(
      `${store.name}: places where the journal does not fit`,
      Number((await state.operations.verify()) !== undefined),
    ),
    none(`${store.name}: of her, at the end of the year`, Number(await store.hasHer())),
  );
  await state.close();
  await restored(store, desk);
  await store.close();
}

function tellSizes({ name, flat }: Store, months: readonly Month[]): void {
  const [, second, , fourth] = months as [Month, Month, Month, Month];
  const later = months.slice(2);
  print(`${name}: MB at the end of each month: ${months.map(({ size }) => (size / 1e6).toFixed(1)).join(' ')}`);
  const largest = Math.max(...later.map(({ size }) => size));
  figures.push(
    most(`${name}: the largest later month, in second months`, largest / second.size, flat),
    most(`${name}: the largest later month, in fourth months`, largest / fourth.size, FLAT),
  );
  for (const [table, rows] of Object.entries(second.rows)) {
    const value = Math.max(...later.map((month) => month.rows[table] ?? 0));
    if (Math.max(rows, value) >= LEAST_ROWS)
      figures.push(most(`${name}: rows of ${table}, ${rows} at the end of month two`, value / rows, FLAT));
  }
}

async function forgetHer(store: Store, state: State, desk: SimulatedDesk): Promise<void> {
  await store.copy();
  const before = await store.hasHer();
  const traces = await state.forgetting.find({ name: PERSON.words });
  await state.forgetting.erase({ name: PERSON.words }, traces, desk.now);
  desk.readsNoMore(PERSON.name);
  figures.push(
    exactly(`${store.name}: of her before she is forgotten`, Number(before), 1),
    least(`${store.name}: entries of her that are erased`, traces.listed, 12),
    none(`${store.name}: of her afterwards, while the state is open`, Number(await store.hasHer())),
  );
}

/** The copy of the fourth month replaces the state of the twelfth. */
async function restored(store: Store, desk: SimulatedDesk): Promise<void> {
  await store.restore();
  const inCopy = await store.hasHer();
  const state = await store.open(() => desk.now);
  const sleep = async (ms: number) => {
    desk.now += ms;
  };
  const journal = createJournal({
    ...{ store: state.operations, chain: state.chain, clock: { now: () => desk.now, sleep } },
    ...{ owner: 'year', settleMs: 240_000 },
    reader: { read: () => Promise.reject(new ClerkError('E_AIRLINE_DOWN', 'no airline', { next: 'none' })) },
    digest: (text: string) => keyedDigest(state.digestKey, text),
  });
  const back = await journal.restored('year');
  figures.push(
    exactly(`${store.name}: of her in the restored copy`, Number(inCopy), 1),
    least(`${store.name}: operations that journal restored brings back`, back?.acts.length ?? 0, 100),
    exactly(`${store.name}: sending is allowed again`, Number(back?.end === 'released'), 1),
    none(`${store.name}: of her after that`, Number(await store.hasHer())),
    none(
      `${store.name}: places where that journal does not fit`,
      Number((await state.operations.verify()) !== undefined),
    ),
  );
  await state.close();
}

function sqliteStore(): Store {
  const folder = newFolder('year');
  const [file, copy] = [join(folder, 'state/s.sqlite'), join(newFolder('year-copies'), 'copy.sqlite')];
  mkdirSync(join(folder, 'state'));
  return {
    name: 'SQLite',
    flat: FLAT,
    open: (now) => openSqliteState(file, { now, witnesses: join(folder, 'witness') }),
    vacuum: async () => undefined,
    async measure() {
      const db = new DatabaseSync(file, { readOnly: true });
      const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
      const count = (name: unknown) => Number(db.prepare(`select count(*) as n from ${name}`).get()?.n);
      const rows = Object.fromEntries(tables.map(({ name }) => [String(name), count(name)]));
      db.close();
      // The log is emptied a second after the last write.
      return { size: statSync(file).size, rows };
    },
    hasHer: async () => bytesOf(folder).toLowerCase().includes(PERSON.mark),
    async copy() {
      const db = new DatabaseSync(file);
      await backup(db, copy);
      db.close();
    },
    async restore() {
      for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
      cpSync(copy, file);
    },
    close: async () => undefined,
  };
}

async function postgresStore(): Promise<Store> {
  const cluster = await startCluster();
  const url = await cluster.database('clerk');
  const witnesses = join(newFolder('year'), 'witness');
  const tables = () => cluster.tables('clerk', 'fareclerk');
  const number = async (text: string) => Number(Object.values((await cluster.sql('clerk', text))[0] ?? {})[0]);
  return {
    name: 'PostgreSQL',
    flat: FLAT_INDEXES,
    open: (now) => openPostgresState(url, { now, witnesses }),
    async vacuum() {
      for (const table of await tables()) await cluster.sql('clerk', `vacuum analyze fareclerk.${table}`);
    },
    async measure() {
      const rows: Record<string, number> = {};
      for (const table of await tables()) rows[table] = await number(`select count(*) from fareclerk.${table}`);
      const size = `select sum(pg_total_relation_size(oid)) from pg_class
        where relnamespace = 'fareclerk'::regnamespace and relkind = 'r'`;
      return { size: await number(size), rows };
    },
    async hasHer() {
      if (bytesOf(witnesses).toLowerCase().includes(PERSON.mark)) return true;
      const like = (table: string) =>
        `select count(*) from fareclerk.${table} t where lower(t::text) like '%${PERSON.mark}%'`;
      for (const table of await tables()) if ((await number(like(table))) > 0) return true;
      return false;
    },
    copy: () => cluster.copy('clerk', 'fareclerk'),
    restore: () => cluster.putBack('clerk', 'fareclerk'),
    close: () => cluster.close(),
  };
}

/** Every byte of every file below a folder. */
function bytesOf(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'latin1');
  return readdirSync(path)
    .map((name) => bytesOf(join(path, name)))
    .join('\n');
}
