/**
 * How a read is made: within one total deadline, tried a second time where that may help and the budget allows it,
 * not at all while the airline is failing.
 */
import type { ReadCall } from '../../domain/airline.ts';
import { ClerkError } from '../../errors.ts';
import { judge } from '../errors/classify-reply.ts';
import { brokenOff, type Circumstance, notAsked } from '../errors/exchange-errors.ts';
import { HttpFailure } from '../errors/http-failure.ts';
import { DEADLINES, type OtaOptions } from '../options.ts';
import { type Call, post, textOf } from '../transport/call.ts';
import { type CallCredentials, callCredentials } from '../transport/credentials.ts';
import type { HttpReply, Transport } from '../transport/http.ts';
import { createReadGuard } from './read-guard.ts';
import { retryPause } from './retry-budget.ts';

/** Longest `Retry-After` that a caller is made to wait for. */
const SHORT_WAIT_SECONDS = 2;

/** A failed try, and whether and after how long another may help. */
interface Failed {
  readonly error: ClerkError;
  readonly retryAfterMs?: number;
}

type Tried<T> = { readonly answer: T } | Failed;

export function createReads(options: OtaOptions, transport: Transport, now: () => number) {
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? pause;
  const { budget, breakerOf } = options.readGuard ?? createReadGuard(now);

  return async function read<T>(call: Call<T>, how: ReadCall = {}): Promise<T> {
    const at: Circumstance = { operation: call.operation, sending: false };
    const until = now() + (options.deadlines?.[call.operation] ?? DEADLINES[call.operation]);
    const body = textOf(call, options);
    const breaker = breakerOf(call.url);

    const ask = async (credentials: CallCredentials, attempt: number): Promise<HttpReply> => {
      if (!breaker.allows()) throw notAsked(breaker.waitMs());
      const deadlineMs = Math.max(1, until - now());
      const posting = { body, credentials, deadlineMs, attempt, ...how };
      try {
        const reply = await post(call, posting, transport, options, now);
        breaker.record(reply.status < 500);
        return reply;
      } catch (error) {
        if (!(error instanceof HttpFailure && error.kind === 'aborted')) breaker.record(false);
        throw error;
      }
    };

    const attempt = async (count: number): Promise<Tried<T>> => {
      try {
        const credentials = await within(callCredentials(options.credentials, false), until - now(), how.signal, at);
        const reply = await ask(credentials, count);
        const renewed =
          reply.status === 401 && !call.once
            ? await renewedAfter(credentials, options, until - now(), how, at)
            : undefined;
        return judged(renewed === undefined ? reply : await ask(renewed, count));
      } catch (error) {
        if (error instanceof HttpFailure) return { error: brokenOff(error, at), ...mayHelp(error) };
        if (error instanceof ClerkError) return { error };
        throw error;
      }
    };

    const judged = (reply: HttpReply): Tried<T> => {
      try {
        return { answer: judge(reply, call, at) };
      } catch (error) {
        if (!(error instanceof ClerkError)) throw error;
        // A reply that was not its own: the socket may hold more of them.
        if (error.code === 'E_AIRLINE_REPLY') transport.renew(call.purpose);
        return { error, ...worthAnother(reply, error) };
      }
    };

    budget.deposit();
    const first = await attempt(1);
    if ('answer' in first) return first.answer;
    const wait = first.retryAfterMs === undefined ? undefined : Math.max(first.retryAfterMs, retryPause(random));
    if (call.once || wait === undefined || now() + wait >= until || !budget.withdraw()) throw first.error;
    await sleep(wait, how.signal).catch(() => {
      throw first.error;
    });
    const second = await attempt(2);
    if ('answer' in second) return second.answer;
    throw second.error;
  };
}

function mayHelp(failure: HttpFailure): { retryAfterMs?: number } {
  return ['unreachable', 'closed', 'truncated'].includes(failure.kind) ? { retryAfterMs: 0 } : {};
}

function worthAnother(reply: HttpReply, error: ClerkError): { retryAfterMs?: number } {
  const asked = reply.retryAfterSeconds;
  if (asked !== undefined && asked > SHORT_WAIT_SECONDS) return {};
  if (reply.status === 429) return asked === undefined ? {} : { retryAfterMs: asked * 1_000 };
  const passing = [502, 503, 504].includes(reply.status) || error.retry === 'same_call';
  return passing ? { retryAfterMs: (asked ?? 0) * 1_000 } : {};
}

/** Other credentials after a 401, where there are any: the token that was refused is told of, once. */
async function renewedAfter(
  used: CallCredentials,
  options: OtaOptions,
  ms: number,
  how: ReadCall,
  at: Circumstance,
): Promise<CallCredentials | undefined> {
  const { tokens } = options.credentials;
  if (used.token === undefined || tokens === undefined) return undefined;
  tokens.invalidate(used.token);
  const fresh = await within(callCredentials(options.credentials, false), ms, how.signal, at);
  return fresh.token === used.token ? undefined : fresh;
}

/** The promise's value, unless the time or the caller's patience ends first. The promise itself goes on for others. */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
  at: Circumstance,
): Promise<T> {
  const stop = Promise.withResolvers<never>();
  const timer = setTimeout(() => stop.reject(brokenOff(new HttpFailure('timeout', false), at)), Math.max(0, ms));
  const onAbort = (): void => stop.reject(brokenOff(new HttpFailure('aborted', false), at));
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
  const timers = await import('node:timers/promises');
  await timers.setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}
