/**
 * What the journal needs of the world. Production gives real clocks and SQLite or PostgreSQL; the simulation gives its
 * own, and runs the same module.
 */

import type { Dispatch, RawReply } from '../domain/airline.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from '../domain/booking/booking.ts';
import type { Money } from '../domain/pricing/money.ts';
import type { Activity, ActivityQuery } from './activity.ts';
import type { NewOperation, Operation, OperationState } from './operation.ts';

export interface Clock {
  /** Milliseconds since 1970, the same for every process that shares the store. */
  now(): number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Milliseconds since somebody set it to another time, as far as that was noticed. Absent: nobody does. */
  sinceSet?(): number;
}

export interface Random {
  /** A new random UUID. */
  uuid(): string;
}

/** Limits held by the store in the same transaction that enters the operation. */
export interface DayLimit {
  readonly perDay: Money;
  /** Start of the window, milliseconds since 1970. */
  readonly since: number;
}

export type InsertResult =
  | { readonly kind: 'inserted'; readonly operation: Operation }
  /** The id is known: the same approval again. */
  | { readonly kind: 'exists'; readonly operation: Operation }
  /** Another operation of this booking, perhaps another tenant's, or of this fingerprint is active. */
  | { readonly kind: 'busy'; readonly operation: Operation }
  /** The caller's day would go over; `spent` is what it has moved. */
  | { readonly kind: 'over_limit'; readonly spent: Money };

export interface OperationFilter {
  readonly tenant?: string;
  readonly caller?: string;
  readonly locator?: string;
  readonly states?: readonly OperationState[];
  /** createdAt in [from, to). */
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

export interface OperationEvent {
  readonly operationId: string;
  readonly seq: number;
  readonly at: number;
  readonly from: OperationState | '';
  readonly to: OperationState;
  readonly actor: string;
  readonly hash: string;
}

/** One link of the chain of events: its number, from 1, and its hash. */
export interface Link {
  readonly n: number;
  readonly hash: string;
}

/** Nothing is sent: the journal does not have what was once seen of it. */
export interface Hold {
  /** When this was noticed, milliseconds since 1970. Nothing left afterwards. */
  readonly since: number;
  /** The link that is missing, and the head of the journal that was found. */
  readonly seen: Link;
  readonly head: Link;
}

/** Nothing is sent: the operator said so. */
export interface Pause {
  readonly since: number;
  readonly by: string;
  readonly why: string;
}

export interface Standing {
  readonly head: Link;
  readonly hold?: Hold;
  readonly pause?: Pause;
}

/** An act that this journal does not have, or not as sent: as the journal had it that was there before. */
export interface LostAct {
  /** As it was marked as sent; absent where only its end is known. */
  readonly sent?: Operation;
  readonly end?: Pick<Operation, 'id' | 'state' | 'locator' | 'outcome'>;
}

/** Acts that were lost, and how many links of the chain were. */
export interface Lost {
  readonly links: number;
  readonly acts: readonly LostAct[];
}

/** The journal as a whole: where its chain ends, and what stops sending. */
export interface Chain {
  /**
   * How it stands now. Compares the journal with what was last seen of it, and holds all sending where it went backwards.
   * @throws ClerkError where the journal's file was removed or replaced under this process.
   */
  standing(): Promise<Standing>;
  has(link: Link): Promise<boolean>;
  /** What was lost and not yet recovered. */
  lost(): Promise<Lost>;
  /** Ends the hold. False: more links were lost than those the caller has seen, or there is no hold. */
  release(links: number, by: string, now: number): Promise<boolean>;
  pause(why: string, by: string, now: number): Promise<void>;
  /** False: it was not paused. */
  resume(by: string, now: number): Promise<boolean>;
}

export type Patch = Partial<
  Pick<Operation, 'locator' | 'dispatchedAt' | 'owner' | 'leaseUntil' | 'negatives' | 'lastReadAt' | 'outcome'>
>;

/** How far settling by reading has come. `failingSince` absent: the reading was good. */
export type ReadingNote = Pick<Operation, 'negatives' | 'failingSince'> & { readonly lastReadAt: number };

/**
 * Every call is one atomic transaction that outlives the process. A power failure may take back `insert` and `keepReply`
 * until the transition that follows, and nothing else: whatever was sent is on the disk before.
 */
export interface OperationStore {
  /** Enters an operation in state `intent` with its first event; constraints decide, never a prior read. */
  insert(
    operation: NewOperation,
    meta: { now: number; owner: string; leaseUntil: number },
    limit?: DayLimit,
  ): Promise<InsertResult>;
  /** What this caller has moved since then, as `insert` counts it. */
  spent(tenant: string, caller: string, limit: DayLimit): Promise<Money>;
  get(id: string): Promise<Operation | undefined>;
  /** Compare-and-set: changes only from one of `from`; appends a hash-chained event. False: somebody else was first. */
  transition(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
  ): Promise<boolean>;
  /**
   * Compare-and-set on the lease of an active operation: true when this owner has it until `leaseUntil`. It is had by
   * its present owner again, or by another once it has lapsed, or where it ends later than {@link FAR_MS} from now.
   */
  lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean>;
  /** Notes a reading of an operation in doubt and gives the lease back. Only the lease holder's note counts. */
  note(id: string, owner: string, reading: ReadingNote): Promise<boolean>;
  /**
   * The raw reply, kept while the operation is active, and erased by `transition` to a final state. One that was cut off
   * is not kept: what is left of it may look like a refusal, and proves nothing.
   */
  keepReply(id: string, reply: RawReply): Promise<void>;
  reply(id: string): Promise<RawReply | undefined>;
  /** Newest first. */
  list(filter: OperationFilter): Promise<readonly Operation[]>;
  /** Sums of all operations in a span of time, each counted once, and those still open. */
  activity(query: ActivityQuery): Promise<Activity>;
  /** All operations with this fingerprint, whatever their state, newest first; `exceptId` is passed over. */
  byFingerprint(tenant: string, fingerprint: string, exceptId?: string): Promise<readonly Operation[]>;
  events(operationId: string): Promise<readonly OperationEvent[]>;
  /** Recomputes the hash chain; the id and number of the first event that does not fit, or undefined. */
  verify(): Promise<{ operationId: string; seq: number } | undefined>;
}

/** What came back of an act: enough for the evidence rules and for the words of the result. */
export interface Evidence {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/** The one thing the reconciler may ask of the airline. */
export interface BookingReader {
  read(locator: string): Promise<Booking>;
}

/** How one operation is carried out. */
export interface Act {
  /** Reads again and compares; throws (E_APPROVAL_STALE and others) where the act may not be sent. */
  recheck(): Promise<void>;
  /** Sends once. Throws ClerkError: `effect: 'none'` only for a refusal or a request that never left. */
  send(dispatch: Dispatch): Promise<Evidence>;
}
