/** What the page of decided questions costs beside a hundred thousand of them, for a person who asked many and for one who asked none. */
import type { State } from '../src/store/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import type { Measure, Row } from './measure.ts';
import { filledDatabase, filledFile } from './support/filled-states.ts';
import { END, type Words } from './support/many-acts.ts';
import { manyQuestions } from './support/many-questions.ts';
import { medianMs } from './support/rounds.ts';

const QUESTIONS = 100_000;
const MOST_MS = 50;
const TIMES = 9;
const DAY_MS = 86_400_000;

async function measured(name: string, { decided, close }: State): Promise<Row[]> {
  const query = { tenant: 'desk', since: END - 30 * DAY_MS, now: END, limit: 50 };
  const rows: Row[] = [];
  const people = { 'a clerk of a hundred': 'oauth:c7', 'somebody who asked none': 'oauth:eve' };
  for (const [who, person] of Object.entries(people)) {
    const found = await decided.lastOf({ ...query, person });
    const value = await medianMs(() => decided.lastOf({ ...query, person }), TIMES);
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
    const fill = (words: Words) => manyQuestions(words, QUESTIONS);
    const rows = await measured('SQLite', await (await filledFile(folder('decided'), fill)).open());
    const cluster = await startCluster();
    try {
      const { open } = await filledDatabase(cluster, 'decided', fill);
      return [...rows, ...(await measured('PostgreSQL', await open()))];
    } finally {
      await cluster.close();
    }
  },
};
