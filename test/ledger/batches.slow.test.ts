/** More rows than a batch has: each comes once, in its order, on both databases. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { CLERK, END, manyActs, SQLITE, START } from '../../bench/support/many-acts.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import type { State } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { allRows } from '../support/ledger-rows.ts';

const OPERATIONS = 1_300;
/** Of the bookings only the fifth part is listed; each of these is read by several callers. */
const BOOKINGS = 620;
const READERS = ['ann', 'ben'];
const now = () => END;

const postgres = suiteDatabase();
const folder = newFolder('batches');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function record({ ledger }: Pick<State, 'ledger'>): Promise<void> {
  for (let i = 0; i < BOOKINGS; i++) {
    for (const [n, id] of READERS.entries()) {
      const entry = { locator: `K${String(i).padStart(5, '0')}`, madeHere: n === 0, seenAt: END - 1_000 + n };
      await ledger.record({ tenant: 'other', id }, { ...entry, state: 'ticketed', contactName: id } as never);
    }
  }
}

async function expectAllBookings({ ledgerRows }: Pick<State, 'ledgerRows'>): Promise<void> {
  const query = { tenant: 'other', from: START, to: END };
  for (const caller of [undefined, ...READERS]) {
    const { bookings } = await allRows(ledgerRows, { ...query, ...(caller && { caller }) }, ['bookings']);
    const locators = bookings.map(({ locator }) => locator);
    expect(locators).toEqual([...new Set(locators)].sort());
    expect(locators.length).toBe(BOOKINGS);
    // As it was last read, and by the one who made it.
    expect(new Set(bookings.map(({ contactName }) => contactName))).toEqual(new Set([caller ?? 'ben']));
    expect(new Set(bookings.map(({ madeBy }) => madeBy))).toEqual(new Set(['ann']));
  }
}

test('SQLite: operations with equal times, bookings read by two', async () => {
  const file = `${folder}/many.sqlite`;
  await (await openSqliteState(file, { now })).close();
  const db = new DatabaseSync(file);
  for (const sql of manyActs(SQLITE, OPERATIONS)) db.exec(sql);
  // Whole days are equal: more rows of one time than a batch has.
  db.exec(`update operation set created_at = ${START} + (created_at - ${START}) / 15552000000 * 15552000000`);
  db.close();
  const state = postgres.ends(await openSqliteState(file, { now }));
  const { operations } = await allRows(state.ledgerRows, { tenant: CLERK.tenant, from: START, to: END }, [
    'operations',
  ]);
  const places = operations.map(({ createdAt, id }) => `${createdAt} ${id}`);
  expect(places).toEqual([...new Set(places)].sort());
  expect(places.length).toBe(OPERATIONS);
  await record(state);
  await expectAllBookings(state);
});

test('PostgreSQL: bookings read by two', async () => {
  const state = await postgres.open({ now });
  await record(state);
  await expectAllBookings(state);
});
