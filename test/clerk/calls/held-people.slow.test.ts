/**
 * Before a payment a person hears that the airline holds somebody else than was sent, or another document; what is kept for that
 * goes with the payment. A hold of an earlier version is paid as before. The same of a service that an act of ours added, and of the
 * price that the airline asked after it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { reread } from '../../support/bookings.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { heldBooking, refundableTrip } from './bookings.ts';
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
    before: (adapter) =>
      airline ?? {
        ...adapter,
        read: async (...args) => shown(await adapter.read(...args)),
        modify: async (...args) => shown(await adapter.modify(...args)),
      },
  });
  desks.push(desk);
  return desk;
}

const otherPassport = (booking: Booking): Booking =>
  reread(booking, {
    travelers: booking.reading.travelers.map((one, i) =>
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
  for (const column of ['asked', 'reason', 'customer'])
    old.exec(`drop index op_${column}; alter table operation drop column ${column};`);
  // What later steps add, and what they drop.
  old.exec(`drop table customer; drop table card; alter table operation drop column named;
    alter table details drop column entered; alter table details drop column closed_at; alter table details add column cards text not null default '';
    alter table approval drop column void_why; alter table approval rename column void_lines to stale_lines;
    alter table approval add column why text; alter table approval add column asked_at integer;
    alter table approval add column shown_at integer; create table reply(id); create table airline_hour(hour);
    drop index op_by_trip;
    create index op_by_fingerprint on operation(tenant, fingerprint, created_at) where fingerprint is not null;
    update meta set value = '20' where key = 'schema_version'; delete from lease;`);
  old.close();
  const desk = await deskOn('earlier', before.parts.airline);
  shown = otherPassport;
  expect([await question(desk, locator), await keeping(desk)]).toEqual([expect.not.stringContaining('NOT AS'), 0]);
  shown = (booking) => booking;
  const paid = await desk.say('pay_booking', { locator, ...PAY }, accept);
  expect([paid.structured.status, await desk.parts.state.operations.verify()]).toEqual(['done', undefined]);
});

const AS_ASKED = expect.not.stringContaining('NOT AS');
const added = async (desk: Desk, locator: string) => {
  const wish = { passenger_ref: '1', service: { code: 'WCHR' } };
  const done = await desk.say('request_service', { locator, ...wish }, accept);
  expect(done.structured).toMatchObject({ status: 'done', answer: 'confirmed' });
};
/** So much dearer, in minor units. */
const dearer =
  (by: number) =>
  (booking: Booking): Booking => {
    const { pricing } = booking;
    if (pricing?.total === undefined) return booking;
    const { total, base = total, ...rest } = pricing.total;
    const more = (sum: typeof total) => ({ ...sum, minor: sum.minor + by });
    return { ...booking, pricing: { ...pricing, total: { ...rest, base: more(base), total: more(total) } } };
  };
const servicesAs = (change: (services: Booking['services']) => Booking['services']) => (booking: Booking) => ({
  ...booking,
  services: change(booking.services),
});
const others = (services: Booking['services']) => services.filter(({ code }) => code !== 'WCHR');
const MISSING = 'NOT AS OFFERED: passenger 1 has no confirmed WCHR wheelchair to the ramp';

test('a person hears of a service that was added and is not held, and not of one that is', async () => {
  const desk = await deskOn('journal');
  const locator = await heldBooking(desk);
  expect(await question(desk, locator)).toEqual(AS_ASKED);
  await added(desk, locator);
  expect(await question(desk, locator)).toEqual(AS_ASKED);
  shown = servicesAs(others);
  expect(await question(desk, locator)).toContain(`${MISSING}: the airline does not show it.`);
  shown = servicesAs((services) => services.map((line) => ({ ...line, status: 'UN' })));
  expect(await question(desk, locator)).toContain(`${MISSING}: refused by the airline.`);
  shown = servicesAs((services) => services.map((line) => ({ ...line, travelerRefs: ['2'] })));
  expect(await question(desk, locator)).toContain(`${MISSING}: the airline does not show it.`);
  const steps = [{ tool: 'pay_booking', arguments: { locator, ...PAY } }];
  const plan = await desk.result('propose_plan', { steps });
  expect(plan.text).toContain(MISSING);
  const [{ subject } = { subject: {} }] = await desk.parts.state.operations.list({ tool: 'request_service' });
  expect(JSON.stringify(subject)).not.toContain('WCHR');
  shown = (booking) => booking;
  const paid = await desk.say('pay_booking', { locator, ...PAY }, accept);
  expect(paid.structured.status).toBe('done');
});

test('a person hears of a price that is not the offered one, whatever was added since', async () => {
  const desk = await deskOn('journal');
  const locator = await heldBooking(desk);
  shown = dearer(2_500);
  expect(await question(desk, locator)).toMatch(/NOT AS OFFERED: the total is .*, offered /);
  await added(desk, locator);
  expect(await question(desk, locator)).toMatch(/NOT AS OFFERED: the total is .*, offered /);
});

test('a call that is repeated after it compares the hold with what acts of ours made of it', async () => {
  const desk = await deskOn('journal');
  const { offer_id } = await refundableTrip(desk, 1);
  const passengers = [passenger('P9000001', { given_name: 'Amal', surname: 'Haddad Again' }, desk.sandbox.now())];
  const create = async () => desk.result('create_booking', { offer_ids: [offer_id], contact: CONTACT, passengers });
  const { locator } = (await create()).structured.booking as { readonly locator: string };
  await added(desk, locator);
  expect((await create()).structured.not_as_offered).toBeUndefined();
  shown = (booking) => servicesAs(others)(dearer(3_500)(booking));
  const again = await create();
  expect(again.structured.not_as_offered).toEqual([
    expect.objectContaining({ held: expect.stringContaining('has no confirmed WCHR') }),
    expect.objectContaining({ what: 'total' }),
  ]);
});
