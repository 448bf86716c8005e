/**
 * How SQLite finds the rows of a report and of the counts: nothing looks at the whole journal.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ACTIVITY_KEYS } from '../../src/journal/activity.ts';
import { openCounts } from '../../src/store/activity.ts';
import type { Row, Value } from '../../src/store/database.ts';
import { StoredDeliveries } from '../../src/store/deliveries.ts';
import { StoredLedger } from '../../src/store/ledger.ts';
import { StoredOutbox } from '../../src/store/outbox.ts';
import { SqliteDatabase } from '../../src/store/sqlite/database.ts';
import { SqliteOperations } from '../../src/store/sqlite/operations.ts';
import { META, TABLES } from '../../src/store/sqlite/schema.ts';
import { StoredWatches } from '../../src/store/watches.ts';

/** Notes the plan of every statement that reads. */
function planned(): { readonly db: SqliteDatabase; plans(tables?: string): string[] } {
  const raw = new DatabaseSync(':memory:');
  for (const step of [META, TABLES]) raw.exec(step);
  const noted: string[] = [];
  const note = (sql: string, values: Value[]) => {
    for (const { detail } of raw.prepare(`explain query plan ${sql}`).all(...values)) noted.push(String(detail));
  };
  class Noted extends SqliteDatabase {
    override get(sql: string, ...values: Value[]): Row | undefined {
      note(sql, values);
      return super.get(sql, ...values);
    }

    override run(sql: string, ...values: Value[]): number {
      note(sql, values);
      return super.run(sql, ...values);
    }

    override all(sql: string, ...values: Value[]): Row[] {
      note(sql, values);
      return super.all(sql, ...values);
    }
  }
  return {
    db: new Noted(raw, 5_000),
    plans: (tables = 'o|operation|b|approval|booking') =>
      noted.filter((each) => new RegExp(`^(?:SCAN|SEARCH) (?:${tables})\\b`).test(each)),
  };
}

const OPEN = ['SCAN operation USING INDEX op_active', 'SCAN operation USING INDEX op_with_person'];
const SPAN = { tenant: 't', from: 0, to: 86_400_000, ledgerOf: 'ann', now: 0 };

test.each(ACTIVITY_KEYS)('reads for a report by %s only its own period and open operations', async (groupBy) => {
  const { db, plans } = planned();
  await new SqliteOperations(db).activity({ ...SPAN, groupBy });
  const [first, ...others] = plans();
  expect(first).toBe('SEARCH o USING INDEX op_by_time (created_at>? AND created_at<?)');
  expect(others.filter((each) => !OPEN.includes(each))).toEqual(
    groupBy === 'route' ? ['SEARCH b USING PRIMARY KEY (tenant=? AND caller=? AND locator=?) LEFT-JOIN'] : [],
  );
});

test('looks for holds that lapsed in a small index, and reads only the bookings that are in it', async () => {
  const { db, plans } = planned();
  await new SqliteOperations(db).activity({ ...SPAN, groupBy: 'day' });
  expect(plans('u|l|a')).toEqual([
    'SEARCH u USING INDEX booking_unpaid (locator=?)',
    'SEARCH l USING INDEX booking_by_locator (locator=? AND tenant=?)',
    ...Array(2).fill('SEARCH a USING INDEX op_by_locator (tenant=? AND locator=?)'),
  ]);
});

test('finds the bookings of a whole tenant, and who made them, by indexes alone', async () => {
  const { db, plans } = planned();
  await new StoredLedger(db).findOfTenant('t', { limit: 10 });
  expect(plans()).toContain('SEARCH b USING INDEX booking_of_tenant (tenant=?)');
  expect(plans().filter((each) => !each.startsWith('SEARCH b'))).toEqual([]);
});

test("reads for one caller's report only that caller's operations in the period", async () => {
  const { db, plans } = planned();
  await new SqliteOperations(db).activity({ ...SPAN, caller: 'ann', groupBy: 'day' });
  expect(plans()[0]).toBe(
    'SEARCH o USING INDEX op_by_caller (tenant=? AND caller=? AND created_at>? AND created_at<?)',
  );
});

test('reads only the indexes of open operations to count them', async () => {
  const { db, plans } = planned();
  await openCounts(db, 0);
  expect(plans()).toEqual([
    'SCAN operation USING INDEX op_active',
    'SCAN operation USING COVERING INDEX op_with_person',
    'SCAN operation USING INDEX op_with_person',
    'SEARCH operation USING COVERING INDEX op_with_person',
    'SEARCH approval USING COVERING INDEX approval_waiting (expires_at>?)',
    ...Array(2).fill('SEARCH approval USING INDEX approval_waiting (expires_at>? AND expires_at<?)'),
  ]);
});

test("sums a caller's day only over that caller's operations of the day in that currency", async () => {
  const { db, plans } = planned();
  await new SqliteOperations(db).spent('t', 'ann', { perDay: { minor: 1, currency: 'SAR' }, since: 0 });
  expect(plans()).toEqual([
    'SEARCH operation USING INDEX op_by_currency (tenant=? AND caller=? AND currency=? AND created_at>?)',
  ]);
});

test('lists what is open by the small indexes of open operations', async () => {
  const { db, plans } = planned();
  const states = ['intent', 'dispatched', 'in_doubt', 'needs_person'] as const;
  await new SqliteOperations(db).list({ tenant: 't', states, limit: 10 });
  await new SqliteOperations(db).list({ states: ['needs_person'], limit: 10 });
  const small =
    /^SCAN operation USING (?:COVERING )?INDEX (?:op_active|op_with_person)$|^SEARCH operation USING .*\(id=\?\)$/;
  expect(plans().filter((each) => !small.test(each))).toEqual([]);
});

test('finds operations by the beginning of their id, and pages of an export, by index', async () => {
  const { db, plans } = planned();
  const operations = new SqliteOperations(db);
  await operations.beginningWith('ab');
  await operations.page({ from: 0, after: { createdAt: 5, id: 'x' }, limit: 10 });
  expect(plans()).toEqual([
    'SEARCH operation USING INDEX sqlite_autoindex_operation_1 (id>? AND id<?)',
    'SEARCH o USING INDEX op_by_time (created_at>?)',
  ]);
});

test('finds the events that are due in their order, and asks only about those whether others come first', async () => {
  const { db, plans } = planned();
  await new StoredDeliveries(db).due('one', 9, 8);
  expect(plans('[deo]')).toEqual([
    'SEARCH d USING INDEX delivery_due (receiver=? AND next_at<?)',
    'SEARCH e USING COVERING INDEX delivery_of_booking (receiver=? AND locator=? AND n<?)',
    'SEARCH e USING COVERING INDEX delivery_of_operation (receiver=? AND operation_id=? AND n<?)',
    'SEARCH o USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});

test('finds limits that come near by an index of each', async () => {
  const { db, plans } = planned();
  await new StoredOutbox(db).limits(0, 9);
  expect(plans().filter((each) => each.startsWith('SEARCH b'))).toEqual([
    'SEARCH b USING INDEX booking_by_pay_by (pay_by_at>? AND pay_by_at<?)',
    'SEARCH b USING INDEX booking_by_names_until (names_until_at>? AND names_until_at<?)',
  ]);
});

test('finds bookings that are due, and those to be watched, by one look for each tenant', async () => {
  const { db, plans } = planned();
  const watches = new StoredWatches(db);
  await watches.due(9, ['t']);
  await watches.enrol(9, 5);
  expect(plans('[bnfw]|watch|booking')).toEqual([
    'SEARCH watch USING COVERING INDEX watch_due_of_tenant',
    'SEARCH n USING COVERING INDEX watch_due_of_tenant (tenant>?)',
    'SEARCH w USING PRIMARY KEY (tenant=? AND locator=?)',
    'SEARCH f USING COVERING INDEX watch_due_of_tenant (tenant=? AND next_at<?)',
    'SEARCH b USING INDEX booking_by_locator (locator=?)',
    'SEARCH b USING INDEX booking_by_locator (locator=?)',
    'SEARCH booking USING COVERING INDEX booking_of_tenant',
    'SEARCH n USING COVERING INDEX booking_of_tenant (tenant>?)',
    'SEARCH b USING INDEX booking_of_tenant (tenant=? AND seen_at>?)',
    'SEARCH w USING PRIMARY KEY (tenant=? AND locator=?)',
  ]);
});

test('searches the ledger in an index that has what is searched', async () => {
  const { db, plans } = planned();
  const ledger = new StoredLedger(db);
  const ann = { tenant: 't', id: 'ann' };
  await ledger.find(ann, { query: 'köln', state: 'held', limit: 10 });
  await ledger.find(ann, { deadlineAfter: 0, deadlineBefore: 9, limit: 10 });
  expect(plans().filter((each) => each.startsWith('SEARCH booking'))).toEqual([
    'SEARCH booking USING COVERING INDEX booking_by_seen (tenant=? AND caller=?)',
    'SEARCH booking USING COVERING INDEX booking_by_deadline (tenant=? AND caller=? AND deadline_at>? AND deadline_at<?)',
  ]);
});
