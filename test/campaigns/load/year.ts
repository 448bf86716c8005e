/**
 * A year of two hundred clerks, by a simulated clock: whether the state is as large after twelve months as after two, and
 * whether nothing is left of a person who asked to be forgotten, in no file, also after an older copy is restored.
 * `node test/campaigns/load/year.ts [--days 360] [--clerks 200] [--scale 0.01] [--store sqlite|postgres|both]`
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { keyedDigest } from '../../../src/approvals/digest.ts';
import { ClerkError } from '../../../src/errors.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { conclude, type Figure } from '../support/report.ts';
import { SimulatedDesk } from './support/simulated-desk.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '360' },
    clerks: { type: 'string', default: '200' },
    scale: { type: 'string', default: '0.01' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const [DAYS, CLERKS, SCALE] = [Number(values.days), Number(values.clerks), Number(values.scale)];
if (!(DAYS >= 150 && CLERKS >= 1 && SCALE > 0)) throw new RangeError('--days: 150 or more; --clerks, --scale: above 0');
if (!['sqlite', 'postgres', 'both'].includes(values.store)) throw new RangeError('--store: sqlite, postgres or both');

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
const figures: Figure[] = [];

interface Month {
  readonly size: number;
  readonly rows: Readonly<Record<string, number>>;
}

/** What the two databases measure and copy differently. */
interface Store {
  readonly name: string;
  readonly witnesses: string;
  /** The most that a later month may be larger than the second. */
  readonly flat: number;
  open(now: () => number, witnesses?: string): Promise<State>;
  /** What PostgreSQL's autovacuum does by itself, which counts by its own clock. */
  vacuum(): Promise<void>;
  /** Bytes of the state, and rows of each table. */
  size(): Promise<number>;
  rows(): Promise<Readonly<Record<string, number>>>;
  /** Whether a byte of her is in any file of the state. */
  hasHer(): Promise<boolean>;
  copy(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

// Folders and servers end with this process, also when it is stopped.
process.once('SIGTERM', () => process.exit(143));
if (values.store !== 'postgres') await judge(sqliteStore());
if (values.store !== 'sqlite') await judge(await postgresStore());
conclude(`${DAYS} days of ${CLERKS} clerks, ${SCALE * 100} % of their traffic`, figures, false);

async function judge(store: Store): Promise<void> {
  const began = performance.now();
  const desk = new SimulatedDesk(START, { clerks: CLERKS, scale: SCALE });
  const archives = newFolder('archives');
  let state = await store.open(() => desk.now);
  const months: Month[] = [];
  let archived = 0;
  for (let day = 1; day <= DAYS; day++) {
    await desk.day(state, day > COPIED - 3 && day <= COPIED ? [PERSON.name] : []);
    if (day % 3 === 0) await store.vacuum();
    if (day === COPIED) await forgetHer(store, state, desk);
    if (day % MONTH !== 0) continue;
    months.push({ size: await store.size(), rows: await store.rows() });
    const file = join(archives, `${months.length}.jsonl.gz`);
    archived += (await state.operations.archive({ file, before: desk.now - MONTH * DAY, by: 'year', now: desk.now }))
      .operations;
  }
  tellSizes(store, months);
  const wrong = (await state.operations.verify()) === undefined ? 0 : 1;
  figures.push(
    { what: `${store.name}: operations archived`, value: archived, atLeast: 1 },
    { what: `${store.name}: places where the journal does not fit`, value: wrong, atMost: 0 },
    { what: `${store.name}: of her, at the end of the year`, value: Number(await store.hasHer()), atMost: 0 },
  );
  await state.close();
  state = await restored(store, desk);
  await state.close();
  await store.close();
  figures.push({ what: `${store.name}: the whole run`, value: (performance.now() - began) / 1000, unit: 's' });
}

function tellSizes({ name, flat }: Store, months: readonly Month[]): void {
  const [, second, , fourth] = months;
  if (second === undefined || fourth === undefined) return;
  const later = months.slice(2);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  process.stdout.write(`${name}: MB at the end of each month: ${months.map(({ size }) => mb(size)).join(' ')}\n`);
  const most = Math.max(...later.map(({ size }) => size));
  figures.push(
    { what: `${name}: the largest later month, in second months`, value: most / second.size, atMost: flat },
    { what: `${name}: the largest later month, in fourth months`, value: most / fourth.size, atMost: FLAT },
  );
  for (const [table, rows] of Object.entries(second.rows)) {
    const counts = later.map((month) => month.rows[table] ?? 0);
    if (Math.max(rows, ...counts) < LEAST_ROWS) continue;
    const value = Math.max(...counts) / rows;
    figures.push({ what: `${name}: rows of ${table}, ${rows} at the end of month two`, value, atMost: FLAT });
  }
}

async function forgetHer(store: Store, state: State, desk: SimulatedDesk): Promise<void> {
  await store.copy();
  const before = Number(await store.hasHer());
  const traces = await state.forgetting.find({ name: PERSON.words });
  await state.forgetting.erase({ name: PERSON.words }, traces, desk.now);
  desk.readsNoMore(PERSON.name);
  figures.push(
    { what: `${store.name}: of her before she is forgotten`, value: before, atLeast: 1 },
    { what: `${store.name}: entries of her that are erased`, value: traces.listed, atLeast: 12 },
    {
      what: `${store.name}: of her afterwards, while the state is open`,
      value: Number(await store.hasHer()),
      atMost: 0,
    },
  );
}

/** The copy of the fourth month replaces the state of the twelfth. */
async function restored(store: Store, desk: SimulatedDesk): Promise<State> {
  await store.restore();
  const inCopy = Number(await store.hasHer());
  const state = await store.open(() => desk.now);
  const clock = {
    now: () => desk.now,
    async sleep(ms: number) {
      desk.now += ms;
    },
  };
  const journal = createJournal({
    ...{ store: state.operations, chain: state.chain, clock, owner: 'year', settleMs: 240_000 },
    reader: { read: () => Promise.reject(new ClerkError('E_AIRLINE_DOWN', 'no airline', { next: 'none' })) },
    digest: (text: string) => keyedDigest(state.digestKey, text),
  });
  const back = await journal.restored('year');
  const wrong = (await state.operations.verify()) === undefined ? 0 : 1;
  figures.push(
    { what: `${store.name}: of her in the restored copy`, value: inCopy, atLeast: 1 },
    {
      what: `${store.name}: operations that journal restored brings back`,
      value: back?.acts.length ?? 0,
      atLeast: 100,
    },
    { what: `${store.name}: sending is allowed again`, value: Number(back?.end === 'released'), atLeast: 1 },
    { what: `${store.name}: of her after that`, value: Number(await store.hasHer()), atMost: 0 },
    { what: `${store.name}: places where that journal does not fit`, value: wrong, atMost: 0 },
  );
  return state;
}

function sqliteStore(): Store {
  const folder = newFolder('year');
  const copies = newFolder('year-copies');
  const [file, witnesses, copy] = [
    join(folder, 'state/s.sqlite'),
    join(folder, 'witness'),
    join(copies, 'copy.sqlite'),
  ];
  mkdirSync(join(folder, 'state'));
  const tails = ['', '-wal', '-shm'];
  const asked = <T>(use: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  return {
    name: 'SQLite',
    flat: FLAT,
    witnesses,
    open: (now) => openSqliteState(file, { now, witnesses }),
    vacuum: async () => undefined,
    // The log is emptied a second after the last write.
    size: async () => statSync(file).size,
    rows: async () =>
      asked((db) => {
        const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
        const count = (name: unknown) => Number(db.prepare(`select count(*) as n from ${name}`).get()?.n);
        return Object.fromEntries(tables.map(({ name }) => [String(name), count(name)]));
      }),
    hasHer: async () => bytesOf(folder).toLowerCase().includes(PERSON.mark),
    async copy() {
      const db = new DatabaseSync(file);
      await backup(db, copy);
      db.close();
    },
    async restore() {
      for (const tail of tails) rmSync(file + tail, { force: true });
      cpSync(copy, file);
    },
    close: async () => undefined,
  };
}

async function postgresStore(): Promise<Store> {
  const cluster = await startCluster();
  const url = await cluster.database('clerk');
  const witnesses = join(newFolder('year'), 'witness');
  const sql = (text: string) => cluster.sql('clerk', text);
  const tables = () => cluster.tables('clerk', 'fareclerk');
  return {
    name: 'PostgreSQL',
    flat: FLAT_INDEXES,
    witnesses,
    open: (now) => openPostgresState(url, { now, witnesses }),
    async vacuum() {
      for (const table of await tables()) await sql(`vacuum analyze fareclerk.${table}`);
    },
    async size() {
      const [row] = await sql(
        "select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c where relnamespace = 'fareclerk'::regnamespace and relkind = 'r'",
      );
      return Number(row?.bytes);
    },
    async rows() {
      const counts: Record<string, number> = {};
      for (const table of await tables())
        counts[table] = Number((await sql(`select count(*) as n from fareclerk.${table}`))[0]?.n);
      return counts;
    },
    async hasHer() {
      if (bytesOf(witnesses).toLowerCase().includes(PERSON.mark)) return true;
      for (const table of await tables()) {
        const [row] = await sql(
          `select count(*) as n from fareclerk.${table} t where lower(t::text) like '%${PERSON.mark}%'`,
        );
        if (Number(row?.n) > 0) return true;
      }
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
