/** Statements without an end, more at once than run side by side: each real process uses all the time that it gets. */
import { setTimeout as pause } from 'node:timers/promises';
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

// A machine that is busy with other programs may take longer to start the short one than the long ones may take.
it('answers a short question of somebody else while long ones of four run', { retry: 3 }, async () => {
  const ended: string[] = [];
  const asked = async (sql: string, asker: string) => {
    const end = await ask(sql, asker);
    ended.push(asker);
    return end;
  };
  const long = ['ann', 'ben', 'eve', 'far'].map((asker) => asked(ENDLESS, asker));
  await pause(50);
  expect(await asked('select 1', 'lead')).toMatchObject({ rows: [[1]] });
  expect(ended).toEqual(['lead']);
  const ends = await Promise.all(long);
  for (const end of ends) expect(end).toMatchObject({ failed: { kind: expect.stringMatching(/^(?:too_slow|busy)$/) } });
});
