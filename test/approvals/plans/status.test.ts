/** The state of a step, a line and a plan, from its approvals and the journal. */
import { beforeEach, expect, test } from 'vitest';
import { PlanHarness, type Result, statesOf } from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

type Given = Parameters<PlanHarness['stored']>[1][number];
const MINUTE = 60_000;
const failed = (code: string) => ({
  outcome: { error: { code, message: `${code}.`, next: '', effect: 'none', retry: 'never' } as never },
});
const alone = (over: object = {}) => ({
  part: { plan: 'pl_1', question: 'q', line: 1, step: 0, alone: true, ...over },
});
const old = () => ({ decidedAt: harness.clock.now() - 31 * MINUTE });

test.each<[string, () => Given, string, string | undefined]>([
  [
    'was begun, and died',
    () => [{}, { state: 'not_executed', ...failed('E_INTERRUPTED') }],
    'not_begun',
    'E_INTERRUPTED.',
  ],
  ['was refused', () => [{}, { state: 'refused', ...failed('E_NOT_PERMITTED') }], 'skipped', 'E_NOT_PERMITTED.'],
  ['was read back unchanged', () => [{}, { state: 'not_executed' }], 'skipped', 'It was not carried out.'],
  [
    'must be checked',
    () => [{}, { state: 'needs_person' }],
    'needs_person',
    'A person must check the booking at the airline.',
  ],
  ['must be checked so', () => [{}, { state: 'needs_person', outcome: { check: 'Check.' } }], 'needs_person', 'Check.'],
  ['was closed', () => [{}, { state: 'resolved' }], 'skipped', 'A person checked it with the airline and closed it.'],
  ['is in doubt', () => [{}, { state: 'in_doubt' }], 'in_doubt', 'Sent; the outcome is not known yet.'],
  ['is being sent', () => [{}, { state: 'dispatched' }], 'doing', undefined],
  ['is being read once more', () => [{}, { state: 'intent' }], 'doing', undefined],
  ['was asked anew', () => [{ decision: 'void', decidedAt: undefined }], 'not_begun', 'It was asked anew.'],
  ['could not be carried out', () => [{ decision: 'void' }], 'skipped', 'The yes could not be carried out.'],
  [
    'belongs to an older question',
    () => [alone({ question: 'older', alone: undefined })],
    'not_begun',
    'It was asked anew.',
  ],
  ['was declined alone', () => [{ decision: 'declined', ...alone() }], 'skipped', 'The person said no.'],
  [
    'waits for an answer of its own',
    () => [{ decision: 'pending', ...alone() }],
    'asks_again',
    expect.stringContaining('fareclerk approve op0'),
  ],
  [
    'waited too long for it',
    () => [{ decision: 'pending', ...alone(), expiresAt: 0 }],
    'not_begun',
    'Nobody answered in time.',
  ],
  ['has a yes of its own', () => [alone()], 'doing', undefined],
  ['had one for too long', () => [{ ...alone(), expiresAt: 0 }], 'not_begun', 'It was not begun in time.'],
  ['waits its turn', () => [{}], 'waiting', undefined],
  ['waited for too long', () => [old()], 'not_begun', 'It was not begun within 30 minutes of the yes.'],
])('a step that %s', async (_, given, state, why) => {
  const { lines } = await harness.stored([{}], [given()]);
  expect(lines[0]?.steps[0]).toMatchObject({ state });
  expect(lines[0]?.steps[0]?.why).toEqual(why);
});

test.each<[string, () => Given, object, string]>([
  ['was done', () => [{}, { state: 'succeeded' }], {}, 'waiting'],
  ['is in doubt', () => [{}, { state: 'in_doubt' }], {}, 'waiting'],
  ['was refused', () => [{}, { state: 'refused' }], {}, 'skipped'],
  ['was not begun', () => [old()], {}, 'not_begun'],
  ['was declined', () => [{ decision: 'declined' }], {}, 'skipped'],
  ['is none of this line', () => [{}], { after: [], locatorOf: 5 }, 'skipped'],
])('a step whose step before %s', async (_, first, spec, state) => {
  const { lines } = await harness.stored([{}, { after: [0], ...spec }], [first(), [{}]]);
  expect(lines[0]?.steps[1]?.state).toBe(state);
});

test('a step that waits for a yes of its own holds up what comes after it', async () => {
  const view = await harness.stored([{}, { after: [0] }], [[{ decision: 'pending', ...alone() }], [{}]]);
  expect([view.state, ...statesOf(view)]).toEqual(['over', 'asks_again']);
  const answer = (await harness.run('pl_1')) as Result;
  expect(answer.text).toContain('waits for a yes of its own');
  expect(harness.sent).toEqual([]);
});

test.each<[string, () => Given, object, number]>([
  ['its terms changed', () => [{}, { state: 'not_executed', ...failed('E_APPROVAL_STALE') }], {}, 1],
  ['the plan was stopped', () => [{}, { state: 'not_executed', ...failed('E_APPROVAL_STALE') }], { stoppedAt: 1 }, 0],
  ['the yes is old', () => [old(), { state: 'not_executed', ...failed('E_APPROVAL_STALE') }], {}, 0],
  ['it comes after nothing', () => [alone({ step: 1, alone: undefined }), { state: 'refused' }], { after: [] }, 0],
])('a step after a payment is asked by itself, or not: %s', async (_, given, over, asked) => {
  const [locator = ''] = harness.make(1);
  const paid: Given = [{}, { state: 'succeeded', direction: 'payment' }];
  const after = 'after' in over ? [] : [0];
  await harness.stored([{}, { after, args: { locator } }], [paid, given()], 'stoppedAt' in over ? over : {});
  await harness.carry('pl_1');
  expect(await harness.state.approvals.waiting(harness.clock.now())).toHaveLength(asked);
});

test('a line is being done between two of its steps, and says so if its hold was released', async () => {
  const between = await harness.stored([{}, { after: [0] }], [[{}, { state: 'succeeded' }], [{}]]);
  expect(statesOf(between)).toEqual(['doing']);
  const other = await PlanHarness.open();
  const released = await other.stored(
    [{ tool: 'pay_booking' }, { insteadOf: 0 }],
    [
      [{}, { state: 'refused', ...failed('E_LIMIT') }],
      [{}, { state: 'succeeded' }],
    ],
  );
  expect(released.lines[0]).toMatchObject({
    state: 'skipped',
    why: 'E_LIMIT. The new hold was released; nothing was paid.',
  });
});

test('a plan that nobody ran in time, or whose question was voided, has lapsed', async () => {
  const now = harness.clock.now();
  await harness.state.plans.put({ id: 'pl_0', tenant: 't', caller: 'ann', createdAt: 0, expiresAt: now - 1 });
  expect((await harness.view('pl_0')).state).toBe('lapsed');
  await harness.stored([{}], []);
  await harness.state.approvals.revoke('q');
  expect((await harness.view('pl_1')).state).toBe('lapsed');
});
