import { expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/ports.ts';
import { approvalStatus, failure } from '../../src/approvals/status.ts';
import type { Operation, OperationState } from '../../src/journal/operation.ts';

const approval = {
  decision: 'pending',
  expiresAt: 1_000,
  sections: [{ kind: 'act', lines: ['Pay less.'] }],
} as unknown as Approval;
const statusOf = (over: Partial<Approval>, operation?: object, now = 0) =>
  approvalStatus({ ...approval, ...over }, operation as Operation | undefined, now);

test.each([
  [{ title: 'EXPIRED', correlationId: 'c-1' }, ['The airline said: "EXPIRED" (reference c-1)']],
  [{ title: 'EXPIRED' }, ['The airline said: "EXPIRED"']],
  // The journal keeps no words of the airline.
  [{ correlationId: 'c-1' }, ["The airline's reference: c-1"]],
  [{ code: '73' }, []],
  [undefined, []],
])('shows what the airline said and the reference for its support: %j', (airline, said) => {
  expect(failure({ message: 'It failed.', effect: 'none', airline }).lines).toEqual(['It failed.', ...said]);
});

test("says that the outcome is not known if a failure's effect is unknown", () => {
  expect(failure({ message: 'x', effect: 'none' })).toMatchObject({ kind: 'failed', title: 'Nothing was done' });
  expect(failure({ message: 'x', effect: 'unknown' })).toMatchObject({ title: 'The outcome is not known' });
});

test('shows a question until it is answered or expires', () => {
  expect(statusOf({}, undefined, 999)).toBe('question');
  expect(statusOf({}, undefined, 1_000)).toMatchObject({ kind: 'failed', title: 'Too late to answer' });
  expect(statusOf({ decision: 'granted' }, undefined, 1_000)).toMatchObject({ title: 'Too late to answer' });
});

test.each<[Partial<Approval>, string, string]>([
  [{ decision: 'granted' }, 'pending', 'Your yes is on record'],
  [{ decision: 'declined' }, 'declined', 'You said no'],
  [{ decision: 'void' }, 'failed', 'Your yes could not be carried out'],
  [{ staleLines: ['New.'], decision: 'void' }, 'stale', 'Something changed: nothing was sent'],
])('shows an approval without an operation, %j, as %s', (over, kind, title) => {
  const status = statusOf(over);
  expect(status).toMatchObject({ kind, title });
  expect(status === 'question' ? [] : status.lines.join('')).not.toBe('');
});

test.each<[OperationState, object, string, string, readonly string[]]>([
  ['intent', {}, 'pending', 'Being carried out', [expect.stringContaining('before anything is sent')]],
  [
    'dispatched',
    {},
    'pending',
    'Sent; the outcome is not known yet',
    [expect.any(String), expect.stringContaining('not be sent twice')],
  ],
  [
    'in_doubt',
    {},
    'pending',
    'Sent; the outcome is not known yet',
    [expect.any(String), expect.stringContaining('not be sent twice')],
  ],
  ['needs_person', { outcome: { check: 'Look.' } }, 'failed', 'A person must check', ['Look.']],
  ['needs_person', {}, 'failed', 'A person must check', [expect.stringMatching(/^Check the booking at the airline/)]],
  ['resolved', {}, 'failed', 'A person has checked it', [expect.stringMatching(/^It was checked with the airline/)]],
  ['not_executed', {}, 'failed', 'Nothing was done', ['It was not carried out.']],
  ['refused', { outcome: { error: { message: 'No.', effect: 'none' } } }, 'failed', 'Nothing was done', ['No.']],
])('shows an operation that is %s (%j) as %s', (state, over, kind, title, lines) => {
  expect(statusOf({ decision: 'granted' }, { state, ...over })).toEqual({ kind, title, lines });
});

test('shows changed terms or an operation instead of an undecided question', () => {
  expect(statusOf({ staleLines: ['New.'] })).toMatchObject({ kind: 'stale' });
  expect(statusOf({}, { state: 'dispatched' })).toMatchObject({ kind: 'pending' });
});

test('shows the changed terms of an operation that was not carried out', () => {
  const status = statusOf({ decision: 'granted', staleLines: ['Pay more.'] }, { state: 'not_executed' });
  expect(status).toMatchObject({ kind: 'stale', lines: ['Before: Pay less.', 'Now: Pay more.'] });
  expect(statusOf({ staleLines: ['Pay less.'] })).toMatchObject({
    lines: [expect.stringMatching(/not shown here changed/)],
  });
});
