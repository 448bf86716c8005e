/** How far the views reach back, and what the first line of an answer says of it: with figures of an invented year, on both databases. */
import { describe, expect, test } from 'vitest';
import { END, manyActs, postgresWords, SQLITE, START } from '../../bench/support/many-acts.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { type Desk, type DeskOptions, openDesk } from '../clerk/calls/desk.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import type { LedgerEntry, NewOperation, OperationState, Outcome } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';

const { url, cluster, freshSchema, open, ends } = suiteDatabase();
const DATABASES: Readonly<Record<string, DeskOptions['openState']>> = {
  SQLite: (now) => openSqliteState(':memory:', { now }),
  PostgreSQL: (now) => open({ now }) as never,
};
const NOW = '2027-01-07T09:00:00Z';
const ANN = { tenant: 'desk', id: 'ann' };

/** Enters operations at times of the past, as ann's. */
function entering({ parts: { state } }: Desk) {
  let entered = 0;
  return async (
    at: string,
    more: Partial<NewOperation> = {},
    to: OperationState = 'succeeded',
    outcome: Outcome = { basis: 'reply' },
  ): Promise<void> => {
    entered += 1;
    const { id = `op${entered}` } = more;
    const now = Date.parse(at);
    const operation = newOperation(id, { tenant: 'desk', caller: 'ann', locator: `L${1_000 + entered}`, ...more });
    await state.operations.insert(operation, { now, owner: 'p', leaseUntil: now });
    await state.operations.transition(
      id,
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } },
      { now, actor: 'p' },
    );
    await state.operations.transition(id, { from: ['dispatched'], to, patch: { outcome } }, { now, actor: 'p' });
  };
}

const refund = (minor: number, keeps: number) =>
  [
    { tool: 'cancel_booking', direction: 'refund', amount: SAR(minor) },
    'succeeded',
    { basis: 'reply', refund: { amount: SAR(minor), penalty: SAR(keeps) } },
  ] as const;

async function deskWithYear(openState: DeskOptions['openState']): Promise<Desk> {
  const desk = await openDesk({
    ...{ sql: true, openState, startsAt: NOW },
    settings: { timeZone: () => 'Asia/Riyadh' },
  });
  const enter = entering(desk);
  // 20 sales in December by the desk's clock, of 100.00 to 119.00: the first and the last of them near midnight.
  await enter('2026-11-30T20:59:00Z', { amount: SAR(7) });
  await enter('2026-11-30T21:00:00Z', { amount: SAR(10_000) });
  for (let i = 1; i < 19; i++)
    await enter(`2026-12-${String(i + 1).padStart(2, '0')}T09:00:00Z`, { amount: SAR(10_000 + 100 * i) });
  await enter('2026-12-31T20:59:00Z', { amount: SAR(11_900) });
  for (let i = 0; i < 5; i++) await enter(`2027-01-0${i + 2}T09:00:00Z`, { amount: SAR(50_000) });
  // Before the views begin.
  await enter('2026-01-10T09:00:00Z', { amount: SAR(3_000) });
  return desk;
}

const ask = (desk: Desk, sql: string, more: object = {}) => desk.result('query_ledger', { sql, ...more });
const firstLine = ({ text }: { readonly text: string }) => text.split('\n')[0];

describe.each(Object.entries(DATABASES))('on %s', (name, openState) => {
  test('answers a question about last month in the first days of the next one', async () => {
    const desk = await deskWithYear(openState);
    const sql = `select count(*), sum(paid) from operation where act = 'payment' and outcome = 'done'
      and date(at) >= date('now', 'start of month', '-1 month') and date(at) < date('now', 'start of month')`;
    const { structured, text } = await ask(desk, sql);
    // 100.00 + 101.00 + … + 119.00.
    expect(structured.rows).toEqual([[20, 2_190]]);
    expect(firstLine({ text })).toBe('1 row; since Sun 1 Feb 2026 (Asia/Riyadh).');
    await desk.close();
  });

  test('names a day of the statement before the views begin, and reaches it with from', async () => {
    const desk = await deskWithYear(openState);
    const sql = "select count(*) as n, sum(paid) as paid from operation where on_day = '2026-01-10'";
    const short = await ask(desk, sql);
    expect(short.structured.rows).toEqual([[0, null]]);
    expect(firstLine(short)).toBe(
      '1 row; since Sun 1 Feb 2026 (Asia/Riyadh); Sat 10 Jan 2026 is before that: pass from.',
    );
    const whole = await ask(desk, sql, { from: '2026-01-07' });
    expect(whole.structured.rows).toEqual([[1, 30]]);
    expect(firstLine(whole)).toBe('1 row; Wed 7 Jan 2026 to Thu 7 Jan 2027 (Asia/Riyadh).');
    expect((await ask(desk, sql, { from: '2026-01-06' })).text).toContain('expected at most 366 days');
    for (const text of ['2026-01', '2026-01%', '2026-01-10T12:00'])
      expect((await ask(desk, `select 1 from operation where at > '${text}'`)).text).toContain('is before that');
    for (const text of ['2026-02', '2026-02-01', '2012AB', '20:00', 'ABC123'])
      expect((await ask(desk, `select 1 from operation where at > '${text}'`)).text).not.toContain('is before that');
    await desk.close();
  });

  test('heads bookings and failures with what bounds them, and not with from and to', async () => {
    const desk = await deskWithYear(openState);
    const december = { from: '2026-12-01', to: '2026-12-31' };
    const line = async (views: string, more: object = december) =>
      firstLine(await ask(desk, `select count(*) as n from ${views}`, more));
    expect(await line('operation')).toBe('1 row; Tue 1 Dec 2026 to Thu 31 Dec 2026 (Asia/Riyadh).');
    for (const view of ['booking', 'segment', 'passenger'])
      expect(await line(view)).toBe('1 row; bookings read or departing since Tue 1 Dec 2026 (Asia/Riyadh).');
    expect(await line('question join booking using (locator)')).toBe(
      '1 row; Tue 1 Dec 2026 to Thu 31 Dec 2026, bookings read or departing since Tue 1 Dec 2026 (Asia/Riyadh).',
    );
    expect(await line('booking', {})).toBe('1 row; bookings read or departing since Sun 1 Feb 2026 (Asia/Riyadh).');
    // Counts of failed calls are gone after thirty days.
    expect(await line('failure', {})).toBe('1 row; failures since Tue 8 Dec 2026 (Asia/Riyadh).');
    expect(firstLine(await ask(desk, 'select 1 as n', december))).toBe('1 row.');
    await desk.close();
  });

  test('says which columns an operation without a known outcome has, and how many of them are older', async () => {
    const desk = await deskWithYear(openState);
    await entering(desk)('2026-11-15T09:00:00Z', { amount: SAR(40_000), id: 'doubt' }, 'in_doubt', {});
    const end = async (columns: string, more: object = {}) => {
      const { text, structured } = await ask(desk, `select ${columns} from operation where tool = 'pay_booking'`, more);
      return [firstLine({ text })?.replace(/^.*?\) ?;? ?/, ''), structured.rows];
    };
    expect(await end('sum(approved_at_most) as most')).toEqual([
      '1 operation not settled, with approved_at_most.',
      [[5_090.07]],
    ]);
    expect(await end('sum(paid) as paid')).toEqual(['1 operation not settled, without paid.', [[4_690.07]]]);
    expect(await end('count(*) as n')).toEqual(['1 operation not settled.', [[27]]]);
    expect(await end('sum(approved_at_most) - sum(paid) as open')).toEqual([
      '1 operation not settled, with approved_at_most, without paid.',
      [[400]],
    ]);
    const { text } = await ask(desk, 'select count(*) as n from operation', { from: '2026-12-01' });
    expect(firstLine({ text })).toBe(
      '1 row; Tue 1 Dec 2026 to Thu 7 Jan 2027, and 1 older still open (Asia/Riyadh); 1 operation not settled.',
    );
    const seenAt = Date.parse('2026-11-20T09:00:00Z');
    // Of a trip to come: what is over may be cleaned away at any time.
    const departsAt = Date.parse('2027-02-01T09:00:00Z');
    const found = { tenant: 'desk', kind: 'retimed', locator: 'L1001', seenAt, since: seenAt - 1, departsAt } as const;
    await desk.parts.state.findings.add([{ ...found, id: 'f1' }]);
    const changes = await ask(desk, 'select count(*) as n from change', { from: '2026-12-01' });
    expect([firstLine(changes), changes.structured.rows]).toEqual([
      '1 row; Tue 1 Dec 2026 to Thu 7 Jan 2027, and 1 older still open (Asia/Riyadh).',
      [[1]],
    ]);
    await desk.close();
  });

  test('its example of refunds is of the day, beside older bookings and refunds', async () => {
    const desk = await deskWithYear(openState);
    const enter = entering(desk);
    const again = async (at: string, id: string, ...[more, to, outcome]: ReturnType<typeof refund>) =>
      enter(at, { ...more, id }, to, outcome);
    await again('2027-01-06T20:59:00Z', 'r1', ...refund(38_364, 100));
    await again('2027-01-06T21:00:00Z', 'r2', ...refund(10_000, 1_150));
    await again('2027-01-07T08:00:00Z', 'r3', ...refund(9_182, 0));
    const { structured } = await desk.result('query_ledger', {});
    const examples = structured.examples as readonly { readonly question: string; readonly sql: string }[];
    const { sql = '' } = examples.find(({ question }) => question.includes('refunded today')) ?? {};
    expect((await ask(desk, sql)).structured.rows).toEqual([['SAR', 2, 191.82, 11.5]]);
    await desk.close();
  });

  test('has what people joined bookings for', async () => {
    const desk = await deskWithYear(openState);
    const enter = entering(desk);
    const facts = { route: 'MKX-DMX-MKX', trains: ['HHR101', 'HHR202'], adults: 2, paymentType: 'cash' } as const;
    const made = Date.parse('2027-01-05T10:00:00Z');
    const tickets = ['1', '2', '3', '4'].map((n) => ({ number: `123456789012${n}` }));
    await enter('2027-01-05T10:07:30Z', { id: 'sale', locator: 'TRIP01', facts }, 'succeeded', {
      basis: 'reply',
      tickets,
    } as never);
    const [back, to, outcome] = refund(6_000, 500);
    await enter('2027-01-06T10:00:00Z', { id: 'back', locator: 'TRIP01', ...back }, to, outcome);
    // A locator may have been another booking's, paid before this one was made.
    const other = { ...facts, paymentType: 'invoice' } as const;
    await enter('2027-01-04T10:00:00Z', { id: 'other', locator: 'TRIP02', facts: other });
    const leg = { train: 'HHR101', from: 'MKX', to: 'DMX', departs: '2027-01-20T08:00:00+03:00' };
    const record = (locator: string, more: Partial<LedgerEntry>) =>
      desk.parts.state.ledger.record(ANN, {
        ...{ locator, madeHere: true, seenAt: made + 1, state: 'ticketed', createdAt: new Date(made).toISOString() },
        ...{ contactName: 'Amal Haddad', departs: leg.departs, legs: [leg, leg] },
        passengers: [{ type: 'ADT' }, { type: 'INF' }],
        ...more,
      });
    const sums = { total: SAR(20_000), paid: SAR(20_000) };
    await record('TRIP01', { sums: { ...sums, refunded: SAR(6_000), toCome: SAR(4_000) } });
    await record('TRIP02', { sums, isGroup: true });
    await record('TRIP03', { sums: { total: SAR(100) }, state: 'held', payBy: '2027-01-05T11:30:00Z' });
    // An entry of an earlier version does not say what is still to come.
    await record('TRIP04', { sums: { ...sums, refunded: SAR(1_000) } });
    const rows = async (sql: string) => (await ask(desk, sql)).structured.rows;
    expect(
      await rows(
        'select locator, state, payment_type, minutes_held, refunded, received, still_to_come, is_group from booking order by locator',
      ),
    ).toEqual([
      ['TRIP01', 'ticketed', 'cash', 7.5, 60, 20, 40, 0],
      ['TRIP02', 'ticketed', null, null, 0, 0, null, 1],
      ['TRIP03', 'expired', null, 90, null, null, null, 0],
      ['TRIP04', 'ticketed', null, null, 10, null, null, 0],
    ]);
    const { structured } = await desk.result('query_ledger', {});
    const examples = structured.examples as readonly { readonly question: string; readonly sql: string }[];
    const { sql = '' } = examples.find(({ question }) => question.includes('still to come')) ?? {};
    expect(await rows(sql)).toEqual([
      ['TRIP01', 'Amal Haddad', 60, 20, 40, 'SAR'],
      ['TRIP04', 'Amal Haddad', 10, null, null, 'SAR'],
    ]);
    // 200.00 three times, less 60.00 and 10.00.
    expect(await rows('select sum(paid - refunded) from booking')).toEqual([[530]]);
    expect(
      await rows("select locator, n, state, passengers, contact from segment where locator <> 'TRIP02' and n = 2"),
    ).toEqual([
      ['TRIP01', 2, 'ticketed', 2, 'Amal Haddad'],
      ['TRIP03', 2, 'expired', 2, 'Amal Haddad'],
      ['TRIP04', 2, 'ticketed', 2, 'Amal Haddad'],
    ]);
    expect(
      await rows("select act, payment_type, legs, tickets_count from operation where locator = 'TRIP01' order by at"),
    ).toEqual([
      ['payment', 'cash', 2, 4],
      ['refund', 'cash', null, null],
    ]);
    const found = { tenant: 'desk', kind: 'retimed', seenAt: made, since: made - 1 } as const;
    await desk.parts.state.findings.add([
      { ...found, id: 'f1', locator: 'TRIP01' },
      // Of a booking that had the locator before.
      { ...found, id: 'f2', locator: 'TRIP04', bookedAt: '2025-01-05T10:00:00Z' },
    ]);
    expect(await rows('select locator, passengers, refunded, currency from change order by locator')).toEqual([
      ['TRIP01', 2, 60, 'SAR'],
      ['TRIP04', null, null, null],
    ]);
    await desk.close();
  });

  test('begins at the month from which there are at most 100,000 operations', async () => {
    const count = 120_000;
    const state = name === 'SQLite' ? await manyOnSqlite(count) : await manyOnPostgres(count);
    const months = Array.from({ length: 12 }, (_, i) => Date.UTC(2025, 11 + i, 1));
    const query = { tenant: 'desk', from: months[0] ?? 0, to: END, months };
    /** The operations since then, as they were invented: evenly over a year. */
    const since = (at: number) => Math.floor((count * (END - at)) / (END - START));
    const first = months.find((month) => since(month) <= 100_000);
    expect(first).toBe(Date.UTC(2026, 1, 1));
    expect(await state.ledgerRows.reach(query)).toBe(first);
    // One caller of five has fewer, and another desk none.
    expect(await state.ledgerRows.reach({ ...query, caller: 'c1' })).toBe(months[0]);
    expect(await state.ledgerRows.reach({ ...query, tenant: 'other' })).toBe(months[0]);
    // Where even the last month has more, the rows begin there.
    const late = [Date.UTC(2025, 10, 25), Date.UTC(2025, 11, 1)];
    expect(await state.ledgerRows.reach({ ...query, months: late })).toBe(late[1]);
    // With a first day, the rows begin there.
    expect(await state.ledgerRows.reach({ tenant: 'desk', from: START, to: END })).toBe(START);
  });
});

async function manyOnSqlite(count: number) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { newFolder } = await import('../campaigns/support/folders.ts');
  const file = `${newFolder('reach')}/many.sqlite`;
  const state = ends(await openSqliteState(file, { now: () => END }));
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  for (const sql of manyActs(SQLITE, count)) db.exec(sql);
  db.close();
  return state;
}

async function manyOnPostgres(count: number) {
  const schema = freshSchema();
  const state = ends(await openPostgresState(url(), { schema, now: () => END }));
  for (const sql of manyActs(postgresWords(schema), count)) await cluster().sql('clerk', sql);
  return state;
}
