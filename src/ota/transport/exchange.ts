/**
 * The one way out: encode ▸ stamp ▸ send ▸ decode ▸ map faults.
 *
 * Reads may be tried twice, within a budget and behind a breaker (reads.ts). Sends leave once: fenced before the first
 * byte, kept before anything parses the reply, and never repeated here.
 */
import type { Dispatch, RawReply, ReadCall } from '../../domain/airline.ts';
import { judge } from '../errors/classify-reply.ts';
import { brokenOff, type Circumstance, notKept } from '../errors/exchange-errors.ts';
import { HttpFailure } from '../errors/http-failure.ts';
import { DEADLINES, type OtaOptions } from '../options.ts';
import { createReads } from '../resilience/reads.ts';
import { type Call, post, textOf } from './call.ts';
import { type CallCredentials, callCredentials } from './credentials.ts';
import type { Transport } from './http.ts';

export interface Exchange {
  /** Throws ClerkError, always `effect: none`. */
  read<T>(call: Call<T>, how?: ReadCall): Promise<T>;
  /** Throws ClerkError; `effect: none` only for a refusal or a request that provably never left. */
  send<T>(call: Call<T>, dispatch: Dispatch): Promise<T>;
}

export function createExchange(options: OtaOptions, transport: Transport): Exchange {
  const now = options.now ?? (() => performance.now());
  return {
    read: createReads(options, transport, now),
    async send(call, dispatch) {
      const at: Circumstance = { operation: call.operation, sending: true };
      const posting = {
        body: textOf(call, options),
        credentials: await callCredentials(options.credentials, true),
        deadlineMs: options.deadlines?.[call.operation] ?? DEADLINES[call.operation],
        attempt: 1,
        mayStart: () => dispatch.mayStart(),
      };
      try {
        const reply = await post(call, posting, transport, options, now);
        if (reply.status === 401) tokenRefused(options, posting.credentials);
        await keep(dispatch, { status: reply.status, body: reply.text }, at);
        return judge(reply, call, at);
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        const { partial } = error;
        if (partial !== undefined)
          await keep(dispatch, { status: partial.status, body: partial.text, truncated: true }, at);
        throw brokenOff(error, at);
      }
    },
  };
}

/** The next call gets another token; this one is over: a commit is never sent again by itself. */
function tokenRefused({ credentials: { tokens } }: OtaOptions, used: CallCredentials): void {
  if (used.token !== undefined) tokens?.invalidate(used.token);
}

async function keep(dispatch: Dispatch, reply: RawReply, at: Circumstance): Promise<void> {
  try {
    await dispatch.keep(reply);
  } catch (cause) {
    throw notKept(at, cause);
  }
}
