/** What events need from outside: the store of events, and the one of their deliveries. */
import type { DeskEvent, NewEvent } from './event.ts';

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

/** Stores events in the order in which they were written. The journal writes its own in the transaction they report. */
export interface Outbox {
  /** Adds events, without those whose id is known. Returns how many are new. */
  add(events: readonly NewEvent[]): Promise<number>;
  /**
   * Events with a number above `n`, oldest first. Stops before a missing number, which another process may be about to
   * write, until the next one is ten seconds old.
   */
  after(n: number, limit: number): Promise<readonly DeskEvent[]>;
  /** Newest first. */
  newest(limit: number): Promise<readonly DeskEvent[]>;
  /** The limits of each booking, as it was last read, in (`after`, `until`]. */
  limits(after: number, until: number): Promise<readonly BookingTimeLimit[]>;
  /** Questions whose time ended in (`after`, `until`] without an answer, as events. */
  lapsed(after: number, until: number): Promise<readonly NewEvent[]>;
  /** Questions that wait and end in (`after`, `until`], as events; without those whose whole time is no longer. */
  lapsing(after: number, until: number): Promise<readonly NewEvent[]>;
}

/** `dead`: the delivery was given up. */
export type DeliveryState = 'waiting' | 'delivered' | 'dead';

/** The delivery of one event to one address. */
export interface Delivery {
  /** The key of the address: {@link Deliveries.begin}. */
  readonly receiver: string;
  /** The number of the event. */
  readonly n: number;
  readonly state: DeliveryState;
  /** How often it was tried. */
  readonly tries: number;
  /** When to try again, milliseconds since 1970. */
  readonly nextAt: number;
  /** When it first failed, milliseconds since 1970. */
  readonly failedAt?: number;
  /** How it last failed, for people: `HTTP 500`. */
  readonly said?: string;
}

export type DueDelivery = Delivery & { readonly event: DeskEvent };

/** How far the events of an address have been entered. */
export interface EntryProgress {
  /** The number of the last event whose deliveries were entered. */
  readonly upTo: number;
  /** When the address answered 410, milliseconds since 1970. It gets nothing more. */
  readonly stoppedAt?: number;
}

export interface Deliveries {
  /** Begins a pass for an address. A new address gets events from now on. */
  begin(receiver: string): Promise<EntryProgress>;
  /** Enters a delivery of each of these events, up to the last of them, due now or with an earlier one that failed. */
  enter(receiver: string, events: readonly DeskEvent[], now: number): Promise<void>;
  /** Deliveries that are due by then, longest due first. Of each booking and operation only the first. */
  due(receiver: string, by: number, limit: number): Promise<readonly DueDelivery[]>;
  /** Notes that an event arrived, or that nothing is sent of it. */
  delivered(receiver: string, n: number, now: number): Promise<void>;
  /** Makes a delivery due at `until`, without counting a try. */
  postpone(receiver: string, n: number, until: number): Promise<void>;
  failed(
    receiver: string,
    n: number,
    failure: { now: number; nextAt: number; said: string; dead: boolean },
  ): Promise<void>;
  /** Gives up all deliveries that wait for an address, because it wants nothing more. */
  stop(receiver: string, now: number, said: string): Promise<void>;
  /** Delivers to a stopped address what happens from now on. Returns false if it was not stopped. */
  reopen(receiver: string): Promise<boolean>;
  /** The deliveries of these events. */
  forEvents(events: readonly number[]): Promise<readonly Delivery[]>;
  /** The deliveries that were given up, newest first. */
  dead(limit: number): Promise<readonly DueDelivery[]>;
  /** Tries what failed at these addresses again now, and for three more days. Returns how many deliveries. */
  resend(receivers: readonly string[], now: number): Promise<number>;
  /** When the oldest event happened that these addresses lack and still get, milliseconds since 1970. Undefined if they lack none. */
  oldestWaiting(receivers: readonly string[]): Promise<number | undefined>;
}
