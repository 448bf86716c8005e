import { expect, test } from 'vitest';
import { carriedBy, draftOf, moneyOf, operationOf } from '../../src/approvals/draft.ts';
import type { Approval } from '../../src/approvals/ports.ts';
import { payTerms, SAR } from './harness.ts';

const approval = (over: Partial<Approval> = {}): Approval =>
  ({
    ...{ operationId: 'op', tenant: 't', caller: 'ann', tool: 'pay_booking', argsDigest: 'a', termsDigest: 'd' },
    ...over,
  }) as Approval;

test('keeps in a draft only the terms that enter the operation', () => {
  const { subject } = payTerms();
  expect(draftOf({ locator: 'ABC123' }, payTerms())).toEqual({
    args: { locator: 'ABC123' },
    operation: { subject, direction: 'payment', amount: SAR(17250) },
  });
  const estimate = { rule: 'free', amount: SAR(1) };
  const { money: _, ...free } = payTerms({ estimate, fingerprint: 'f', supersedes: 'op-0' });
  expect(draftOf({}, free).operation).toEqual({ subject, fingerprint: 'f', supersedes: 'op-0', outcome: { estimate } });
});

test('builds the operation from the approval and its draft', () => {
  const draft = draftOf({}, payTerms());
  const bare = { id: 'op', tenant: 't', caller: 'ann', tool: 'pay_booking', argsDigest: 'a', termsDigest: 'd' };
  expect(operationOf(approval(), draft)).toEqual({ ...bare, assurance: 'none', ...draft.operation });
  const known = approval({ locator: 'ABC123', assurance: 'page', approver: 'eve' });
  expect(operationOf(known, draft)).toEqual({
    ...bare,
    locator: 'ABC123',
    assurance: 'page',
    approvedBy: 'eve',
    ...draft.operation,
  });
});

test('reads the money of an approval from its draft, with or without an amount', () => {
  const of = (money: object) => moneyOf(approval({ carried: { args: {}, operation: money } }));
  expect(of({ direction: 'refund', amount: SAR(5) })).toEqual({ direction: 'refund', amount: SAR(5) });
  expect(of({ direction: 'refund' })).toEqual({ direction: 'refund' });
  expect(of({})).toBeUndefined();
  expect(moneyOf(approval())).toBeUndefined();
  expect(carriedBy(approval())).toBeUndefined();
});
