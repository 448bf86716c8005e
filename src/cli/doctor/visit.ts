/** Asks one airline through the real adapter, records every exchange, and keeps what was learned. */
import type { AirlineConfig } from '../../config/load.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { AccessTokens } from '../../domain/login-store.ts';
import type { FareSearchResult } from '../../domain/pricing/fare-search.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../../errors.ts';
import { createOtaAirline, type OtaAirline } from '../../ota/airline.ts';
import { type FaultForm, readFault } from '../../ota/errors/fault-forms.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import { createTransport, type HttpReply, type HttpRequest, type Transport } from '../../ota/transport/http.ts';
import { readJson } from '../../ota/transport/json.ts';
import { otaOptions } from '../runtime/airline-options.ts';
import type { CheckList } from './check.ts';
import type { ClockReading } from './clock.ts';
import type { CredentialResult } from './credentials.ts';
import type { Answers, DoctorOptions } from './examination.ts';
import type { Pair } from './on-sale.ts';
import type { SecretMask } from './secret-mask.ts';

/** One request and its result. Times are milliseconds since 1970. */
export interface RecordedExchange {
  readonly request: HttpRequest;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly reply?: HttpReply;
  readonly failure?: TransportFailure;
}

export interface Asked<T = unknown> {
  readonly answer?: T;
  readonly error?: ClerkError;
  /** The last exchange; undefined if nothing was sent. */
  readonly exchange: RecordedExchange | undefined;
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** The airline's error, if the reply is one. */
  readonly fault: FaultForm | undefined;
  /** The reply as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

export type Changes = { readonly [K in keyof AirlineConfig]?: AirlineConfig[K] | undefined };

/** The most requests in one run. */
const MOST_REQUESTS = 18;
export const SPENT = new ClerkError('E_LIMIT', `Not tried: ${MOST_REQUESTS} requests are the most of one run.`, {
  next: 'Correct what was found, then run doctor again.',
});

export class Visit {
  airline: AirlineConfig;
  tokens: AccessTokens | undefined;
  readonly options: DoctorOptions;
  readonly checks: CheckList;
  readonly mask: SecretMask;
  readonly answers: Answers;
  readonly transport: Transport;
  readonly exchanges: RecordedExchange[] = [];
  /** Origins that accept connections. */
  readonly reached = new Set<string>();
  readonly tokenClock: ClockReading[] = [];
  /** No token was issued, so calls carry only the key. */
  withoutToken = false;
  /** The airline answers another address or form than the set one. */
  moved = false;
  credentials?: CredentialResult;
  pairs: readonly Pair[] = [];
  pair: Pair | undefined;
  search?: Asked<FareSearchResult>;
  /** The same search with sold-out segments. */
  wide?: Asked<FareSearchResult>;
  booking?: Asked<Booking>;

  constructor(airline: AirlineConfig, options: DoctorOptions, checks: CheckList, mask: SecretMask, answers: Answers) {
    this.airline = airline;
    this.options = options;
    this.checks = checks;
    this.mask = mask;
    this.answers = answers;
    const transport = createTransport(omitUndefined({ ca: options.ca }));
    this.transport = { ...transport, send: (request) => this.#send(transport, request) };
  }

  reachable(address: string): boolean {
    return this.reached.has(new URL(address).origin);
  }

  /** @param changes settings that differ for this question */
  async ask<T>(question: (airline: OtaAirline) => Promise<T>, changes: Changes = {}): Promise<Asked<T>> {
    const before = this.exchanges.length;
    if (before >= MOST_REQUESTS) return { error: SPENT, ...seen(undefined) };
    const last = () => seen(this.exchanges.length > before ? this.exchanges.at(-1) : undefined);
    try {
      const answer = await question(this.#adapter(changes));
      return { answer, ...last() };
    } catch (error) {
      if (error instanceof ClerkError) return { error, ...last() };
      throw error;
    }
  }

  /** With `--airline`, continues with settings that the airline accepts, so that one run finds everything. */
  adopt(check: string, changes: Changes | undefined): boolean {
    if (this.options.deviations === undefined || changes === undefined) return false;
    this.airline = { ...this.airline, ...omitUndefined(changes) };
    this.checks.waive(check);
    return true;
  }

  #adapter(changes: Changes): OtaAirline {
    const airline = omitUndefined({ ...this.airline, ...changes }) as AirlineConfig;
    const { deadlineMs: ms = 10_000 } = this.options;
    const deadlines = { fare_search: ms, read: ms, seat_map: ms, routes: ms, calendar: ms };
    return createOtaAirline({ ...otaOptions(airline, this), deadlines });
  }

  async #send(transport: Transport, request: HttpRequest): Promise<HttpReply> {
    const { now } = this.options;
    const sentAt = now();
    try {
      const reply = await transport.send(request);
      this.exchanges.push({ request, sentAt, answeredAt: now(), reply });
      return reply;
    } catch (error) {
      const failure =
        error instanceof TransportFailure ? error : new TransportFailure('closed', true, { cause: error });
      this.exchanges.push({ request, sentAt, answeredAt: now(), failure });
      throw error;
    }
  }
}

export function seen(exchange: RecordedExchange | undefined): Asked<never> {
  const { status = 0, text = '' } = exchange?.reply ?? {};
  const reading = readJson(text);
  const body = reading.ok ? reading.value : undefined;
  return { exchange, status, body, fault: readFault(status, body) };
}
