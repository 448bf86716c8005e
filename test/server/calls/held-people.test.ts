/**
 * Before a payment a person hears that the airline holds somebody else than was sent, or another document; what is kept for that
 * goes with the payment. A hold of an earlier version is paid as before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { heldBooking } from './bookings.ts';
import { accept, type Desk, failures, openDesk, PAY } from './desk.ts';

type Airline = Desk['parts']['airline'];
type Booking = Awaited<ReturnType<Airline['read']>>;

let folder: string;
/** What every reading shows instead of what the airline has. */
let shown: (booking: Booking) => Booking;
const desks: Desk[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clerk-people-'));
  shown = (booking) => booking;
});
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
  rmSync(folder, { recursive: true, force: true });
  expect(failures).toEqual([]);
});

const fileOf = (name: string) => join(folder, `${name}.sqlite`);

async function deskOn(name: string, airline?: Airline): Promise<Desk> {
  const desk = await openDesk({
    approval: 'elicit',
    openState: (now) => openSqliteState(fileOf(name), { now }),
    before: (adapter) => airline ?? { ...adapter, read: async (...args) => shown(await adapter.read(...args)) },
  });
  desks.push(desk);
  return desk;
}

const otherPassport = (booking: Booking): Booking => ({
  ...booking,
  travelers: booking.travelers.map((one, i) =>
    i === 1 ? { ...one, document: { ...one.document, number: 'X99' } } : one,
  ),
});
const question = async (desk: Desk, locator: string) => (await desk.ask('pay_booking', { locator, ...PAY })).message;
/** Operations that keep something of people. */
const keeping = async ({ parts }: Desk) => {
  const all = await parts.state.operations.list({});
  return [...(await parts.state.operations.askedPeople(all.map(({ id }) => id))).keys()].length;
};
const TOLD = 'NOT AS OFFERED: the document number of passenger 2 is not the one sent, but •••.';

test('a person hears of another passport, and nothing is kept of people once the hold is paid', async () => {
  const desk = await deskOn('journal');
  const locator = await heldBooking(desk);
  expect(await keeping(desk)).toBe(1);
  shown = otherPassport;
  expect(await question(desk, locator)).toContain(TOLD);
  shown = (booking) => booking;
  expect(await question(desk, locator)).not.toContain('NOT AS OFFERED');
  const paid = await desk.say('pay_booking', { locator, ...PAY }, accept);
  expect([paid.structured.status, await keeping(desk)]).toEqual(['done', 0]);
});

test('a hold of tables 20 is paid after the upgrade, and nothing is said of its people', async () => {
  const before = await deskOn('journal');
  const locator = await heldBooking(before);
  const earlier = fileOf('earlier');
  using db = new DatabaseSync(fileOf('journal'));
  db.exec(`vacuum into '${earlier}'`);
  using old = new DatabaseSync(earlier);
  old.exec(`drop index op_asked; alter table operation drop column asked;
    update meta set value = '20' where key = 'schema_version'; delete from lease;`);
  old.close();
  const desk = await deskOn('earlier', before.parts.airline);
  shown = otherPassport;
  expect([await question(desk, locator), await keeping(desk)]).toEqual([expect.not.stringContaining('NOT AS'), 0]);
  shown = (booking) => booking;
  const paid = await desk.say('pay_booking', { locator, ...PAY }, accept);
  expect([paid.structured.status, await desk.parts.state.operations.verify()]).toEqual(['done', undefined]);
});
