/**
 * The booking that is shown after an operation and recorded in the ledger.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookingAfter } from '../../src/approvals/booking-after.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { error, option } from '../journal/harness.ts';
import { create, held, openCreates } from './creates.ts';
import { ANN, booking, CallHarness, payTerms, replacing, SAR, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await openCreates();
});
afterEach(() => desk.state.close());

describe('a hold that was made', () => {
  async function made(answer: Booking) {
    desk.tool = { ...desk.tool, wholeBooking: true };
    desk.terms = create({ segments: [{ ref: '1' }, { ref: '2' }] }, { ask: false });
    desk.reply = async () => ({ booking: answer });
    await desk.call();
    return desk.done[0]?.booking;
  }
  const traveler = { ref: '1', type: 'ADT', emails: [], phones: [], addresses: [], segmentRefs: [], comments: [] };
  const total = { total: { total: SAR(17250) }, refunds: [], fares: [], perType: [] } as never;

  test('shows a new hold as the airline answered if the answer is complete', async () => {
    const answer = held({ travelers: [traveler], pricing: total });
    expect(await made(answer)).toEqual(answer);
  });

  test("reads a new hold if the answer lists no passengers, and keeps the answer's quote", async () => {
    desk.shown = async () => held({ travelers: [traveler], pricing: total });
    const quoted = { ...(total as object), quoteId: 'q1' } as never;
    expect(await made(held({ pricing: quoted }))).toMatchObject({
      travelers: [{ ref: '1' }],
      pricing: { quoteId: 'q1' },
    });
  });

  test('shows what was read also if the reading cannot be compared with the one before', async () => {
    Object.assign(desk.runtime, { see: () => Promise.reject(error('E_INTERNAL')) });
    desk.shown = async () => held({ travelers: [traveler], pricing: total });
    expect(await made(held({}))).toMatchObject({ travelers: [{ ref: '1' }] });
  });

  test('shows a partial answer without its total if the hold cannot be read', async () => {
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const part = await made(held({ options: [option('1')], travelers: [traveler], pricing: total }));
    expect(part?.pricing).toEqual({ refunds: [], fares: [], perType: [] });
  });

  test('shows a partial answer without a price as it is if the hold cannot be read', async () => {
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const part = held({ options: [option('1')], travelers: [traveler] });
    expect(await made(part)).toEqual(part);
  });

  test('shows a new hold as answered if its offer was not kept', async () => {
    desk.tool = { ...desk.tool, wholeBooking: true };
    desk.terms = create(undefined, { ask: false, subject: { kind: 'create' } });
    const answer = held({ travelers: [traveler] });
    desk.reply = async () => ({ booking: answer });
    await desk.call();
    expect(desk.done[0]?.booking).toEqual(answer);
  });
});

const PRICED = { pricing: { refunds: [], fares: [], perType: [] } } as const;

describe('the booking after a change', () => {
  const changedBy = async (kind: string, answer: Booking, shown: Booking) => {
    const operation = await desk.operation('op', 'succeeded', { subject: { kind, changes: [] } as never });
    const { runtime, settings } = desk;
    const call = { act: desk.act(), how: { caller: ANN }, runtime, settings, trail: {} };
    desk.shown = async () => shown;
    return bookingAfter(call, operation, answer);
  };
  test.each(['update_contact', 'change_names', 'update_passengers'])('reads the booking after %s', async (kind) => {
    const shown = held(PRICED);
    expect(await changedBy(kind, booking(), shown)).toBe(shown);
  });

  test('shows the answer after any other change', async () => {
    const answer = booking({ options: [] });
    expect(await changedBy('assign_seats', answer, held())).toBe(answer);
  });

  test('shows the reading even if only the answer has a price with a quote', async () => {
    const shown = held();
    expect(await changedBy('update_contact', booking({ pricing: { ...PRICED.pricing, quoteId: 'q' } }), shown)).toBe(
      shown,
    );
  });
});

test.each([
  ['update_contact', {}, 0],
  ['update_contact', PRICED, 1],
  ['assign_seats', {}, 1],
] as const)('records in the ledger a booking after %s, read as %j, %i times', async (kind, shown, noted) => {
  const subject = { kind, changes: [], seats: [] } as never;
  desk.tool = { tool: kind, effect: 'commit', args: {} };
  desk.shown = async () => booking(shown);
  const { fingerprint: _, ...terms } = create(undefined, { locator: 'ABC123', subject });
  desk.terms = terms;
  const asked = await desk.ask();
  const operation = await desk.operation('op', 'succeeded', { subject });
  replacing(desk.state.operations, 'get').mockResolvedValueOnce(operation);
  await desk.call({}, asked.handle);
  expect(desk.remembered).toHaveLength(noted);
});

test('looks at the old booking after a split too, and goes on if that fails', async () => {
  const call = await CallHarness.open();
  const looked: string[] = [];
  Object.assign(call.runtime, {
    see: async (_caller: unknown, { locator }: Booking) => {
      looked.push(locator);
      throw error('E_INTERNAL');
    },
  });
  call.terms = payTerms({ ask: false, subject: { kind: 'split_booking', moved: [], kept: [], flights: [] } });
  call.reply = async () => ({
    booking: booking({ locator: 'NEW123', references: [{ id: 'NEW123', segmentRefs: [] }], options: [] }),
  });
  expect(statusOf(await call.call())).toBe('done');
  expect(looked).toContain('ABC123');
  await call.state.close();
});
