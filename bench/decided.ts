/** What the page of decided questions costs beside a hundred thousand of them, for a person who asked many and for one who asked none. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresState } from '../src/store/postgres/state.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import type { State } from '../src/store/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import type { Measure, Row } from './measure.ts';
import { END, postgresWords, SQLITE } from './support/many-acts.ts';
import { manyQuestions } from './support/many-questions.ts';

const SCHEMA = 'fareclerk';
const QUESTIONS = 100_000;
const MOST_MS = 50;
const TIMES = 9;
const DAY_MS = 86_400_000;
const now = () => END;

async function median(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  await work();
  while (took.length < TIMES) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
}

async function measured(name: string, { decided, close }: State): Promise<Row[]> {
  const query = { tenant: 'desk', since: END - 30 * DAY_MS, now: END, limit: 50 };
  const rows: Row[] = [];
  const people = { 'a clerk of a hundred': 'oauth:c7', 'somebody who asked none': 'oauth:eve' };
  for (const [who, person] of Object.entries(people)) {
    const found = await decided.lastOf({ ...query, person });
    const value = await median(() => decided.lastOf({ ...query, person }));
    rows.push({ what: `${name}: ${who}`, value, unit: 'ms', atMost: MOST_MS, from: `${found.length} rows` });
  }
  await close();
  return rows;
}

export const decided: Measure = {
  name: 'decided',
  about: 'the page of decided questions, beside a hundred thousand of them',
  why: 'The page looks at all questions of thirty days: SQLite finds older ones in an index that has who asked and answered.',
  async run({ folder }) {
    const path = folder('decided');
    mkdirSync(path, { recursive: true });
    const file = join(path, 'fareclerk.sqlite');
    await (await openSqliteState(file, { now })).close();
    const db = new DatabaseSync(file);
    db.exec('pragma synchronous = off');
    for (const sql of manyQuestions(SQLITE, QUESTIONS)) db.exec(sql);
    db.close();
    const rows = await measured('SQLite', await openSqliteState(file, { now }));
    const cluster = await startCluster();
    try {
      const url = await cluster.database('decided');
      await (await openPostgresState(url, { now, schema: SCHEMA })).close();
      for (const sql of manyQuestions(postgresWords(SCHEMA), QUESTIONS)) await cluster.sql('decided', sql);
      await cluster.sql('decided', 'vacuum analyze');
      return [...rows, ...(await measured('PostgreSQL', await openPostgresState(url, { now, schema: SCHEMA })))];
    } finally {
      await cluster.close();
    }
  },
};
