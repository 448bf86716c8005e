/**
 * Carries every call to the airline, and decides which is sent again. A read may be tried twice, within one deadline and a
 * budget, and behind a breaker (resilience/read-guard.ts). A send leaves once: a fence can stop it before its first byte,
 * its reply is stored before anything parses it, and it is never repeated here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../core/errors.ts';
import type { Dispatch, ReadCall } from '../../domain/airline.ts';
import { SHORT_PAUSE_MS, waitOutPause } from '../../domain/airline-pauses.ts';
import { classifyReply, locatorsIn } from '../errors/classify-reply.ts';
import { breakerOpenError, exchangeFailed, givenUpError, pausedError } from '../errors/exchange-errors.ts';
import type { Circumstance } from '../errors/faults.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import { OPERATIONS, type OtaOperation, type OtaOptions } from '../options.ts';
import { createReadGuard, type ReadEnd, type ReadGuard, retryPause } from '../resilience/read-guard.ts';
import { type CallCredentials, callCredentials } from './credentials.ts';
import { createExchanges, type OtaCall, type PrepareExchange, sendUntraced, writeCall } from './exchange.ts';
import type { HttpReply, Transport } from './http.ts';

/** How the adapter reaches the airline. */
export interface AirlineCalls {
  readonly options: OtaOptions;
  /** Throws ClerkError, always `effect: none`. */
  read<T>(readCall: ReadCall | undefined, call: OtaCall<T>): Promise<T>;
  /** Throws ClerkError; `effect: none` only for a refusal or a request that provably never left. */
  sendOnce<T>(dispatch: Dispatch, call: OtaCall<T>): Promise<T>;
  /** Milliseconds until all these messages may be sent: the airline may have asked for a pause. @param sender as `Airline` has it */
  pausedMs(operations: readonly OtaOperation[], sender?: string): Promise<number>;
}

export function createCalls(options: OtaOptions, transport: Transport): AirlineCalls {
  const now = options.now ?? (() => performance.now());
  const guard = options.readGuard ?? createReadGuard(now);
  const prepare = createExchanges(options, transport, now);
  const trace = options.traced ?? sendUntraced;
  const reads = new AirlineReads({
    ...{ options, prepare, now, guard },
    replaceConnections: (purpose) => transport.replaceConnections(purpose),
  });
  return {
    options,
    read: (readCall, call) => reads.read(readCall, call),
    pausedMs: (operations, sender) => guard.pauses.waitMs(options.baseUrl, operations, sender),
    async sendOnce(dispatch, call) {
      const circumstance = { operation: call.operation, sending: true };
      const posting = {
        body: writeCall(call, options),
        credentials: await callCredentials(options.credentials, 'send'),
        deadlineMs: totalDeadline(call, options),
        attempt: 1,
        mayStart: dispatch.mayStart,
      };
      await passPause(call, options, guard);
      try {
        const reply = await trace(...prepare(call, posting));
        // The next call gets another token. This call is over: a commit is never sent a second time by itself.
        const { token } = posting.credentials;
        if (reply.status === 401 && token !== undefined) options.credentials.tokens?.invalidate(token);
        await dispatch.keep(locatorsIn(reply.text));
        await guard.pauses.learn(call.url ?? options.baseUrl, call.operation, reply);
        return classifyReply(reply, call, circumstance);
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        throw exchangeFailed(error, circumstance);
      }
    },
  };
}

/**
 * Waits for the rest of a short pause that the airline asked for.
 * @param mostMs less than this is waited for in all, milliseconds
 * @throws ClerkError E_AIRLINE_BUSY, `effect: none`, into a longer one
 */
async function passPause<T>(
  { url, operation }: OtaCall<T>,
  { baseUrl, sleep = pause }: OtaOptions,
  { pauses }: ReadGuard,
  { signal, mostMs }: ReadCall & { readonly mostMs?: number } = {},
): Promise<void> {
  const leftMs = await waitOutPause({
    left: () => pauses.waitMs(url ?? baseUrl, [operation]),
    sleep: (ms) =>
      sleep(ms, signal).catch(() => {
        throw givenUpError();
      }),
    mostMs,
  });
  if (leftMs > 0) throw pausedError(leftMs);
}

/** How long all tries of a call may take, milliseconds. */
function totalDeadline<T>({ operation }: OtaCall<T>, { deadlines }: OtaOptions): number {
  return deadlines?.[operation] ?? OPERATIONS[operation].deadlineMs;
}

/** How one try of a read ended. */
type ReadTry<T> = { readonly answer: T } | FailedTry;

interface FailedTry {
  readonly error: ClerkError;
  /** The shortest wait before a second try, milliseconds. Absent if a second try would not help. */
  readonly retryAfterMs?: number;
}

/** One read, over both of its tries. */
interface ReadRun<T> {
  readonly call: OtaCall<T>;
  readonly readCall: ReadCall;
  readonly body: string | undefined;
  /** When both tries must be over, by the clock of {@link AirlineReads}, milliseconds. */
  readonly endsAt: number;
  readonly circumstance: Circumstance;
}

/** What the reads of one airline are made of. */
interface ReadsParts {
  readonly options: OtaOptions;
  readonly prepare: PrepareExchange;
  readonly replaceConnections: Transport['replaceConnections'];
  /** Milliseconds of a clock that only goes forwards. */
  now(): number;
  readonly guard: ReadGuard;
}

/** The reads of one airline: each is tried at most twice, within one deadline. */
class AirlineReads {
  readonly #options: OtaOptions;
  readonly #prepare: PrepareExchange;
  readonly #replaceConnections: Transport['replaceConnections'];
  readonly #now: () => number;
  readonly #guard: ReadGuard;

  constructor({ options, prepare, replaceConnections, now, guard }: ReadsParts) {
    this.#options = options;
    this.#prepare = prepare;
    this.#replaceConnections = replaceConnections;
    this.#now = now;
    this.#guard = guard;
  }

  /** Tries once, and a second time if that may help, the deadline is far enough and the budget has a try left. */
  async read<T>(readCall: ReadCall = {}, call: OtaCall<T>): Promise<T> {
    const { random = Math.random, sleep = pause } = this.#options;
    const { budget } = this.#guard;
    const circumstance: Circumstance = { operation: call.operation, sending: false };
    const endsAt = this.#now() + totalDeadline(call, this.#options);
    const run: ReadRun<T> = { call, readCall, body: writeCall(call, this.#options), endsAt, circumstance };
    budget.deposit();
    const first = await this.#tryOnce(run, 1);
    if ('answer' in first) return first.answer;
    const waitMs = first.retryAfterMs === undefined ? undefined : Math.max(first.retryAfterMs, retryPause(random));
    if (call.once || waitMs === undefined || this.#now() + waitMs >= endsAt || !budget.withdraw()) throw first.error;
    await sleep(waitMs, readCall.signal).catch(() => {
      throw exchangeFailed(new TransportFailure('aborted', true), circumstance);
    });
    const second = await this.#tryOnce(run, 2);
    if ('answer' in second) return second.answer;
    throw second.error;
  }

  /** Makes one try. After a 401 the same request with other credentials is still part of it. */
  async #tryOnce<T>(run: ReadRun<T>, attempt: number): Promise<ReadTry<T>> {
    try {
      const credentials = await this.#credentials(run);
      const reply = await this.#ask(run, credentials, attempt);
      const newCredentials = reply.status === 401 ? await this.#newCredentials(run, credentials) : undefined;
      const lastReply = newCredentials === undefined ? reply : await this.#ask(run, newCredentials, attempt);
      return this.#classify(run, lastReply);
    } catch (error) {
      if (error instanceof TransportFailure)
        return { error: exchangeFailed(error, run.circumstance), retryAfterMs: retryAfterFailure(error) };
      if (error instanceof ClerkError) return { error };
      throw error;
    }
  }

  /** Sends the request once, unless the breaker is open. Reports to the breaker how it ended. */
  async #ask<T>(run: ReadRun<T>, credentials: CallCredentials, attempt: number): Promise<HttpReply> {
    const { call, readCall, body, endsAt } = run;
    const url = call.url ?? this.#options.baseUrl;
    const mostMs = endsAt - this.#now();
    await passPause(call, this.#options, this.#guard, { ...readCall, mostMs });
    const breaker = this.#guard.breakerOf(url);
    // An open breaker lets one read through at a time, as a probe, which must be a read on which a payment may depend.
    const isBlocked = call.isAside ? breaker.isOpen() : !breaker.allows();
    if (isBlocked) throw breakerOpenError(breaker.waitMs());
    const deadlineMs = Math.max(1, endsAt - this.#now());
    const report = (end: ReadEnd | undefined): void => {
      if (end !== undefined && !call.isAside) breaker.record(end);
    };
    try {
      const { traced: trace = sendUntraced } = this.#options;
      const reply = await trace(...this.#prepare(call, { body, credentials, deadlineMs, attempt, ...readCall }));
      await this.#guard.pauses.learn(url, call.operation, reply);
      report(reply.status < 500 ? 'good' : 'bad');
      return reply;
    } catch (error) {
      report(failedReadEnd(error));
      throw error;
    }
  }

  #credentials<T>({ endsAt, readCall, circumstance }: ReadRun<T>): Promise<CallCredentials> {
    const credentials = callCredentials(this.#options.credentials, 'read');
    return within(credentials, endsAt - this.#now(), readCall.signal, circumstance);
  }

  /** Gets credentials with another token than the refused ones. Undefined if there is no other. */
  async #newCredentials<T>(run: ReadRun<T>, refused: CallCredentials): Promise<CallCredentials | undefined> {
    const { tokens } = this.#options.credentials;
    if (refused.token === undefined || tokens === undefined || run.call.once) return undefined;
    tokens.invalidate(refused.token);
    const credentials = await this.#credentials(run);
    return credentials.token === refused.token ? undefined : credentials;
  }

  #classify<T>({ call, circumstance }: ReadRun<T>, reply: HttpReply): ReadTry<T> {
    try {
      return { answer: classifyReply(reply, call, circumstance) };
    } catch (error) {
      if (!(error instanceof ClerkError)) throw error;
      // The socket delivered the reply to another request, and may hold more of them.
      if (error.code === 'E_AIRLINE_REPLY') this.#replaceConnections(OPERATIONS[call.operation].purpose);
      return { error, retryAfterMs: retryAfterReply(reply, error) };
    }
  }
}

/** How the breaker counts a failed request. Undefined if it tells nothing about the airline: the caller gave up. */
function failedReadEnd(error: unknown): ReadEnd | undefined {
  if (!(error instanceof TransportFailure)) return 'bad';
  if (error.kind === 'aborted') return undefined;
  // Without a connection nothing was slow: the airline could not be reached.
  return error.kind === 'timeout' && error.sent ? 'slow' : 'bad';
}

/** The wait before a second try, milliseconds: none after a broken connection. Undefined if a second try would not help. */
function retryAfterFailure({ kind }: TransportFailure): number | undefined {
  return ['unreachable', 'closed', 'truncated'].includes(kind) ? 0 : undefined;
}

/** The wait that the airline asks for, milliseconds. Undefined if it is too long, or if a second try would not help. */
function retryAfterReply({ status, retryAfterSeconds }: HttpReply, error: ClerkError): number | undefined {
  if (retryAfterSeconds !== undefined && retryAfterSeconds * 1_000 > SHORT_PAUSE_MS) return undefined;
  if (status === 429) return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
  const isTemporary = [502, 503, 504].includes(status) || error.retry === 'same_call';
  return isTemporary ? (retryAfterSeconds ?? 0) * 1_000 : undefined;
}

/**
 * Waits for a promise until the time ends or the caller gives up. The promise itself goes on for others.
 * @param ms milliseconds
 */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
  circumstance: Circumstance,
): Promise<T> {
  const stop = Promise.withResolvers<never>();
  const fail = (kind: 'timeout' | 'aborted') =>
    stop.reject(exchangeFailed(new TransportFailure(kind, false), circumstance));
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
