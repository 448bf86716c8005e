/** Bookings that are read again, and the last reading of each. */
import type { KeptReading } from './kept-reading.ts';

export interface WatchedBooking {
  readonly tenant: string;
  readonly locator: string;
  /** Id of the caller under whose point of sale it is read: who read it first; when it is due, who made it here, if anybody. */
  readonly caller: string;
  /** The last reading that was kept; absent: none yet. */
  readonly kept?: KeptReading;
  /** When it was last read, milliseconds since 1970; 0: never. */
  readonly readAt: number;
  /** Its last departure as the ledger knows it, milliseconds since 1970; only when it is due. */
  readonly overAt?: number;
  /** When it is due; absent: it is read no more. */
  readonly nextAt?: number;
}

export interface Watches {
  get(tenant: string, locator: string): Promise<WatchedBooking | undefined>;
  /**
   * Keeps a reading if the one before is still `before` (undefined: none). False: another reading came between.
   */
  keep(watched: WatchedBooking, before: KeptReading | undefined): Promise<boolean>;
  /** Notes that a reading showed nothing new, or failed, and when the next one is due. */
  note(tenant: string, locator: string, at: { readonly readAt?: number; readonly nextAt?: number }): Promise<void>;
  /** The booking is due then, whether or not it was watched before. */
  want(booking: Pick<WatchedBooking, 'tenant' | 'locator' | 'caller'>, at: number): Promise<void>;
  /** Begins to watch bookings of the ledger that are ahead, not watched, and seen since then. Returns how many. */
  enrol(now: number, enteredSince: number): Promise<number>;
  /** The one that is due for longest, without those of some tenants. */
  due(now: number, exceptTenants?: readonly string[]): Promise<WatchedBooking | undefined>;
  /** When the next one is due, milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
}
