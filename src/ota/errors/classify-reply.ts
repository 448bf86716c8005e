/**
 * Decides what a complete reply is: the answer, a refusal, or nothing that can be relied on. Whether an answer proves
 * that a send was carried out is for its act to judge (journal/evidence.ts). At the end: how a stored reply is read, and
 * what of a reply may be stored.
 *
 * A reply is good if it is 2xx and holds no error form: several good replies lack `success` (docs/wire/notes.md,
 * Errors).
 */
import type { ClerkError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type { RawReply } from '../../domain/airline.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from '../../domain/booking/booking.ts';
import { decodeBookReply, decodeGroupBookReply } from '../messages/book.ts';
import type { Wire } from '../messages/reader.ts';
import { decodeCancelReply } from '../messages/reservation.ts';
import { decodeTicketReply } from '../messages/ticket.ts';
import type { HttpReply } from '../transport/http.ts';
import { asList, readJson } from '../transport/json.ts';
import * as errors from './exchange-errors.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './fault-table.ts';
import {
  type Circumstance,
  type FaultContext,
  type FaultForm,
  isSystemFailure,
  mayBeDuplicate,
  provesRefusal,
  readFault,
  toAirlineFault,
} from './faults.ts';
import { isAboutBooking, namesABooking } from './reply-identity.ts';
import { TransportFailure } from './transport-failure.ts';

/** How the good reply to a request is recognized and read. */
export interface ExpectedReply<T> {
  /** Whether the reply is about what was asked. Absent if replies of this kind do not say. */
  readonly about?: (body: unknown) => boolean;
  /** Reads the reply. Whatever it throws means that the reply is malformed. */
  readonly decode: (body: unknown) => T;
  /** Codes for "already done": this very message may have done it, so that they do not count as refusals. */
  readonly echoes?: readonly string[];
  /** A good status without a body also counts as the answer (204). */
  readonly mayBeEmpty?: true;
  /** Reads a good reply that is a file, in place of `decode`. Throws ClerkError for any other content. */
  readonly file?: (reply: HttpReply) => T;
  /** How many legs a search has. */
  readonly legs?: number;
}

/** Returns the answer in a reply. Throws ClerkError for any reply that is not one. */
export function classifyReply<T>(reply: HttpReply, expected: ExpectedReply<T>, circumstance: Circumstance): T {
  const { status, retryAfterSeconds } = reply;
  const reading = readJson(reply.text);
  const body = reading.ok ? reading.value : undefined;
  const context = { ...circumstance, retryAfterSeconds };
  const fault = readFault(status, body);
  if (isObject(body) && fault !== undefined) {
    const isEcho = fault.code !== undefined && expected.echoes?.includes(fault.code) === true;
    const doubts = { isEcho, hasResult: hasResult(body, context) };
    throw faultError(status, fault, doubts, { ...context, legs: expected.legs });
  }
  if (!isGood(status)) throw statusError(status, context);
  if (expected.file !== undefined) return expected.file(reply);
  const isEmpty = !reading.ok && reading.problem === 'empty' && expected.mayBeEmpty === true;
  if (!reading.ok && !isEmpty) throw errors.notJsonError(reading.problem, status, context);
  if (!isEmpty && expected.about?.(body) === false) throw errors.foreignReply(status, context);
  try {
    return expected.decode(body);
  } catch (cause) {
    throw errors.malformedReply(cause, status, context);
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** Reasons to doubt that an error is a refusal. */
interface Doubts {
  /** The code is one of {@link ExpectedReply.echoes}. */
  readonly isEcho: boolean;
  /** The reply holds a result beside the error. */
  readonly hasResult: boolean;
}

/**
 * Our error for a documented error form. After a send it is a refusal only if the form proves one. A result beside the
 * error contradicts it only in a good reply: in a bad one the status says that it failed.
 */
function faultError(status: number, fault: FaultForm, doubts: Doubts, context: FaultContext): ClerkError {
  const isDuplicate = mayBeDuplicate(fault, context.operation);
  const isDoubtful = doubts.isEcho || isDuplicate || (doubts.hasResult && status < 300);
  if (!context.sending || (provesRefusal(status, fault) && !isDoubtful)) return errors.refusal(fault, context);
  const airline = toAirlineFault(fault);
  if (isSystemFailure(fault)) return errors.systemFailed(status, airline, context, context.retryAfterSeconds);
  if (doubts.isEcho) return errors.alreadyDone(airline, context);
  if (isDuplicate) return errors.conflictError(airline, context);
  if (isGood(status)) return errors.contradictoryReply(airline, context);
  return errors.unknownError(status, airline, context, context.retryAfterSeconds);
}

/** Our error for a bad status without an error form. 401 and 429 are refusals. Others may come from a proxy. */
function statusError(status: number, context: FaultContext): ClerkError {
  const isRefused = status === 401 || status === 429 || (!context.sending && status === 403);
  if (isRefused) return errors.refusal({ status }, context);
  return errors.unknownError(status, { status }, context, context.retryAfterSeconds);
}

/** Fields that only a good reply has. */
const RESULT_FIELDS = ['success', 'airReservation', 'ticketItemInfo'];

/** Whether a reply carries a result with its error: then it says both yes and no. */
function hasResult(body: Wire, { operation }: Circumstance): boolean {
  const isCancelled = typeof body.status === 'string' && body.status.toUpperCase() === 'CANCELLED';
  if (isCancelled || RESULT_FIELDS.some((field) => asList(body[field]).some(isObject))) return true;
  const makesBooking = operation === 'book' || operation === 'group_book';
  return makesBooking && namesABooking(body);
}

/** The answer in a stored reply. Exactly one field is set. */
interface StoredAnswer {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/**
 * Reads a stored reply to a send, after the process that got it died. Throws as the send would have: `effect: none`
 * only for a refusal, `unknown` for a reply that proves nothing or is truncated.
 * @param locator absent for a new booking
 */
export function understandReply(reply: RawReply, locator?: string): StoredAnswer {
  // Which operation it was is not known here. It matters only for duplicates and for the next step that an error names.
  const circumstance: Circumstance = { operation: locator === undefined ? 'book' : 'modify', sending: true };
  if (reply.truncated) throw errors.exchangeFailed(new TransportFailure('truncated', true), circumstance);
  const expected: ExpectedReply<StoredAnswer> = {
    about: locator === undefined ? undefined : (body: unknown) => isAboutBooking(body, locator),
    // It may have been a payment or a cancellation.
    echoes: [...ECHO_OF_PAYMENT, ...ECHO_OF_CANCELLATION],
    decode: decodeByShape,
  };
  return classifyReply({ status: reply.status, text: reply.body }, expected, circumstance);
}

/** Reads a reply by the fields that it holds. */
function decodeByShape(body: unknown): StoredAnswer {
  const hasField = (name: string): boolean => isObject(body) && body[name] !== undefined;
  if (hasField('ticketItemInfo')) return { receipt: decodeTicketReply(body) };
  if (hasField('airReservation')) return { booking: decodeBookReply(body) };
  return hasField('uniqueID') ? { cancelled: decodeCancelReply(body) } : { booking: decodeGroupBookReply(body) };
}

/** Fields that travellers enter on the details page, in every spelling of an airline. */
const DETAILS_FIELDS = /birth|passport|expir(?:e|y)|doc(?:ument)?(?:number|id)|docno$/i;

/**
 * Makes a raw reply that may be stored if travellers entered details on the details page: without travel documents and birth
 * dates, and with `blank` applied to all other texts. Undefined if it is not JSON.
 */
export function withoutDetails({ status, body }: RawReply, blank: (text: string) => string): RawReply | undefined {
  const reading = readJson(body);
  return reading.ok ? { status, body: JSON.stringify(withoutFields(reading.value, blank)) } : undefined;
}

function withoutFields(value: unknown, blank: (text: string) => string): unknown {
  if (typeof value === 'string') return blank(value);
  if (typeof value === 'number') return blank(String(value)) === String(value) ? value : null;
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, blank));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !DETAILS_FIELDS.test(name));
  return Object.fromEntries(fields.map(([name, item]) => [blank(name), withoutFields(item, blank)]));
}
