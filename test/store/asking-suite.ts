/** One open question of a caller for a booking and an act: what any adapter of the state port must do. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './support/new-operation.ts';
import type { Approval, OpenState, State } from './support/ports.ts';

const HOUR = 3_600_000;
const LIMITS = { open: 4, deciding: [] };

export function describeAsking(name: string, open: OpenState): void {
  describe(`${name}: asking`, () => suite(open));
}

function suite(open: OpenState): void {
  let now = 0;
  let n = 0;
  let state: State;
  beforeEach(async () => {
    now = 1_000_000;
    n = 0;
    state = await open(() => now);
  });
  afterEach(() => state.close());

  const question = (over: Partial<Approval> = {}): Approval => {
    n += 1;
    const ids = { handleHash: `h${n}`, operationId: `op${n}`, argsDigest: `args${n}` };
    const times = { createdAt: now, expiresAt: now + 600_000 };
    return pendingApproval({ ...ids, ...times, topic: 'ABC123', carried: { args: {} }, ...over });
  };
  const ask = (over: Partial<Approval> = {}, limits = LIMITS) => state.approvals.ask(question(over), limits);
  /** Entered in place of one question. */
  const insteadOf = (replaced: Partial<Approval>) => ({
    kind: 'asked',
    replaced: [{ question: replaced, locators: ['ABC123'] }],
  });
  const kept = (id: string) => state.approvals.byOperation(id);
  const openNow = async () => (await state.approvals.waiting(now)).map(({ operationId }) => operationId);

  test('replaces the question about the same booking and act, and no other', async () => {
    const others = [
      { topic: 'XYZ789' },
      { tool: 'cancel_booking' },
      { caller: 'you' },
      { tenant: 'u' },
      { caller: 'oauth:me:app' },
    ];
    for (const other of others) expect(await ask(other)).toEqual({ kind: 'asked' });
    const first = question();
    expect(await state.approvals.ask(first, LIMITS)).toEqual({ kind: 'asked' });
    now += 1;
    expect(await ask()).toEqual(insteadOf(first));
    const { carried: _, ...rest } = first;
    expect(await kept('op6')).toEqual({ ...rest, decision: 'replaced', decidedAt: now, replacedBy: 'op7' });
    expect(await openNow()).toEqual(['op1', 'op2', 'op3', 'op4', 'op5', 'op7']);
  });

  test('takes no answer to a question that was replaced', async () => {
    await ask();
    await ask();
    for (const way of ['granted', 'declined'] as const)
      expect(await state.approvals.decide('h1', { decision: way, assurance: 'page' }, now)).toBe(false);
    await state.approvals.takeBack('h1', { assurance: 'page' }, now);
    await state.approvals.makeVoid('h1', 'not_done');
    expect(await kept('op1')).toMatchObject({ decision: 'replaced' });
    expect(await state.approvals.decide('h2', { decision: 'granted', assurance: 'page' }, now)).toBe(true);
  });

  test('finds the question with the same arguments and terms, and replaces nothing', async () => {
    const same = { argsDigest: 'a', termsDigest: 'd' };
    const first = question(same);
    await state.approvals.ask(first, LIMITS);
    expect(await ask(same)).toEqual({ kind: 'found', open: first });
    expect([await openNow(), await kept('op2')]).toEqual([['op1'], undefined]);
    // The price is another now: nobody could carry out a yes to the question that is open.
    expect(await ask({ ...same, termsDigest: 'e' })).toMatchObject(insteadOf({ operationId: 'op1' }));
  });

  test('asks anew beside a question that was answered, or that nobody answered in time', async () => {
    await ask();
    await state.approvals.decide('h1', { decision: 'granted', assurance: 'page' }, now);
    expect(await ask()).toEqual({ kind: 'asked' });
    await state.approvals.decide('h2', { decision: 'declined', assurance: 'page' }, now);
    expect(await ask()).toEqual({ kind: 'asked' });
    now += 600_000;
    expect(await ask()).toEqual({ kind: 'asked' });
    expect(await kept('op3')).toMatchObject({ decision: 'pending', expiresAt: now });
  });

  test('leaves one open where the clock was set back: the one before is replaced, even by the same call', async () => {
    const same = { argsDigest: 'a', termsDigest: 'd' };
    const before = await ask(same).then(() => kept('op1'));
    now -= 60_000;
    expect(await ask(same)).toEqual(insteadOf(before as Approval));
    expect(await kept('op1')).toMatchObject({ decision: 'replaced', replacedBy: 'op2' });
    now += 60_000;
    expect(await openNow()).toEqual(['op2']);
    expect(await state.approvals.decide('h1', { decision: 'granted', assurance: 'page' }, now)).toBe(false);
    expect(await ask(same)).toMatchObject({ kind: 'found' });
  });

  test('takes a few open questions of a person, whatever application asks; replacing one adds none', async () => {
    for (const [i, caller] of ['oauth:ann', 'oauth:ann:desk', 'oauth:ann:phone', 'oauth:ann'].entries())
      expect(await ask({ caller, topic: `T${i}` })).toEqual({ kind: 'asked' });
    expect(await ask({ caller: 'oauth:ann:web', topic: 'T9' })).toEqual({ kind: 'too_many_open' });
    expect(await ask({ caller: 'oauth:ann', topic: 'T0' })).toMatchObject(insteadOf({ topic: 'T0' }));
    expect(await ask({ caller: 'oauth:anna', topic: 'T9' })).toEqual({ kind: 'asked' });
  });

  test('leaves exactly one open of many that are asked at once, and none of them is answered for another', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask({}, { open: 9, deciding: [] })));
    expect(asked.filter(({ kind }) => kind === 'asked')).toHaveLength(8);
    const before = asked.flatMap((one) =>
      one.kind === 'asked' ? [one.replaced?.[0]?.question.operationId ?? 'none'] : [],
    );
    expect(new Set(before).size).toBe(8);
    const [last = '', ...more] = await openNow();
    expect([more, before.includes(last)]).toEqual([[], false]);
    const same = { argsDigest: 'a' };
    const again = await Promise.all(Array.from({ length: 8 }, () => ask(same, { open: 9, deciding: [] })));
    expect(again.map(({ kind }) => kind).sort()).toEqual(['asked', ...Array.from({ length: 7 }, () => 'found')]);
    expect(await openNow()).toHaveLength(1);
  });

  test('lets an answer or a replacing come first, never both', async () => {
    for (let round = 0; round < 10; round++) {
      now += 2 * HOUR;
      await ask();
      const id = `op${n}`;
      const [isAnswered, asked] = await Promise.all([
        state.approvals.decide(`h${n}`, { decision: 'granted', assurance: 'page' }, now),
        ask(),
      ]);
      const isReplaced = asked.kind === 'asked' && asked.replaced?.[0]?.question.operationId === id;
      expect([isAnswered, isReplaced].filter(Boolean)).toHaveLength(1);
      expect((await kept(id))?.decision).toBe(isAnswered ? 'granted' : 'replaced');
    }
  });

  const done = async (id: string, over: Parameters<typeof newOperation>[1] = {}) => {
    await state.operations.insert(newOperation(id, over), { now, owner: 'p', leaseUntil: now });
    for (const [from, to] of [
      ['intent', 'dispatched'],
      ['dispatched', 'succeeded'],
    ] as const)
      await state.operations.transition(id, { from: [from], to, patch: {} }, { now, actor: 'p' });
  };

  test('says that the same was done only of the same call, and names the operation to its own caller alone', async () => {
    const tool = 'cancel_segment';
    const of = { tool, argsDigest: 'segment 1' };
    await ask({ ...of, caller: 'you' });
    await ask({ ...of, tenant: 'u' });
    await ask({ tool, caller: 'oauth:me:app', argsDigest: 'segment 2' });
    await ask({ tool, argsDigest: 'segment 2' });
    await done('mine', of);
    const ended = ['op1', 'op2', 'op3', 'op4'].map(kept);
    expect((await Promise.all(ended)).map((one) => [one?.voidWhy, one?.replacedBy])).toEqual([
      ['done_elsewhere', undefined],
      ['done_elsewhere', undefined],
      ['booking_changed', undefined],
      ['booking_changed', 'mine'],
    ]);
    expect(await state.approvals.decide('h3', { decision: 'granted', assurance: 'page' }, now)).toBe(false);
  });

  test('knows an act about the whole booking as the same, however it was asked for', async () => {
    await ask({ ofWholeBooking: true });
    await done('mine');
    expect(await kept('op1')).toMatchObject({ voidWhy: 'done_elsewhere', ofWholeBooking: true, replacedBy: 'mine' });
  });

  test('keeps that only the page may ask', async () => {
    await ask({ pageOnly: true });
    await ask({ topic: 'XYZ789' });
    expect([(await kept('op1'))?.pageOnly, (await kept('op2'))?.pageOnly]).toEqual([true, undefined]);
  });

  test('ends the questions about an act that is done, whoever asked, and nothing else', async () => {
    const { operations, approvals } = state;
    const ofWholeBooking = true;
    await ask();
    await approvals.decide('h1', { decision: 'granted', assurance: 'page' }, now);
    await ask({ ofWholeBooking, caller: 'you' });
    await ask({ ofWholeBooking, tenant: 'u' });
    for (const other of [{ topic: 'XYZ789' }, { tool: 'cancel_booking' }]) await ask(other);
    await approvals.put(question({ topic: undefined as never }));
    await operations.insert(newOperation('op1'), { now, owner: 'p', leaseUntil: now });
    for (const [from, to] of [
      ['intent', 'dispatched'],
      ['dispatched', 'in_doubt'],
    ] as const)
      await operations.transition('op1', { from: [from], to, patch: {} }, { now, actor: 'p' });
    expect(await openNow()).toHaveLength(5);
    now += 5;
    await operations.transition('op1', { from: ['in_doubt'], to: 'succeeded', patch: {} }, { now, actor: 'p' });
    expect(await openNow()).toEqual(['op4', 'op5', 'op6']);
    for (const id of ['op2', 'op3']) {
      expect(await kept(id)).toMatchObject({ decision: 'void', voidWhy: 'done_elsewhere', decidedAt: now });
      for (const field of ['carried', 'replacedBy']) expect(await kept(id)).not.toHaveProperty(field);
    }
    expect(await kept('op1')).toMatchObject({ decision: 'granted' });
    expect(await operations.verify()).toBeUndefined();
  });

  test('ends nothing for an act that was refused', async () => {
    await ask();
    await state.operations.insert(newOperation('other'), { now, owner: 'p', leaseUntil: now });
    await state.operations.transition('other', { from: ['intent'], to: 'refused', patch: {} }, { now, actor: 'p' });
    expect(await openNow()).toEqual(['op1']);
  });
}
