import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import type { DecisionOutcome } from '../../../src/approvals/status.ts';
import { approvalStatus } from '../../../src/approvals/status.ts';
import type { Operation, OperationState, Outcome } from '../../../src/journal/operation.ts';
import { createDecisionQueue } from '../../../src/server/approval-page/decision-queue.ts';
import { formToken } from '../../../src/server/approval-page/form.ts';
import { pendingApproval } from '../../support/approvals.ts';

const NOW = Date.UTC(2026, 10, 20, 9);

const approval = pendingApproval({ operationId: 'op-1', createdAt: NOW, expiresAt: NOW + 600_000 });

const operation = (state: OperationState, outcome: Outcome = {}) =>
  ({ id: 'op-1', state, locator: 'ABC123', outcome, subject: { kind: 'cancel_booking' } }) as Operation;

const titleOf = (stands: ReturnType<typeof approvalStatus>) => (stands === 'question' ? stands : stands.title);

describe('the status of an approval', () => {
  test.each([
    [{}, undefined, 'question'],
    [{ decision: 'declined' }, undefined, 'You said no'],
    [{ decision: 'granted' }, undefined, 'Your yes is on record'],
    [{ expiresAt: NOW }, undefined, 'Too late to answer'],
    [{ decision: 'granted', expiresAt: NOW }, undefined, 'Too late to answer'],
    [{ decision: 'granted', staleLines: ['x'] }, undefined, 'Something changed: nothing was sent'],
    [{ decision: 'granted', expiresAt: NOW }, operation('intent'), 'Being carried out'],
    [{ decision: 'granted' }, operation('dispatched'), 'Sent; the outcome is not known yet'],
    [{ decision: 'granted' }, operation('in_doubt'), 'Sent; the outcome is not known yet'],
    [{ decision: 'granted' }, operation('succeeded'), 'The hold is released; nothing was paid'],
    [{ decision: 'granted' }, operation('refused'), 'Nothing was done'],
    [{ decision: 'granted' }, operation('needs_person', { check: 'Look.' }), 'A person must check'],
    [{ decision: 'granted', staleLines: ['x'] }, operation('not_executed'), 'Something changed: nothing was sent'],
  ] as const)('shows the approval %j with the operation %j as: %s', (over, entered, title) => {
    expect(titleOf(approvalStatus({ ...approval, ...over } as Approval, entered, NOW))).toBe(title);
  });

  test("reports a refusal in our words, and quotes the airline's", () => {
    const error = {
      code: 'E_PAYMENT_DECLINED',
      message: 'The airline declined the payment. Nothing was charged.',
      next: 'Call pay_booking again.',
      effect: 'none',
      retry: 'never',
      airline: { title: 'Declined <b>', correlationId: 'c-1' },
    } as const;
    expect(approvalStatus(approval, operation('refused', { error }), NOW)).toMatchObject({
      kind: 'failed',
      lines: [error.message, 'The airline said: "Declined <b>" (reference c-1)'],
    });
  });
});

describe('the decision queue', () => {
  const done: DecisionOutcome = { kind: 'done', title: 'Done', lines: ['Ticket 1'] };

  test('lets a second answer wait for the first and decide nothing', async () => {
    const pressed: boolean[] = [];
    let finish: (outcome: DecisionOutcome) => void = () => undefined;
    const desk = createDecisionQueue({
      operation: async () => undefined,
      decide: (_, yes) => {
        pressed.push(yes);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      now: () => NOW,
    });
    const answers = [desk.decide(approval, true), desk.decide(approval, false)];
    expect(await desk.status(approval)).toMatchObject({ title: 'Being carried out' });
    finish(done);
    await Promise.all(answers);
    expect(pressed).toEqual([true]);
    expect(await desk.status(approval)).toEqual(done);
  });

  test('does not decide again what was answered elsewhere', async () => {
    const desk = createDecisionQueue({
      operation: async () => undefined,
      decide: () => Promise.reject(new Error('pressed')),
      now: () => NOW,
    });
    for (const decision of ['granted', 'declined'] as const) await desk.decide({ ...approval, decision }, true);
  });

  test('shows a late reply that corrects a failure, and keeps nothing after an hour', async () => {
    let entered: Operation | undefined;
    let now = NOW;
    const desk = createDecisionQueue({
      operation: async () => entered,
      decide: async () => ({ kind: 'failed', title: 'Nothing was done', lines: ['Amal'] }),
      now: () => now,
    });
    await desk.decide(approval, true);
    expect(await desk.status(approval)).toMatchObject({ lines: ['Amal'] });
    entered = operation('succeeded');
    expect(await desk.status(approval)).toMatchObject({ kind: 'done' });
    entered = operation('refused');
    expect(await desk.status(approval)).toMatchObject({ lines: ['Amal'] });
    now += 60 * 60_000;
    expect(JSON.stringify(await desk.status(approval))).not.toContain('Amal');
  });

  test('lets the next answer try again after a decision that failed', async () => {
    let tries = 0;
    const desk = createDecisionQueue({
      operation: async () => undefined,
      decide: async () => {
        if (++tries === 1) throw new Error('disk');
        return done;
      },
      now: () => NOW,
    });
    await expect(desk.decide(approval, true)).rejects.toThrow('disk');
    await desk.decide(approval, true);
    expect(await desk.status(approval)).toEqual(done);
  });
});

test('creates a form token for one key, one approval and one visit', () => {
  const [key, other] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  const tokens = [
    formToken(key, 'op-1', 'visit'),
    formToken(other, 'op-1', 'visit'),
    formToken(key, 'op-2', 'visit'),
    formToken(key, 'op-1', 'another'),
    formToken(key, 'op-1v', 'isit'),
  ];
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(formToken(key, 'op-1', 'visit')).toBe(tokens[0]);
});
