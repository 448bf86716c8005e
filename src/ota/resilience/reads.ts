/** Reads: one total deadline, one more try if it may help and the budget allows it, none while the airline fails. */
import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../core/errors.ts';
import type { ReadCall } from '../../domain/airline.ts';
import { classifyReply } from '../errors/classify-reply.ts';
import { breakerOpen, exchangeFailed } from '../errors/exchange-errors.ts';
import type { Circumstance } from '../errors/faults.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import { OPERATIONS, type OtaOptions } from '../options.ts';
import { deadlineOf, type OtaCall, post, textOf } from '../transport/call.ts';
import { type CallCredentials, callCredentials } from '../transport/credentials.ts';
import type { HttpReply, Transport } from '../transport/http.ts';
import type { ReadEnd } from './breaker.ts';
import { createReadGuard, retryPause } from './read-guard.ts';

/** Longest `Retry-After` that a caller has to wait for. */
const SHORT_WAIT_SECONDS = 2;

/** A failed try. `retryAfterMs` is there if another may help. */
interface FailedTry {
  readonly error: ClerkError;
  readonly retryAfterMs?: number;
}

type ReadTry<T> = { readonly answer: T } | FailedTry;

export function createReads(options: OtaOptions, transport: Transport, now: () => number) {
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? pause;
  const { budget, breakerOf } = options.readGuard ?? createReadGuard(now);

  return async function read<T>(readCall: ReadCall = {}, call: OtaCall<T>): Promise<T> {
    const at: Circumstance = { operation: call.operation, sending: false };
    const until = now() + deadlineOf(call, options);
    const body = textOf(call, options);
    const breaker = breakerOf(call.url ?? options.baseUrl);
    const credentials = () => within(callCredentials(options.credentials, false), until - now(), readCall.signal, at);

    const ask = async (using: CallCredentials, attempt: number): Promise<HttpReply> => {
      if (!breaker.allows()) throw breakerOpen(breaker.waitMs());
      const deadlineMs = Math.max(1, until - now());
      const posting = { body, credentials: using, deadlineMs, attempt, ...readCall };
      try {
        const reply = await post(call, posting, transport, options, now);
        breaker.record(reply.status < 500 ? 'good' : 'bad');
        return reply;
      } catch (error) {
        const end = endingBy(error);
        if (end !== undefined) breaker.record(end);
        throw error;
      }
    };

    /** Other credentials after a 401, if there are any. */
    const renewedAfter = async ({ token }: CallCredentials): Promise<CallCredentials | undefined> => {
      const { tokens } = options.credentials;
      if (token === undefined || tokens === undefined || call.once) return undefined;
      tokens.invalidate(token);
      const fresh = await credentials();
      return fresh.token === token ? undefined : fresh;
    };

    const attempt = async (count: number): Promise<ReadTry<T>> => {
      try {
        const current = await credentials();
        const reply = await ask(current, count);
        const renewed = reply.status === 401 ? await renewedAfter(current) : undefined;
        return judged(renewed === undefined ? reply : await ask(renewed, count));
      } catch (error) {
        if (error instanceof TransportFailure) return { error: exchangeFailed(error, at), ...mayHelp(error) };
        if (error instanceof ClerkError) return { error };
        throw error;
      }
    };

    const judged = (reply: HttpReply): ReadTry<T> => {
      try {
        return { answer: classifyReply(reply, call, at) };
      } catch (error) {
        if (!(error instanceof ClerkError)) throw error;
        // The reply of another request: the socket may hold more of them.
        if (error.code === 'E_AIRLINE_REPLY') transport.renew(OPERATIONS[call.operation].purpose);
        return { error, ...worthAnother(reply, error) };
      }
    };

    budget.deposit();
    const first = await attempt(1);
    if ('answer' in first) return first.answer;
    const waitMs = first.retryAfterMs === undefined ? undefined : Math.max(first.retryAfterMs, retryPause(random));
    if (call.once || waitMs === undefined || now() + waitMs >= until || !budget.withdraw()) throw first.error;
    await sleep(waitMs, readCall.signal).catch(() => {
      throw first.error;
    });
    const second = await attempt(2);
    if ('answer' in second) return second.answer;
    throw second.error;
  };
}

/** Undefined if it tells nothing about the airline: the caller gave up. */
function endingBy(error: unknown): ReadEnd | undefined {
  if (!(error instanceof TransportFailure)) return 'bad';
  if (error.kind === 'aborted') return undefined;
  // Without a connection nothing was slow: the airline could not be reached.
  return error.kind === 'timeout' && error.sent ? 'slow' : 'bad';
}

function mayHelp(failure: TransportFailure): { retryAfterMs?: number } {
  return ['unreachable', 'closed', 'truncated'].includes(failure.kind) ? { retryAfterMs: 0 } : {};
}

function worthAnother(reply: HttpReply, error: ClerkError): { retryAfterMs?: number } {
  const asked = reply.retryAfterSeconds;
  if (asked !== undefined && asked > SHORT_WAIT_SECONDS) return {};
  if (reply.status === 429) return asked === undefined ? {} : { retryAfterMs: asked * 1_000 };
  const passing = [502, 503, 504].includes(reply.status) || error.retry === 'same_call';
  return passing ? { retryAfterMs: (asked ?? 0) * 1_000 } : {};
}

/** The promise's value, unless the time ends or the caller gives up first. The promise itself goes on for others. */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
  at: Circumstance,
): Promise<T> {
  const stop = Promise.withResolvers<never>();
  const fail = (kind: 'timeout' | 'aborted') => stop.reject(exchangeFailed(new TransportFailure(kind, false), at));
  const timer = setTimeout(() => fail('timeout'), Math.max(0, ms));
  const onAbort = (): void => fail('aborted');
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, stop.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal });
}
