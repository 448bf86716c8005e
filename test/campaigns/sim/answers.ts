/**
 * What comes down the wire of the simulated airline, and the adapter's own judgement of its errors.
 */

import { ClerkError } from '../../../src/core/errors.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { Sending } from '../../../src/journal/ports.ts';
import { classifyReply } from '../../../src/ota/errors/classify-reply.ts';
import type { Kind } from './truth.ts';

type Evidence = Awaited<ReturnType<Sending['sendConfirmed']>>;
type Operation = Parameters<typeof classifyReply>[2]['operation'];

/** An answer before the adapter makes sense of it. */
export type Answer =
  | { readonly kind: 'reset' }
  | { readonly kind: 'http'; readonly status: number; readonly fault?: object; readonly body: WireBody | null };

/** Errors that blame a system, under a status that means something else. They come of what was done and what was not. */
export const BLAMING: readonly (readonly [status: number, fault: object])[] = [
  [400, { errors: [{ type: 'system', code: 'X17', message: 'x' }] }],
  [400, { errors: [{ type: 'SYSTEM', code: '73', message: 'x' }] }],
  [422, { errors: [{ code: 'timeout', message: 'x' }] }],
  [422, { errors: { error: [{ code: '172' }, { code: 'SYSTEM_ERROR', shortText: 'x' }] } }],
  [409, { status: 409, code: 'SERVICE_UNAVAILABLE', title: 'x' }],
  [400, { error: { code: '9999', title: 'x' } }],
  [422, { status: 422, code: '1602', title: 'x' }],
  [422, { status: 500, error: 'Internal Server Error', message: 'x' }],
  [404, { status: 404, title: '', cause: { status: 503, title: 'x' } }],
  [200, { errors: [{ code: 'INTERNAL_SERVER_ERROR', message: 'x' }] }],
  [200, { status: 422, code: '448', title: 'x' }],
];

/** Refusals that prove nothing. They come of what was done and what was not. */
export const UNPROVEN: readonly (readonly [status: number, fault: object])[] = [
  [422, { status: 422, code: '167', title: 'x' }],
  [400, { errors: [{ type: 'business', code: 'MODIFICATION_NOT_ALLOWED', message: 'x' }] }],
  [400, { errors: [{ type: 'business', code: 'UNHEARD_OF', message: 'x' }] }],
  [400, { errors: [{ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }],
  [422, { status: 422, code: '1053', title: 'Payment received, ticketing failed' }],
  [404, { status: 404, title: 'x' }],
  [200, { errors: { error: [{ code: '76', shortText: 'x' }] } }],
];

/** What the airline says when it refuses and has done nothing. */
export const REFUSING: readonly (readonly [status: number, fault: object])[] = [
  ...UNPROVEN,
  [429, { errors: [{ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }],
  [422, { status: 422, code: '1053', title: 'x' }],
  [400, { status: 400, code: '320', title: 'x' }],
];

export interface WireBody {
  readonly locator: string;
  readonly items?: readonly { readonly ticketNumber: string; readonly total: string }[];
  readonly booking?: Booking;
  readonly cancelled?: true;
}

/** What an adapter does with an answer; mutants replace it. */
export type Understanding = (kind: Kind, answer: Answer) => Evidence;

/** The adapter's own judgement of errors; good replies as evidence, all else unknown. */
export const understood: Understanding = (kind, answer) => {
  if (answer.kind === 'reset') throw unanswered('E_AIRLINE_DOWN');
  const { status, fault, body } = answer;
  if (fault === undefined && status >= 200 && status < 300) {
    if (body === null) throw unanswered('E_AIRLINE_REPLY');
    return evidenceOf(body);
  }
  const text = fault === undefined ? '' : JSON.stringify(fault);
  return classifyReply({ status, text }, { decode: unexpected }, { operation: OPERATION[kind], sending: true });
};

const OPERATION: Readonly<Record<Kind, Operation>> = {
  pay: 'ticket',
  cancel_segments: 'modify',
  cancel_passengers: 'modify',
  change_names: 'modify',
  cancel_booking: 'cancel',
  create: 'book',
};

function unexpected(): never {
  throw new Error('an error was taken for an answer');
}

export function evidenceOf({ locator, items, booking, cancelled }: WireBody): Evidence {
  if (booking !== undefined) return { booking };
  if (cancelled !== undefined) return { cancelled: { locator, status: 'CANCELLED' } };
  const rows = (items ?? []).map((item) => ({ ...item, conjunctive: [], links: [] }));
  return { receipt: { locator, references: [], items: rows } };
}

export function unanswered(
  code: 'E_AIRLINE_DOWN' | 'E_AIRLINE_REPLY',
  effect: 'none' | 'unknown' = 'unknown',
): ClerkError {
  const next = 'Follow it with the same approval.';
  return new ClerkError(code, 'The airline gave no usable answer.', { next, effect });
}
