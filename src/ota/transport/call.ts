/** One message to the airline: its text, and one HTTP exchange. */
import { ZodError } from 'zod';
import { ClerkError } from '../../core/errors.ts';
import type { ExpectedReply } from '../errors/classify-reply.ts';
import { requestNotWritten, sourceIncomplete } from '../errors/exchange-errors.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import { type CurrencySpelling, currencySpelling, stamp } from '../messages/parts/envelope.ts';
import { OPERATIONS, type OtaOperation, type OtaOptions, type PointOfSale, type TraceExchange } from '../options.ts';
import { messageAddress } from './addresses.ts';
import { type CallCredentials, withoutCredentials } from './credentials.ts';
import type { HttpReply, Transport } from './http.ts';

/** What is sent, and what its reply must be. */
export interface OtaCall<T> extends ExpectedReply<T> {
  readonly operation: OtaOperation;
  /** Whole address; default {base_url}. */
  readonly url?: string;
  /** `local-name`; absent for calls that their address selects. */
  readonly message?: string;
  /** Builds the body, without `version` and `pos`. Absent: GET. */
  readonly encode?: () => object;
  readonly spelling?: CurrencySpelling;
  /** A read that is never tried again. */
  readonly once?: true;
  /** The reply is a PDF of at most this many bytes. */
  readonly fileBytes?: number;
  /** No OTA message: the body is sent without `version` and `pos`. */
  readonly bare?: true;
}

/** Messages that copy flights and travellers from earlier replies. If those are odd, it is not our fault. */
const COPYING: ReadonlySet<OtaOperation> = new Set(['book', 'group_book', 'price_check', 'modify', 'seat_map']);

export function deadlineOf<T>({ operation }: OtaCall<T>, { deadlines }: OtaOptions): number {
  return deadlines?.[operation] ?? OPERATIONS[operation].deadlineMs;
}

/** The JSON text of a call; undefined for a GET. Throws ClerkError if the message cannot be written. */
export function textOf<T>(call: OtaCall<T>, options: OtaOptions): string | undefined {
  if (call.encode === undefined) return undefined;
  try {
    const body = call.encode();
    const spelling = call.spelling ?? currencySpelling(call.operation, options.dialect);
    return JSON.stringify(call.bare ? body : stamp(body, sellerOf(call, options), spelling));
  } catch (cause) {
    if (cause instanceof ClerkError) throw cause;
    throw COPYING.has(call.operation) && cause instanceof ZodError ? sourceIncomplete(cause) : requestNotWritten(cause);
  }
}

/** Only payments name the country (docs/wire/interface.md, Point of sale). */
function sellerOf<T>({ operation }: OtaCall<T>, { pointOfSale }: OtaOptions): PointOfSale {
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

/** One logged HTTP exchange. Rejects with TransportFailure only. */
export async function post<T>(
  call: OtaCall<T>,
  { credentials, attempt, body, ...rest }: Posting,
  transport: Transport,
  options: OtaOptions,
  now: () => number,
): Promise<HttpReply> {
  const began = now();
  const { operation } = call;
  const log = (end: { status: number } | { code: string }): void =>
    options.log?.call({ operation, attempt, ms: Math.round(now() - began), ...end });
  const url = addressOf(call, options);
  const method = body === undefined ? 'GET' : 'POST';
  return (options.traced ?? untraced)({ operation, attempt, method, url }, async (traceHeaders) => {
    try {
      const reply = await transport.send({
        ...rest,
        purpose: OPERATIONS[operation].purpose,
        url,
        headers: { ...traceHeaders, ...headersOf(call, credentials, options) },
        ...(call.fileBytes === undefined ? {} : { fileBytes: call.fileBytes }),
        method,
        ...(body === undefined ? {} : { body }),
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

const untraced: TraceExchange = (_, send) => send({});

/** A message names itself in a header, or at the end of its address. */
function addressOf<T>({ url, message }: OtaCall<T>, { addressForm, baseUrl }: OtaOptions): string {
  const address = url ?? baseUrl;
  return addressForm === 'path' && message !== undefined ? messageAddress(address, message) : address;
}

function headersOf<T>(
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
