/**
 * Every commit tool with the same invalid answers. Whatever is wrong with the yes, the airline's ledger does not change; the
 * right one is carried out once.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { heldBooking, preparedFor, rebookableBooking, seatedBooking, ticketedBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, dialogHow, errorOf, failures, openDesk, PAY } from './desk.ts';

type Args = (locator: string) => object;
/** How its booking is made, its arguments, and arguments of the same tool for another act. */
type Scenario = readonly [booking: (desk: Desk) => Promise<string>, args: Args, others: Args];

/** A scenario whose arguments differ only in these fields. */
const on = (booking: Scenario[0], args: object, others: object): Scenario => [
  booking,
  (locator) => ({ locator, ...args }),
  (locator) => ({ locator, ...others }),
];
/** Arguments that were looked up for the booking; else those of bookings that were made for another tool. */
const looked = (booking: Scenario[0], tool: string, defaults: object): Scenario => [
  booking,
  (locator) => ({ locator, ...defaults, ...preparedFor(tool, locator).args }),
  (locator) => ({ locator, ...defaults, ...preparedFor(tool, locator).others }),
];
const changing = (change: object) => ({ changes: [{ passenger_ref: '1', ...change }] });

const served = (code: string) => ({ passenger_ref: '1', service: { code } });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  pay_booking: on(heldBooking, PAY, { payment: { type: 'cash' } }),
  cancel_segment: on(ticketedBooking, { segment_refs: ['1'] }, { all: true }),
  cancel_passenger: on(ticketedBooking, { passenger_refs: ['1'] }, { passenger_refs: ['2'] }),
  change_names: on(ticketedBooking, changing({ given_name: 'Amina' }), changing({ given_name: 'Alma' })),
  cancel_booking: on(ticketedBooking, {}, { locator: 'ABCDEF' }),
  assign_seats: looked(seatedBooking, 'assign_seats', {
    seats: [{ segment_ref: '1', passenger_ref: '1', seat: '1A' }],
  }),
  update_contact: on(ticketedBooking, { email: 'amal.haddad@example.com' }, { email: 'noor.haddad@example.com' }),
  update_passenger: on(ticketedBooking, changing({ gender: 'Male' }), changing({ passenger_ref: '2', gender: 'Male' })),
  rebook_segment: looked(rebookableBooking, 'rebook_segment', { segment_ref: '1', offer_id: 'o000000' }),
  split_booking: on(ticketedBooking, { passenger_refs: ['1'] }, { passenger_refs: ['2'] }),
  request_service: on(ticketedBooking, served('VGML'), served('KSML')),
};

test('covers every commit tool with a scenario', () => {
  const commits = CATALOG.filter(({ effect, toolset }) => effect === 'commit' && toolset !== 'plans');
  expect(Object.keys(SCENARIOS).sort()).toEqual(commits.map(({ name }) => name).sort());
});

test.each([
  ['E_NOT_FOUND', undefined],
  ['E_AIRLINE_DOWN', '5xx-before'],
  ['E_AIRLINE_REPLY', 'wrong-locator'],
] as const)('says that nothing was changed where the reading before an act ends in %s', async (code, kind) => {
  const own = await openDesk();
  const locator = kind === undefined ? 'ZZZ999' : await heldBooking(own);
  if (kind !== undefined) own.sandbox.order({ message: 'OTA_ReadRQ', kind, times: 20 });
  const act = await own.result('pay_booking', { locator, ...PAY });
  const reading = await own.result('read_booking', { locator });
  expect([errorOf(act).code, errorOf(reading).code]).toEqual([code, code]);
  expect(errorOf(act).message).toBe(`${errorOf(reading).message} Nothing was changed.`);
  expect(act.text).toContain(errorOf(act).message);
  await own.close();
});

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

describe.each(Object.entries(SCENARIOS))('%s', (tool, [booking, argsOf, othersOf]) => {
  let locator: string;
  let before: number;
  let args: object;
  beforeAll(async () => {
    locator = await booking(desk);
    args = argsOf(locator);
  });
  beforeEach(() => {
    before = desk.sandbox.ledger().length;
  });
  const nothingHappened = () => expect(desk.sandbox.ledger()).toHaveLength(before);
  const ask = () => desk.ask(tool, args);
  const answered = async (handle: string, raw: unknown, over: object = {}, [name, given] = [tool, args]) =>
    codeOf(await desk.call(name, given, { ...dialogHow, dialog: { handle, raw }, ...over }));

  test('asks with the booking and the act, with no answer filled in, or is unavailable if nobody can be asked', async () => {
    const question = await ask();
    expect(question.message).toContain(locator);
    expect(question.act.length).toBeGreaterThan(5);
    expect(question.form).not.toHaveProperty('properties.decision.default');
    expect(codeOf(await desk.call(tool, args))).toBe('E_APPROVAL_UNAVAILABLE');
    // The handle of a dialog is no approval_id.
    expect(codeOf(await desk.call(tool, { ...args, approval_id: question.handle }, dialogHow))).toBe('ask');
    nothingHappened();
  });

  test('takes no other answer of a dialog, and asks on the page', async () => {
    for (const raw of [
      { action: 'cancel' },
      { action: 'accept', content: {} },
      { action: 'accept' },
      accept('Pay SAR 0.01'),
      { action: 'accept', content: { confirm: true, yes: true } },
      undefined,
    ]) {
      const { handle, act } = await ask();
      expect([raw, await answered(handle, raw)]).toEqual([raw, 'approval_required']);
      // The dialog can no longer answer this question.
      expect(await answered(handle, accept(act))).toBe('approval_required');
    }
    nothingHappened();
  });

  test('refuses a yes with a forged handle, changed arguments, of another caller or for another tool', async () => {
    const forged = await ask();
    for (const handle of ['ap_forged', '', forged.act, `${forged.handle}x`]) {
      expect(await answered(handle, accept(forged.act))).toBe('E_APPROVAL_INVALID');
    }
    const changed = await ask();
    expect(await answered(changed.handle, accept(changed.act), {}, [tool, othersOf(locator)])).toBe(
      'E_APPROVAL_INVALID',
    );
    const stolen = await ask();
    const bob = { caller: { ...CALLER, id: 'bob' } };
    expect(await answered(stolen.handle, accept(stolen.act), bob)).toBe('E_APPROVAL_INVALID');
    const { handle, act } = await ask();
    for (const [other, [, otherArgs]] of Object.entries(SCENARIOS)) {
      if (other === tool) continue;
      expect(await answered(handle, accept(act), {}, [other, otherArgs(locator)])).toBe('E_APPROVAL_INVALID');
    }
    nothingHappened();
  });

  test('refuses an expired yes, and carries out a new one once', async () => {
    const first = await ask();
    desk.advance(10 * 60_000);
    expect(codeOf(await first.yes())).toBe('E_APPROVAL_EXPIRED');
    nothingHappened();
    // A hold that expired meanwhile cannot be paid, nor a seat assigned that was priced then.
    locator = await booking(desk);
    args = argsOf(locator);
    before = desk.acts().length;
    const second = await ask();
    const done = await second.yes();
    expect(done.structured.status, done.text).toBe('done');
    const after = desk.acts().length;
    expect(after).toBeGreaterThan(before);
    const approval_id = second.handle;
    for (const again of [await second.yes(), await desk.result(tool, { ...args, approval_id })]) {
      expect(again.structured, again.text).toMatchObject({ status: 'already_done' });
      expect(again.meta).toMatchObject({ operation_id: done.meta?.operation_id });
    }
    expect(desk.acts()).toHaveLength(after);
  });
});
