/** What a call costs beside a journal of a million operations, as a multiple of the same call beside ten thousand. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresState } from '../src/store/postgres/state.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import type { State } from '../src/store/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { ACTS } from '../test/support/rules.ts';
import { type Measure, type Row, ratio } from './measure.ts';
import { CLERK, END, manyActs, postgresWords, SQLITE } from './support/many-acts.ts';

const SCHEMA = 'fareclerk';
const [FEW, MANY, SHORT] = [10_000, 1_000_000, 100_000];
const TIMES = 9;

/** A way to open the same state again and again. */
type Open = () => Promise<State>;

const OPEN = ['intent', 'dispatched', 'in_doubt', 'needs_person'] as const;

/** What is the same at any size. */
const CALLS: Readonly<Record<string, (state: State) => Promise<unknown>>> = {
  'the newest operation': ({ operations }) => operations.list({ limit: 1 }),
  "a clerk's open operations": ({ operations }) =>
    operations.list({ tenant: CLERK.tenant, caller: CLERK.id, states: OPEN, limit: 1_000 }),
  "a page of the desk's bookings": ({ ledger }) => ledger.findOfTenant(CLERK.tenant, { limit: 100 }),
  'bookings of the desk that are due': ({ ledger }) =>
    ledger.findOfTenant(CLERK.tenant, { deadlineAfter: END, limit: 20 }),
  'counts of what is open': ({ openCounts }) => openCounts(END, ACTS),
};

/** What reads all that is there. */
const searchInVain = ({ ledger }: State) => ledger.findOfTenant(CLERK.tenant, { query: 'nobody', limit: 100 });

async function median(work: () => Promise<unknown>, times = TIMES): Promise<number> {
  const took: number[] = [];
  // The first one fills caches.
  await work();
  while (took.length < times) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

async function compared(name: string, few: Open, many: Open): Promise<Row[]> {
  const opening = (open: Open) => median(async () => (await open()).close());
  const rows = [ratio(`${name}: opening the state`, [await opening(many), await opening(few)], 'ms', 3)];
  const [small, large] = [await few(), await many()];
  for (const [what, call] of Object.entries(CALLS))
    rows.push(ratio(`${name}: ${what}`, [await median(() => call(large)), await median(() => call(small))], 'ms', 3));
  const vain = await median(() => searchInVain(large), 3);
  rows.push({ what: `${name}: a search of the desk that finds nothing`, value: vain, unit: 'ms' });
  for (const state of [small, large]) await state.close();
  return rows;
}

const now = () => END;

async function inFile(folder: string, count: number): Promise<Open> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'fareclerk.sqlite');
  const open = () => openSqliteState(file, { now });
  await (await open()).close();
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  for (const sql of manyActs(SQLITE, count)) db.exec(sql);
  db.close();
  return open;
}

export const journal: Measure = {
  name: 'journal',
  about: 'beside a journal of a million operations, as a multiple of ten thousand (--short: a hundred thousand)',
  why: 'A busy desk has a million after a few years, and nobody may wait longer for it.',
  async run({ folder, short }) {
    const most = short ? SHORT : MANY;
    const [few, many] = [await inFile(folder('few'), FEW), await inFile(folder('many'), most)];
    const rows = await compared('SQLite', few, many);
    const cluster = await startCluster();
    try {
      const inDatabase = async (name: string, count: number): Promise<Open> => {
        const url = await cluster.database(name);
        const open = () => openPostgresState(url, { now, schema: SCHEMA });
        await (await open()).close();
        for (const sql of manyActs(postgresWords(SCHEMA), count)) await cluster.sql(name, sql);
        await cluster.sql(name, 'vacuum analyze');
        return open;
      };
      rows.push(...(await compared('PostgreSQL', await inDatabase('few', FEW), await inDatabase('many', most))));
    } finally {
      await cluster.close();
    }
    return rows;
  },
};
