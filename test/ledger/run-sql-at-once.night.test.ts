/** Statements without an end, more at once than run side by side: each real process uses all the time that it gets. */
import { expect, it } from 'vitest';
import { runMade } from '../support/run-sql.ts';

const ENDLESS = 'with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r';

const ask = (sql: string, asker?: string) =>
  runMade({
    asker,
    tables: [],
    rowsOf: async function* () {},
    sql,
    mostRows: 50,
    mostText: 20_000,
    now: Date.now(),
    timeZone: 'Asia/Riyadh',
  });

it('ends ten at once: each is answered, ended or told to come again, and none keeps the next from its turn', async () => {
  const ends = await Promise.all(Array.from({ length: 10 }, () => ask(ENDLESS)));
  expect(new Set(ends.map((end) => 'failed' in end && end.failed.kind))).toEqual(new Set(['too_slow', 'busy']));
  expect(await ask('select 1')).toMatchObject({ rows: [[1]] });
});
