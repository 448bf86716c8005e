/**
 * The hash chain over all events of the journal. Each event binds the one before it, and a digest of the operation at that
 * time, so that a changed, added or missing row shows.
 */
import { hash as digest } from 'node:crypto';
import type { Operation, OperationState } from '../journal/operation.ts';
import type { Link, OperationEvent } from '../journal/ports.ts';
import type { Row } from './database.ts';

/** Holds and pauses are in the chain too, as events without an operation. */
export type JournalStep = 'held' | 'restored' | 'paused' | 'resumed';
export const OF_JOURNAL = '';

export interface ChainedEvent {
  /** Place in the chain of the whole store, from 1. */
  readonly n: number;
  /** {@link OF_JOURNAL}: without an operation. */
  readonly operationId: string;
  readonly seq: number;
  readonly at: number;
  readonly from: OperationState | JournalStep | '';
  readonly to: OperationState | JournalStep;
  readonly actor: string;
  readonly content: string;
}

/** The fields that an event's hash covers, and their columns, in the same order. */
const COVERED = ['n', 'operationId', 'seq', 'at', 'from', 'to', 'actor', 'content'] as const;
export const EVENT_COLUMNS = ['n', 'operation_id', 'seq', 'at', 'from_state', 'to_state', 'actor', 'content'] as const;

export function eventValues(event: ChainedEvent): (string | number)[] {
  return COVERED.map((field) => event[field]);
}

export function toEvent(row: Row): ChainedEvent {
  const [n, operationId, seq, at, from, to, actor, content] = EVENT_COLUMNS.map((column) => String(row[column]));
  return { n: Number(n), operationId, seq: Number(seq), at: Number(at), from, to, actor, content } as ChainedEvent;
}

/** An event of an operation, as the journal shows it. */
export function toOperationEvent(event: ChainedEvent, hash: string): OperationEvent {
  const { n: _, content: __, ...shown } = event;
  return { ...(shown as Omit<OperationEvent, 'hash'>), hash };
}

export const NO_EVENT_YET = '0'.repeat(64);
export const NO_LINK_YET: Link = { n: 0, hash: NO_EVENT_YET };

export function chainHash(previous: string, event: ChainedEvent): string {
  return sha256(previous + JSON.stringify(eventValues(event)));
}

/** Digest for the first event: everything that never changes. */
export function birthContent(operation: Operation): string {
  const { id, tenant, caller, tool, fingerprint, assurance, argsDigest, termsDigest } = operation;
  const { amount, direction, subject, createdAt, supersedes, approvedBy } = operation;
  const money = amount === undefined ? null : [amount.minor, amount.currency];
  const fixed = [id, tenant, caller, tool, fingerprint, assurance, argsDigest, termsDigest];
  return sha256(JSON.stringify([...fixed, money, direction, subject, createdAt, supersedes, approvedBy]));
}

/** Digest for a hold or pause: its note. */
export function noteContent(body: string): string {
  return sha256(body);
}

/** Digest for every later event: what changes only together with the state. */
export function changeContent({ locator, dispatchedAt, outcome }: Partial<Operation>): string {
  return sha256(JSON.stringify([locator, dispatchedAt, outcome]));
}

/**
 * Checks a whole journal, event by event in the order of the chain, then the operations against their first and last
 * events.
 */
export class ChainCheck {
  #hash = NO_EVENT_YET;
  #n = 0;
  readonly #last = new Map<string, ChainedEvent>();
  readonly #first = new Map<string, ChainedEvent>();
  readonly #unseen = new Set<string>();
  readonly #notes = new Map<number, ChainedEvent>();

  add(event: ChainedEvent, hash: string): boolean {
    const { operationId, seq, from } = event;
    const before = this.#last.get(operationId);
    this.#hash = chainHash(this.#hash, event);
    this.#n += 1;
    if (operationId === OF_JOURNAL) this.#notes.set(event.n, event);
    else if (before === undefined) {
      this.#first.set(operationId, event);
      this.#unseen.add(operationId);
    }
    this.#last.set(operationId, event);
    const inOrder = event.n === this.#n && seq === (before?.seq ?? 0) + 1 && from === (before?.to ?? '');
    return inOrder && hash === this.#hash;
  }

  /** Whether the chain ends where the store says it does. */
  endsAt(head: string): boolean {
    return head === this.#hash;
  }

  /** The number of the journal's own event that this note contradicts; undefined if it agrees. */
  wrongNote(n: number, body: string): number | undefined {
    const event = this.#notes.get(n);
    return event?.content === noteContent(body) ? undefined : (event?.seq ?? 1);
  }

  /** After all rows were compared: an operation that has events but no row. */
  missing(): string | undefined {
    return this.#unseen.values().next().value;
  }

  /** The number of the event that an operation's row contradicts; undefined if it agrees. */
  disagreement(operation: Operation): number | undefined {
    const first = this.#first.get(operation.id);
    const last = this.#last.get(operation.id);
    this.#unseen.delete(operation.id);
    if (first === undefined || last === undefined || birthContent(operation) !== first.content) return 1;
    if (operation.state !== last.to) return last.seq;
    return last.seq > 1 && changeContent(operation) !== last.content ? last.seq : undefined;
  }
}

function sha256(text: string): string {
  return digest('sha256', text);
}
