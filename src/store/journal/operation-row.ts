/** An operation as a row of the table `operation`, and back. JSON columns are text. */
import type { NewOperation, Operation, Resolution } from '../../journal/operation.ts';
import type { InsertMeta } from '../../journal/ports.ts';
import type { Row, Value } from '../database.ts';
import { type Columns, toFields, toRow } from '../row-codec.ts';
import { withoutNote } from './chain.ts';

/** Adds the fields of a new operation. */
export function newborn(operation: NewOperation, { now, owner, leaseUntil }: InsertMeta): Operation {
  return { ...operation, state: 'intent', createdAt: now, updatedAt: now, owner, leaseUntil, negatives: 0 };
}

/** Column of each field but `amount`, which has two, and the note of a resolution, which is in `remark` with its salt. */
const COLUMNS: Columns<Omit<Operation, 'amount'>> = {
  id: ['id', 'text'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  tool: ['tool', 'text'],
  locator: ['locator', 'text'],
  fingerprint: ['fingerprint', 'text'],
  state: ['state', 'text'],
  assurance: ['assurance', 'text'],
  approvedBy: ['approved_by', 'text'],
  argsDigest: ['args_digest', 'text'],
  termsDigest: ['terms_digest', 'text'],
  direction: ['direction', 'text'],
  subject: ['subject', 'json'],
  createdAt: ['created_at', 'number'],
  updatedAt: ['updated_at', 'number'],
  dispatchedAt: ['dispatched_at', 'number'],
  owner: ['owner', 'text'],
  leaseUntil: ['lease_until', 'number'],
  negatives: ['negatives', 'number'],
  lastReadAt: ['last_read_at', 'number'],
  failingSince: ['failing_since', 'number'],
  outcome: ['outcome', 'json'],
  supersedes: ['supersedes', 'text'],
  trace: ['trace', 'text'],
  plan: ['plan', 'text'],
};

/** What a transition may set, besides state and time. */
const PATCHED = ['locator', 'dispatchedAt', 'owner', 'leaseUntil', 'negatives', 'lastReadAt', 'outcome'] as const;
export const PATCH_COLUMNS = [...PATCHED.map((field) => COLUMNS[field][0]), 'remark'];

/** The columns of the fields that are given. */
export function rowOf({ amount, outcome, ...fields }: Partial<Operation>): Record<string, Value> {
  const { note, noteSalt } = outcome?.resolved ?? {};
  const bound = outcome && { outcome: withoutNote(outcome) };
  return {
    ...toRow(COLUMNS, { ...fields, ...bound }),
    ...(note !== undefined && { remark: JSON.stringify({ note, noteSalt }) }),
    ...(amount && { amount_minor: amount.minor, currency: amount.currency }),
  };
}

/** The fields of the columns that the row has and that are not null. */
export function fieldsOf(row: Row): Partial<Operation> {
  const fields = toFields(COLUMNS, row);
  const { outcome } = fields;
  if (outcome?.resolved === undefined || (row.remark ?? null) === null) return fields;
  const remark = JSON.parse(String(row.remark)) as Pick<Resolution, 'note' | 'noteSalt'>;
  return { ...fields, outcome: { ...outcome, resolved: { ...outcome.resolved, ...remark } } };
}

/** Every row has the fields that an operation must have: their columns are `not null`. */
export function toOperation(row: Row): Operation {
  const { amount_minor: minor, currency } = row;
  const amount = (minor ?? null) === null ? undefined : { minor: Number(minor), currency: String(currency) };
  return { ...fieldsOf(row), ...(amount && { amount }) } as Operation;
}
