/**
 * The same trip for the same travellers is made once, unless a person said yes to another.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { ClerkError } from '../../src/errors.ts';
import { error } from '../journal/harness.ts';
import { asks, create, enterEarlier, held, MADE, OTHER, openCreates } from './creates.ts';
import { booking, type CallHarness, refusal, replacing, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await openCreates();
});
afterEach(() => desk.state.close());

const earlier = (...of: Rest) => enterEarlier(desk, ...of);
type Rest = Parameters<typeof enterEarlier> extends [unknown, ...infer R] ? R : never;

describe('an earlier create', () => {
  test('that is still held is presented, and nothing is sent', async () => {
    await earlier('succeeded', {}, MADE);
    const again = await desk.call(asks);
    expect(again).toMatchObject({ structured: { status: 'already_done', operation_id: 'first' } });
    expect(again).not.toHaveProperty('structured.approval');
    expect(desk.sends).toBe(0);
  });

  test('is the newest of several', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'second' } });
  });

  test('that is done while this call follows it is done for the first time', async () => {
    const open = await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    replacing(desk.runtime.journal, 'follow').mockResolvedValue({ ...open, state: 'succeeded', ...MADE });
    expect(statusOf(await desk.call(asks))).toBe('done');
  });

  test('that is open is followed, and says how to ask again', async () => {
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    const pending = await desk.during(2_000, desk.call(asks));
    expect(statusOf(pending)).toBe('pending');
    expect(pending).toMatchObject({ text: expect.stringContaining('with the same arguments; it will not be sent') });
    expect(pending).toMatchObject({ text: expect.stringMatching(/\nOperation first\.$/) });
    expect(pending).not.toHaveProperty('structured.booking');
  });

  test('whose locator nobody knows counts as held, and is named by its operation alone', async () => {
    await earlier('succeeded');
    const again = await desk.call(asks);
    expect(again).toMatchObject({ text: 'Already done before; nothing was sent now.\nPaid.' });
    expect(again).not.toHaveProperty('structured.booking');
  });

  test('that was closed by a person throws so without an approval', async () => {
    await earlier('resolved');
    expect(await refusal(desk.call(asks))).toMatchObject({
      code: 'E_ALREADY_DONE',
      next: expect.stringContaining('first'),
    });
  });

  test.each([
    ['was refused', 'refused', {}],
    ['was not carried out', 'not_executed', {}],
  ] as const)('that %s is none', async (_, state, patch) => {
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
  ])('whose booking is %s is none', async (_, changes) => {
    await earlier('succeeded', {}, MADE);
    desk.shown = async () => held(changes);
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('of which the airline shows nothing is none once it was released here', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = async () => booking({ options: [] });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('paid', 'succeeded', { locator: 'MADE01', tool: 'pay_booking' });
    await desk.operation('elsewhere', 'succeeded', { locator: 'MADE02', tool: 'cancel_booking' });
    await desk.operation('failed', 'refused', { locator: 'MADE01', tool: 'cancel_booking' });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('released', 'succeeded', { locator: 'MADE01', tool: 'cancel_booking' });
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('that the airline does not know is none; one out of reach may be held; a failed reading is no answer', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = () => Promise.reject(new ClerkError('E_NOT_FOUND', 'x', { next: 'x', noSuchBooking: true }));
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    expect(await refusal(desk.call(asks))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
  });

  test('of another caller reveals only that it exists', async () => {
    await earlier('succeeded', { caller: 'bob' }, MADE);
    const foreign = await refusal(desk.call(asks));
    expect(foreign).toMatchObject({
      code: 'E_ALREADY_DONE',
      message: expect.stringContaining('by somebody else of this desk'),
    });
    expect(JSON.stringify(foreign)).not.toContain('MADE01');
    expect(foreign.next).toMatch(/^Ask at the desk who made it/);
  });

  test('that these terms come after is none, and neither is what came before it', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    desk.terms = create(undefined, { supersedes: 'second' });
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.terms = create(undefined, { supersedes: 'first' });
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'second' } });
  });
});

describe("the airline's word that it has such a booking", () => {
  const duplicate = {
    outcome: {
      error: {
        ...{ code: 'E_ALREADY_DONE', message: 'm', next: 'n', effect: 'none', retry: 'never' },
        airline: { status: 422, code: '322' },
      },
    },
  } as const;

  test('is an answer, with its reference', async () => {
    await earlier('refused', {}, duplicate);
    const told = await refusal(desk.call(asks));
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', airline: { code: '322' } });
    expect(told.message).toMatch(/^The airline refused this booking before: .*Nothing was sent\.$/);
    expect(told.next).toContain('pass again_after: "first"');
  });

  test('may come without one', async () => {
    const { airline: _, ...bare } = duplicate.outcome.error;
    await earlier('refused', {}, { outcome: { error: bare } });
    expect((await refusal(desk.call(asks))).airline).toBeUndefined();
  });

  test('says less than a booking of this journal', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('refused', { id: 'second' }, duplicate);
    desk.clock.jump(1);
    await earlier('refused', { id: 'third' }, duplicate);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'first' } });
  });
});

describe('a create that was entered while this one was asked', () => {
  async function yes() {
    const asked = await desk.ask();
    return {
      handle: asked.handle,
      answer: () => desk.answer(asked.handle, { action: 'accept', content: { decision: 'Hold' } }),
    };
  }

  test('and is open is followed', async () => {
    const { answer } = await yes();
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    expect(statusOf(await desk.during(2_000, answer()))).toBe('pending');
    expect(desk.sends).toBe(0);
  });

  test.each([
    [MADE, 'The same booking was made a moment ago (MADE01). Nothing was sent now.'],
    [{}, 'The same booking was made a moment ago. Nothing was sent now.'],
  ])('and settled refuses: %j', async (patch, message) => {
    const { answer } = await yes();
    await earlier('succeeded', {}, patch);
    const told = await refusal(answer());
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', message });
    expect(told.next).toBe('Call create_booking again with the same arguments to see it.');
    expect(desk.sends).toBe(0);
  });

  test('in another fare refuses with its fare', async () => {
    const { answer } = await yes();
    await earlier('succeeded', { subject: create(OTHER).subject }, MADE);
    expect((await refusal(answer())).message).toContain('This offer is another fare or price.');
  });
});
