/**
 * The sentences for an exchange that did not end in a good reply, and what it leaves us knowing. On a send, whatever is
 * not a proven refusal or provably unsent is `effect: unknown`, and is never to be repeated.
 */
import { type AirlineFault, ClerkError, type ErrorCode, type Retry } from '../../errors.ts';
import type { Operation } from '../options.ts';
import type { NotJson } from '../transport/json.ts';
import { retryOf } from './faults.ts';
import type { FailureKind, HttpFailure } from './http-failure.ts';

export interface Circumstance {
  readonly operation: Operation;
  /** True for a message that books, pays or changes. */
  readonly sending: boolean;
}

interface Mishap {
  readonly code: ErrorCode;
  readonly message: string;
  readonly airline?: AirlineFault;
  readonly retry?: Retry;
  readonly next?: string;
  readonly cause?: unknown;
}

const LATER = 'Call the tool again later; if it lasts, ask the operator to run `fareclerk doctor`.';
const DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
const CHECK_BOOKING = 'Do not repeat it: call read_booking to see what became of it.';
const CHECK_AIRLINE = 'Do not book again: a person must ask the airline whether a booking was made.';

const NEXT: Partial<Readonly<Record<Operation, string>>> = {
  book: CHECK_AIRLINE,
  group_book: CHECK_AIRLINE,
  mail: 'Ask the person to look for the mail before it is asked for again.',
};

const KINDS: Readonly<Record<FailureKind, Mishap>> = {
  unreachable: { code: 'E_AIRLINE_DOWN', message: 'The airline could not be reached.' },
  fenced: { code: 'E_AIRLINE_TIMEOUT', message: 'The request was held back: its time to start had passed.' },
  unwritable: {
    code: 'E_CONFIG',
    message: 'An address or credential holds a character that HTTP does not allow.',
    next: DOCTOR,
  },
  timeout: { code: 'E_AIRLINE_TIMEOUT', message: 'The airline did not answer in time.' },
  aborted: { code: 'E_AIRLINE_TIMEOUT', message: 'The call was given up before the airline answered.' },
  closed: { code: 'E_AIRLINE_DOWN', message: 'The airline closed the connection without an answer.' },
  truncated: {
    code: 'E_AIRLINE_REPLY',
    message: "The airline's reply broke off before its end.",
    retry: 'same_call',
  },
  too_large: { code: 'E_AIRLINE_REPLY', message: "The airline's reply is larger than is read." },
  garbled: { code: 'E_AIRLINE_REPLY', message: "The airline's reply is not HTTP, or is packed in an unknown way." },
};

/** An exchange without a whole reply. */
export function brokenOff(failure: HttpFailure, at: Circumstance): ClerkError {
  const mishap = { ...KINDS[failure.kind], cause: failure };
  return failure.sent ? unanswered(mishap, at) : unsent(mishap);
}

const NOT_JSON: Readonly<Record<NotJson, string>> = {
  empty: 'nothing',
  html: 'an HTML page',
  not_json: 'text that is not JSON',
  too_deep: 'JSON nested deeper than is read',
};

/** A reply of any status whose body is no JSON where JSON is due. */
export function unreadable(problem: NotJson, status: number, at: Circumstance): ClerkError {
  return misread(`The airline's reply held ${NOT_JSON[problem]}.`, status, at);
}

/** JSON that is not the reply that is due. The decoders name the part that is missing in our own words. */
export function malformed(cause: unknown, status: number, at: Circumstance): ClerkError {
  const message = cause instanceof ClerkError ? cause.message : "The airline's reply could not be read.";
  return misread(message, status, at, cause);
}

/** A reply that does not name what was asked for. */
export function foreign(status: number, at: Circumstance): ClerkError {
  const message = "The airline's reply was not about what was asked; it was thrown away.";
  return unanswered({ code: 'E_AIRLINE_REPLY', message, airline: { status }, retry: 'same_call' }, at);
}

/** A status that is no success and comes without a documented error form, or with one that proves nothing. */
export function unexplained(status: number, airline: AirlineFault, at: Circumstance, retryAfter?: number): ClerkError {
  if (status >= 500) return systemFailed(status, airline, at, retryAfter);
  const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unanswered(
    { code: 'E_AIRLINE_REPLY', message: `The airline answered with ${what} (HTTP ${status}).`, airline },
    at,
  );
}

/** The airline's own system failed, or says so in a status that means something else. */
export function systemFailed(status: number, airline: AirlineFault, at: Circumstance, retryAfter?: number): ClerkError {
  const message = `The airline's system failed (HTTP ${status}).`;
  return unanswered({ code: 'E_AIRLINE_DOWN', message, airline, retry: retryOf('E_AIRLINE_DOWN', retryAfter) }, at);
}

/** Paid or cancelled already: by this very message, or by another. */
export function doneBefore(airline: AirlineFault, at: Circumstance): ClerkError {
  return unanswered({ code: 'E_AIRLINE_REPLY', message: 'The airline says that this is done already.', airline }, at);
}

/** A duplicate or a conflict: perhaps with this very message. */
export function conflicting(airline: AirlineFault, at: Circumstance): ClerkError {
  const message = 'The airline says that this is a duplicate or conflicts with another request.';
  return unanswered({ code: 'E_AIRLINE_REPLY', message, airline }, at);
}

/** An error form beside `success`, or one without a known code inside a good status. */
export function contradictory(airline: AirlineFault, at: Circumstance): ClerkError {
  return unanswered(
    { code: 'E_AIRLINE_REPLY', message: "The airline's reply tells of an error but not of a refusal.", airline },
    at,
  );
}

/** The reply came, but could not be made durable: it must not be acted upon. */
export function notKept(at: Circumstance, cause: unknown): ClerkError {
  return unanswered(
    { code: 'E_INTERNAL', message: "The airline's reply could not be kept in the journal.", cause },
    at,
  );
}

/** A request that this server could not put into words. */
export function unspeakable(cause: unknown): ClerkError {
  const message = "The request could not be written as the airline's message.";
  return unsent({ code: 'E_INTERNAL', message, next: 'Tell the operator: this is a fault of the server.', cause });
}

/** What the airline sent of flights or travellers lacks what its own message for them needs. */
export function uncopyable(cause: unknown): ClerkError {
  const message = 'The airline sent flights or travellers without what its message about them needs.';
  return unsent({ code: 'E_AIRLINE_REPLY', message, next: DOCTOR, cause });
}

/** The breaker is open. */
export function notAsked(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = 'The airline has been failing and is not asked for a moment.';
  return unsent({ code: 'E_AIRLINE_DOWN', message, retry: `after_s:${seconds}` });
}

function misread(message: string, status: number, at: Circumstance, cause?: unknown): ClerkError {
  return unanswered({ code: 'E_AIRLINE_REPLY', message, airline: { status }, cause }, at);
}

function unsent(mishap: Mishap): ClerkError {
  return new ClerkError(mishap.code, `${mishap.message} Nothing was sent.`, {
    next: mishap.next ?? LATER,
    retry: mishap.retry ?? retryOf(mishap.code),
    effect: 'none',
    ...rest(mishap),
  });
}

function unanswered(mishap: Mishap, at: Circumstance): ClerkError {
  if (!at.sending) {
    const retry = mishap.retry ?? retryOf(mishap.code);
    return new ClerkError(mishap.code, mishap.message, { next: mishap.next ?? LATER, retry, ...rest(mishap) });
  }
  return new ClerkError(mishap.code, `${mishap.message} It is not known whether the request was carried out.`, {
    next: NEXT[at.operation] ?? CHECK_BOOKING,
    retry: 'never',
    effect: 'unknown',
    ...rest(mishap),
  });
}

function rest(mishap: Mishap): { airline?: AirlineFault; cause?: unknown } {
  return {
    ...(mishap.airline === undefined ? {} : { airline: mishap.airline }),
    ...(mishap.cause === undefined ? {} : { cause: mishap.cause }),
  };
}
