/**
 * Another fare or price for a trip that is held already.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { error, option } from '../journal/harness.ts';
import { asks, create, enterEarlier, held, MADE, OTHER, openCreates } from './creates.ts';
import { type Booking, type CallHarness, type Operation, refusal, SAR, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await openCreates();
});

const earlier = (...of: Rest) => enterEarlier(desk, ...of);
type Rest = Parameters<typeof enterEarlier> extends [unknown, ...infer R] ? R : never;

describe('an earlier create of another fare or price', () => {
  const other = { subject: create(OTHER).subject };

  test('refuses if an earlier create in another fare is open', async () => {
    await earlier('in_doubt', other, { dispatchedAt: desk.clock.now() });
    const told = await refusal(desk.call(asks));
    expect(told.message).toMatch(/^The same trip in another fare .* is not known yet\. Nothing was sent\.$/);
    expect(told.next).toBe('Wait and call create_booking again, or pass again_after: "first" to have both.');
  });

  test('refuses if an earlier create in another fare has no locator', async () => {
    await earlier('succeeded', other);
    expect((await refusal(desk.call(asks))).message).toMatch(/outcome is not known yet/);
  });

  const rule = (refundable: boolean) => ({
    passengerType: '',
    refundable,
    base: SAR(0),
    tax: SAR(0),
    total: SAR(0),
    vatHundredths: 0,
    texts: [],
  });
  const fare = (refundable: boolean) => ({ references: [], refundRules: [rule(refundable)], changeRules: [] });
  const priced = (...fares: readonly boolean[]) => ({
    total: { total: SAR(30000) },
    refunds: [],
    fares: fares.map(fare),
    perType: [],
  });

  test.each<[string, Partial<Booking>, string]>([
    ['held', {}, 'hold MADE01 on 101+102.'],
    ['held, and refundable', { pricing: priced(true) as never }, 'hold MADE01 on 101+102 at SAR 300.00 (refundable).'],
    [
      'held, and not refundable',
      { pricing: priced(false) as never },
      'hold MADE01 on 101+102 at SAR 300.00 (not refundable).',
    ],
    ['held, of several rules', { pricing: priced(true, false) as never }, 'hold MADE01 on 101+102 at SAR 300.00.'],
    ['of an unknown state', { orders: [] }, 'hold MADE01 on 101+102.'],
    ['without a segment', { options: [] }, 'hold MADE01.'],
    ['partly cancelled', { options: [option('1'), option('2', '16')] }, 'have MADE01 (partly cancelled) on 101.'],
  ])('describes an earlier booking in another fare that is %s', async (_, changes, words) => {
    await earlier('succeeded', other, MADE);
    desk.shown = held(changes);
    const told = await refusal(desk.call(asks));
    const text = told.message.replace(/ on [A-Z]{2} ?/, ' on ');
    expect(text).toBe(`You already ${words} This offer is another fare or price. Nothing was sent.`);
    // A hold is free to release; a booking that was paid for is not.
    const end = words.startsWith('hold')
      ? 'release MADE01 with cancel_booking'
      : 'cancel MADE01 with cancel_booking (money may be kept: quote_cancellation first)';
    expect(told.next).toContain(
      `Ask the person: ${end} and call create_booking again, or pass again_after: "first" to have both.`,
    );
  });

  test('names an earlier booking in another fare that cannot be read', async () => {
    await earlier('succeeded', other, MADE);
    let reads = 0;
    desk.shown = () => (reads++ === 0 ? Promise.resolve(held()) : Promise.reject(error('E_AIRLINE_DOWN')));
    expect((await refusal(desk.call(asks))).message).toMatch(/^You already made MADE01 for this trip; it could not be/);
  });

  test('prefers an earlier create of the same fare, then the newest of another fare', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { ...other, id: 'second' }, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { ...other, id: 'third' }, MADE);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'first' } });
    desk.terms = create({ segments: [], total: SAR(1) });
    expect((await refusal(desk.call(asks))).next).toContain('"third"');
  });

  test.each([
    ['an older journal kept none', { subject: { kind: 'create' } }, create()],
    ['these terms have none', {}, create(undefined, { subject: { kind: 'create' } })],
    ['these terms are no create', {}, create(undefined, { subject: { kind: 'cancel_booking' } })],
    ['it is no create', { subject: { kind: 'cancel_booking' } }, create()],
  ] as const)('counts an earlier create as the same offer where %s', async (_, over, terms) => {
    await earlier('succeeded', over as Partial<Operation>, MADE);
    desk.terms = terms;
    expect(statusOf(await desk.call(asks))).toBe('already_done');
  });
});
