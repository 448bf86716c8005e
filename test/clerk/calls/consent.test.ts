/**
 * What many calls, callers and tenants may do to one booking, with the real journal and a real airline; the channels of approval
 * and all that can happen between a question and its yes are in test/approvals.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heldBooking, ticketedBooking } from './bookings.ts';
import {
  ask,
  CALLER,
  type Clerk,
  codeOf,
  type Desk,
  errorOf,
  failures,
  handleOf,
  openDesk,
  PAY,
  resultOf,
  siblingOf,
} from './desk.ts';

let desk: Desk;
let before: number;
let args: { locator: string };
beforeAll(async () => {
  desk = await openDesk({ approval: 'echo', answerMs: 1_000 });
});
afterAll(() => desk.close());
beforeEach(async () => {
  args = { locator: await heldBooking(desk), ...PAY };
  before = desk.acts().length;
});
afterEach(() => expect(failures).toEqual([]));

const acts = () => desk.acts().slice(before);
type How = Parameters<Desk['call']>[2];
const call = (how: How = {}, clerk = desk.clerk, more: object = {}) =>
  clerk.call('pay_booking', { ...args, ...more }, { caller: CALLER, canElicit: false, canOpenUrls: false, ...how });
const waiting = async () => (await desk.clerk.waiting()).find(({ locator }) => locator === args.locator);
const operationsOf = (locator: string) => desk.parts.state.operations.list({ locator });

test('a booking with an operation in doubt refuses another one meanwhile, and spends its yes for good', async () => {
  const lost = { message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' } as const;
  const first = { segment_refs: ['1'] };
  const dialogs = siblingOf(desk, { approval: 'auto' });
  const locator = await ticketedBooking({
    ...desk,
    say: async (tool, given) => (await ask(dialogs, tool, given)).yes(),
  });
  const other = await ask(dialogs, 'update_contact', { locator, email: 'desk@example.com' });
  desk.sandbox.order(lost);
  const pending = await (await ask(dialogs, 'cancel_segment', { locator, ...first })).yes();
  expect([codeOf(pending), codeOf(await other.yes())]).toEqual(['pending', 'E_BOOKING_BUSY']);
  const again = { locator, ...first, approval_id: handleOf(pending) };
  await expect.poll(async () => codeOf(await desk.call('cancel_segment', again))).toBe('done');
  expect(codeOf(await other.yes())).toBe('E_APPROVAL_EXPIRED');
  expect(acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
});

describe('the daily limit of a caller', () => {
  /** Enough for one trip of two, but not for a second. */
  const limits = { perDay: { minor: 100_000, currency: 'SAR' } };
  let limited: Clerk;
  let caller: typeof CALLER;
  beforeEach(() => {
    limited = siblingOf(desk, { approval: 'auto', limits });
    caller = { ...CALLER, id: crypto.randomUUID() };
  });
  const pay = async (locator: string) => (await ask(limited, 'pay_booking', { locator, ...PAY }, { caller })).yes();
  const askFor = (who: typeof CALLER, locator = args.locator) =>
    call({ caller: who, canElicit: true }, limited, { locator });

  test('refuses a payment before a person is asked, and asks again a day later', async () => {
    expect(codeOf(await pay(await heldBooking(desk)))).toBe('done');
    const refused = resultOf(await askFor(caller));
    expect(errorOf(refused)).toMatchObject({ code: 'E_LIMIT', effect: 'none' });
    expect(await waiting()).toBeUndefined();
    expect((await operationsOf(args.locator)).map(({ tool }) => tool)).toEqual(['create_booking']);
    // Other callers and other tenants have their own limit, and an act that moves no money does not count.
    for (const other of [{ id: 'bob' }, { tenant: 'other' }])
      expect((await askFor({ ...caller, ...other })).kind).toBe('ask');
    await ask(limited, 'cancel_booking', { locator: args.locator }, { caller });
    expect(acts()).toEqual(['paid']);
    desk.advance(24 * 3_600_000 + 1);
    expect((await askFor(caller, await heldBooking(desk))).kind).toBe('ask');
  });
});

describe('two tenants of one server', () => {
  const ANN = { tenant: 'north', id: 'caller-4711' };
  const BOB = { tenant: 'south', id: 'caller-0815' };

  /** The same clerk with an airline that finishes a payment only when the test releases it. */
  function slowly() {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { airline } = desk.parts;
    const pay: typeof airline.pay = async (confirmed) => {
      arrived.resolve();
      await released.promise;
      return airline.pay(confirmed);
    };
    const open = async () => ({ ...desk.parts, airline: { ...airline, pay } });
    const clerk = siblingOf(desk, { approval: 'auto', answerMs: 60_000, open });
    return { clerk, arrived: arrived.promise, release: released.resolve };
  }

  test('sends nothing for another tenant during a payment, and reveals nothing of it', async () => {
    const { clerk, arrived, release } = slowly();
    const ann = await ask(clerk, 'pay_booking', args, { caller: ANN });
    const { locator } = args;
    const bob = await ask(clerk, 'cancel_booking', { locator }, { caller: BOB });
    const paying = ann.yes();
    await arrived;
    const [operation] = await operationsOf(locator);
    const amount = ((operation?.amount?.minor ?? 0) / 100).toFixed(2);
    expect(Number(amount)).toBeGreaterThan(0);
    const cancel = async (caller: typeof ANN) =>
      resultOf(await clerk.call('cancel_booking', { locator }, { caller, canElicit: true, canOpenUrls: false }));
    for (const refused of [await bob.yes(), await cancel(BOB)]) {
      expect(errorOf(refused)).toMatchObject({ code: 'E_BOOKING_BUSY', effect: 'none' });
      const text = JSON.stringify(refused);
      expect(text).toContain(`Another operation on ${locator} is under way. Nothing was sent.`);
      for (const secret of [operation?.id ?? '', ANN.id, ANN.tenant, 'pay', amount]) expect(text).not.toContain(secret);
    }
    const own = await cancel(ANN);
    expect([codeOf(own), own.text.includes('payment')]).toEqual(['E_BOOKING_BUSY', true]);
    release();
    expect(codeOf(await paying)).toBe('done');
    // The other tenant's yes is spent.
    expect([codeOf(await bob.yes()), acts()]).toEqual(['E_APPROVAL_EXPIRED', ['paid']]);
  });

  test('makes one payment if both pay at once', async () => {
    const { clerk, release } = slowly();
    const questions = await Promise.all([ANN, BOB].map((caller) => ask(clerk, 'pay_booking', args, { caller })));
    const answers = questions.map(({ yes }) => yes().then(codeOf));
    // The second caller gets its answer at once; then the first continues.
    expect(await Promise.race(answers)).toBe('E_BOOKING_BUSY');
    release();
    expect((await Promise.all(answers)).sort()).toEqual(['E_BOOKING_BUSY', 'done']);
    expect(acts()).toEqual(['paid']);
  });
});
