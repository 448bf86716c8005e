/** Statements as a hurried reader writes them, whose plain result would look right and be wrong: each gives the value, or a hint. */
import { expect, test } from 'vitest';
import type { SqlRead, SqlTable } from '../../src/ledger/sql-tables.ts';
import { SqlWords } from '../../src/ledger/sql-words.ts';
import { runMade } from '../support/run-sql.ts';

const TABLE: SqlTable = {
  name: 'sale',
  columns: [
    { name: 'locator', type: 'text' },
    { name: 'act', type: 'text', tellsValues: true, words: ['payment', 'refund', 'release'] },
    { name: 'train', type: 'text', tellsValues: true },
    { name: 'name', type: 'text' },
    { name: 'at', type: 'text' },
    { name: 'amount', type: 'real', isAmount: true },
    { name: 'currency', type: 'text', tellsValues: true },
  ],
  indexes: [],
};
const ROWS: readonly Readonly<Record<string, string | number | null>>[] = [
  ['A1', 'payment', 'HHR1', 730.48, 'SAR'],
  ['A2', 'payment', 'HHR1, HHR2', 1541.46, 'SAR'],
  ['A3', 'refund', 'HHR2', 0.1, 'SAR'],
  ['K1', 'payment', 'HHR3', 12.345, 'KWD'],
  ['J1', 'payment', 'HHR3', 9_105, 'JPY'],
  ['N1', 'payment', 'HHR3', null, null],
].map(([locator, act, train, amount, currency], i) => ({
  ...{ locator, act, train, name: 'Haddad A', at: `2026-12-0${i + 1}T10:00+03:00`, amount, currency },
})) as never;

async function ask(sql: string) {
  const end = await runMade({
    tables: [TABLE],
    rowsOf: async function* (reads: readonly SqlRead[]) {
      for (const [i, { columns }] of reads.entries())
        yield [i, ROWS.map((row) => columns.map((name) => row[name] ?? null))] as const;
    },
    ...{ sql, mostRows: 50, mostText: 20_000, now: Date.now(), timeZone: 'Asia/Riyadh' },
  });
  if ('failed' in end) throw new Error(end.failed.why);
  return end;
}

test.each([
  // A sum, also of a CTE, a window or a scalar subquery.
  [
    'select sum(amount) from sale',
    [
      ['JPY', 9_105],
      ['KWD', 12.345],
      ['SAR', 2272.04],
    ],
  ],
  [
    'select currency, sum(amount) from sale',
    [
      ['JPY', 'JPY', 9_105],
      ['KWD', 'KWD', 12.345],
      ['SAR', 'SAR', 2272.04],
    ],
  ],
  [
    'with s as (select amount as a from sale) select max(a) from s',
    [
      ['JPY', 9_105],
      ['KWD', 12.345],
      ['SAR', 1541.46],
    ],
  ],
  [
    "select locator, sum(amount) over () from sale where act = 'payment' and amount < 1000",
    [
      ['KWD', 'K1', 12.345],
      ['SAR', 'A1', 730.48],
    ],
  ],
  [
    'select (select min(amount) from sale)',
    [
      ['JPY', 9_105],
      ['KWD', 12.345],
      ['SAR', 0.1],
    ],
  ],
  // A comparison, and an order.
  [
    'select locator from sale where amount > 1000',
    [
      ['JPY', 'J1'],
      ['SAR', 'A2'],
    ],
  ],
  [
    'select locator from sale where amount is not null order by amount desc limit 1',
    [
      ['JPY', 'J1'],
      ['KWD', 'K1'],
      ['SAR', 'A2'],
    ],
  ],
  [
    "select amount from sale where amount > 100 and locator > ''",
    [
      ['JPY', 9_105],
      ['SAR', 730.48],
      ['SAR', 1541.46],
    ],
  ],
  ["select sum(iif(currency = 'SAR', amount, 0)) from sale", [['SAR', 2272.04]]],
  // Days in one group have several currencies, and a rank compares them.
  [
    'select substr(at, 1, 7) as month, sum(amount) from sale group by month',
    [
      ['JPY', '2026-12', 9_105],
      ['KWD', '2026-12', 12.345],
      ['SAR', '2026-12', 2272.04],
      // Of rows without an amount.
      [null, '2026-12', null],
    ],
  ],
  [
    'select locator from (select locator, rank() over (order by amount desc) as place from sale where amount is not null) where place = 1',
    [
      ['JPY', 'J1'],
      ['KWD', 'K1'],
      ['SAR', 'A2'],
    ],
  ],
  [
    'select locator from sale where amount >= (select avg(amount) from sale)',
    [
      ['JPY', 'J1'],
      ['KWD', 'K1'],
      ['SAR', 'A2'],
    ],
  ],
  [
    'select locator, amount from sale where amount is not null order by amount desc',
    [
      ['JPY', 'J1', 9_105],
      ['KWD', 'K1', 12.345],
      ['SAR', 'A2', 1541.46],
      ['SAR', 'A1', 730.48],
      ['SAR', 'A3', 0.1],
    ],
  ],
])('%s is answered for each currency', async (sql, rows) => {
  const { currencies, ...end } = await ask(sql);
  const isOne = rows.every(([currency]) => currency === rows[0]?.[0]);
  expect(end.rows).toEqual(isOne ? rows.map((row) => row.slice(1)) : rows);
  expect(currencies).toEqual(isOne ? undefined : ['JPY', 'KWD', 'SAR']);
});

test.each([
  // Nothing is mixed: no amount, by currency, of one, or only whether there is an amount.
  ['select count(*) from sale', [[6]]],
  ['select count(*), sum(amount > 0) from sale', [[6, 5]]],
  [
    'select currency, sum(amount) from sale where currency is not null group by currency',
    [
      ['JPY', 9_105],
      ['KWD', 12.345],
      ['SAR', 2272.04],
    ],
  ],
  ["select max(amount) from sale where currency = 'SAR'", [[1541.46]]],
  ["select locator from sale where currency = 'SAR' order by amount desc limit 1 offset 1", [['A1']]],
  [
    "select sum(amount) = 730.58, sum(amount) <> 730.58, sum(amount) from sale where locator in ('A1', 'A3') group by currency",
    [[1, 0, 730.58]],
  ],
])('%s is answered once', async (sql, rows) => {
  const end = await ask(sql);
  expect([end.rows, end.currencies, end.hints]).toEqual([rows, undefined, undefined]);
});

test.each([
  [
    "select count(*) from sale where act = 'PAYMENT'",
    [{ kind: 'no_value', column: 'act', text: 'PAYMENT', values: ['payment', 'refund', 'release'] }],
  ],
  ["select 1 from sale s where s.act in ('paid', 'refund')", [{ kind: 'no_value', column: 'act', text: 'paid' }]],
  [
    "select 1 from sale where 'x' <> train -- it's so",
    [{ kind: 'no_value', column: 'train', values: ['HHR1', 'HHR1, HHR2', 'HHR2', 'HHR3'] }],
  ],
  ["select count(*) from sale where train like '1'", [{ kind: 'no_value', column: 'train', text: '1' }]],
  ["select count(*) from sale where train = 'HHR1'", [{ kind: 'list', column: 'train', text: 'HHR1' }]],
  [
    "select count(*) from sale where at between '2026-12-01' and '2026-12-03'",
    [{ kind: 'written', column: 'at', text: '2026-12-01T10:00' }],
  ],
  ["select count(*) from sale where at = '2026-12-03'", [{ kind: 'written', column: 'at', text: '2026-12-01T10:00' }]],
  // A sum over a window cannot be tried, and leaves the amounts as they are for what comes after it.
  [
    "select sum(s.amount) over () from sale s join sale t using (act) where s.currency = 'SAR' and s.amount * 1 = 0.1",
    undefined,
  ],
  ["select 1 from sale where round(amount - 0.1, 3) = 730.38 and currency = 'SAR' and amount - amount = 0", undefined],
  ["select sum(amount) from sale where currency = 'SAR' and unixepoch(at) / 60 - 1 > 5", undefined],
  ["select 1 from sale where currency = 'SAR' group by currency having sum(amount - 0.1) = 2271.74", undefined],
  // A lawful nothing, a name, a pattern, and a beginning need none.
  [
    "select count(*) from sale where act = 'release' or name = 'Nobody' or locator = 'XXXXXX' or train like 'HHR%'",
    undefined,
  ],
  ["select count(*) from sale where at >= '2026-12-01' and at < '2026-12-04'", undefined],
])('%s is hinted at', async (sql, hints) => {
  const end = await ask(sql);
  expect(end.hints).toEqual(hints?.map((hint) => expect.objectContaining(hint)));
});

test.each([
  ["select distinct act = 'sale' from sale", 1],
  ["select max(act) = 'sale', count(*) from sale group by train having max(act) <> 'sale'", 4],
  ["select row_number() over (order by act) || act = 'sale' from sale", 6],
  ["select (select max(act) from sale) = 'sale', at || '' > 'x' from sale", 6],
  ["select case when act = 1 then act else train end = 'sale' from sale", 6],
  ["with recursive n(act) as (select 1 union all select act + 1 from n where act < 3) select act = 'sale' from n", 3],
  ["select act collate nocase = 'PAYMENT' from sale where (act, train) not in (select act, train from sale)", 0],
  ["select 1 from sale where at - 1 = '2026-12' or not act like 'p%' escape 'x' and - amount - - amount in (0)", 1],
])('%s is answered although parts of it cannot stand alone', async (sql, rows) => {
  expect((await ask(sql)).rows).toHaveLength(rows);
});

test('reads comparisons beside quotes, comments, aliases, lists and quoted names', () => {
  const sql = `select "act" as a, 'it''s = ''x''' from sale /* act = 'no' */ where s."act" = 'a''b' -- act = 'neither'
    and 'c' >= at and [train] not in ('d', 'e') and act is not 'f' and lower(act) = 'g' and at not between 'h' and 'i' and act = ?`;
  const words = new SqlWords(sql);
  const read = words
    .comparisons()
    .map(({ subject, operator, at }) => `${words.written(subject, 'one table')} ${operator} ${words.text(at)}`);
  expect(read).toEqual([
    ...["act = a'b", 'at <= c', 'train = d', 'train = e', 'act = f', 'lower ( act ) = g', 'at >= h', 'at <= i'],
  ]);
});

const NIGHT: SqlTable = {
  name: 'act',
  columns: [
    { name: 'locator', type: 'text' },
    { name: 'at', type: 'text' },
    { name: 'departs_at', type: 'text' },
  ],
  indexes: [],
};
const OF_NIGHT = [
  ['D4', '2026-10-25T03:00:00+01:00', '2026-10-25T20:05+03:00'],
  ['C3', '2026-10-25T02:40:09+01:00', '2026-10-25T18:30+03:00'],
  ['B2', '2026-10-25T02:10:00+01:00', '2026-10-25T23:00+03:00'],
  ['A1', '2026-10-25T02:30:00+02:00', '2026-10-26T09:00+03:00'],
] as const;

async function askAtNight(sql: string) {
  const end = await runMade({
    tables: [NIGHT],
    rowsOf: async function* (reads: readonly SqlRead[]) {
      for (const [i, { columns }] of reads.entries())
        yield [
          i,
          OF_NIGHT.map((row) =>
            columns.map((name) => row[NIGHT.columns.findIndex((each) => each.name === name)] ?? null),
          ),
        ] as const;
    },
    ...{ sql, mostRows: 50, mostText: 20_000, now: Date.parse('2026-10-25T17:00:00Z'), timeZone: 'Europe/Berlin' },
  });
  if ('failed' in end) throw new Error(end.failed.why);
  return end.rows.map((row) => row.join(' '));
}

test.each([
  // 18:00 in Berlin is 20:00 in Riyadh: C3 has left, and D4 leaves in five minutes.
  [
    "select locator from act where julianday(departs_at) > julianday('now') and date(departs_at) = date('now')",
    ['D4', 'B2'],
  ],
  ["select locator from act where date(departs_at) = date('now', '+1 day')", ['A1']],
])('now is the time of the desk, which julianday() compares with that of a station: %s', async (sql, rows) => {
  expect(await askAtNight(sql)).toEqual(rows);
});
