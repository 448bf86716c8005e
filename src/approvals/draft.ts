/**
 * What an approval carries, so that any process can carry it out. Erased once the approval is spent.
 */
import type { NewOperation } from '../journal/operation.ts';
import type { Approval } from './ports.ts';
import type { MoneyAtStake, Terms } from './terms.ts';

export interface Draft {
  readonly args: Readonly<Record<string, unknown>>;
  readonly operation: Pick<NewOperation, 'subject'> &
    Partial<Pick<NewOperation, 'amount' | 'direction' | 'fingerprint' | 'supersedes' | 'outcome'>>;
}

export function draftOf(args: Readonly<Record<string, unknown>>, terms: Terms): Draft {
  return {
    args,
    operation: {
      subject: terms.subject,
      ...terms.money,
      ...(terms.fingerprint !== undefined && { fingerprint: terms.fingerprint }),
      ...(terms.supersedes !== undefined && { supersedes: terms.supersedes }),
      ...(terms.estimate && { outcome: { estimate: terms.estimate } }),
    },
  };
}

export function carriedBy({ carried }: Approval): Draft | undefined {
  return carried as Draft | undefined;
}

/** What the act moves: a direction alone where the amount is not known. */
export function moneyOf(approval: Approval): MoneyAtStake | undefined {
  const { direction, amount } = carriedBy(approval)?.operation ?? {};
  return direction && { direction, ...(amount && { amount }) };
}

/** The operation that a granted approval becomes. */
export function operationOf(approval: Approval, { operation }: Draft): NewOperation {
  return {
    id: approval.operationId,
    tenant: approval.tenant,
    caller: approval.caller,
    tool: approval.tool,
    ...(approval.locator !== undefined && { locator: approval.locator }),
    assurance: approval.assurance ?? 'none',
    ...(approval.approver !== undefined && { approvedBy: approval.approver }),
    argsDigest: approval.argsDigest,
    termsDigest: approval.termsDigest,
    ...operation,
  };
}
