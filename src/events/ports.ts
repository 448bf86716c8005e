/** What telling events needs of the store. */
import type { DeskEvent, NewEvent } from './payload.ts';

/** A time limit of a booking. */
export interface BookingTimeLimit {
  readonly tenant: string;
  readonly caller: string;
  readonly locator: string;
  /** `pay_by`, `names_until`. */
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Events in the order in which they were written. The journal's own are written with what they tell. */
export interface Outbox {
  /** Leaves out those whose id is known. Returns how many are new. */
  add(events: readonly NewEvent[]): Promise<number>;
  /**
   * Those behind `n`, oldest first. Stops before a number that is missing, until the next one was written ten seconds ago:
   * another process may be about to write it.
   */
  after(n: number, limit: number): Promise<readonly DeskEvent[]>;
  /** The number of the newest; 0 without any. */
  last(): Promise<number>;
  find(id: string): Promise<DeskEvent | undefined>;
  /** Newest first. */
  newest(limit: number): Promise<readonly DeskEvent[]>;
  /** The limits of each booking, as it was last read, in (`after`, `until`]. */
  limits(after: number, until: number): Promise<readonly BookingTimeLimit[]>;
  /** Questions whose time ended in (`after`, `until`] without an answer, as events. */
  lapsed(after: number, until: number): Promise<readonly NewEvent[]>;
  /** Questions that wait and end in (`after`, `until`], as events; without those whose whole time is no longer. */
  lapsing(after: number, until: number): Promise<readonly NewEvent[]>;
}

export type DeliveryState = 'waiting' | 'delivered' | 'dead';

/** One event for one address. */
export interface Delivery {
  /** The key of the address: {@link Deliveries.begin}. */
  readonly receiver: string;
  readonly n: number;
  readonly state: DeliveryState;
  readonly tries: number;
  /** When to try again, milliseconds since 1970. */
  readonly nextAt: number;
  /** When it first failed, and how it last did. */
  readonly failedAt?: number;
  readonly said?: string;
}

export type Due = Delivery & { readonly event: DeskEvent };

export interface Receiving {
  /** The number of the last event that has its deliveries. */
  readonly upTo: number;
  /** It answered 410, and gets nothing more. */
  readonly stoppedAt?: number;
}

export interface DeliveryCounts {
  readonly waiting: number;
  readonly dead: number;
  /** When the oldest event that waits happened, milliseconds since 1970. */
  readonly oldestAt?: number;
}

export interface Resent {
  readonly resent: number;
  /** How many stay as they are, by address: one that is not among the given ones, or wants nothing more. */
  readonly left: readonly { readonly receiver: string; readonly events: number }[];
}

export interface Deliveries {
  /** A new address gets what was written since this time, milliseconds since 1970; by default what is written from now on. */
  begin(receiver: string, since?: number): Promise<Receiving>;
  /** Enters a delivery of each of these events, up to the last of them, due now or with an earlier one that failed. */
  enter(receiver: string, events: readonly DeskEvent[], now: number): Promise<void>;
  /** Those to be tried by then, the one due for longest first; only the first of each booking and operation. */
  due(receiver: string, by: number, limit: number): Promise<readonly Due[]>;
  delivered(receiver: string, n: number, now: number): Promise<void>;
  /** Is due then, and no try is counted. */
  postpone(receiver: string, n: number, until: number): Promise<void>;
  failed(
    receiver: string,
    n: number,
    failure: { now: number; nextAt: number; said: string; dead: boolean },
  ): Promise<void>;
  /** Tries again now what failed before: the address answers again. */
  hurry(receiver: string, now: number): Promise<void>;
  /** The address wants nothing more: all that wait for it are dead letters. */
  stop(receiver: string, now: number, said: string): Promise<void>;
  /** The address answers again, and gets what happens from now on. False: it was not stopped. */
  reopen(receiver: string): Promise<boolean>;
  /** Of these events. */
  of(events: readonly number[]): Promise<readonly Delivery[]>;
  /** Newest first. */
  dead(limit: number): Promise<readonly Due[]>;
  /**
   * What failed is tried again now, and for three more days: deliveries of one event with those that wait for it or that
   * it waits for, or all.
   */
  resend(receivers: readonly string[], now: number, n?: number): Promise<Resent>;
  counts(receivers: readonly string[]): Promise<DeliveryCounts>;
}
