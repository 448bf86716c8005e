/**
 * An operation as a row of the table `operation`, and back. JSON columns are text.
 */
import type { NewOperation, Operation, OperationState, Outcome } from '../journal/operation.ts';
import type { Patch } from '../journal/ports.ts';
import type { Changing } from './chain.ts';

type Column = string | number | null;
export type OperationRow = Record<string, unknown>;

export const INSERT_COLUMNS = [
  'id',
  'tenant',
  'caller',
  'tool',
  'locator',
  'fingerprint',
  'state',
  'assurance',
  'args_digest',
  'terms_digest',
  'amount_minor',
  'currency',
  'direction',
  'subject',
  'created_at',
  'updated_at',
  'owner',
  'lease_until',
  'outcome',
  'supersedes',
  'approved_by',
] as const;

export interface InsertMeta {
  readonly now: number;
  readonly owner: string;
  readonly leaseUntil: number;
}

/** The operation as it enters the journal. */
export function newborn(operation: NewOperation, meta: InsertMeta): Operation {
  return {
    ...operation,
    state: 'intent',
    createdAt: meta.now,
    updatedAt: meta.now,
    owner: meta.owner,
    leaseUntil: meta.leaseUntil,
    negatives: 0,
  };
}

/** Values for {@link INSERT_COLUMNS}. */
export function insertValues(operation: Operation): Column[] {
  const { id, tenant, caller, tool, locator, fingerprint, state, assurance, argsDigest, termsDigest } = operation;
  const { amount, direction, subject, createdAt, updatedAt, owner, leaseUntil, outcome, supersedes, approvedBy } =
    operation;
  return [
    ...[id, tenant, caller, tool, locator ?? null, fingerprint ?? null, state, assurance, argsDigest, termsDigest],
    ...[amount?.minor ?? null, amount?.currency ?? null, direction ?? null, JSON.stringify(subject)],
    ...[createdAt, updatedAt, owner, leaseUntil],
    ...[outcome === undefined ? null : JSON.stringify(outcome), supersedes ?? null, approvedBy ?? null],
  ];
}

const PATCH_COLUMNS: { readonly [K in keyof Patch]-?: string } = {
  locator: 'locator',
  dispatchedAt: 'dispatched_at',
  owner: 'owner',
  leaseUntil: 'lease_until',
  negatives: 'negatives',
  lastReadAt: 'last_read_at',
  outcome: 'outcome',
};

/** Column and value of each field that the patch sets. */
export function patchValues(patch: Patch): [column: string, value: Column][] {
  return (Object.keys(PATCH_COLUMNS) as (keyof Patch)[]).flatMap((key): [string, Column][] => {
    const value = patch[key];
    if (value === undefined) return [];
    return [[PATCH_COLUMNS[key], typeof value === 'object' ? JSON.stringify(value) : value]];
  });
}

/** Of a row, what a change of state goes by: all that `toChanging` reads. */
export const CHANGING_COLUMNS = 'state, locator, dispatched_at, outcome';

export function toChanging(row: OperationRow): Changing & Pick<Operation, 'state'> {
  return {
    state: row.state as OperationState,
    ...(row.locator !== null && { locator: String(row.locator) }),
    ...(row.dispatched_at !== null && { dispatchedAt: Number(row.dispatched_at) }),
    ...(row.outcome !== null && { outcome: JSON.parse(String(row.outcome)) as Outcome }),
  };
}

export function toOperation(row: OperationRow): Operation {
  const amount =
    row.amount_minor === null ? undefined : { minor: Number(row.amount_minor), currency: String(row.currency) };
  return {
    id: String(row.id),
    tenant: String(row.tenant),
    caller: String(row.caller),
    tool: String(row.tool),
    ...(row.fingerprint !== null && { fingerprint: String(row.fingerprint) }),
    ...toChanging(row),
    assurance: row.assurance as Operation['assurance'],
    argsDigest: String(row.args_digest),
    termsDigest: String(row.terms_digest),
    ...(amount && { amount }),
    ...(row.direction !== null && { direction: row.direction as 'payment' | 'refund' }),
    subject: JSON.parse(String(row.subject)),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    owner: String(row.owner),
    leaseUntil: Number(row.lease_until),
    negatives: Number(row.negatives),
    ...(row.last_read_at !== null && { lastReadAt: Number(row.last_read_at) }),
    ...(row.failing_since !== null && { failingSince: Number(row.failing_since) }),
    ...(row.supersedes !== null && { supersedes: String(row.supersedes) }),
    ...(row.approved_by !== null && { approvedBy: String(row.approved_by) }),
  };
}
