/**
 * The one way to the airline: encode ▸ stamp ▸ send ▸ decode ▸ map faults.
 *
 * A read may be tried twice, within a budget and behind a breaker (resilience/reads.ts). A send leaves once: fenced before the
 * first byte, its reply kept before anything parses it, and never repeated here.
 */
import type { Dispatch, ReadCall } from '../../domain/airline.ts';
import { classifyReply } from '../errors/classify-reply.ts';
import { exchangeFailed } from '../errors/exchange-errors.ts';
import type { Circumstance } from '../errors/faults.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import type { OtaOptions } from '../options.ts';
import { createReads } from '../resilience/reads.ts';
import { deadlineOf, type OtaCall, post, textOf } from './call.ts';
import { callCredentials } from './credentials.ts';
import type { Transport } from './http.ts';

export interface Exchange {
  readonly options: OtaOptions;
  /** Throws ClerkError, always `effect: none`. */
  read<T>(readCall: ReadCall | undefined, call: OtaCall<T>): Promise<T>;
  /** Throws ClerkError; `effect: none` only for a refusal or a request that provably never left. */
  send<T>(dispatch: Dispatch, call: OtaCall<T>): Promise<T>;
}

export function createExchange(options: OtaOptions, transport: Transport): Exchange {
  const now = options.now ?? (() => performance.now());
  return {
    options,
    read: createReads(options, transport, now),
    async send(dispatch, call) {
      const at: Circumstance = { operation: call.operation, sending: true };
      const posting = {
        body: textOf(call, options),
        credentials: await callCredentials(options.credentials, true),
        deadlineMs: deadlineOf(call, options),
        attempt: 1,
        mayStart: () => dispatch.mayStart(),
      };
      try {
        const reply = await post(call, posting, transport, options, now);
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
