/** Who may answer a question: the asker, another person with the role for it, and above an amount only another person. */

import { expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/approval.ts';
import { answeringRole, mayOpen } from '../../src/approvals/who-may-answer.ts';

const login = { isSame: (a: { id: string }, b: { id: string }) => a.id === b.id };
const person = (id: string, approver: boolean, tenant = 't') => ({ id, tenant, name: id, approver, supervisor: false });

type Sum = { readonly minor: number; readonly currency: string };

/** Ann's question; `amount`: what it moves. Without it nothing is carried any more. */
function question(amount?: Sum, givenUp?: Sum): Approval {
  const carried = amount && { args: {}, operation: { subject: {}, direction: 'refund', amount, givenUp } };
  return { tenant: 't', caller: 'ann', carried } as Approval;
}

const SAR = (minor: number) => ({ minor, currency: 'SAR' });
const roleOf = (one: ReturnType<typeof person>, approval: Approval, fourEyesAbove?: ReturnType<typeof SAR>) =>
  answeringRole(one, approval, { login, fourEyesAbove });

test('the asker answers, others of the tenant with the role do, and nobody else sees the question', () => {
  const asked = question(SAR(100));
  expect(roleOf(person('ann', false), asked)).toBe('asker');
  expect(roleOf(person('bob', true), asked)).toBe('approver');
  expect(roleOf(person('bob', false), asked)).toBeUndefined();
  expect(roleOf(person('bob', true, 'u'), asked)).toBeUndefined();
});

test('above the amount, or in another currency, the yes must be another person’s', () => {
  const limit = SAR(100);
  for (const approver of [false, true]) {
    expect(roleOf(person('ann', approver), question(SAR(100)), limit)).toBe('asker');
    expect(roleOf(person('ann', approver), question(SAR(101)), limit)).toBe('asker_alone');
    expect(roleOf(person('ann', approver), question({ minor: 1, currency: 'AED' }), limit)).toBe('asker_alone');
  }
  expect(roleOf(person('bob', true), question(SAR(101)), limit)).toBe('approver');
});

test('a cancellation counts as the larger of what comes back and what is given up', () => {
  const limit = SAR(100);
  const roles = [
    [SAR(0), SAR(101)],
    [SAR(101), SAR(0)],
    [SAR(100), SAR(100)],
    [SAR(0), { minor: 1, currency: 'AED' }],
  ].map(([back, lost]) => roleOf(person('ann', true), question(back, lost), limit));
  expect(roles).toEqual(['asker_alone', 'asker_alone', 'asker', 'asker_alone']);
  expect(roleOf(person('bob', true), question(SAR(0), SAR(101)), limit)).toBe('approver');
  expect(roleOf(person('ann', true), question(SAR(0), SAR(101)))).toBe('asker');
});

test('a question whose yes is spent needs no other person: nothing is left to decide', () => {
  expect(roleOf(person('ann', true), question(), SAR(0))).toBe('asker');
});

test('a supervisor of the tenant reads a question, and answers it only with the role for it', () => {
  const asker = { tenant: 't', id: 'ann' };
  const sees = (one: ReturnType<typeof person>, supervisor = false) =>
    mayOpen({ ...one, supervisor }, asker, { login });
  const lead = { ...person('bob', false), supervisor: true };
  expect(roleOf(lead, question(SAR(100)))).toBe('reader');
  expect(roleOf({ ...lead, approver: true }, question(SAR(100)))).toBe('approver');
  expect(roleOf({ ...lead, id: 'ann' }, question(SAR(100)))).toBe('asker');
  expect(roleOf({ ...lead, tenant: 'u' }, question(SAR(100)))).toBeUndefined();
  expect([sees(person('ann', false)), sees(person('bob', true)), sees(person('bob', false), true)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([sees(person('bob', false)), sees(person('bob', true, 'u')), sees(person('bob', false, 'u'), true)]).toEqual([
    false,
    false,
    false,
  ]);
});
