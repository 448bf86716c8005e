/** One SELECT in a process of its own: what it may do, and what ends it. Each question starts a real process. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Cell, SqlRead, SqlRows, SqlTable } from '../../src/ledger/sql-tables.ts';
import { type MadeQuestion, runMade, runMadeNow } from '../support/run-sql.ts';
import { atNight, WHOLE } from '../support/whole.ts';

interface FilledTable extends SqlTable {
  readonly rows: SqlRows;
}

const BOOKING: FilledTable = {
  name: 'booking',
  columns: [
    { name: 'locator', type: 'text' },
    { name: 'amount_minor', type: 'integer' },
    { name: 'currency', type: 'text' },
    { name: 'departs_at', type: 'text' },
  ],
  indexes: ['locator'],
  rows: [
    ['ABC123', 542_777, 'SAR', '2026-12-01T01:30+03:00'],
    ['DEF456', 400, 'JPY', '2026-11-30T23:30+09:00'],
    ['GHI789', 12_345, 'KWD', null],
  ],
};

const SEGMENT: FilledTable = {
  name: 'segment',
  columns: [
    { name: 'locator', type: 'text' },
    { name: 'n', type: 'integer' },
  ],
  indexes: ['locator'],
  rows: Array.from({ length: 3_000 }, (_, n) => [`L${n}`, n]),
};

function ask(sql: string, { mostRows = 50, mostText = 20_000, tables = [BOOKING, SEGMENT], statementMs = 0 } = {}) {
  const now = Date.parse('2026-11-23T22:30:00Z');
  const question = { ...{ tables, sql, mostRows, mostText, now, timeZone: 'Asia/Riyadh' }, rowsOf: rowsIn(tables) };
  return statementMs > 0 ? runMadeNow(question, statementMs) : runMade(question);
}

/** Answers as the ledger does: with the cells of those columns that the statement reads. */
function rowsIn(tables: readonly FilledTable[]): MadeQuestion['rowsOf'] {
  return async function* (reads) {
    for (const [read, { table, columns }] of reads.entries()) {
      const { columns: all = [], rows = [] } = tables.find(({ name }) => name === table) ?? {};
      const places = columns.map((column) => all.findIndex(({ name }) => name === column));
      for (let from = 0; from < rows.length; from += 1_000)
        yield [read, rows.slice(from, from + 1_000).map((row) => places.map((place) => row[place] ?? null))];
    }
  };
}

async function rowsOf(sql: string): Promise<readonly (readonly Cell[])[]> {
  const end = await ask(sql);
  if ('failed' in end) throw new Error(end.failed.why);
  return end.rows;
}

async function failureOf(sql: string) {
  const end = await ask(sql);
  return 'failed' in end ? end.failed : end;
}

describe('asks for', () => {
  const TABLES = [BOOKING, SEGMENT];

  async function readsOf(sql: string): Promise<readonly SqlRead[] | undefined> {
    let seen: readonly SqlRead[] | undefined;
    const rowsOf = (reads: readonly SqlRead[]) => {
      seen = reads;
      return rowsIn(TABLES)(reads);
    };
    await runMade({ ...{ tables: TABLES, sql, mostRows: 9, mostText: 999, now: 0, timeZone: 'UTC' }, rowsOf });
    return seen;
  }

  const booking = (...columns: string[]) => ({ table: 'booking', columns });
  const segment = (...columns: string[]) => ({ table: 'segment', columns });

  it.each([
    ['select count(*) from booking', [booking()]],
    ['select 1', []],
    ["select 'segment' as booking", []],
    ['select [LOCATOR] from "Booking" order by "currency"', [booking('locator', 'currency')]],
    ['select 1 from booking where exists (select 1 from segment)', [booking(), segment()]],
    ['select n from booking join segment using (locator)', [booking('locator'), segment('locator', 'n')]],
    ['select count(*) from booking natural join segment', [booking('locator'), segment('locator')]],
    [
      'select (select max(n) from segment natural join booking) from booking b',
      [booking('locator'), segment('locator', 'n')],
    ],
    [
      'select locator from booking full join segment using (locator) order by 1',
      [booking('locator'), segment('locator')],
    ],
    ['with segment as (select currency from booking) select * from segment', [booking('currency')]],
    ['with unused as (select n from segment) select currency from booking', [booking('currency')]],
    ['select n, sum(n) over (order by locator) from segment', [segment('locator', 'n')]],
    ['select b.* from booking b', [booking('locator', 'amount_minor', 'currency', 'departs_at')]],
    ['select rowid from segment', [segment()]],
  ])('what is read, and no more: %s', async (sql, reads) => {
    expect(await readsOf(sql)).toEqual(reads);
  });

  it.each([
    'select nothing from booking',
    'select * from sqlite_master',
    'select 1; select 2',
    'delete from booking',
    "select load_extension('x')",
  ])('no rows for what is not run: %s', async (sql) => {
    expect(await readsOf(sql)).toBeUndefined();
  });

  it('rows that cannot be read: the question fails as the reading did, and the next has its turn', async () => {
    const lost = async function* (): ReturnType<MadeQuestion['rowsOf']> {
      yield [0, [[1]]];
      throw new Error('the state is down');
    };
    const question = {
      tables: TABLES,
      sql: 'select n from segment',
      mostRows: 9,
      mostText: 999,
      now: 0,
      timeZone: 'UTC',
    };
    for (const _ of [1, 2, 3])
      await expect(runMade({ ...question, rowsOf: lost })).rejects.toThrow('the state is down');
    expect(await rowsOf('select count(*), count(n) from segment')).toEqual([[3_000, 3_000]]);
  });
});

describe('answers', () => {
  it('columns by name, also two of one name', async () => {
    const end = await ask(
      'select b.locator, s.locator from booking b left join segment s on s.locator = b.locator limit 1',
    );
    expect(end).toEqual({ columns: ['locator', 'locator'], rows: [['ABC123', null]] });
  });

  it('sums that equal what they are', async () => {
    const parts = (...numbers: readonly unknown[]) =>
      numbers.map((number) => `select ${number} as a`).join(' union all ');
    const one = async (sql: string) => (await rowsOf(sql))[0];
    expect(await one(`select sum(a) = 0.3, total(a) = 0.3, avg(a) = 0.15 from (${parts(0.1, 0.2)})`)).toEqual([
      1, 1, 1,
    ]);
    // A large amount between small ones loses none of them.
    expect(await one(`select sum(a) = 0.3 from (${parts(0.1, 1e15, 0.2, -1e15)})`)).toEqual([1]);
    expect(await one(`select sum(a), total(a), avg(a), typeof(sum(a)) from (${parts(1, 2, 'null')})`)).toEqual([
      ...[3, 3, 1.5, 'integer'],
    ]);
    expect(await one('select sum(a), total(a), avg(a) from (select null as a)')).toEqual([null, 0, null]);
    expect(await one(`select sum(a) from (${parts("'2x'", "'y'")})`)).toEqual([2]);
    const running = `select sum(a) over (order by n rows 1 preceding) from (select 1 as n, 0.1 as a union all select 2, 0.2 union all select 3, 0.1)`;
    expect(await rowsOf(`select * from (${running}) as s`)).toEqual([[0.1], [0.3], [0.3]]);
    expect(await one(`select sum(distinct a) filter (where a > 0.1) from (${parts(0.1, 0.2, 0.2)})`)).toEqual([0.2]);
  });

  it('days where the desk is, and days where the train leaves', async () => {
    expect(await rowsOf("select date('now'), current_date, date(), date('now', '-1 day'), time('now')")).toEqual([
      ['2026-11-24', '2026-11-24', '2026-11-24', '2026-11-23', '01:30:00'],
    ]);
    expect(
      await rowsOf("select date(departs_at), strftime('%H:%M', departs_at) from booking order by locator"),
    ).toEqual([
      ['2026-12-01', '01:30'],
      ['2026-11-30', '23:30'],
      [null, null],
    ]);
  });

  it('the time between two instants, whatever their offsets', async () => {
    const sql = 'select round((julianday(max(departs_at)) - julianday(min(departs_at))) * 24, 3) from booking';
    expect(await rowsOf(sql)).toEqual([[8]]);
    expect(await rowsOf("select unixepoch('now')")).toEqual([[Date.parse('2026-11-23T22:30:00Z') / 1000]]);
  });

  it('every digit of a number', async () => {
    expect(await rowsOf('select 9007199254740993, 1.5, sum(amount_minor) from booking')).toEqual([
      ['9007199254740993', 1.5, 555_522],
    ]);
  });

  it('as many rows as asked for, and says that there are more', async () => {
    const end = await ask('select n from segment order by n', { mostRows: 2 });
    expect(end).toEqual({ columns: ['n'], rows: [[0], [1]], cut: 'rows' });
    expect(await ask('select n from segment where n < 2 order by n', { mostRows: 2 })).toEqual({
      columns: ['n'],
      rows: [[0], [1]],
    });
  });

  it('as much text as asked for, and says that there is more', async () => {
    const end = await ask("select 'twelve chars' from segment", { mostText: 30 });
    expect(end).toMatchObject({ cut: 'text', rows: [['twelve chars'], ['twelve chars']] });
  });

  it('a long cell cut', async () => {
    const [[cell] = []] = await rowsOf("select replace(printf('%3000d', 1), ' ', 'x')");
    expect(String(cell)).toHaveLength(2_001);
    expect(String(cell).endsWith('…')).toBe(true);
  });

  it('with recursion, windows and comments', async () => {
    expect(
      await rowsOf(
        'with recursive r(i) as (select 1 union all select i + 1 from r where i < 4) select count(*) from r',
      ),
    ).toEqual([[4]]);
    expect(
      await rowsOf(
        'select /* of all */ n, rank() over (order by n desc) from segment order by n desc limit 1; -- newest',
      ),
    ).toEqual([[2999, 1]]);
  });
});

describe('refusals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'out.sqlite');

  /** Alike to one below; each question starts a process. */
  const ALIKE = [
    [`attach '${file}' as other`, 'refused'],
    ['vacuum', 'refused'],
    ['pragma temp_store', 'refused'],
    ['select count(*) from sqlite_schema', 'refused'],
    ["update booking set locator = 'x'", 'refused'],
    ['create temp view more as select 1', 'refused'],
    ['drop table booking', 'refused'],
    ['savepoint x', 'refused'],
    ['analyze', 'refused'],
    ['reindex', 'refused'],
    ['explain select 1', 'refused'],
    ['select zeroblob(400000000)', 'refused'],
    ['select 1; select 2', 'several'],
    ['', 'invalid'],
    ["select readfile('/etc/passwd')", 'unknown'],
  ];

  it.each([
    ...atNight(ALIKE, []),
    [`vacuum into '${file}'`, 'refused'],
    ['pragma user_version = 5', 'refused'],
    ['/**/explain select * from booking', 'refused'],
    ['--x\nexplain query plan select * from booking', 'refused'],
    ["select * from pragma_table_info('booking')", 'refused'],
    ['select * from sqlite_master', 'refused'],
    ['delete from booking', 'refused'],
    ["insert into booking values ('x', 1, 'SAR', null)", 'refused'],
    ['create table more (a)', 'refused'],
    ['begin', 'refused'],
    ['with x as (select 1) delete from booking', 'refused'],
    ['select randomblob(400000000)', 'refused'],
    ["select load_extension('/tmp/x.so')", 'refused'],
    ["select * from json_each('[1]')", 'refused'],
    ["select printf('%.*c', 400000000, 'x')", 'too_large'],
    ['select 1; drop table booking', 'several'],
    ['select 1 /* ; */ ; /* */ select 2', 'several'],
    ["x'; drop", 'invalid'],
    ['-- nothing', 'invalid'],
    [`select ${'1 +'.repeat(9_000)} 1`, 'refused'],
    [`select writefile('${file}', 'x')`, 'unknown'],
  ])('%s', async (sql, kind) => {
    expect(await failureOf(sql)).toMatchObject({ kind });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('name the nearest column, table and function', async () => {
    expect(await failureOf('select locater from booking')).toEqual({
      kind: 'unknown',
      why: 'There is no column locater.',
      near: 'locator',
    });
    expect(await failureOf('select b.curency from booking b')).toMatchObject({ near: 'currency' });
    expect(await failureOf('select 1 from bookings')).toMatchObject({
      why: 'There is no table bookings.',
      near: 'booking',
    });
    expect(await failureOf('select rounds(1)')).toMatchObject({ near: 'round' });
  });
});

describe('ends', () => {
  const ENDLESS = 'with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r';

  it('what runs too long, and answers the next question', async () => {
    expect(await ask(ENDLESS, { statementMs: atNight(0, 300) })).toMatchObject({ failed: { kind: 'too_slow' } });
    expect(await rowsOf('select 1')).toEqual([[1]]);
  });

  const inTheNight = WHOLE ? it : () => undefined;

  inTheNight('what needs too much memory', async () => {
    const wide = {
      ...SEGMENT,
      rows: SEGMENT.rows.map(([locator, n = null]) => [String(locator).padEnd(4_000, 'x'), n]),
    };
    const sql = 'select a.locator || b.locator as both from segment a, segment b order by both';
    expect(await ask(sql, { tables: [wide], statementMs: 120_000 })).toMatchObject({ failed: { kind: 'too_large' } });
  });

  it('the slow ones of one asker delay nobody else, and a caller who left is waited for no longer', async () => {
    const questionOf = (asker: string, sql: string, signal?: AbortSignal) =>
      runMade({
        tables: [],
        sql,
        asker,
        signal,
        mostRows: 9,
        mostText: 99,
        now: 0,
        timeZone: 'UTC',
        rowsOf: rowsIn([]),
      });
    const leaving = new AbortController();
    const slow = Array.from({ length: 8 }, () => questionOf('eve', ENDLESS, leaving.signal));
    let ended = 0;
    for (const one of slow) one.then(() => ended++);
    expect(await questionOf('ann', 'select 1')).toMatchObject({ rows: [[1]] });
    // By the order of coming, hers would be the ninth.
    expect(ended).toBeLessThan(3);
    leaving.abort();
    const kinds = (await Promise.all(slow)).map((end) => 'failed' in end && end.failed.kind);
    expect(kinds.filter((kind) => kind === 'lost').length).toBeGreaterThan(5);
  });

  it('short ones at once are all answered', async () => {
    const ends = await Promise.all(Array.from({ length: 6 }, () => rowsOf('select count(*) from booking')));
    expect(ends).toEqual(Array.from({ length: 6 }, () => [[3]]));
  });
});

it('says that a question which did not start may be asked again, and blames no statement', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked = ask('select 1', { statementMs: 1_500 });
    vi.advanceTimersByTime(30_000);
    const why = 'This machine is so busy that the question did not start in 30 seconds.';
    expect(await asked).toEqual({ failed: { kind: 'busy', why } });
  } finally {
    vi.useRealTimers();
  }
});
