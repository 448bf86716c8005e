/**
 * The same trip for the same travellers is booked once, unless a person approved another.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { error } from '../journal/harness.ts';
import { asks, create, enterEarlier, held, MADE, OTHER, openCreates } from './creates.ts';
import { type Booking, booking, type CallHarness, refusal, replacing, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await openCreates();
});

const earlier = (...of: Rest) => enterEarlier(desk, ...of);
type Rest = Parameters<typeof enterEarlier> extends [unknown, ...infer R] ? R : never;

describe('an earlier create', () => {
  test('shows an earlier create that is still held, and sends nothing', async () => {
    await earlier('succeeded', {}, MADE);
    const again = await desk.call(asks);
    expect(again).toMatchObject({ structured: { status: 'already_done', operation_id: 'first' } });
    expect(again).not.toHaveProperty('structured.approval');
    expect(desk.sends).toBe(0);
  });

  test('shows the newest of several earlier creates', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'second' } });
  });

  test('reports an earlier create as new if it is done while this call follows it', async () => {
    const open = await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    replacing(desk.runtime.journal, 'follow').mockResolvedValue({ ...open, state: 'succeeded', ...MADE });
    expect(statusOf(await desk.call(asks))).toBe('done');
  });

  test('follows an earlier create that is open, and says how to ask again', async () => {
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    const pending = await desk.during(2_000, desk.call(asks));
    expect(statusOf(pending)).toBe('pending');
    expect(pending).toMatchObject({ text: expect.stringContaining('with the same arguments; it will not be sent') });
    expect(pending).toMatchObject({ text: expect.stringMatching(/\nOperation first\.$/) });
    expect(pending).not.toHaveProperty('structured.booking');
  });

  test('counts an earlier create without a locator as held', async () => {
    await earlier('succeeded');
    const again = await desk.call(asks);
    expect(again).toMatchObject({ text: 'Already done before; nothing was sent now.\nPaid.' });
    expect(again).not.toHaveProperty('structured.booking');
  });

  test('refuses if a person closed the earlier create', async () => {
    await earlier('resolved');
    expect(await refusal(desk.call(asks))).toMatchObject({
      code: 'E_ALREADY_DONE',
      next: expect.stringContaining('first'),
    });
  });

  test.each([
    ['was refused', 'refused', {}],
    ['was not carried out', 'not_executed', {}],
  ] as const)('asks for a new create if the earlier one %s', async (_, state, patch) => {
    await earlier(state, {}, patch);
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test.each<[string, Partial<Booking>]>([
    ['cancelled', { cancelled: true }],
    [
      'expired',
      {
        orders: [],
        tickets: [
          { number: '', travelerRefs: [], segmentRefs: [], coupons: [], links: [], timeLimit: '1970-01-01T00:00:00Z' },
        ],
      },
    ],
  ])('asks for a new create if the earlier booking is %s', async (_, changes) => {
    await earlier('succeeded', {}, MADE);
    desk.shown = held(changes);
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('asks for a new create if the earlier one was released here', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = booking({ options: [] });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('paid', 'succeeded', { locator: 'MADE01', tool: 'pay_booking' });
    await desk.operation('elsewhere', 'succeeded', { locator: 'MADE02', tool: 'cancel_booking' });
    await desk.operation('failed', 'refused', { locator: 'MADE01', tool: 'cancel_booking' });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('released', 'succeeded', { locator: 'MADE01', tool: 'cancel_booking' });
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('asks for a new create only if the airline does not know the earlier booking', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = () => Promise.reject(error('E_NOT_FOUND', { noSuchBooking: true }));
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    expect(await refusal(desk.call(asks))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
  });

  test("reveals only that another caller's earlier create exists", async () => {
    await earlier('succeeded', { caller: 'bob' }, MADE);
    const foreign = await refusal(desk.call(asks));
    expect(foreign).toMatchObject({
      code: 'E_ALREADY_DONE',
      message: expect.stringContaining('by somebody else of this desk'),
    });
    expect(JSON.stringify(foreign)).not.toContain('MADE01');
    expect(foreign.next).toMatch(/^Ask at the desk who made it/);
  });

  test('asks for a new create after the one that the terms supersede', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    desk.terms = create(undefined, { supersedes: 'second' });
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.terms = create(undefined, { supersedes: 'first' });
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'second' } });
  });
});

describe("an airline's refusal of a duplicate", () => {
  const duplicate = {
    outcome: {
      error: {
        ...{ code: 'E_ALREADY_DONE', message: 'm', next: 'n', effect: 'none', retry: 'never' },
        airline: { status: 422, code: '322' },
      },
    },
  } as const;

  test('refuses a create that the airline refused as a duplicate, with its reference', async () => {
    await earlier('refused', {}, duplicate);
    const told = await refusal(desk.call(asks));
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', airline: { code: '322' } });
    expect(told.message).toMatch(/^The airline refused this booking before: .*Nothing was sent\.$/);
    expect(told.next).toContain('pass again_after: "first"');
  });

  test('refuses a duplicate without an airline reference too', async () => {
    const { airline: _, ...bare } = duplicate.outcome.error;
    await earlier('refused', {}, { outcome: { error: bare } });
    expect((await refusal(desk.call(asks))).airline).toBeUndefined();
  });

  test('shows a booking of this journal rather than a newer refusal as a duplicate', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('refused', { id: 'second' }, duplicate);
    desk.clock.jump(1);
    await earlier('refused', { id: 'third' }, duplicate);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'first' } });
  });
});

describe('a create entered during the question of another', () => {
  async function yes() {
    const asked = await desk.ask();
    return {
      handle: asked.handle,
      answer: () => desk.answer(asked.handle, { action: 'accept', content: { decision: 'Hold' } }),
    };
  }

  test('follows an open create that was entered during the question', async () => {
    const { answer } = await yes();
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    expect(statusOf(await desk.during(2_000, answer()))).toBe('pending');
    expect(desk.sends).toBe(0);
  });

  test.each([
    [MADE, 'The same booking was made a moment ago (MADE01). Nothing was sent now.'],
    [{}, 'The same booking was made a moment ago. Nothing was sent now.'],
  ])('refuses if the same create was settled during the question: %j', async (patch, message) => {
    const { answer } = await yes();
    await earlier('succeeded', {}, patch);
    const told = await refusal(answer());
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', message });
    expect(told.next).toBe('Call create_booking again with the same arguments to see it.');
    expect(desk.sends).toBe(0);
  });

  test('refuses with a hint if a create in another fare was entered during the question', async () => {
    const { answer } = await yes();
    await earlier('succeeded', { subject: create(OTHER).subject }, MADE);
    expect((await refusal(answer())).message).toContain('This offer is another fare or price.');
  });
});
