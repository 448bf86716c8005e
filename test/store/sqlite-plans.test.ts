/**
 * How SQLite finds the rows of lists and of the counts: nothing looks at the whole journal. Those of questions in SQL are in
 * test/ledger/row-plans.test.ts.
 */

import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { ACTS } from '../support/rules.ts';
import { scratch } from './support/journals.ts';
import type { State } from './support/ports.ts';

const folder = scratch('plans');
afterAll(() => folder.remove());
afterEach(() => {
  vi.restoreAllMocks();
});
let n = 0;

/** The plan of every statement that this work reads with, of these tables. */
async function plansOf(work: (state: State) => Promise<unknown>, tables = 'o|operation|b|approval|booking') {
  const file = folder.at(`${++n}.sqlite`);
  const state = await openSqliteState(file, { now: () => 0 });
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await work(state);
  const { calls } = prepared.mock;
  const on = prepared.mock.contexts as readonly DatabaseSync[];
  // A state of another test in this process cleans itself now and then, or was closed meanwhile.
  const isOurs = (db: DatabaseSync | undefined) => db?.isOpen === true && db.location() === file;
  const statements = calls.filter((_, i) => isOurs(on[i])).map(([sql]) => sql);
  await state.close();
  prepared.mockRestore();
  const db = new DatabaseSync(file);
  const plans = statements.flatMap((sql) => db.prepare(`explain query plan ${sql}`).all());
  db.close();
  return plans
    .map(({ detail }) => String(detail))
    .filter((each) => new RegExp(`^(?:SCAN|SEARCH) (?:${tables})\\b`).test(each));
}

test('looks for operations whose travellers entered details by small indexes', async () => {
  const plans = await plansOf(({ operations }) => operations.withEnteredDetails('t', ['L1']));
  expect(plans).toEqual([
    'SEARCH operation USING INDEX sqlite_autoindex_operation_1 (id=?)',
    'SEARCH operation USING INDEX op_by_locator (tenant=? AND locator=?)',
    'SEARCH operation USING INDEX op_entered_unnamed (state=?)',
    'SEARCH operation USING INDEX op_entered_split (state=?)',
  ]);
});

test('lists and searches the bookings of a whole tenant in the order of an index, and reads the rows of a page', async () => {
  const plans = await plansOf(async ({ ledger }) => {
    await ledger.findOfTenant('t', { limit: 10 });
    await ledger.findOfTenant('t', { query: 'nobody', state: 'held', limit: 10 });
    await ledger.findOfTenant('t', { deadlineAfter: 5, limit: 10 });
    await ledger.findOfTenant('t', { locators: ['ABC123'], limit: 1 });
  }, 'entry|newest|page|made|booking|TEMP');
  const page = 'SEARCH entry USING PRIMARY KEY (tenant=? AND caller=? AND locator=?)';
  const isNewest = 'SEARCH newest USING COVERING INDEX booking_by_locator (locator=? AND tenant=?)';
  const maker = 'SEARCH made USING INDEX booking_by_locator (locator=? AND tenant=?)';
  expect(plans).toEqual([
    ...['SEARCH entry USING COVERING INDEX booking_of_desk (tenant=?)', isNewest, 'SCAN page', page, maker],
    // Travellers are looked for in the rows.
    'SEARCH entry USING INDEX booking_of_desk (tenant=?)',
    ...[isNewest, 'SCAN page', page, maker],
    'SEARCH entry USING COVERING INDEX booking_due_of_desk (tenant=? AND deadline_at>?)',
    ...[isNewest, 'SCAN page', page, maker],
    'SEARCH entry USING COVERING INDEX booking_by_locator (locator=?)',
    ...[isNewest, 'SCAN page', page, maker],
  ]);
});

test('reads only the indexes of open operations to count them', async () => {
  expect(await plansOf(({ openCounts }) => openCounts(0, ACTS))).toEqual([
    'SCAN operation USING INDEX op_active',
    'SCAN operation USING COVERING INDEX op_with_person',
    'SCAN operation USING INDEX op_with_person',
    'SEARCH operation USING COVERING INDEX op_with_person',
    'SEARCH approval USING COVERING INDEX approval_waiting (expires_at>?)',
    ...Array(2).fill('SEARCH approval USING INDEX approval_waiting (expires_at>? AND expires_at<?)'),
  ]);
});

test('finds what waits about bookings, of a caller or of all, among the open questions alone', async () => {
  for (const caller of [{ tenant: 't' }, { tenant: 't', id: 'ann' }]) {
    const plans = await plansOf(({ approvals }) => approvals.openAbout(caller, ['ABC123'], 0), 'rival');
    expect(plans).toEqual(['SEARCH rival USING INDEX approval_waiting (expires_at>?)']);
  }
});

test("sums a caller's day only over that caller's operations of the day in that currency", async () => {
  const limit = { perDay: { minor: 1, currency: 'SAR' }, since: 0 };
  expect(await plansOf(({ operations }) => operations.spent('t', 'ann', limit))).toEqual([
    'SEARCH operation USING INDEX op_by_currency (tenant=? AND caller=? AND currency=? AND created_at>?)',
  ]);
});

test('lists what is open, of a caller, a tenant or all, by the small indexes of open operations', async () => {
  const states = ['intent', 'dispatched', 'in_doubt', 'needs_person'] as const;
  const plans = await plansOf(async ({ operations }) => {
    await operations.list({ tenant: 't', states, limit: 10 });
    await operations.list({ tenant: 't', caller: 'ann', states, limit: 10 });
    await operations.list({ states: ['needs_person'], limit: 10 });
    await operations.list({ tenant: 't', caller: 'ann', states: ['intent'] });
  });
  const [open, active] = ['SCAN operation USING INDEX op_open', 'SCAN operation USING INDEX op_active'];
  expect(plans).toEqual([open, open, open, active]);
});

test('finds the newest operations of all in the order of time', async () => {
  expect(await plansOf(({ operations }) => operations.list({ limit: 1 }))).toEqual([
    'SEARCH operation USING INDEX op_by_time (created_at>?)',
  ]);
});

test('opening a journal, and the first pass over what is due, look at no whole table of it', async () => {
  const file = folder.at(`${++n}.sqlite`);
  const seen = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const first = await openSqliteState(file, { now: () => 0 });
  await first.close();
  seen.mockClear();
  const { chain, operations, plans, openCounts, close } = await openSqliteState(file, { now: () => 0 });
  await chain.keepUp();
  await operations.list({ states: ['intent', 'dispatched', 'in_doubt'], limit: 1 });
  await operations.list({ states: ['not_executed'], from: 0 });
  await plans.unfinished(0);
  await openCounts(0, ACTS);
  const statements = seen.mock.calls.map(([sql]) => sql);
  await close();
  seen.mockRestore();
  const db = new DatabaseSync(file);
  const steps = statements.flatMap((sql) => db.prepare(`explain query plan ${sql}`).all());
  db.close();
  const scans = steps
    .map(({ detail }) => String(detail))
    .filter((each) => /^SCAN (?:o|e|event|operation)\b/.test(each));
  expect(statements.length).toBeGreaterThan(10);
  expect([...new Set(scans)].sort()).toEqual([
    'SCAN operation USING COVERING INDEX op_with_person',
    'SCAN operation USING INDEX op_active',
    'SCAN operation USING INDEX op_with_person',
  ]);
});

test('finds operations by the beginning of their id, and pages of an export, by index', async () => {
  const plans = await plansOf(async ({ operations }) => {
    await operations.beginningWith('ab');
    await operations.page({ from: 0, after: { createdAt: 5, id: 'x' }, limit: 10 });
  });
  expect(plans).toEqual([
    'SEARCH operation USING INDEX sqlite_autoindex_operation_1 (id>? AND id<?)',
    'SEARCH o USING INDEX op_by_time (created_at>?)',
  ]);
});

test('finds the events that are due in their order, and asks only about those whether others come first', async () => {
  const plans = await plansOf(async ({ deliveries, outbox }) => {
    const { upTo } = await deliveries.begin('one');
    await outbox.add([{ id: 'a', type: 'hold.lapsing', at: 5, tenant: 't', locator: 'ABC123' }]);
    await deliveries.enter('one', await outbox.after(upTo, 9), 5);
    await deliveries.due('one', 9, 8);
    const failure = { now: 9, nextAt: 9, said: 'HTTP 500', dead: false };
    await deliveries.failed('one', (await outbox.newest(1))[0]?.n ?? 0, failure);
  }, '[deol]|delivery');
  expect(plans.slice(plans.findIndex((each) => each.startsWith('SEARCH d USING INDEX delivery_due')))).toEqual([
    'SEARCH d USING INDEX delivery_due (receiver=? AND next_at<?)',
    'SEARCH e USING COVERING INDEX delivery_of_booking (receiver=? AND locator=? AND n<?)',
    'SEARCH e USING COVERING INDEX delivery_of_operation (receiver=? AND operation_id=? AND n<?)',
    'SEARCH o USING INTEGER PRIMARY KEY (rowid=?)',
    // Once it failed, what waits for it in its booking and its operation.
    ...Array(2).fill('SEARCH delivery USING PRIMARY KEY (n=? AND receiver=?)'),
    'SEARCH d USING PRIMARY KEY (n=?)',
    'SEARCH l USING COVERING INDEX delivery_of_booking (receiver=? AND locator=?)',
    'SEARCH d USING PRIMARY KEY (n=?)',
    'SEARCH l USING COVERING INDEX delivery_of_operation (receiver=? AND operation_id=?)',
  ]);
});

test('finds limits that come near by an index of each', async () => {
  const plans = await plansOf(({ outbox }) => outbox.limits(0, 9));
  expect(plans.filter((each) => each.startsWith('SEARCH b'))).toEqual([
    'SEARCH b USING INDEX booking_by_pay_by (pay_by_at>? AND pay_by_at<?)',
    'SEARCH b USING INDEX booking_by_names_until (names_until_at>? AND names_until_at<?)',
  ]);
});

test('finds bookings that are due, and those to be watched, by one look for each tenant', async () => {
  const plans = await plansOf(async ({ watches }) => {
    await watches.due(9, ['t']);
    await watches.enrol(9, 5);
  }, '[bnfw]|watch|booking');
  expect(plans).toEqual([
    'SEARCH watch USING COVERING INDEX watch_due_of_tenant',
    'SEARCH n USING COVERING INDEX watch_due_of_tenant (tenant>?)',
    'SEARCH w USING PRIMARY KEY (tenant=? AND locator=?)',
    'SEARCH f USING COVERING INDEX watch_due_of_tenant (tenant=? AND next_at<?)',
    'SEARCH b USING INDEX booking_by_locator (locator=?)',
    'SEARCH b USING INDEX booking_by_locator (locator=?)',
    'SEARCH booking USING COVERING INDEX booking_by_deadline',
    'SEARCH n USING COVERING INDEX booking_by_deadline (tenant>?)',
    'SEARCH b USING INDEX booking_of_desk (tenant=? AND seen_at>?)',
    'SEARCH w USING PRIMARY KEY (tenant=? AND locator=?)',
  ]);
});

test("lists a caller's bookings by an index that has what is filtered, and searches only that caller's rows", async () => {
  const ann = { tenant: 't', id: 'ann' };
  const plans = await plansOf(async ({ ledger }) => {
    await ledger.find(ann, { state: 'held', limit: 10 });
    await ledger.find(ann, { query: 'köln', state: 'held', limit: 10 });
    await ledger.find(ann, { deadlineAfter: 0, deadlineBefore: 9, limit: 10 });
  });
  expect(plans.filter((each) => each.startsWith('SEARCH booking'))).toEqual([
    'SEARCH booking USING COVERING INDEX booking_by_seen (tenant=? AND caller=?)',
    'SEARCH booking USING INDEX booking_by_seen (tenant=? AND caller=?)',
    'SEARCH booking USING COVERING INDEX booking_by_deadline (tenant=? AND caller=? AND deadline_at>? AND deadline_at<?)',
  ]);
});
