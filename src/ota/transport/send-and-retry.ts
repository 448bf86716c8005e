/**
 * Carries every call to the airline, and decides which is sent again. A read may be tried twice, within one deadline, and behind a
 * breaker (read-guard.ts). A send leaves once: a fence can stop it before its first byte, its reply is stored before anything
 * parses it, and it is never repeated here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type WaitOver, withinTime } from '../../core/at-once.ts';
import { ClerkError } from '../../core/errors.ts';
import type { Dispatch, ReadCall } from '../../domain/airline.ts';
import { SHORT_PAUSE_MS, waitOutPause } from '../../domain/airline-pauses.ts';
import { classifyReply, locatorsIn } from '../errors/classify-reply.ts';
import { exchangeFailed, notSentError } from '../errors/exchange-errors.ts';
import type { Circumstance } from '../errors/faults.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import { type CallCredentials, callCredentials } from './credentials.ts';
import { createExchanges, type OtaCall, type PrepareExchange, sendUntraced, writeCall } from './exchange.ts';
import type { HttpReply, Transport } from './http.ts';
import { OPERATIONS, type OtaOperation, type OtaOptions } from './options.ts';
import { createReadGuard, type ReadEnd, type ReadGuard } from './read-guard.ts';

/** A second try waits anything between these, milliseconds, so that not everybody asks again at once. */
const SHORTEST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 1_000;

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
  const readTwice = createReads({ options, transport, prepare, now, guard });

  return {
    options,
    read: (readCall, call) => readTwice(call, readCall),
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
        throw notSentError('aborted');
      }),
    mostMs,
  });
  if (leftMs > 0) throw notSentError('paused', { waitMs: leftMs });
}

/** How long all tries of a call may take, milliseconds. */
function totalDeadline<T>({ operation }: OtaCall<T>, { deadlines }: OtaOptions): number {
  return deadlines?.[operation] ?? OPERATIONS[operation].deadlineMs;
}

/** How one try of a read ended. `retryAfterMs`: the shortest wait before a second try; absent if that would not help. */
type ReadTry<T> = { readonly answer: T } | { readonly error: ClerkError; readonly retryAfterMs?: number | undefined };

/** One read, over both of its tries. */
interface ReadRun<T> {
  readonly call: OtaCall<T>;
  readonly readCall: ReadCall;
  readonly body: string | undefined;
  /** When both tries must be over, by the clock of {@link ReadsParts}, milliseconds. */
  readonly endsAt: number;
}

/** What the reads of one airline are made of. */
interface ReadsParts {
  readonly options: OtaOptions;
  readonly transport: Transport;
  readonly prepare: PrepareExchange;
  /** Milliseconds of a clock that only goes forwards. */
  now(): number;
  readonly guard: ReadGuard;
}

const reading = <T>({ operation }: OtaCall<T>): Circumstance => ({ operation, sending: false });

/** Makes the reads of one airline: each is tried at most twice, within one deadline. */
function createReads({ options, transport, prepare, now, guard }: ReadsParts) {
  const { random = Math.random, sleep = pause, traced: trace = sendUntraced } = options;

  /** Tries once, and a second time if that may help and the deadline is far enough. */
  async function read<T>(call: OtaCall<T>, readCall: ReadCall = {}): Promise<T> {
    const endsAt = now() + totalDeadline(call, options);
    const run = { call, readCall, body: writeCall(call, options), endsAt };
    const first = await tryOnce(run, 1);
    if ('answer' in first) return first.answer;
    if (first.retryAfterMs === undefined) throw first.error;

    const usualMs = SHORTEST_RETRY_MS + random() * (LONGEST_RETRY_MS - SHORTEST_RETRY_MS);
    const waitMs = Math.max(first.retryAfterMs, usualMs);
    if (now() + waitMs >= endsAt) throw first.error;

    await sleep(waitMs, readCall.signal).catch(() => {
      throw exchangeFailed(new TransportFailure('aborted', true), reading(call));
    });

    const second = await tryOnce(run, 2);
    if ('answer' in second) return second.answer;

    throw second.error;
  }

  /** Makes one try. After a 401 the same request with other credentials is still part of it. */
  async function tryOnce<T>(run: ReadRun<T>, attempt: number): Promise<ReadTry<T>> {
    try {
      const credentials = await freshCredentials(run);
      const reply = await ask(run, credentials, attempt);
      const others = reply.status === 401 ? await otherCredentials(run, credentials) : undefined;
      return classify(run.call, others === undefined ? reply : await ask(run, others, attempt));
    } catch (error) {
      if (error instanceof TransportFailure)
        return { error: exchangeFailed(error, reading(run.call)), retryAfterMs: retryAfterFailure(error) };
      if (error instanceof ClerkError) return { error };
      throw error;
    }
  }

  /** Sends the request once, unless the breaker is open. Reports to the breaker how it ended. */
  async function ask<T>(run: ReadRun<T>, credentials: CallCredentials, attempt: number): Promise<HttpReply> {
    const { call, readCall, body, endsAt } = run;
    const url = call.url ?? options.baseUrl;
    await passPause(call, options, guard, { ...readCall, mostMs: endsAt - now() });

    // No payment depends on the list of accounts: its failures say nothing of readings.
    const breaker = call.operation === 'accounts' ? undefined : guard.breakerOf(url);
    if (breaker?.allows() === false) throw notSentError('breaker_open', { waitMs: breaker.waitMs() });

    const deadlineMs = Math.max(1, endsAt - now());
    try {
      const reply = await trace(...prepare(call, { body, credentials, deadlineMs, attempt, ...readCall }));
      await guard.pauses.learn(url, call.operation, reply);
      breaker?.record(reply.status < 500 ? 'good' : 'bad');
      return reply;
    } catch (error) {
      const end = failedReadEnd(error);
      if (end !== undefined) breaker?.record(end);
      throw error;
    }
  }

  function freshCredentials<T>({ call, endsAt, readCall }: ReadRun<T>): Promise<CallCredentials> {
    const over = (why: WaitOver) => exchangeFailed(new TransportFailure(why, false), reading(call));
    return withinTime(callCredentials(options.credentials, 'read'), endsAt - now(), over, readCall.signal);
  }

  /** Gets credentials with another token than the refused ones. Undefined if there is no other. */
  async function otherCredentials<T>(run: ReadRun<T>, refused: CallCredentials): Promise<CallCredentials | undefined> {
    const { tokens } = options.credentials;
    // The list of accounts may be closed to this login: another token would not open it.
    if (refused.token === undefined || tokens === undefined || run.call.operation === 'accounts') return undefined;
    tokens.invalidate(refused.token);
    const credentials = await freshCredentials(run);
    return credentials.token === refused.token ? undefined : credentials;
  }

  function classify<T>(call: OtaCall<T>, reply: HttpReply): ReadTry<T> {
    try {
      return { answer: classifyReply(reply, call, reading(call)) };
    } catch (error) {
      if (!(error instanceof ClerkError)) throw error;
      // The socket delivered the reply to another request, and may hold more of them.
      if (error.code === 'E_AIRLINE_REPLY') transport.replaceConnections(OPERATIONS[call.operation].purpose);
      return { error, retryAfterMs: retryAfterReply(reply, error) };
    }
  }

  return read;
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

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal });
}
