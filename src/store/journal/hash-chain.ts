/**
 * The hash chain over all events of the journal, and the rows of the operations that it binds. An event binds the event
 * before it and a digest of its operation at that time, so that a changed, added or missing row is noticed.
 *
 * In this order: events and their digests, and the row of an operation.
 *
 * verify.ts checks a journal with this. postgres/functions.ts makes the same digests in SQL: change both together.
 */
import { hash as digest } from 'node:crypto';
import type { Money } from '../../core/money.ts';
import type { NewOperation, Operation, OperationState, Outcome, Resolution } from '../../journal/operation.ts';
import type { InsertMeta, Link, OperationEvent } from '../../journal/ports.ts';
import { type Columns, type Row, type Statement, toFields, toRow, type Value } from '../database.ts';
import { NO_EVENT_YET } from '../tables.ts';

/** Holds and pauses are in the chain too, as events without an operation. */
export type JournalStep = 'held' | 'restored' | 'paused' | 'resumed';

/** The `operationId` of events without an operation. */
export const OF_JOURNAL = '';

export interface ChainedEvent {
  /** Place in the chain of the whole store, from 1. */
  readonly n: number;
  /** {@link OF_JOURNAL} of an event without an operation. */
  readonly operationId: string;
  /** Place among the events of its operation, from 1. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Empty for the first event of an operation, or of the journal. */
  readonly from: OperationState | JournalStep | '';
  readonly to: OperationState | JournalStep;
  /** The process or the person that caused it. */
  readonly actor: string;
  /** Digest: {@link birthContent}, {@link changeContent} or {@link noteContent}. */
  readonly content: string;
}

/** The fields that an event's hash covers, in this order. */
const COVERED: Columns<ChainedEvent> = {
  n: ['n', 'number'],
  operationId: ['operation_id', 'text'],
  seq: ['seq', 'number'],
  at: ['at', 'number'],
  from: ['from_state', 'text'],
  to: ['to_state', 'text'],
  actor: ['actor', 'text'],
  content: ['content', 'text'],
};

export const EVENT_COLUMNS = Object.values(COVERED).map(([column]) => column);

/** The link before the first event. */
export const NO_LINK_YET: Link = { n: 0, hash: NO_EVENT_YET };

/** The values of an event in the order of {@link EVENT_COLUMNS}. */
function eventValues(event: ChainedEvent): readonly Value[] {
  return Object.values(toRow(COVERED, event));
}

export function toEvent(row: Row): ChainedEvent {
  return toFields(COVERED, row) as ChainedEvent;
}

/** An event of an operation, as the journal shows it. */
export function toOperationEvent(event: ChainedEvent, hash: string): OperationEvent {
  const { n: _, content: __, ...shown } = event;
  return { ...(shown as Omit<OperationEvent, 'hash'>), hash };
}

/** The hash of an event: of the hash before it, and its fields as a JSON list. */
export function chainHash(previous: string, event: ChainedEvent): string {
  return sha256(previous + JSON.stringify(eventValues(event)));
}

/**
 * Adds an event to the chain of which this is the head. Only for a transaction that has locked the head.
 * @param s precedes the name of a table
 */
export function appendEvent(
  s: string,
  head: Row = {},
  fresh: Omit<ChainedEvent, 'n'>,
): { readonly link: Link; readonly statements: readonly Statement[] } {
  const event: ChainedEvent = { ...fresh, n: Number(head.n) + 1 };
  const hash = chainHash(String(head.hash), event);

  const columns = [...EVENT_COLUMNS, 'hash'];
  const append = `insert into ${s}event(${columns.join()}) values (${columns.map(() => '?').join()})`;
  const statements: Statement[] = [
    [append, ...eventValues(event), hash],
    [`update ${s}chain set n = ?, hash = ?`, event.n, hash],
  ];
  return { link: { n: event.n, hash }, statements };
}

/** Digest for the first event of an operation: of everything in it that never changes. */
export function birthContent(operation: Operation): string {
  const { id, tenant, caller, tool, fingerprint, assurance, argsDigest, termsDigest } = operation;
  const { amount, direction, subject, createdAt, supersedes, approvedBy, plan, facts } = operation;
  const money = amount === undefined ? null : [amount.minor, amount.currency];
  const fixed = [id, tenant, caller, tool, fingerprint, assurance, argsDigest, termsDigest];

  // Each is added only if it exists, so that earlier operations keep their digest. The two cannot be confused: a plan
  // is a text, and facts are an object.
  const optional: unknown[] = [];
  if (plan !== undefined) optional.push(plan);
  if (facts !== undefined) optional.push({ facts });

  return sha256(JSON.stringify([...fixed, money, direction, subject, createdAt, supersedes, approvedBy, ...optional]));
}

/** Digest for every later event of an operation: of the fields that change only together with the state. */
export function changeContent({ locator, dispatchedAt, outcome }: Partial<Operation>): string {
  return sha256(JSON.stringify([locator, dispatchedAt, outcome && withoutNote(outcome)]));
}

/** Digest for a hold or pause: its note. */
export function noteContent(body: string): string {
  return sha256(body);
}

/**
 * An outcome as it is stored and bound: with only the salted digest of a person's note, so that the note can be erased.
 */
export function withoutNote(outcome: Outcome): Outcome {
  if (outcome.resolved === undefined) return outcome;
  const { by, at, note, noteSalt, noteDigest } = outcome.resolved;
  const digested = note === undefined ? noteDigest : sha256(JSON.stringify([noteSalt, note]));
  return { ...outcome, resolved: { by, at, noteDigest: digested } };
}

function sha256(text: string): string {
  return digest('sha256', text);
}

/**
 * The column of each field. Exceptions: `amount` has two, and the note of a resolution is in `remark` with its salt.
 */
export const OPERATION_COLUMNS: Columns<Omit<Operation, 'amount'>> = {
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
  facts: ['facts', 'json'],
};

const AMOUNT: Columns<Money> = { minor: ['amount_minor', 'number'], currency: ['currency', 'text'] };

/** What a transition may set, besides state and time. */
const PATCHED = ['locator', 'dispatchedAt', 'owner', 'leaseUntil', 'negatives', 'lastReadAt', 'outcome'] as const;

export const PATCH_COLUMNS = [...PATCHED.map((field) => OPERATION_COLUMNS[field][0]), 'remark'];

/** The operation as it is entered, with the fields that the store gives it. */
export function newborn(
  { people: _, reason: __, customer: ___, ...operation }: NewOperation,
  { now, owner, leaseUntil }: InsertMeta,
): Operation {
  return { ...operation, state: 'intent', createdAt: now, updatedAt: now, owner, leaseUntil, negatives: 0 };
}

/** The columns of the fields that are defined. */
export function toOperationRow({ amount, outcome, ...fields }: Partial<Operation>): Record<string, Value> {
  const { note, noteSalt } = outcome?.resolved ?? {};
  const bound = outcome && { outcome: withoutNote(outcome) };
  return {
    ...toRow(OPERATION_COLUMNS, { ...fields, ...bound }),
    ...(note !== undefined && { remark: JSON.stringify({ note, noteSalt }) }),
    ...toRow(AMOUNT, amount ?? {}),
  };
}

/** The columns of a new operation. Those of its people, reason and customer are read with no operation. */
export function toNewRow(entered: Operation, { people, reason, customer }: NewOperation): Record<string, Value> {
  const kept = { asked: people && JSON.stringify(people), reason, customer };
  const given = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { ...toOperationRow(entered), ...(Object.fromEntries(given) as Record<string, Value>) };
}

/** The fields of the columns that are in the row and not null. */
export function toOperationFields(row: Row): Partial<Operation> {
  const fields = toFields(OPERATION_COLUMNS, row);
  const { outcome } = fields;
  if (outcome?.resolved === undefined || (row.remark ?? null) === null) return fields;
  const remark = JSON.parse(String(row.remark)) as Pick<Resolution, 'note' | 'noteSalt'>;
  return { ...fields, outcome: { ...outcome, resolved: { ...outcome.resolved, ...remark } } };
}

/** The operation of a row, which has all required fields: their columns are `not null`. */
export function toOperation(row: Row): Operation {
  const operation = toOperationFields(row) as Operation;
  const amount = toFields(AMOUNT, row);
  return amount.minor === undefined ? operation : { ...operation, amount: amount as Money };
}
