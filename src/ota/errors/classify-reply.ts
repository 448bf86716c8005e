/**
 * Decides what a complete reply is: the answer, a refusal, or nothing that can be relied on. Whether an answer proves
 * that a send was carried out is for its act to judge (journal/evidence.ts), and what an error proves stands in what-refusals-prove.ts.
 * At the end: which bookings a reply names.
 *
 * A reply is good if it is 2xx and holds no error form: several good replies lack `success` (docs/wire/notes.md,
 * Errors).
 */
import type { ClerkError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import { asList, readJson } from '../messages/json.ts';
import type { Wire } from '../messages/reader.ts';
import type { HttpReply } from '../transport/http.ts';
import * as errors from './exchange-errors.ts';
import { type Circumstance, type FaultContext, readFault, toAirlineFault } from './faults.ts';
import { REQUEST_KIND } from './next-steps.ts';
import { bookingNamed, locatorsNamed, saysSomethingDone } from './said-done.ts';
import { type FaultForm, isRefusal, isSystemFailure, provesNothingDone } from './what-refusals-prove.ts';

/** How the good reply to a request is recognized and read. */
export interface ExpectedReply<T> {
  /** Whether the reply is about what was asked. Absent if replies of this kind do not say. */
  readonly about?: (body: unknown) => boolean;
  /** Reads the reply. Whatever it throws means that the reply is malformed. */
  readonly decode: (body: unknown) => T;
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
  if (isObject(body) && fault !== undefined)
    throw formError(reply.text, body, fault, { ...context, legs: expected.legs });

  if (!isGood(status)) throw statusError(reply.text, status, context);
  if (expected.file !== undefined) return expected.file(reply);

  const isEmpty = !reading.ok && reading.problem === 'empty' && expected.mayBeEmpty === true;
  if (!reading.ok && !isEmpty) throw errors.badReplyError(reading.problem, { airline: { status } }, context);
  if (!isEmpty && expected.about?.(body) === false)
    throw errors.badReplyError('foreign', { airline: { status } }, context);

  try {
    return expected.decode(body);
  } catch (cause) {
    throw errors.malformedReply(cause, { status }, context);
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** Our error for an error form. Of a send, what the answer says besides decides what the form proves. */
function formError(text: string, body: Wire, fault: FaultForm, context: FaultContext): ClerkError {
  if (!context.sending) return errors.refusal(fault, context);
  const named = makesBooking(context) ? bookingNamed(body) : undefined;
  const showsResult = hasResult(body) || named !== undefined;
  return sendError(fault, context, { showsResult, saysDone: showsResult || saysSomethingDone(text), named });
}

/** Our error for a bad status without an error form. It may come from a proxy. */
function statusError(text: string, status: number, context: FaultContext): ClerkError {
  if (context.sending) return sendError({ status }, context, { saysDone: saysSomethingDone(text), showsResult: false });
  if ([401, 403, 429].includes(status)) return errors.refusal({ status }, context);
  return errors.unknownError(status, { status }, context);
}

/** What an answer says besides its error. */
interface SaidBeside {
  /** It says that something was done, or shows a result. */
  readonly saysDone: boolean;
  readonly showsResult: boolean;
  /** The locator that the answer to a create names. */
  readonly named?: string | undefined;
}

/** Our error for the answer to a send: a refusal that proves that nothing was done, one that does not, or no refusal. */
function sendError(fault: FaultForm, context: FaultContext, said: SaidBeside): ClerkError {
  const { status = 0 } = fault;
  const { saysDone, showsResult, named } = said;
  if (provesNothingDone(fault, REQUEST_KIND[context.operation], saysDone)) return errors.refusal(fault, context);

  const airline = toAirlineFault(fault);
  if (isSystemFailure(fault)) return errors.systemFailed(status, { airline, named }, context);
  if (isGood(status) && showsResult) return errors.badReplyError('contradictory', { airline, named }, context);

  return isRefusal(fault)
    ? errors.unprovenRefusal(fault, context, named)
    : errors.unknownError(status, airline, context);
}

/** Fields that only a good reply has. */
const RESULT_FIELDS = ['success', 'airReservation', 'ticketItemInfo'];

/** Whether a reply carries a result with its error: then it says both yes and no. */
function hasResult(body: Wire): boolean {
  const isCancelled = typeof body.status === 'string' && body.status.toUpperCase() === 'CANCELLED';
  return isCancelled || RESULT_FIELDS.some((field) => asList(body[field]).some(isObject));
}

const makesBooking = ({ operation }: Circumstance): boolean => REQUEST_KIND[operation] === 'create';

/** The locators that a reply names, whatever it says besides. */
export function locatorsIn(text: string): readonly string[] {
  const reading = readJson(text);
  return reading.ok && isObject(reading.value) ? locatorsNamed(reading.value) : [];
}
