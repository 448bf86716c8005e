/** What a call costs beside a journal of a million operations, as a multiple of the same call beside ten thousand. */
import type { State } from '../src/store/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { ACTS } from '../test/support/rules.ts';
import { type Measure, type Row, ratio } from './measure.ts';
import { type Filled, filledDatabase, filledFile } from './support/filled-states.ts';
import { CLERK, END, manyActs, type Words } from './support/many-acts.ts';
import { medianMs } from './support/rounds.ts';

const [FEW, MANY, SHORT] = [10_000, 1_000_000, 100_000];
const TIMES = 9;

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

const took = (state: State, call: (state: State) => Promise<unknown>) => medianMs(() => call(state), TIMES);

async function compared(name: string, few: Filled, many: Filled): Promise<Row[]> {
  const opening = ({ open }: Filled) => medianMs(async () => (await open()).close(), TIMES);
  const rows = [ratio(`${name}: opening the state`, [await opening(many), await opening(few)], 'ms', 3)];
  const [small, large] = [await few.open(), await many.open()];
  for (const [what, call] of Object.entries(CALLS))
    rows.push(ratio(`${name}: ${what}`, [await took(large, call), await took(small, call)], 'ms', 3));
  const vain = await medianMs(() => searchInVain(large), 3);
  rows.push({ what: `${name}: a search of the desk that finds nothing`, value: vain, unit: 'ms' });
  for (const state of [small, large]) await state.close();
  return rows;
}

const acts = (count: number) => (words: Words) => manyActs(words, count);

export const journal: Measure = {
  name: 'journal',
  about: 'beside a journal of a million operations, as a multiple of ten thousand (--short: a hundred thousand)',
  why: 'A busy desk has a million after a few years, and nobody may wait longer for it.',
  async run({ folder, short }) {
    const most = short ? SHORT : MANY;
    const [few, many] = [await filledFile(folder('few'), acts(FEW)), await filledFile(folder('many'), acts(most))];
    const rows = await compared('SQLite', few, many);
    const cluster = await startCluster();
    try {
      const inDatabase = (name: string, count: number) => filledDatabase(cluster, name, acts(count));
      rows.push(...(await compared('PostgreSQL', await inDatabase('few', FEW), await inDatabase('many', most))));
    } finally {
      await cluster.close();
    }
    return rows;
  },
};
