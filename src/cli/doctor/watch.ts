/**
 * The airline as the doctor asks it: through the real adapter, with every exchange on the wire in sight.
 */
import type { AirlineConfig } from '../../config/load.ts';
import { ClerkError } from '../../errors.ts';
import { createOtaAirline, type OtaAirline } from '../../ota/airline.ts';
import { HttpFailure } from '../../ota/errors/http-failure.ts';
import type { AirlineTokens } from '../../ota/options.ts';
import type { HttpReply, HttpRequest, Transport } from '../../ota/transport/http.ts';
import { isObject, readJson } from '../../ota/transport/json.ts';
import { otaOptions } from '../runtime/airline-options.ts';

/** One request and what came of it. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly reply?: HttpReply;
  readonly failure?: HttpFailure;
}

/** Questions to the airline in one run. */
export const MOST_REQUESTS = 18;
const SPENT = new ClerkError('E_LIMIT', `Not tried: ${MOST_REQUESTS} requests are the most of one run.`, {
  next: 'Mend what was found first, then run the doctor again.',
});
export const isSpent = (error: ClerkError | undefined): boolean => error === SPENT;

export interface Watched {
  /** Total milliseconds for one question. */
  readonly deadlineMs: number;
  readonly transport: Transport;
  readonly exchanges: readonly Exchange[];
}

export function watched(transport: Transport, now: () => number, deadlineMs: number): Watched {
  const exchanges: Exchange[] = [];
  return {
    deadlineMs,
    exchanges,
    transport: {
      ...transport,
      async send(request) {
        const sentAt = now();
        try {
          const reply = await transport.send(request);
          exchanges.push({ request, sentAt, answeredAt: now(), reply });
          return reply;
        } catch (error) {
          const failure = error instanceof HttpFailure ? error : new HttpFailure('closed', true, { cause: error });
          exchanges.push({ request, sentAt, answeredAt: now(), failure });
          throw error;
        }
      },
    },
  };
}

/** What one question came to. */
export interface Asked<T> {
  readonly answer?: T;
  readonly error?: ClerkError;
  /** The last exchange of it; absent where nothing was sent. */
  readonly exchange?: Exchange;
}

export async function ask<T>({ exchanges }: Watched, question: () => Promise<T>): Promise<Asked<T>> {
  const before = exchanges.length;
  if (before >= MOST_REQUESTS) return { error: SPENT };
  const seen = (): Pick<Asked<T>, 'exchange'> => {
    const exchange = exchanges.length > before ? exchanges.at(-1) : undefined;
    return exchange === undefined ? {} : { exchange };
  };
  try {
    return { answer: await question(), ...seen() };
  } catch (error) {
    if (error instanceof ClerkError) return { error, ...seen() };
    throw error;
  }
}

/** The body of a reply as JSON; undefined where it is none. */
export function bodyOf(exchange: Exchange | undefined): unknown {
  const reading = readJson(exchange?.reply?.text ?? '');
  return reading.ok ? reading.value : undefined;
}

export function recordOf(exchange: Exchange | undefined): Readonly<Record<string, unknown>> {
  const body = bodyOf(exchange);
  return isObject(body) ? body : {};
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

/** The adapter with some settings otherwise than they are set. */
export function airlineWith(
  airline: AirlineConfig,
  changes: Partial<AirlineConfig>,
  { transport, deadlineMs: ms }: Watched,
  tokens: AirlineTokens | undefined,
): OtaAirline {
  const deadlines = { fare_search: ms, read: ms, seat_map: ms, routes: ms, calendar: ms };
  return createOtaAirline({ ...otaOptions({ ...airline, ...changes }, { transport, tokens }), deadlines });
}
