/**
 * Makes one HTTP exchange with the airline: writes the message with its point of sale, adds address, headers and
 * credentials, sends it once, and logs how it ended. send-and-retry.ts decides which calls are sent again.
 */
import { ClerkError } from '../../core/errors.ts';
import type { ExpectedReply } from '../errors/classify-reply.ts';
import { notSentError } from '../errors/exchange-errors.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import {
  type CheckedRequest,
  type CurrencySpelling,
  currencySpelling,
  stamp,
  UnwritableRequest,
} from '../messages/request.ts';
import { messageAddress } from './addresses.ts';
import { type CallCredentials, withoutCredentials } from './credentials.ts';
import type { HttpReply, Transport } from './http.ts';
import { OPERATIONS, type OtaOperation, type OtaOptions, type PointOfSale, type TraceExchange } from './options.ts';

/** Messages that copy flights and travellers from earlier replies: what they lack is the airline's fault, not ours. */
const COPYING_OPERATIONS: ReadonlySet<OtaOperation> = new Set(['book', 'group_book', 'modify', 'seat_map']);

/** What is sent, and what its reply must be. */
export interface OtaCall<T> extends ExpectedReply<T> {
  readonly operation: OtaOperation;
  /** The complete address; default {base_url}. */
  readonly url?: string;
  /** Value of the header `local-name`; absent if the address names the message. */
  readonly message?: string;
  /** Builds the body, without `version` and `pos`. Absent: GET. */
  readonly encode?: () => CheckedRequest;
  readonly spelling?: CurrencySpelling;
  /** The reply is a PDF of at most this many bytes. */
  readonly fileBytes?: number;
  /** This is no OTA message: its body has neither `version` nor `pos`. */
  readonly isBare?: true;
}

/** The JSON text of a call; undefined for a GET. Throws ClerkError if the message cannot be written. */
export function writeCall<T>(call: OtaCall<T>, options: OtaOptions): string | undefined {
  if (call.encode === undefined) return undefined;

  try {
    const body = call.encode();
    const spelling = call.spelling ?? currencySpelling(call.operation, options.dialect);
    return JSON.stringify(call.isBare ? body : stamp(body, messageSeller(call, options), spelling));
  } catch (cause) {
    if (cause instanceof ClerkError) throw cause;
    const lacksSource = COPYING_OPERATIONS.has(call.operation) && cause instanceof UnwritableRequest;
    throw notSentError(lacksSource ? 'source_incomplete' : 'not_written', { cause });
  }
}

/** The point of sale as a message names it: only payments name its country (docs/wire/interface.md, Point of sale). */
function messageSeller<T>({ operation }: OtaCall<T>, { pointOfSale }: OtaOptions): PointOfSale {
  const { country: _, ...seller } = pointOfSale;
  return operation === 'ticket' ? pointOfSale : seller;
}

/** What one HTTP request of a call needs beside the call itself. */
interface Posting {
  readonly body: string | undefined;
  readonly credentials: CallCredentials;
  readonly deadlineMs: number;
  readonly attempt: number;
  readonly signal?: AbortSignal;
  readonly mayStart?: () => boolean;
}

/** One HTTP exchange, as it is traced: what the span says of it, and how it is made. */
type TracedExchange = Parameters<TraceExchange>;

/** Prepares one logged HTTP exchange. It rejects with TransportFailure, or with ClerkError before anything is sent. */
export type PrepareExchange = <T>(call: OtaCall<T>, posting: Posting) => TracedExchange;

export function createExchanges(options: OtaOptions, transport: Transport, now: () => number): PrepareExchange {
  return (call, { credentials, attempt, body, ...rest }) => {
    const startedAt = now();
    const { operation } = call;
    const logEnd = (end: { status: number } | { code: string }): void =>
      options.log?.call({ operation, attempt, ms: Math.round(now() - startedAt), ...end });
    const url = callAddress(call, options);
    const method = body === undefined ? 'GET' : 'POST';

    async function exchangeLogged(traceHeaders: Readonly<Record<string, string>>): Promise<HttpReply> {
      try {
        const reply = await transport.exchange({
          ...rest,
          purpose: OPERATIONS[operation].purpose,
          url,
          headers: { ...traceHeaders, ...callHeaders(call, credentials, options) },
          fileBytes: call.fileBytes,
          method,
          body,
        });

        logEnd({ status: reply.status });
        return withoutCredentials(reply, credentials);
      } catch (error) {
        if (error instanceof ClerkError) throw error;
        const failure =
          error instanceof TransportFailure ? error : new TransportFailure('closed', true, { cause: error });
        logEnd({ code: failure.kind });
        throw failure;
      }
    }

    return [{ operation, attempt, method, url }, exchangeLogged];
  };
}

export const sendUntraced: TraceExchange = (_, send) => send({});

/** The address of a call, with its message at the end if the airline wants it there rather than in a header. */
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
