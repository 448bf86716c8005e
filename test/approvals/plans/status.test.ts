import { describe, expect, test } from 'vitest';
import type { PlanLine, PlanStep } from '../../../src/approvals/plans/plan.ts';
import type { PlanBody, StoredPlan } from '../../../src/approvals/plans/ports.ts';
import { lineNow, nextOf, type PlanFacts, stepsNow } from '../../../src/approvals/plans/status.ts';
import { viewOf } from '../../../src/approvals/plans/view.ts';
import { nextText, planOutcome } from '../../../src/approvals/plans/words.ts';
import type { Approval, PlanApproval } from '../../../src/approvals/ports.ts';
import type { Operation } from '../../../src/journal/operation.ts';
import { storedError } from '../../../src/journal/outcome.ts';
import { error, operation as sentOperation } from '../../journal/harness.ts';
import { pendingApproval } from '../../support/approvals.ts';

const NOW = 10_000_000;
const GRANTED = { decision: 'granted', decidedAt: NOW - 1000, expiresAt: NOW + 60_000 } as const;

type Given = readonly [over: Partial<Approval>, operation?: Partial<Operation>];

/** A plan of one line, whose steps have these approvals and operations. */
function factsOf(
  steps: readonly Partial<PlanStep>[],
  given: readonly (Given | undefined)[],
  over: Partial<StoredPlan> = {},
): PlanFacts {
  const specs = steps.map((step): PlanStep => ({ tool: 'cancel_booking', args: {}, ...step }));
  const lines: PlanLine[] = [{ title: 'Move', steps: specs }];
  const terms = [specs.map(({ tool }) => ({ tool, act: tool, nature: 'change' as const, sections: [] }))];
  const body: PlanBody = { lines, terms, leftOut: [], notAsked: {} };
  const plan: StoredPlan = {
    id: 'pl_1',
    tenant: 't',
    caller: 'me',
    createdAt: 0,
    expiresAt: NOW + 1,
    question: 'q',
    body,
    ...over,
  };
  const question = { plan: 'pl_1', question: 'q', line: 0, step: 0, alone: true as const };
  const asked = pendingApproval({ operationId: 'q', handleHash: 'q', part: question, ...GRANTED }) as PlanApproval;
  const operations = new Map<string, Operation>();
  const approvals = given.flatMap((one, step): PlanApproval[] => {
    if (one === undefined) return [];
    const id = `op${step}`;
    if (one[1]) operations.set(id, { ...sentOperation({ kind: 'cancel_booking' }), id, ...one[1] });
    const part = { plan: 'pl_1', question: 'q', line: 1, step };
    return [pendingApproval({ operationId: id, handleHash: id, part, ...GRANTED, ...one[0] }) as PlanApproval];
  });
  return { plan, body, approvals: [asked, ...approvals], operations, now: NOW, digestKey: new Uint8Array(32) };
}

const stateOf = (facts: PlanFacts, step = 0) => stepsNow(facts)[0]?.[step];
const alone = { plan: 'pl_1', question: 'q', line: 1, step: 0, alone: true as const };

describe('the state of a step', () => {
  test.each([
    [
      'was begun, and died before it was sent',
      [{}, { state: 'not_executed', outcome: { error: storedError(error('E_INTERRUPTED')) } }],
      'not_begun',
    ],
    ['was refused', [{}, { state: 'refused', outcome: { error: storedError(error('E_NOT_PERMITTED')) } }], 'skipped'],
    ['was read back unchanged, without a word', [{}, { state: 'not_executed' }], 'skipped'],
    ['must be checked, without a word', [{}, { state: 'needs_person' }], 'needs_person'],
    ['must be checked', [{}, { state: 'needs_person', outcome: { check: 'Check it.' } }], 'needs_person'],
    ['was closed by a person', [{}, { state: 'resolved' }], 'skipped'],
    ['is being sent', [{}, { state: 'dispatched' }], 'doing'],
    ['is being read once more', [{}, { state: 'intent' }], 'doing'],
    ['was asked anew before it was answered', [{ decision: 'void', decidedAt: undefined as never }], 'not_begun'],
    ['could not be carried out, without a word', [{ decision: 'void' }], 'skipped'],
    [
      'belongs to an older question',
      [{ part: { ...alone, question: 'older', alone: undefined as never } }],
      'not_begun',
    ],
    ['was declined when it was asked alone', [{ decision: 'declined', part: alone }], 'skipped'],
    ['waits for an answer of its own', [{ decision: 'pending', part: alone }], 'asks_again'],
    ['has a yes of its own', [{ part: alone }], 'doing'],
    ['has a yes of its own that came to nothing', [{ part: alone, expiresAt: NOW - 1 }], 'not_begun'],
  ] as const)('that %s', (_, given, state) => {
    expect(stateOf(factsOf([{}], [given as unknown as Given]))?.state).toBe(state);
  });

  test('is as the step before it was', () => {
    const steps = [{}, { after: [0] }];
    const waiting: Given = [{}];
    const first = (given: Given) => stateOf(factsOf(steps, [given, waiting]), 1);
    expect(first([{}, { state: 'succeeded' }])).toMatchObject({ state: 'waiting', isReady: true });
    expect(first([{}, { state: 'in_doubt' }])).toEqual(expect.not.objectContaining({ isReady: true }));
    expect(first([{}, { state: 'refused' }])).toMatchObject({ state: 'skipped', isUndone: true });
    expect(first([{ decidedAt: NOW - 31 * 60_000 }])).toMatchObject({ state: 'not_begun' });
    expect(first([{ decision: 'declined' }])).toMatchObject({ state: 'skipped' });
    expect(stateOf(factsOf([{}, { locatorOf: 5 }], [waiting, waiting]), 1)).toMatchObject({ state: 'skipped' });
  });
});

describe('what comes next', () => {
  test('is nothing while the step before waits for a yes of its own', () => {
    const facts = factsOf([{}, { after: [0] }], [[{ decision: 'pending', part: alone }], [{}]]);
    expect(nextOf(facts)).toEqual({ kind: 'end' });
    expect(nextText(viewOf(facts))).toContain('waits for a yes of its own');
  });

  test('is no question after a stop, or when the yes is old', () => {
    const paid: Given = [{}, { state: 'succeeded', direction: 'payment' }];
    const stale: Given = [{}, { state: 'not_executed', outcome: { error: storedError(error('E_APPROVAL_STALE')) } }];
    const steps = [{}, { after: [0] }];
    expect(nextOf(factsOf(steps, [paid, stale]))).toMatchObject({ kind: 'ask_again', step: 1 });
    expect(nextOf(factsOf(steps, [paid, stale], { stoppedAt: NOW }))).toEqual({ kind: 'end' });
    const old: Given = [{ decidedAt: NOW - 31 * 60_000 }, { ...stale[1] }];
    expect(nextOf(factsOf(steps, [paid, old]))).toEqual({ kind: 'end' });
    expect(nextOf(factsOf([{}, {}], [paid, stale]))).toEqual({ kind: 'end' });
  });
});

describe('a line', () => {
  test('is being done between two of its steps', () => {
    const facts = factsOf([{}, { after: [0] }], [[{}, { state: 'succeeded' }], [{}]]);
    expect(lineNow(stepsNow(facts)[0] ?? [])).toEqual({ state: 'doing' });
  });

  test('whose hold was released without a word says so', () => {
    const specs = [
      { tool: 'pay_booking', args: {} },
      { tool: 'cancel_booking', args: {}, insteadOf: 0 },
    ];
    const steps = [
      { spec: specs[0] as PlanStep, state: 'skipped' as const },
      { spec: specs[1] as PlanStep, state: 'done' as const, operation: {} as Operation },
    ];
    expect(lineNow(steps)).toEqual({ state: 'skipped', why: 'The new hold was released; nothing was paid.' });
  });
});

describe('a plan', () => {
  test('is good where every line was done or left out by the person', () => {
    const done = viewOf(factsOf([{}], [[{}, { state: 'succeeded' }]]));
    expect(planOutcome(done)).toMatchObject({ kind: 'done', title: 'Carried out: 1 done' });
    const refused = viewOf(factsOf([{}], [[{}, { state: 'refused' }]]));
    expect(planOutcome(refused).kind).toBe('failed');
    expect(planOutcome({ ...done, state: 'proposed' }).kind).toBe('done');
    expect(planOutcome({ ...done, state: 'lapsed' }).title).toBe('Too late to answer');
  });

  test('that was blanked, lapsed or asked anew shows no lines, and asks nothing', () => {
    const { question: _, ...bare } = factsOf([{}], []).plan;
    const lapsed = { ...factsOf([{}], []), plan: { ...bare, expiresAt: NOW - 1 }, approvals: [] };
    expect(viewOf(lapsed).state).toBe('lapsed');
    const facts = factsOf([{}], []);
    const anew = { ...facts, approvals: facts.approvals.map((one) => ({ ...one, decision: 'void' as const })) };
    expect(viewOf(anew).state).toBe('lapsed');
  });
});
