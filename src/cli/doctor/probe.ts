/**
 * The airline as doctor asks it: through the real adapter, with every exchange recorded.
 */
import type { AirlineConfig } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../../errors.ts';
import { createOtaAirline, type OtaAirline } from '../../ota/airline.ts';
import { type FaultForm, readFault } from '../../ota/errors/fault-forms.ts';
import { HttpFailure } from '../../ota/errors/http-failure.ts';
import type { AirlineTokens } from '../../ota/options.ts';
import { createTransport, type HttpReply, type HttpRequest, type Transport } from '../../ota/transport/http.ts';
import { readJson } from '../../ota/transport/json.ts';
import { otaOptions } from '../runtime/airline-options.ts';

/** One request and what came of it. Times are milliseconds since 1970. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly reply?: HttpReply;
  readonly failure?: HttpFailure;
}

/** What one question came to. */
export interface Asked<T = unknown> {
  readonly answer?: T;
  readonly error?: ClerkError;
  /** The last exchange of it; undefined if nothing was sent. */
  readonly exchange: Exchange | undefined;
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** The airline's error, if the reply is one. */
  readonly fault: FaultForm | undefined;
  /** The reply as JSON; undefined if it is none. */
  readonly body: unknown;
}

export type Changes = { readonly [K in keyof AirlineConfig]?: AirlineConfig[K] | undefined };

export interface ProbeOptions {
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string | undefined;
  /** Total milliseconds for one question. */
  readonly deadlineMs: number;
}

/** Questions to the airline in one run. */
export const MOST_REQUESTS = 18;
export const SPENT = new ClerkError('E_LIMIT', `Not tried: ${MOST_REQUESTS} requests are the most of one run.`, {
  next: 'Mend what was found first, then run the doctor again.',
});

export class AirlineProbe {
  airline: AirlineConfig;
  tokens: AirlineTokens | undefined;
  readonly exchanges: Exchange[] = [];
  readonly now: () => number;
  readonly transport: Transport;
  readonly #deadlineMs: number;

  constructor(airline: AirlineConfig, { now, ca, deadlineMs }: ProbeOptions) {
    this.airline = airline;
    this.now = now;
    this.#deadlineMs = deadlineMs;
    const transport = createTransport(omitUndefined({ ca }));
    this.transport = { ...transport, send: (request) => this.#send(transport, request) };
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

  #adapter(changes: Changes): OtaAirline {
    const airline = omitUndefined({ ...this.airline, ...changes }) as AirlineConfig;
    const ms = this.#deadlineMs;
    const deadlines = { fare_search: ms, read: ms, seat_map: ms, routes: ms, calendar: ms };
    return createOtaAirline({ ...otaOptions(airline, this), deadlines });
  }

  async #send(transport: Transport, request: HttpRequest): Promise<HttpReply> {
    const sentAt = this.now();
    const record = (result: Pick<Exchange, 'reply' | 'failure'>) =>
      this.exchanges.push({ request, sentAt, answeredAt: this.now(), ...result });
    try {
      const reply = await transport.send(request);
      record({ reply });
      return reply;
    } catch (error) {
      record({ failure: error instanceof HttpFailure ? error : new HttpFailure('closed', true, { cause: error }) });
      throw error;
    }
  }
}

/** What an exchange shows. */
export function seen(exchange: Exchange | undefined): Asked<never> {
  const { status = 0, text = '' } = exchange?.reply ?? {};
  const reading = readJson(text);
  const body = reading.ok ? reading.value : undefined;
  return { exchange, status, body, fault: readFault(status, body) };
}

/** One token for all questions: asked for once, so that trying never locks an account. */
export function fixedToken(access: string, refresh: string | undefined): AirlineTokens {
  return {
    token: async () => access,
    ensureLife: async () => access,
    invalidate() {},
    refreshToken: () => refresh,
  };
}
