/**
 * What the airline adapter is given. The composition root fills it from the settings (contract: config.ts).
 */

import type { PointOfSale } from './messages/parts/envelope.ts';
import type { ReadGuard } from './resilience/read-guard.ts';
import type { Transport } from './transport/http.ts';

/** One kind of message to the airline. */
export type Operation =
  | 'fare_search'
  | 'book'
  | 'group_book'
  | 'price_check'
  | 'ticket'
  | 'read'
  | 'modify'
  | 'cancel'
  | 'mail'
  | 'seat_map'
  | 'routes'
  | 'calendar';

/** The access token, as the adapter needs it; auth/airline/token-cache.ts makes one. All throw ClerkError. */
export interface AirlineTokens {
  token(): Promise<string>;
  /** A token that stays good for `ms` milliseconds. */
  ensureLife(ms: number): Promise<string>;
  /** The airline answered 401 to this value. */
  invalidate(value: string): void;
  /** The refresh token that came with the current one, for airlines that ask for it in a header. */
  refreshToken?(): string | undefined;
}

export interface Credentials {
  /** Which of the two goes with every call (docs/wire/notes.md, Addressing). */
  readonly mode: 'both' | 'key' | 'token';
  readonly apiKey?: string;
  readonly tokens?: AirlineTokens;
  /** Sent with every call as they are: `X-Realm` and the like. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Sends `X-Refresh-Token` beside the access token (docs/wire/notes.md, Addressing). */
  readonly sendsRefreshToken?: boolean;
}

/** All that a log may know of a call: no text of anybody, no address, no locator. */
export interface CallLogEntry {
  readonly operation: Operation;
  /** 1, or 2 for the second try of a read. */
  readonly attempt: number;
  readonly ms: number;
  /** HTTP status, where a reply came. */
  readonly status?: number;
  /** How it ended, where it did not end well: a failure's kind. */
  readonly code?: string;
}

export interface OtaLog {
  call(entry: CallLogEntry): void;
}

export interface OtaOptions {
  /** {base_url}. */
  readonly baseUrl: string;
  /** Whole address of the seat map call; default derived from the base. */
  readonly seatMapUrl?: string;
  /** {gateway_url}; without it routes and calendar are E_CONFIG. */
  readonly gatewayUrl?: string;
  /** {rest_url}. */
  readonly restUrl?: string;
  /** Plain http to other than loopback addresses. */
  readonly allowHttp?: boolean;
  readonly credentials: Credentials;
  readonly pointOfSale: PointOfSale;
  /** Operating carrier where a reply names none. */
  readonly carrier?: string;
  /** `local-name` of booking from counts. Default `OTA_AirPriceRQ`. */
  readonly groupMessage?: string;
  /**
   * Which of the two dialects of the interface the airline speaks (docs/wire/notes.md, Confidence and precedence).
   * Default `rail`.
   */
  readonly dialect?: 'rail' | 'airline';
  /** Airline dialect: the chosen fare basis goes with each segment of a booking request. Default true; rail always does. */
  readonly sendFare?: boolean;
  /** Of payment messages; absent: the amount as the dialect has it, the company of the booking's own reference. */
  readonly payment?: {
    readonly amount: 'dialect' | 'always' | 'never';
    readonly company?: string;
    /** The account that payment type 4 names. */
    readonly account?: string;
  };
  /** How a call names its message: `local-name` (default), or the end of its path. */
  readonly addressForm?: 'header' | 'path';
  /** Whether a value was minted by approvals/confirmed.ts. Pay, modify and cancel refuse all else. */
  readonly isConfirmed: (value: unknown) => boolean;
  readonly log?: OtaLog;
  /** Headers that carry the trace of the call under way (W3C Trace Context); asked for each request. */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
  /** Shared by adapters of the same airline; default: its own. */
  readonly readGuard?: ReadGuard;
  /** Shared connections; default: own ones, ended by `close`. */
  readonly transport?: Transport;
  /** Total milliseconds per operation, where they differ from the defaults. */
  readonly deadlines?: Partial<Readonly<Record<Operation, number>>>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Total milliseconds per operation. A send outlives the tool call that began it: airlines need up to two minutes, and
 * the late reply is the only way to learn the locator of a booking.
 */
export const DEADLINES: Readonly<Record<Operation, number>> = {
  fare_search: 20_000,
  read: 15_000,
  seat_map: 20_000,
  routes: 5_000,
  calendar: 5_000,
  book: 180_000,
  group_book: 180_000,
  price_check: 20_000,
  ticket: 180_000,
  modify: 180_000,
  cancel: 180_000,
  mail: 20_000,
};
