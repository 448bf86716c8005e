/**
 * The one way to the airline: encode ▸ stamp ▸ send ▸ decode ▸ map faults.
 *
 * A read may be tried twice, within one deadline and a budget, and behind a breaker (resilience/read-guard.ts). A send leaves
 * once: fenced before the first byte, its reply kept before anything parses it, and never repeated here.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../core/errors.ts';
import type { Dispatch, ReadCall } from '../../domain/airline.ts';
import { classifyReply, type ExpectedReply } from '../errors/classify-reply.ts';
import {
  breakerOpenError,
  exchangeFailed,
  requestNotWrittenError,
  sourceIncompleteError,
} from '../errors/exchange-errors.ts';
import type { Circumstance } from '../errors/faults.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import {
  type CheckedRequest,
  type CurrencySpelling,
  currencySpelling,
  stamp,
  UnwritableRequest,
} from '../messages/request.ts';
import { OPERATIONS, type OtaOperation, type OtaOptions, type PointOfSale, type TraceExchange } from '../options.ts';
import { createReadGuard, type ReadEnd, type ReadGuard, retryPause } from '../resilience/read-guard.ts';
import { messageAddress } from './addresses.ts';
import { type CallCredentials, callCredentials, withoutCredentials } from './credentials.ts';
import type { HttpReply, Transport } from './http.ts';

/** What is sent, and what its reply must be. */
interface OtaCall<T> extends ExpectedReply<T> {
  readonly operation: OtaOperation;
  /** Whole address; default {base_url}. */
  readonly url?: string;
  /** `local-name`; absent for calls that their address selects. */
  readonly message?: string;
  /** Builds the body, without `version` and `pos`. Absent: GET. */
  readonly encode?: () => CheckedRequest;
  readonly spelling?: CurrencySpelling;
  /** A read that is never tried again. */
  readonly once?: true;
  /** A read on which nothing depends: if it fails, others are still asked. */
  readonly isAside?: true;
  /** The reply is a PDF of at most this many bytes. */
  readonly fileBytes?: number;
  /** No OTA message: the body is sent without `version` and `pos`. */
  readonly bare?: true;
}

/** How the adapter reaches the airline. */
export interface Exchange {
  readonly options: OtaOptions;
  /** Throws ClerkError, always `effect: none`. */
  read<T>(readCall: ReadCall | undefined, call: OtaCall<T>): Promise<T>;
  /** Throws ClerkError; `effect: none` only for a refusal or a request that provably never left. */
  send<T>(dispatch: Dispatch, call: OtaCall<T>): Promise<T>;
}

export function createExchange(options: OtaOptions, transport: Transport): Exchange {
  const now = options.now ?? (() => performance.now());
  const postCall = createPost(options, transport, now);
  const reads = new AirlineReads(options, postCall, (purpose) => transport.replaceConnections(purpose), now);
  return {
    options,
    read: (readCall, call) => reads.read(readCall, call),
    async send(dispatch, call) {
      const at = { operation: call.operation, sending: true };
      const posting = {
        body: writeCall(call, options),
        credentials: await callCredentials(options.credentials, true),
        deadlineMs: totalDeadline(call, options),
        attempt: 1,
        mayStart: dispatch.mayStart,
      };
      try {
        const reply = await postCall(call, posting);
        // The next call gets another token. This one is over: a commit is never sent again by itself.
        const { token } = posting.credentials;
        if (reply.status === 401 && token !== undefined) options.credentials.tokens?.invalidate(token);
        await dispatch.keep({ status: reply.status, body: reply.text });
        return classifyReply(reply, call, at);
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        const { partial } = error;
        if (partial !== undefined) await dispatch.keep({ status: partial.status, body: partial.text, truncated: true });
        throw exchangeFailed(error, at);
      }
    },
  };
}

function totalDeadline<T>({ operation }: OtaCall<T>, { deadlines }: OtaOptions): number {
  return deadlines?.[operation] ?? OPERATIONS[operation].deadlineMs;
}

/** Messages that copy flights and travellers from earlier replies. If those are odd, it is not our fault. */
const COPYING: ReadonlySet<OtaOperation> = new Set(['book', 'group_book', 'price_check', 'modify', 'seat_map']);

/** The JSON text of a call; undefined for a GET. Throws ClerkError if the message cannot be written. */
function writeCall<T>(call: OtaCall<T>, options: OtaOptions): string | undefined {
  if (call.encode === undefined) return undefined;
  try {
    const body = call.encode();
    const spelling = call.spelling ?? currencySpelling(call.operation, options.dialect);
    return JSON.stringify(call.bare ? body : stamp(body, namedSeller(call, options), spelling));
  } catch (cause) {
    if (cause instanceof ClerkError) throw cause;
    throw COPYING.has(call.operation) && cause instanceof UnwritableRequest
      ? sourceIncompleteError(cause)
      : requestNotWrittenError(cause);
  }
}

/** Only payments name the country (docs/wire/interface.md, Point of sale). */
function namedSeller<T>({ operation }: OtaCall<T>, { pointOfSale }: OtaOptions): PointOfSale {
  const { country: _, ...seller } = pointOfSale;
  return operation === 'ticket' ? pointOfSale : seller;
}

interface Posting {
  readonly body: string | undefined;
  readonly credentials: CallCredentials;
  readonly deadlineMs: number;
  readonly attempt: number;
  readonly signal?: AbortSignal;
  readonly mayStart?: () => boolean;
}

type Post = <T>(call: OtaCall<T>, posting: Posting) => Promise<HttpReply>;

function createPost(options: OtaOptions, transport: Transport, now: () => number): Post {
  /** One logged HTTP exchange. Rejects with TransportFailure only. */
  async function post<T>(call: OtaCall<T>, { credentials, attempt, body, ...rest }: Posting): Promise<HttpReply> {
    const began = now();
    const { operation } = call;
    const log = (end: { status: number } | { code: string }): void =>
      options.log?.call({ operation, attempt, ms: Math.round(now() - began), ...end });
    const url = callAddress(call, options);
    const method = body === undefined ? 'GET' : 'POST';
    return (options.traced ?? untraced)({ operation, attempt, method, url }, async (traceHeaders) => {
      try {
        const reply = await transport.send({
          ...rest,
          purpose: OPERATIONS[operation].purpose,
          url,
          headers: { ...traceHeaders, ...callHeaders(call, credentials, options) },
          fileBytes: call.fileBytes,
          method,
          body,
        });
        log({ status: reply.status });
        return withoutCredentials(reply, credentials);
      } catch (error) {
        if (error instanceof ClerkError) throw error;
        const known = error instanceof TransportFailure;
        const failure = known ? error : new TransportFailure('closed', true, { cause: error });
        log({ code: failure.kind });
        throw failure;
      }
    });
  }
  return post;
}

const untraced: TraceExchange = (_, send) => send({});

/** A message names itself in a header, or at the end of its address. */
function callAddress<T>({ url, message }: OtaCall<T>, { addressForm, baseUrl }: OtaOptions): string {
  const address = url ?? baseUrl;
  return addressForm === 'path' && message !== undefined ? messageAddress(address, message) : address;
}

function callHeaders<T>(
  { encode, message, fileBytes }: OtaCall<T>,
  credentials: CallCredentials,
  { addressForm }: OtaOptions,
): Record<string, string> {
  return {
    ...credentials.headers,
    accept: fileBytes === undefined ? 'application/json' : 'application/pdf, application/json;q=0.5',
    ...(encode === undefined ? {} : { 'content-type': 'application/json' }),
    ...(message === undefined || addressForm === 'path' ? {} : { 'local-name': message }),
  };
}

type ReadTry<T> = { readonly answer: T } | FailedTry;

interface FailedTry {
  readonly error: ClerkError;
  /** How long to wait before another try, milliseconds; 0: none. Absent if another try would not help. */
  readonly retryAfterMs?: number;
}

/** One read, over both of its tries. */
interface ReadRun<T> {
  readonly call: OtaCall<T>;
  readonly readCall: ReadCall;
  readonly body: string | undefined;
  /** The deadline of both tries, by the clock of {@link AirlineReads}. */
  readonly until: number;
  readonly at: Circumstance;
}

/** The reads of one airline: each is tried at most twice, within one deadline. */
class AirlineReads {
  readonly #options: OtaOptions;
  readonly #post: Post;
  readonly #replaceConnections: Transport['replaceConnections'];
  readonly #now: () => number;
  readonly #guard: ReadGuard;

  constructor(options: OtaOptions, post: Post, replaceConnections: Transport['replaceConnections'], now: () => number) {
    this.#options = options;
    this.#post = post;
    this.#replaceConnections = replaceConnections;
    this.#now = now;
    this.#guard = options.readGuard ?? createReadGuard(now);
  }

  /** Tries once, and a second time if that may help, the deadline is far enough and the budget has a try left. */
  async read<T>(readCall: ReadCall = {}, call: OtaCall<T>): Promise<T> {
    const { random = Math.random, sleep = pause } = this.#options;
    const { budget } = this.#guard;
    const at: Circumstance = { operation: call.operation, sending: false };
    const until = this.#now() + totalDeadline(call, this.#options);
    const run: ReadRun<T> = { call, readCall, body: writeCall(call, this.#options), until, at };
    budget.deposit();
    const first = await this.#tryOnce(run, 1);
    if ('answer' in first) return first.answer;
    const waitMs = first.retryAfterMs === undefined ? undefined : Math.max(first.retryAfterMs, retryPause(random));
    if (call.once || waitMs === undefined || this.#now() + waitMs >= until || !budget.withdraw()) throw first.error;
    await sleep(waitMs, readCall.signal).catch(() => {
      throw first.error;
    });
    const second = await this.#tryOnce(run, 2);
    if ('answer' in second) return second.answer;
    throw second.error;
  }

  /** One try: after a 401 the same request with other credentials belongs to it. */
  async #tryOnce<T>(run: ReadRun<T>, attempt: number): Promise<ReadTry<T>> {
    try {
      const credentials = await this.#credentials(run);
      const reply = await this.#ask(run, credentials, attempt);
      const others = reply.status === 401 ? await this.#otherCredentials(run, credentials) : undefined;
      return this.#judge(run, others === undefined ? reply : await this.#ask(run, others, attempt));
    } catch (error) {
      if (error instanceof TransportFailure)
        return { error: exchangeFailed(error, run.at), retryAfterMs: retryAfterFailure(error) };
      if (error instanceof ClerkError) return { error };
      throw error;
    }
  }

  async #ask<T>(run: ReadRun<T>, credentials: CallCredentials, attempt: number): Promise<HttpReply> {
    const { call, readCall, body, until } = run;
    const breaker = this.#guard.breakerOf(call.url ?? this.#options.baseUrl);
    // An open breaker lets one read through at a time, as a probe: it is kept for reads on which a payment may depend.
    const isShut = call.isAside ? breaker.isOpen() : !breaker.allows();
    if (isShut) throw breakerOpenError(breaker.waitMs());
    const deadlineMs = Math.max(1, until - this.#now());
    const note = (end: ReadEnd | undefined): void => {
      if (end !== undefined && !call.isAside) breaker.record(end);
    };
    try {
      const reply = await this.#post(call, { body, credentials, deadlineMs, attempt, ...readCall });
      note(reply.status < 500 ? 'good' : 'bad');
      return reply;
    } catch (error) {
      note(endingBy(error));
      throw error;
    }
  }

  #credentials<T>({ until, readCall, at }: ReadRun<T>): Promise<CallCredentials> {
    return within(callCredentials(this.#options.credentials, false), until - this.#now(), readCall.signal, at);
  }

  /** With another token than the one that was refused. Undefined if there is none. */
  async #otherCredentials<T>(
    run: ReadRun<T>,
    { token: refused }: CallCredentials,
  ): Promise<CallCredentials | undefined> {
    const { tokens } = this.#options.credentials;
    if (refused === undefined || tokens === undefined || run.call.once) return undefined;
    tokens.invalidate(refused);
    const credentials = await this.#credentials(run);
    return credentials.token === refused ? undefined : credentials;
  }

  #judge<T>({ call, at }: ReadRun<T>, reply: HttpReply): ReadTry<T> {
    try {
      return { answer: classifyReply(reply, call, at) };
    } catch (error) {
      if (!(error instanceof ClerkError)) throw error;
      // The reply of another request: the socket may hold more of them.
      if (error.code === 'E_AIRLINE_REPLY') this.#replaceConnections(OPERATIONS[call.operation].purpose);
      return { error, retryAfterMs: retryAfterReply(reply, error) };
    }
  }
}

/** How the breaker counts a failed request. Undefined if it tells nothing about the airline: the caller gave up. */
function endingBy(error: unknown): ReadEnd | undefined {
  if (!(error instanceof TransportFailure)) return 'bad';
  if (error.kind === 'aborted') return undefined;
  // Without a connection nothing was slow: the airline could not be reached.
  return error.kind === 'timeout' && error.sent ? 'slow' : 'bad';
}

/** At once after a broken connection. Undefined: another try would not help. */
function retryAfterFailure({ kind }: TransportFailure): number | undefined {
  return ['unreachable', 'closed', 'truncated'].includes(kind) ? 0 : undefined;
}

/** Longest `Retry-After` that a caller has to wait for. */
const SHORT_WAIT_SECONDS = 2;

/** After the wait that the airline asks for, milliseconds. Undefined: it is too long, or another try would not help. */
function retryAfterReply({ status, retryAfterSeconds }: HttpReply, error: ClerkError): number | undefined {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > SHORT_WAIT_SECONDS) return undefined;
  if (status === 429) return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
  const mayPass = [502, 503, 504].includes(status) || error.retry === 'same_call';
  return mayPass ? (retryAfterSeconds ?? 0) * 1_000 : undefined;
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
