/** The options of the airline adapter, which the composition root fills from the settings. */
import type { Dialect } from '../../domain/airline.ts';
import type { AccessTokens } from '../../domain/login-store.ts';
import type { HttpReply, Purpose, Transport } from './http.ts';
import type { ReadGuard } from './read-guard.ts';

const SEND = { purpose: 'money', deadlineMs: 180_000 } as const;
/** One deadline for all requests that only ask: an airline that answers a search in time also answers a reading before a payment. */
const ASK_MS = 20_000;

/**
 * Every kind of message to the airline: its connections, and its total time in milliseconds. A send outlives the tool
 * call that began it: airlines need up to two minutes, and only the late reply names the locator of a new booking.
 */
export const OPERATIONS = {
  fare_search: { purpose: 'search', deadlineMs: ASK_MS },
  read: { purpose: 'read', deadlineMs: ASK_MS },
  seat_map: { purpose: 'read', deadlineMs: ASK_MS },
  ticket_document: { purpose: 'read', deadlineMs: ASK_MS },
  routes: { purpose: 'read', deadlineMs: ASK_MS },
  calendar: { purpose: 'read', deadlineMs: ASK_MS },
  accounts: { purpose: 'read', deadlineMs: ASK_MS },
  book: SEND,
  group_book: SEND,
  ticket: SEND,
  modify: SEND,
  cancel: SEND,
  mail: { purpose: 'money', deadlineMs: ASK_MS },
} as const satisfies Record<string, { purpose: Purpose; deadlineMs: number }>;

export type OtaOperation = keyof typeof OPERATIONS;

export interface Credentials {
  /** Which of key and token every call sends (docs/wire/notes.md, Addressing). */
  readonly mode: 'both' | 'key' | 'token';
  readonly apiKey?: string;
  readonly tokens?: AccessTokens;
  /** Sent with every call as they are, for example `X-Realm`. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Sends `X-Refresh-Token` with the access token (docs/wire/notes.md, Addressing). */
  readonly sendsRefreshToken?: boolean;
  /** Secrets of the login. No call sends them, and no reply may show them. */
  readonly secrets?: readonly string[];
}

/** Who sells. `currency`: ISO 4217; `country`: ISO 3166 alpha-2. */
export interface PointOfSale {
  readonly agentId: string;
  readonly agencyId: string;
  readonly currency: string;
  readonly country?: string;
  readonly location?: string;
}

/** All that a log may know of a call: no text, no address, no locator. */
interface CallLogEntry {
  readonly operation: OtaOperation;
  /** 1, or 2 for the second try of a read. */
  readonly attempt: number;
  readonly ms: number;
  readonly status?: number;
  /** The kind of failure, if no reply came. */
  readonly code?: string;
}

export interface OtaLog {
  call(entry: CallLogEntry): void;
  /** Called when reading stops because the airline fails, and when it goes on. */
  down?(isDown: boolean): void;
}

/** All that a trace may know of a request: no path, which may hold a ticket number. */
interface TracedRequest extends Pick<CallLogEntry, 'operation' | 'attempt'> {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

export type TraceExchange = (
  exchange: TracedRequest,
  send: (headers: Readonly<Record<string, string>>) => Promise<HttpReply>,
) => Promise<HttpReply>;

export interface OtaOptions {
  readonly baseUrl: string;
  /** {gateway_url}; without it routes and calendar are E_CONFIG. */
  readonly gatewayUrl?: string;
  /** {rest_url}; without it ticket documents are E_CONFIG. */
  readonly restUrl?: string;
  /** Hosts that may be called by http. */
  readonly privateHosts?: readonly string[];
  readonly credentials: Credentials;
  readonly pointOfSale: PointOfSale;
  /** The dialect of the airline (docs/wire/notes.md, Confidence and precedence). Default `rail`. */
  readonly dialect?: Dialect;
  /** Airline dialect: sends the chosen fare basis with each segment of a booking. Default true; rail always does. */
  readonly sendFare?: boolean;
  /** What payment messages hold. Default: the amount by dialect. */
  readonly payment?: {
    readonly amount: 'dialect' | 'always' | 'never';
    /** The account that payment type 4 names. */
    readonly account?: string;
  };
  /** How a call names its message: `local-name` (default), or the end of its path. */
  readonly addressForm?: 'header' | 'path';
  /** Whether a value is a genuine `Confirmed`. Pay, modify and cancel refuse all else. */
  readonly isConfirmed: (value: unknown) => boolean;
  readonly log?: OtaLog;
  /** Runs each exchange with the headers that carry its trace (W3C Trace Context). Default: without any. */
  readonly traced?: TraceExchange;
  /** Shared by adapters of the same airline; default: its own. */
  readonly readGuard?: ReadGuard;
  /** Shared connections; default: its own, ended by `close`. */
  readonly transport?: Transport;
  /** Total milliseconds per operation, if not the defaults. */
  readonly deadlines?: Partial<Readonly<Record<OtaOperation, number>>>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}
