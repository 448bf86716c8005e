/**
 * The booking that is shown after an operation and recorded in the ledger.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Booking, error, option } from '../journal/harness.ts';
import { bareTraveler } from '../support/people.ts';
import { create, held, openCreates } from './creates.ts';
import { booking, CallHarness, idOf, payTerms, SAR, statusOf, YES } from './harness.ts';

const down = () => Promise.reject(error('E_AIRLINE_DOWN'));
const travelers = [bareTraveler('1')];
const PRICED = { refunds: [], fares: [], perType: [] };
const pricing = { ...PRICED, total: { total: SAR(17250) } } as never;

describe('after a hold that was made', () => {
  let desk: CallHarness;
  beforeEach(async () => {
    desk = await openCreates();
    desk.tool = { ...desk.tool, showsFullBooking: true };
    desk.terms = create({ segments: [{ ref: '1' }, { ref: '2' }] }, { ask: false });
  });
  async function made(answer: Booking) {
    desk.reply = async () => ({ booking: answer });
    await desk.call();
    return desk.done[0]?.booking;
  }

  test('is the answer of the airline if that is complete, or its offer was not kept', async () => {
    const answer = held({ travelers, pricing });
    expect(await made(answer)).toEqual(answer);
    const other = await openCreates();
    other.terms = create(undefined, { ask: false, subject: { kind: 'create' } });
    other.tool = { ...other.tool, showsFullBooking: true };
    other.reply = async () => ({ booking: held({ travelers, options: [] }) });
    await other.call();
    expect(other.done[0]?.booking).toEqual(held({ travelers, options: [] }));
  });

  test("is read if the answer lists no passengers, and keeps the answer's quote", async () => {
    desk.shown = held({ travelers, pricing });
    const quoted = { ...(pricing as object), quoteId: 'q1' } as never;
    expect(await made(held({ pricing: quoted }))).toMatchObject({
      travelers: [{ ref: '1' }],
      pricing: { quoteId: 'q1' },
    });
  });

  test('is what was read also if that cannot be compared with the reading before', async () => {
    Object.assign(desk.runtime, { compareReading: () => Promise.reject(error('E_INTERNAL')) });
    desk.shown = held({ travelers, pricing });
    expect(await made(held())).toMatchObject({ travelers: [{ ref: '1' }] });
  });

  test.each([
    ['without its total', { pricing }, { pricing: PRICED }],
    ['as it is if it has no price', {}, {}],
  ])('is a partial answer %s if the hold cannot be read', async (_what, priced, shown) => {
    desk.shown = down;
    const part = { options: [option('1')], travelers };
    const { reading: _, ...fields } = held({ ...part, ...shown });
    expect(await made(held({ ...part, ...priced }))).toMatchObject(fields);
  });
});

test('is an answer without passengers as it is if its offer was not kept and the hold cannot be read', async () => {
  const desk = await openCreates();
  desk.terms = create(undefined, { ask: false, subject: { kind: 'create' } });
  desk.tool = { ...desk.tool, showsFullBooking: true };
  desk.reply = async () => ({ booking: held({ pricing }) });
  desk.shown = down;
  await desk.call();
  expect(desk.done[0]?.booking).toEqual(held({ pricing }));
});

test('is the booking that was noted when the operation was settled, with the quote of the answer, and is not read or noted again', async () => {
  const desk = await openCreates();
  desk.terms = create(undefined, { ask: false });
  desk.reply = async () => ({ booking: held({ pricing: { ...(pricing as object), quoteId: 'q1' } as never }) });
  desk.shown = down;
  const { execute } = desk.runtime.journal;
  const noted = held({ travelers, pricing });
  Object.assign(desk.runtime.journal, {
    execute: async (...args: Parameters<typeof execute>) => ({ ...(await execute(...args)), booking: noted }),
  });
  await desk.call();
  expect(desk.done[0]?.booking).toEqual({ ...noted, pricing: { ...(pricing as object), quoteId: 'q1' } });
  expect(desk.remembered).toEqual([]);
});

/** After a change of that kind, with the airline's answer and what it shows then. */
async function changed(kind: string, answer: Booking, shown: Booking) {
  const desk = await CallHarness.open();
  desk.verdict = 'done';
  const subject = { kind, changes: [], seats: [] } as never;
  desk.terms = payTerms({ ask: false, subject });
  desk.reply = async () => ({ booking: answer });
  desk.shown = shown;
  await desk.call();
  return { shown: desk.done[0]?.booking, remembered: desk.remembered.length };
}

test.each(['update_contact', 'change_names', 'update_passengers'])(
  'is read after %s, also without a price',
  async (kind) => {
    const quoted = booking({ pricing: { ...PRICED, quoteId: 'q' } });
    expect(await changed(kind, booking(), held({ pricing: PRICED }))).toEqual({
      shown: held({ pricing: PRICED }),
      remembered: 1,
    });
    // The ledger would lose the price.
    expect(await changed(kind, quoted, held())).toEqual({ shown: held(), remembered: 0 });
  },
);

test('is the answer after any other change', async () => {
  const answer = booking({ options: [] });
  expect(await changed('assign_seats', answer, held())).toEqual({ shown: answer, remembered: 1 });
});

test('is looked at under the old locator after a split too, and a failure of that changes nothing', async () => {
  const desk = await CallHarness.open();
  const looked: string[] = [];
  Object.assign(desk.runtime, {
    compareReading: async (_caller: unknown, { locator }: Booking) => {
      looked.push(locator);
      throw error('E_INTERNAL');
    },
  });
  desk.terms = payTerms({ ask: false, subject: { kind: 'split_booking', moved: [], kept: [], flights: [] } });
  const references = [{ id: 'NEW123', segmentRefs: [] }];
  desk.reply = async () => ({ booking: booking({ locator: 'NEW123', references, options: [] }) });
  const answer = await desk.call();
  expect([statusOf(answer), idOf(answer)]).toEqual(['done', expect.stringMatching(/^ap_/)]);
  expect(looked).toContain('ABC123');
});

describe('orders to pay that nobody approved', () => {
  const order = { id: '7', direction: 'PAYMENT', status: 'PENDING', action: 'SERVICE' };
  async function warningsOf(tool: CallHarness['tool'] = {}) {
    const desk = await CallHarness.open();
    desk.tool = tool;
    const before = held({ travelers, orders: [{ ...order, id: '1', action: 'BOOK', amount: SAR(17250) }] });
    desk.terms = payTerms({ booking: before });
    const extra = [
      { ...order, amount: SAR(50_000) },
      { ...order, id: '8', action: 'OTHER' },
    ];
    desk.shown = held({ travelers, orders: [...before.orders.map((one) => ({ ...one, status: 'PAID' })), ...extra] });
    const { handle } = await desk.ask();
    const answer = await desk.answer(handle, YES);
    return answer.kind === 'result' ? answer.structured.warnings : undefined;
  }

  test('are warned of, with their sum or without', async () => {
    expect(await warningsOf()).toEqual([
      'The airline has an order of SAR 500.00 (pending) that was not in the booking before. Tell the person: nobody approved it.',
      'The airline has an order (pending) that was not in the booking before. Tell the person: nobody approved it.',
    ]);
  });

  test('are not named again where a finding names them', async () => {
    const all = [{ locator: 'ABC123', what: 'x', kind: 'order_added', finding_id: 'a' }];
    const changes = async () => ({ lines: ['Changed: an order.'], changes: { all, bound: [], closed: [] } });
    expect(await warningsOf({ changes })).toEqual(['Changed: an order.']);
  });
});
