/** The state of a step, a line and a plan, from its approvals and the journal. */
import { beforeEach, expect, test } from 'vitest';
import { PlanHarness, statesOf } from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

type Given = Parameters<PlanHarness['stored']>[1][number];
const MINUTE = 60_000;
const failed = (code: string) => ({ code, message: `${code}.`, next: '', effect: 'none', retry: 'never' }) as const;
/** An approval that differs so, without an operation. */
const asked = (over: object) => (): Given => [over];
/** A granted one with its operation. */
const as =
  (state: NonNullable<Given[1]>['state'], code?: Parameters<typeof failed>[0], more = {}) =>
  (): Given => [{}, { ...(state && { state }), ...(code && { outcome: { error: failed(code) as never } }), ...more }];
const PART = { plan: 'pl_1', question: 'q', line: 1, step: 0 };
const OLD = (): Given => [{ decidedAt: harness.clock.now() - 31 * MINUTE }];
const CHECK = 'The booking needs checking with the airline.';

test.each<[string, () => Given, string, string | undefined]>([
  ['was begun, and died', as('not_executed', 'E_INTERRUPTED'), 'not_begun', 'E_INTERRUPTED.'],
  ['was refused', as('refused', 'E_NOT_PERMITTED'), 'skipped', 'E_NOT_PERMITTED.'],
  ['was read back unchanged', as('not_executed'), 'skipped', 'It was not carried out.'],
  ['must be checked', as('needs_person'), 'needs_person', CHECK],
  ['must be checked so', as('needs_person', undefined, { outcome: { check: 'So.' } }), 'needs_person', 'So.'],
  ['was closed', as('resolved'), 'skipped', 'The operator checked it with the airline and closed it.'],
  ['is in doubt', as('in_doubt'), 'in_doubt', 'Sent, but the outcome is not known yet.'],
  ['is being sent', as('dispatched'), 'doing', undefined],
  ['is being read once more', as('intent'), 'doing', undefined],
  [
    'was asked anew',
    asked({ decision: 'replaced', decidedAt: undefined, part: { ...PART, question: 'older' } }),
    'not_begun',
    'It was asked again.',
  ],
  ['could not be carried out', asked({ decision: 'void' }), 'skipped', 'Approved, but not carried out.'],
  ['is of an older question', asked({ part: { ...PART, question: 'older' } }), 'not_begun', 'It was asked again.'],
  ['waits its turn', asked({}), 'waiting', undefined],
  ['waited for too long', OLD, 'not_begun', 'It was not started within 30 minutes of the approval.'],
])('a step that %s', async (_, given, state, why) => {
  const { lines } = await harness.stored([{}], [given()]);
  expect(lines[0]?.steps[0]).toMatchObject({ state });
  expect(lines[0]?.steps[0]?.why).toBe(why);
});

test.each<[string, () => Given, object, string]>([
  ['was done', as('succeeded'), {}, 'waiting'],
  ['is in doubt', as('in_doubt'), {}, 'waiting'],
  ['was refused', as('refused'), {}, 'skipped'],
  ['was not begun', OLD, {}, 'not_begun'],
  ['was declined', asked({ decision: 'declined' }), {}, 'skipped'],
  ['is none of this line', asked({}), { after: [], locatorOf: 5 }, 'skipped'],
])('a step whose step before %s', async (_, first, spec, state) => {
  const { lines } = await harness.stored([{}, { after: [0], ...spec }], [first(), [{}]]);
  expect(lines[0]?.steps[1]?.state).toBe(state);
});

test('a step that waits for one without an answer is not sent', async () => {
  const view = await harness.stored([{}, { after: [0] }], [[{ decision: 'pending', decidedAt: undefined }], [{}]]);
  expect(view.lines[0]?.steps.map(({ state }) => state)).toEqual(['asked', 'waiting']);
  await harness.carry('pl_1');
  expect(harness.sent).toEqual([]);
});

test('a line is being done between two of its steps', async () => {
  const between = await harness.stored([{}, { after: [0] }], [[{}, { state: 'succeeded' }], [{}]]);
  expect(statesOf(between)).toEqual(['doing']);
});

test('a plan that nobody ran in time, or whose question was voided, has lapsed', async () => {
  const now = harness.clock.now();
  await harness.state.plans.put({ id: 'pl_0', tenant: 't', caller: 'ann', createdAt: 0, expiresAt: now - 1 });
  expect((await harness.view('pl_0')).state).toBe('lapsed');
  await harness.stored([{}], []);
  await harness.state.approvals.makeVoid('q', 'not_done');
  expect((await harness.view('pl_1')).state).toBe('lapsed');
});
