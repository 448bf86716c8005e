/** What an approval carries, so that any process can carry it out. Erased once the approval is spent. */
import { omitUndefined } from '../core/omit-undefined.ts';
import type { NewOperation } from '../journal/operation.ts';
import type { Approval } from './ports.ts';
import type { MoneyAtStake, Terms } from './terms.ts';

export interface Draft {
  readonly args: Readonly<Record<string, unknown>>;
  readonly operation: Pick<NewOperation, 'subject'> &
    Partial<Pick<NewOperation, 'amount' | 'direction' | 'fingerprint' | 'supersedes' | 'outcome'>>;
}

export function draftOf(args: Readonly<Record<string, unknown>>, terms: Terms): Draft {
  const { subject, money, fingerprint, supersedes, estimate } = terms;
  const optional = omitUndefined({ fingerprint, supersedes, outcome: estimate && { estimate } });
  return { args, operation: { subject, ...money, ...optional } };
}

export function carriedBy({ carried }: Approval): Draft | undefined {
  return carried as Draft | undefined;
}

/** What the act moves: a direction alone where the amount is not known. */
export function moneyOf(approval: Approval): MoneyAtStake | undefined {
  const { direction, amount } = carriedBy(approval)?.operation ?? {};
  return direction && omitUndefined({ direction, amount });
}

/** @param plan digest of the plan of which it is a step */
export function operationOf(approval: Approval, { operation }: Draft, plan?: string): NewOperation {
  const { operationId: id, tenant, caller, tool, assurance = 'none', argsDigest, termsDigest } = approval;
  const { locator, approver: approvedBy, trace } = approval;
  const optional = omitUndefined({ locator, approvedBy, trace, plan });
  return { id, tenant, caller, tool, assurance, argsDigest, termsDigest, ...optional, ...operation };
}
