/**
 * One message to the airline, put into words and posted once.
 */
import { ZodError } from 'zod';
import { ClerkError } from '../../errors.ts';
import type { Expected } from '../errors/classify-reply.ts';
import { uncopyable, unspeakable } from '../errors/exchange-errors.ts';
import { HttpFailure } from '../errors/http-failure.ts';
import { type CurrencySpelling, currencySpelling, type PointOfSale, stamp } from '../messages/parts/envelope.ts';
import type { Operation, OtaOptions } from '../options.ts';
import { messageAddress } from './addresses.ts';
import type { Purpose } from './agents.ts';
import { type CallCredentials, withoutCredentials } from './credentials.ts';
import type { HttpReply, Transport } from './http.ts';

/** What is sent, and what its reply must be. */
export interface Call<T> extends Expected<T> {
  readonly operation: Operation;
  /** Whole address. */
  readonly url: string;
  readonly purpose: Purpose;
  /** `local-name`; absent for calls that their address selects. */
  readonly message?: string;
  /** Builds the body, without `version` and `pos`. Absent: GET. */
  readonly encode?: () => object;
  /** Default: by operation and dialect. */
  readonly spelling?: CurrencySpelling;
  /** A read that is never tried again. */
  readonly once?: true;
  /** The body as it is, without `version` and `pos`: no OTA message. */
  readonly bare?: true;
}

/** Messages that give back what the airline sent before: flights, travellers. Where those are odd, it is not our fault. */
const COPYING: ReadonlySet<Operation> = new Set(['book', 'group_book', 'price_check', 'modify', 'seat_map']);

/** The JSON text of a call; undefined for a GET. Throws ClerkError where the message cannot be written. */
export function textOf<T>(call: Call<T>, options: OtaOptions): string | undefined {
  if (call.encode === undefined) return undefined;
  try {
    const body = call.encode();
    const spelling = call.spelling ?? currencySpelling(call.operation, options.dialect);
    return JSON.stringify(call.bare ? body : stamp(body, sellerOf(call, options), spelling));
  } catch (cause) {
    if (cause instanceof ClerkError) throw cause;
    throw COPYING.has(call.operation) && cause instanceof ZodError ? uncopyable(cause) : unspeakable(cause);
  }
}

/** The country stands in payments alone (docs/wire/interface.md, Point of sale). */
function sellerOf<T>({ operation }: Call<T>, { pointOfSale }: OtaOptions): PointOfSale {
  const { country: _, ...seller } = pointOfSale;
  return operation === 'ticket' ? pointOfSale : seller;
}

export interface Posting {
  readonly body: string | undefined;
  readonly credentials: CallCredentials;
  readonly deadlineMs: number;
  readonly attempt: number;
  readonly signal?: AbortSignal;
  readonly mayStart?: () => boolean;
}

/** A single HTTP exchange, logged. Rejects with HttpFailure only. */
export async function post<T>(
  call: Call<T>,
  posting: Posting,
  transport: Transport,
  options: OtaOptions,
  now: () => number,
): Promise<HttpReply> {
  const { body, credentials, deadlineMs, attempt, signal, mayStart } = posting;
  const began = now();
  const log = (end: { status: number } | { code: string }): void =>
    options.log?.call({ operation: call.operation, attempt, ms: Math.round(now() - began), ...end });
  try {
    const reply = await transport.send({
      purpose: call.purpose,
      method: body === undefined ? 'GET' : 'POST',
      url: addressOf(call, options.addressForm),
      headers: headersOf(call, credentials, body, options),
      deadlineMs,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(mayStart === undefined ? {} : { mayStart }),
    });
    log({ status: reply.status });
    return withoutCredentials(reply, credentials);
  } catch (error) {
    const failure = error instanceof HttpFailure ? error : new HttpFailure('closed', true, { cause: error });
    log({ code: failure.kind });
    throw failure;
  }
}

/** A message names itself in a header or at the end of its address; seat maps always do the latter. */
function addressOf<T>({ url, message }: Call<T>, form: OtaOptions['addressForm']): string {
  return form === 'path' && message !== undefined ? messageAddress(url, message) : url;
}

function headersOf<T>(
  call: Call<T>,
  credentials: CallCredentials,
  body: string | undefined,
  { addressForm, traceHeaders }: OtaOptions,
): Record<string, string> {
  return {
    ...traceHeaders?.(),
    ...credentials.headers,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.message === undefined || addressForm === 'path' ? {} : { 'local-name': call.message }),
  };
}
