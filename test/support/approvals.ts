/**
 * Approvals as the store holds them.
 */
import type { openSqliteState } from '../../src/store/sqlite/state.ts';

type Approvals = Awaited<ReturnType<typeof openSqliteState>>['approvals'];
type Approval = Parameters<Approvals['put']>[0];

/** A pending question about a payment of booking ABC123, open from 1 s to 601 s after 1970. */
export function pendingApproval(over: Partial<Approval> = {}): Approval {
  return {
    handleHash: 'h1',
    operationId: 'op1',
    tenant: 't',
    caller: 'me',
    tool: 'pay_booking',
    locator: 'ABC123',
    argsDigest: 'a',
    termsDigest: 'd',
    sections: [{ kind: 'act', lines: ['Pays SAR 172.50'] }],
    nature: 'payment',
    act: { verb: 'pay', sum: { moves: 'paid', exactly: { minor: 17_250, currency: 'SAR' } } },
    askedBy: 'page',
    decision: 'pending',
    createdAt: 1000,
    expiresAt: 601_000,
    ...over,
  };
}
