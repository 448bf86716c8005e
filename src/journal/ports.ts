/** What the journal needs from outside: a clock, leases, a store and its chain, a reader, traces. */
import type { ClerkError } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { Dispatch } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Evidence } from './evidence.ts';
import type { KeptPeople, NewOperation, Operation, OperationState, Outcome } from './operation.ts';

export interface Clock {
  /** Milliseconds since 1970, the same for every process that shares the store. */
  now(): number;
  /** Resolves after `ms`, or when the signal aborts. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** How long ago somebody set the machine's clock, milliseconds. Absent: this clock is never set. */
  sinceSet?(): number;
}

export interface Random {
  /** A new random UUID. */
  uuid(): string;
}

/** Leases of work that only one process at a time does for all who share the store: watching, delivering, plans. */
export interface Leases {
  /** Takes or renews the lease until a time, milliseconds since 1970. False: another process has it. */
  take(name: string, owner: string, until: number, now: number): Promise<boolean>;
  /** Gives the lease back, if this process has it. */
  end(name: string, owner: string): Promise<void>;
}

/** The limit of a caller's day. It is checked in the transaction that enters the operation. */
export interface DayLimit {
  readonly perDay: Money;
  /** Start of the window, milliseconds since 1970. */
  readonly since: number;
}

/** Times are milliseconds since 1970. */
export interface InsertMeta {
  readonly now: number;
  /** Unique id of the process that enters it. */
  readonly owner: string;
  readonly leaseUntil: number;
  readonly limit?: DayLimit;
  /** Enters nothing while sending is held or paused. */
  readonly unlessStopped?: true;
}

export type InsertResult =
  | { readonly kind: 'inserted'; readonly operation: Operation }
  /** The journal has this id: the same approval was carried out before. */
  | { readonly kind: 'exists'; readonly operation: Operation }
  /** Another operation of this booking (perhaps another tenant's) or fingerprint is active. */
  | { readonly kind: 'busy'; readonly operation: Operation }
  /** The amount would exceed the limit of the caller's day. `spent`: what the caller moved so far. */
  | { readonly kind: 'over_limit'; readonly spent: Money }
  /** Sending is held or paused, so nothing was entered. */
  | ({ readonly kind: 'stopped' } & Stopped);

export interface OperationFilter {
  readonly tenant?: string;
  readonly caller?: string;
  readonly locator?: string;
  readonly tool?: string;
  readonly argsDigest?: string;
  readonly states?: readonly OperationState[];
  /** createdAt in [from, to). */
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

/** One change of state of an operation. */
export interface OperationEvent {
  readonly operationId: string;
  /** From 1, for each operation. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Empty for the first event. */
  readonly from: OperationState | '';
  readonly to: OperationState;
  /** The process that moved it, or the person who closed it. */
  readonly actor: string;
  /** Hash of the chain with this event as its last link. */
  readonly hash: string;
}

/** A place that stores the journal: the database, or the second record beside it. */
export type JournalPlace = 'state' | 'second_record';

/** One link of the chain of events: its number, from 1, and its hash. */
export interface Link {
  readonly n: number;
  readonly hash: string;
}

/** The end of a hold, once somebody entered again what was lost. */
export interface Release {
  /** Until then the airline may carry out what no record here has. Milliseconds since 1970. */
  readonly at: number;
  readonly by: string;
  /** How many links were lost. If others are found, the hold does not end. */
  readonly links: number;
}

/** Stops all sending, because an older copy of the journal was put back, or a part of it was lost. */
export interface SendingHold {
  /** When this was noticed, or sending was paused before it. Milliseconds since 1970. Nothing was sent afterwards. */
  readonly since: number;
  /** The missing link. Number 0: no second record has one, so what is missing is unknown. */
  readonly seen: Link;
  /** The last link that the journal has. */
  readonly head: Link;
  /** Absent: nobody has entered again what was lost. */
  readonly release?: Release;
}

/** `planned`: the hold ends by itself at its time. `more_lost`: another process found more lost links. */
export type Released = 'released' | 'planned' | 'more_lost';

/** `held`: a pause goes on, because sending is held. `not_paused`: there was no pause to end. */
export type Resumed =
  | { readonly kind: 'resumed' | 'not_paused' }
  | { readonly kind: 'held'; readonly hold: SendingHold };

/** Stops all sending, because the operator paused it. */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly by: string;
  readonly why: string;
}

/** What stops sending, if anything does. */
export interface Stopped {
  readonly hold?: SendingHold;
  readonly pause?: Pause;
}

export interface ChainStatus extends Stopped {
  readonly head: Link;
}

/** An operation that the journal lost, or whose send it lost, as the second records have it. */
export interface LostAct {
  /** The operation as it was sent. Absent if only its outcome was recorded. */
  readonly sent?: Operation;
  /** How it ended. Absent if that was not recorded. */
  readonly end?: Pick<Operation, 'id' | 'state' | 'locator' | 'outcome'>;
}

/** What the journal lacks of what was seen before. */
export interface Lost {
  /** How many links of the chain. */
  readonly links: number;
  readonly acts: readonly LostAct[];
}

/** The journal's hash chain, and what stops sending. */
export interface Chain {
  /**
   * Compares the journal with what was last seen of it. Holds all sending if links are missing, and ends a hold whose
   * release is due.
   * @throws ClerkError if the journal's file was removed or replaced under this process.
   */
  status(): Promise<ChainStatus>;
  /** Compares like `status`, and records how far the journal is. Runs every 20 seconds. */
  keepUp(): Promise<void>;
  /** Whether the journal has this link. */
  has(link: Link): Promise<boolean>;
  /** What the journal lacks and has not recovered yet. */
  lost(): Promise<Lost>;
  /**
   * Holds all sending, though no link is known to be missing: a person says that an older copy was put back.
   * @param since nothing was sent afterwards, milliseconds since 1970
   * @returns the hold that is on
   */
  holdSince(since: number, by: string, now: number): Promise<SendingHold | undefined>;
  /** Ends the hold now or at the time of the release, if exactly its links were lost. */
  release(release: Release, now: number): Promise<Released>;
  pause(why: string, by: string, now: number): Promise<void>;
  /** Ends the pause, unless sending is held. */
  resume(by: string, now: number): Promise<Resumed>;
}

/** The fields that a move may set, besides the state. */
export type Patch = Partial<
  Pick<Operation, 'locator' | 'dispatchedAt' | 'owner' | 'leaseUntil' | 'negatives' | 'lastReadAt' | 'outcome'>
>;

/** A change of an operation's state, if it is still in one of `from`, and of other fields. */
export interface StateChange {
  readonly from: readonly OperationState[];
  readonly to: OperationState;
  readonly patch: Patch;
}

export interface MoveMeta {
  readonly now: number;
  /** The process that moves it, or the person who closes it. */
  readonly actor: string;
  /** Receives the operation as the move left it, which saves a reading. */
  readonly moved?: (operation: Operation) => void;
}

/** What a reading of an operation in doubt notes. Without `failingSince` the reading succeeded. */
export type ReadingNote = Pick<Operation, 'negatives' | 'failingSince'> & { readonly lastReadAt: number };

/**
 * Every call is one atomic, durable transaction. A power failure may undo only `insert` and `keepReply`, until the next
 * transition: the dispatch is on disk before anything is sent.
 */
export interface OperationStore {
  /** Enters an operation in state `intent` with its first event. Constraints decide, not a prior read. */
  insert(operation: NewOperation, meta: InsertMeta): Promise<InsertResult>;
  /** What this caller moved in the window, as `insert` counts it. */
  spent(tenant: string, caller: string, limit: DayLimit): Promise<Money>;
  get(id: string): Promise<Operation | undefined>;
  /** Operations in any order. Leaves out unknown ids. */
  getAll(ids: readonly string[]): Promise<readonly Operation[]>;
  /** Compare-and-set from one of `from`; appends a hash-chained event. False: somebody else was first. */
  transition(id: string, change: StateChange, meta: MoveMeta): Promise<boolean>;
  /**
   * Compare-and-set on the lease of an active operation. The owner can renew it; another gets it once it has expired,
   * or if it ends later than {@link FAR_MS} from now.
   */
  lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean>;
  /** Notes a reading of an operation in doubt and ends the lease. Only its holder can. */
  note(id: string, owner: string, reading: ReadingNote): Promise<boolean>;
  /** Keeps the locators that the reply names until a final state. */
  keepNamed(id: string, locators: readonly string[]): Promise<void>;
  named(id: string): Promise<readonly string[]>;
  /** Newest first. */
  list(filter: OperationFilter): Promise<readonly Operation[]>;
  /** What is kept of the people of these operations, by id. Leaves out those that keep nothing, or nothing any more. */
  askedPeople(ids: readonly string[]): Promise<ReadonlyMap<string, KeptPeople>>;
  /** Why customers had these operations done, by id, for those that keep it. */
  reasons(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Operations of the tenant whose travellers entered details on the details page (`facts`): those of the bookings
   * `locators`, also of one that was split off; and creates without a locator, which may have made one of them.
   */
  withEnteredDetails(tenant: string, locators: readonly string[]): Promise<readonly Operation[]>;
  /** Creates of the trip of this fingerprint, for whatever travellers and in any state, newest first, without `exceptId`. */
  ofTrip(tenant: string, keys: TripKeys): Promise<readonly Operation[]>;
  events(operationId: string): Promise<readonly OperationEvent[]>;
  /** Recomputes the hash chain. Returns the first event that does not fit, if there is one. */
  verify(): Promise<{ operationId: string; seq: number } | undefined>;
}

/** How creates of one trip are found. */
export interface TripKeys {
  readonly fingerprint: string;
  /** The fingerprint that version 0.4.0 gave to the same trip of the same travellers. */
  readonly before?: string | undefined;
  readonly exceptId?: string | undefined;
}

/** The proved outcome of a send that the store has not taken yet. It has no personal data. */
export interface WaitingEnd {
  readonly id: string;
  readonly state: Extract<OperationState, 'succeeded' | 'refused' | 'not_executed' | 'in_doubt'>;
  readonly outcome?: Outcome;
  /** The other outcome, for a person, if a reading settled the operation before this one was known. */
  readonly overtaken?: Outcome;
}

/** Keeps outcomes until the store has them, in memory and in a file, so that they outlive this process. */
export interface WaitingEnds {
  /** Never throws. */
  keep(end: WaitingEnd): void;
  all(): readonly WaitingEnd[];
  /** Never throws. */
  drop(id: string): void;
}

/** Reads bookings with one caller's access, or with an access that all callers share. */
export interface BookingReader {
  read(locator: string): Promise<Booking>;
}

/** How one operation is checked again and sent. */
export interface Sending {
  /** Reads the terms again. Throws if the operation must not be sent. */
  recheck(): Promise<void>;
  /** After how many milliseconds a refused recheck is worth another one. Undefined: the operation is given up. Must not reject. */
  waitMs?(refusal: ClerkError): Promise<number | undefined>;
  /** Sends once. Throws ClerkError: `effect: 'none'` only for a refusal or a request that never left. */
  sendConfirmed(dispatch: Dispatch): Promise<Evidence>;
}

/** Codes, numbers and ids: never arguments, names, locators or text of the airline. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

export interface SpanAbout {
  /** One of a few fixed names: contains no id and no locator. */
  readonly name: string;
  readonly kind?: 'server' | 'client';
  /** Id of the operation that every log line of this work names. */
  readonly operation?: string;
  readonly fields?: SpanFields;
}

/**
 * Records work as spans of the trace in which it runs. What runs later or in another process has a trace of its own, which names the same
 * operation. Every method acts on the running span.
 */
export interface Tracing {
  /** The running span as `traceparent` (W3C Trace Context), to keep. Undefined if none is running. */
  current(): string | undefined;
  /** From here on, every log line of the running span names this operation. */
  about(operation: string): void;
  /** @param event also notes that this happened now */
  mark(fields: SpanFields, event?: string): void;
  /** Marks the running span as failed. `type`: a closed code. */
  fail(type: string): void;
  /** Runs work as a span of its own. A thrown error marks the span as failed. */
  span<T>(about: SpanAbout, work: () => Promise<T>): Promise<T>;
}
