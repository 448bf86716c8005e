/**
 * One open question of a caller about acts that decide a booking, alone or in plans: what any adapter of the state port
 * must do. Each row of {@link ARROWS} is an arrow of the table of states.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import type { Approval, OpenState, State } from './ports.ts';

const HOUR = 3_600_000;
const DECIDING = [
  'pay_booking',
  'cancel_booking',
  'cancel_segment',
  'cancel_passenger',
  'rebook_segment',
  'split_booking',
];
const BESIDE = ['assign_seats', 'request_service', 'update_contact', 'update_passenger', 'change_names'];

/** `pay A`, or the steps of a plan: `pay A, cancel B`. */
interface Asked {
  readonly kind: 'act' | 'plan';
  readonly steps: readonly (readonly [tool: string, locator: string])[];
}
const act = (tool: string, locator = 'AAAAAA'): Asked => ({ kind: 'act', steps: [[tool, locator]] });
/** A step of a plan that waits for a yes of its own. */
const plan = (...steps: Asked['steps'][number][]): Asked => ({ kind: 'plan', steps });

const OF_TWO = plan(['cancel_booking', 'AAAAAA'], ['assign_seats', 'BBBBBB']);

/** The first is open when the second is asked. `replaced`: the bookings of the first, as the second call learns. */
const ARROWS: readonly (readonly [
  what: string,
  first: Asked,
  second: Asked,
  replaced: readonly string[] | undefined,
])[] = [
  ...DECIDING.flatMap((one) =>
    DECIDING.filter((other) => other !== one).map(
      (other) => [`act × act: ${one}, then ${other}`, act(one), act(other), ['AAAAAA']] as const,
    ),
  ),
  ['act × plan', act('pay_booking'), OF_TWO, ['AAAAAA']],
  ['plan × act: the plan is replaced whole', OF_TWO, act('pay_booking'), ['AAAAAA', 'BBBBBB']],
  [
    'plan × plan: one booking is shared',
    OF_TWO,
    plan(['pay_booking', 'CCCCCC'], ['pay_booking', 'AAAAAA']),
    ['AAAAAA', 'BBBBBB'],
  ],
  ...BESIDE.flatMap((tool): typeof ARROWS => [
    [`${tool} × act stand beside`, act(tool), act('cancel_booking'), undefined],
    [`act × ${tool} stand beside`, act('cancel_booking'), act(tool), undefined],
    [`${tool} × plan stand beside`, act(tool), OF_TWO, undefined],
    [`plan × ${tool} stand beside`, OF_TWO, act(tool), undefined],
    [`plan of ${tool} × act stand beside`, plan([tool, 'AAAAAA']), act('pay_booking'), undefined],
    [`plan × plan of ${tool} stand beside`, OF_TWO, plan([tool, 'AAAAAA']), undefined],
  ]),
  ['plan × act: another booking', OF_TWO, act('pay_booking', 'CCCCCC'), undefined],
  ['plan × act: only seats of the plan are about its booking', OF_TWO, act('pay_booking', 'BBBBBB'), undefined],
  ['plan × plan: no booking is shared', OF_TWO, plan(['cancel_booking', 'CCCCCC']), undefined],
  ['plan × plan: only seats are shared', OF_TWO, plan(['cancel_booking', 'BBBBBB']), undefined],
];

export function describeDeciding(name: string, open: OpenState): void {
  describe(`${name}: one open question about a booking`, () => suite(open));
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

  const question = (over: Partial<Approval>): Approval => {
    n += 1;
    const ids = { handleHash: `h${n}`, operationId: `op${n}`, argsDigest: `args${n}`, termsDigest: `t${n}` };
    return pendingApproval({ ...ids, createdAt: now, expiresAt: now + 600_000, carried: { args: {} }, ...over });
  };
  /** Asks, and returns the question with the result. */
  const ask = async ({ kind, steps }: Asked, deciding: readonly string[] = DECIDING, over: Partial<Approval> = {}) => {
    const [[tool, locator] = ['', '']] = steps;
    if (kind === 'act') {
      const asked = question({ tool, locator, topic: locator, ...over });
      return { asked, id: asked.operationId, result: await state.approvals.ask(asked, { open: 100, deciding }) };
    }
    const id = `pl_${++n}`;
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    const kept = { id, tenant: 't', caller: 'me', createdAt: now, expiresAt: now + HOUR, body };
    const part = (of: string, line: number) => ({ plan: id, question: of, line, step: 0 });
    await state.plans.put(kept);
    const of = `op${n + 1}`;
    const whole = {
      ...question({ tool: 'run_plan', part: { ...part(of, 0), alone: true }, ...over }),
      locator: undefined,
    };
    const rows = steps.map(([stepTool, about], i) =>
      question({ tool: stepTool, locator: about, part: part(of, i + 1), ...over }),
    );
    const result = await state.plans.ask(
      { id, question: of, expiresAt: now + HOUR, body },
      [whole, ...rows],
      undefined,
      deciding,
    );
    return { asked: whole, id, rows, result };
  };
  const kept = (id: string) => state.approvals.byOperation(id);
  const openNow = async () => (await state.approvals.waiting(now)).map(({ operationId }) => operationId);
  /** A yes, by the way of its kind. */
  const yes = ({ asked, id, rows }: Awaited<ReturnType<typeof ask>>) =>
    rows === undefined
      ? state.approvals.decide(asked.handleHash, { decision: 'granted', assurance: 'page' }, now)
      : state.plans.decide(
          id,
          asked.operationId,
          { assurance: 'page', granted: rows.map((row) => row.operationId) },
          now,
        );

  test.each(ARROWS)('%s', async (_, before, after, replaced) => {
    const first = await ask(before);
    now += 1;
    const second = await ask(after);
    if (replaced === undefined) {
      expect(second.result).toEqual({ kind: 'asked' });
      expect(await openNow()).toEqual([first.asked.operationId, second.asked.operationId]);
      expect(await yes(first)).toBe(true);
      return;
    }
    expect(second.result).toMatchObject({
      kind: 'asked',
      replaced: [{ question: { operationId: first.asked.operationId, decision: 'pending' }, locators: replaced }],
    });
    expect(await openNow()).toEqual([second.asked.operationId]);
    // Nobody hears that the time of the older one is over.
    const lapsed = await state.outbox.lapsed(now, now + HOUR);
    expect(lapsed.map(({ operationId }) => operationId)).toEqual([second.asked.operationId]);
    expect(await yes(first)).toBe(false);
    for (const one of [first.asked, ...(first.rows ?? [])]) {
      const now_ = await kept(one.operationId);
      expect(now_).toMatchObject({ decision: 'replaced', replacedBy: second.asked.operationId });
      expect(now_).not.toHaveProperty('carried');
    }
    expect(await yes(second)).toBe(true);
  });

  test('what was answered, has expired, is of another caller or was asked by an older program stays as it was', async () => {
    const granted = await ask(OF_TWO);
    await yes(granted);
    expect((await ask(act('pay_booking'))).result).toEqual({ kind: 'asked' });
    expect(await kept(granted.asked.operationId)).toMatchObject({ decision: 'granted' });
    for (const whose of [{ caller: 'you' }, { tenant: 'u' }, { caller: 'me:app' }])
      expect((await ask(act('cancel_booking'), DECIDING, whose)).result).toEqual({ kind: 'asked' });
    now += 600_000;
    expect((await ask(act('cancel_segment'))).result).toEqual({ kind: 'asked' });
    expect(await openNow()).toHaveLength(1);
  });

  test('replaces questions of an earlier program, which left several open about a booking', async () => {
    const old = [] as const;
    const [a, b, c] = [
      await ask(act('pay_booking'), old),
      await ask(act('cancel_booking'), old),
      await ask(OF_TWO, old),
    ];
    expect(await openNow()).toHaveLength(3);
    const { result, asked } = await ask(act('rebook_segment'));
    const replaced = result.kind === 'asked' ? result.replaced?.map((one) => one.question.operationId) : [];
    expect(replaced).toEqual([a, b, c].map((one) => one?.asked.operationId));
    expect(await openNow()).toEqual([asked.operationId]);
    expect([await yes(a), await yes(b), await yes(c)]).toEqual([false, false, false]);
  });

  test('where the clock was set back, replaces what nobody can answer', async () => {
    await ask(OF_TWO);
    now -= 60_000 + 600_000;
    expect((await ask(act('pay_booking'))).result).toMatchObject({ kind: 'asked', replaced: [{}] });
  });

  test.each([
    ['acts', () => DECIDING.map((tool) => act(tool))],
    ['plans', () => [OF_TWO, plan(['pay_booking', 'AAAAAA'], ['pay_booking', 'CCCCCC'])]],
    ['acts and plans', () => [...DECIDING.map((tool) => act(tool)), OF_TWO]],
  ] as const)('of twenty %s that are asked at once one is open, and no older yes does anything', async (_, kinds) => {
    const choices = kinds();
    const all = await Promise.all(Array.from({ length: 20 }, (__, i) => ask(choices[i % choices.length] as Asked)));
    const open = await openNow();
    expect(open).toHaveLength(1);
    for (const one of all) expect(await yes(one)).toBe(open.includes(one.asked.operationId));
  });

  test('lets a yes or a replacing come first, never both', async () => {
    for (let i = 0; i < 20; i++) {
      const locator = `L${i}`;
      const first = await ask(plan(['cancel_booking', locator], ['pay_booking', `M${i}`]));
      const [isGranted, second] = await Promise.all([yes(first), ask(act('pay_booking', locator))]);
      const isReplaced = second.result.kind === 'asked' && second.result.replaced !== undefined;
      expect(isReplaced).toBe(!isGranted);
      for (const one of [first.asked, ...(first.rows ?? [])])
        expect((await kept(one.operationId))?.decision).toBe(isGranted ? 'granted' : 'replaced');
    }
  });

  test('a stop before an answer withdraws the question of a plan, so that a yes does nothing; after one it stays', async () => {
    const first = await ask(OF_TWO);
    await state.plans.stop(first.id, now);
    expect(await openNow()).toEqual([]);
    expect(await yes(first)).toBe(false);
    for (const one of [first.asked, ...(first.rows ?? [])])
      expect(await kept(one.operationId)).toMatchObject({ decision: 'void', voidWhy: 'stopped' });
    const second = await ask(OF_TWO);
    expect(second.result).toEqual({ kind: 'asked' });
    await yes(second);
    await state.plans.stop(second.id, now);
    expect(await kept(second.asked.operationId)).toMatchObject({ decision: 'granted' });
  });

  test('of a yes and a stop at once, a yes that counts belongs to a plan that begins nothing', async () => {
    for (let i = 0; i < 20; i++) {
      const one = await ask(plan(['cancel_booking', `L${i}`]));
      const [isGranted] = await Promise.all([yes(one), state.plans.stop(one.id, now)]);
      expect((await kept(one.asked.operationId))?.decision).toBe(isGranted ? 'granted' : 'void');
      expect(await state.plans.get(one.id)).toMatchObject({ stoppedAt: now });
    }
  });

  test('tells what is open about bookings, of any act or of some', async () => {
    const seats = await ask(act('assign_seats'));
    const whole = await ask(OF_TWO);
    await ask(act('pay_booking', 'CCCCCC'));
    await ask(act('pay_booking'), DECIDING, { caller: 'you' });
    const about = async (locators: readonly string[], tools?: readonly string[]) => {
      const found = await state.approvals.openAbout({ tenant: 't', id: 'me' }, locators, now, tools);
      return found.map((one) => [one.question.operationId, ...one.locators]);
    };
    const plans = [whole.asked.operationId, 'AAAAAA', 'BBBBBB'];
    expect(await about(['AAAAAA'])).toEqual([[seats.asked.operationId, 'AAAAAA'], plans]);
    expect(await about(['AAAAAA'], DECIDING)).toEqual([plans]);
    expect(await about(['BBBBBB'])).toEqual([plans]);
    expect(await about(['BBBBBB'], DECIDING)).toEqual([]);
    expect(await about([])).toEqual([]);
    const ofAll = await state.approvals.openAbout({ tenant: 't' }, ['AAAAAA'], now);
    expect(ofAll.map(({ question: { caller } }) => caller)).toEqual(['me', 'me', 'you']);
    expect(await state.approvals.openAbout({ tenant: 'another' }, ['AAAAAA'], now)).toEqual([]);
  });
}
