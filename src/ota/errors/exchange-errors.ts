/**
 * Errors for an exchange that did not end in a good reply, and what each leaves unknown. A send that is not provably
 * refused or unsent is `effect: unknown` and must never be repeated.
 */
import { type AirlineFault, ClerkError, callAgain, type ErrorCode, type Retry } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';
import type { NotJson } from '../transport/json.ts';
import { type Circumstance, retryAdvice } from './faults.ts';
import type { FailureKind, TransportFailure } from './transport-failure.ts';

interface Mishap {
  readonly code: ErrorCode;
  readonly message: string;
  readonly airline?: AirlineFault;
  readonly retry?: Retry;
  readonly next?: string;
  readonly cause?: unknown;
}

const DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
const CHECK_BOOKING = 'Do not repeat it: call read_booking to see what became of it.';
const CHECK_AIRLINE = 'Do not book again: a person must ask the airline whether a booking was made.';

const NEXT_STEP: Partial<Readonly<Record<OtaOperation, string>>> = {
  book: CHECK_AIRLINE,
  group_book: CHECK_AIRLINE,
  mail: 'Ask the person to look for the mail before it is asked for again.',
};

const timeout = (message: string): Mishap => ({ code: 'E_AIRLINE_TIMEOUT', message });
const down = (message: string): Mishap => ({ code: 'E_AIRLINE_DOWN', message });
const badReply = (message: string, airline?: AirlineFault): Mishap => ({
  code: 'E_AIRLINE_REPLY',
  message,
  airline,
});

const MISHAP_BY_FAILURE: Readonly<Record<FailureKind, Mishap>> = {
  unreachable: down('The airline could not be reached.'),
  fenced: timeout('The request was held back: its time to start had passed.'),
  unwritable: {
    code: 'E_CONFIG',
    message: 'An address or credential holds a character that HTTP does not allow.',
    next: DOCTOR,
  },
  timeout: timeout('The airline did not answer in time.'),
  aborted: timeout('The call was given up before the airline answered.'),
  closed: down('The airline closed the connection without an answer.'),
  truncated: { ...badReply("The airline's reply broke off before its end."), retry: 'same_call' },
  too_large: badReply("The airline's reply is larger than is read."),
  garbled: badReply("The airline's reply is not HTTP, or is packed in an unknown way."),
};

export function exchangeFailed(failure: TransportFailure, at: Circumstance): ClerkError {
  const mishap = { ...MISHAP_BY_FAILURE[failure.kind], cause: failure };
  return failure.sent ? unanswered(mishap, at) : unsent(mishap);
}

const NOT_JSON: Readonly<Record<NotJson, string>> = {
  empty: 'nothing',
  html: 'an HTML page',
  not_json: 'text that is not JSON',
  too_deep: 'JSON nested deeper than is read',
};

export function notJson(problem: NotJson, status: number, at: Circumstance): ClerkError {
  return unanswered(badReply(`The airline's reply held ${NOT_JSON[problem]}.`, { status }), at);
}

/** JSON that the decoder refused. Our own errors name the part that is missing. */
export function malformedReply(cause: unknown, status: number, at: Circumstance): ClerkError {
  const message = cause instanceof ClerkError ? cause.message : "The airline's reply could not be read.";
  return unanswered({ ...badReply(message, { status }), cause }, at);
}

/** A reply that does not name what was asked for. */
export function foreignReply(status: number, at: Circumstance): ClerkError {
  const message = "The airline's reply was not about what was asked; it was thrown away.";
  return unanswered({ ...badReply(message, { status }), retry: 'same_call' }, at);
}

/** A bad status without a documented error form, or with one that proves nothing. */
export function unknownError(status: number, airline: AirlineFault, at: Circumstance, retryAfter?: number): ClerkError {
  if (status >= 500) return systemFailed(status, airline, at, retryAfter);
  const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unanswered(badReply(`The airline answered with ${what} (HTTP ${status}).`, airline), at);
}

/** The airline's own system failed, or says so in a status that means something else. */
export function systemFailed(status: number, airline: AirlineFault, at: Circumstance, retryAfter?: number): ClerkError {
  const message = `The airline's system failed (HTTP ${status}).`;
  return unanswered({ ...down(message), airline, retry: retryAdvice('E_AIRLINE_DOWN', retryAfter) }, at);
}

/** Already paid or cancelled, by this very message or by another. */
export function alreadyDone(airline: AirlineFault, at: Circumstance): ClerkError {
  return unanswered(badReply('The airline says that this is done already.', airline), at);
}

/** A duplicate or a conflict, perhaps with this very message. */
export function conflict(airline: AirlineFault, at: Circumstance): ClerkError {
  const message = 'The airline says that this is a duplicate or conflicts with another request.';
  return unanswered(badReply(message, airline), at);
}

/** An error form together with `success`, or one without a known code inside a good status. */
export function contradictoryReply(airline: AirlineFault, at: Circumstance): ClerkError {
  return unanswered(badReply("The airline's reply tells of an error but not of a refusal.", airline), at);
}

export function requestNotWritten(cause: unknown): ClerkError {
  const message = "The request could not be written as the airline's message.";
  return unsent({ code: 'E_INTERNAL', message, next: 'Tell the operator: this is a fault of the server.', cause });
}

/** The flights or travellers that the airline sent lack what its own message needs. */
export function sourceIncomplete(cause: unknown): ClerkError {
  const message = 'The airline sent flights or travellers without what its message about them needs.';
  return unsent({ ...badReply(message), next: DOCTOR, cause });
}

export function breakerOpen(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = 'The airline has been failing and is not asked for a moment.';
  return unsent({ ...down(message), retry: `after_s:${seconds}` });
}

function unsent({ code, message, ...details }: Mishap): ClerkError {
  const { retry = retryAdvice(code) } = details;
  return new ClerkError(code, `${message} Nothing was sent.`, {
    next: callAgain(retry),
    effect: 'none',
    ...details,
    retry,
  });
}

function unanswered({ code, message, ...details }: Mishap, at: Circumstance): ClerkError {
  if (!at.sending) {
    const { retry = retryAdvice(code) } = details;
    return new ClerkError(code, message, { next: callAgain(retry), ...details, retry, ofReading: true });
  }
  return new ClerkError(code, `${message} It is not known whether the request was carried out.`, {
    ...details,
    next: NEXT_STEP[at.operation] ?? CHECK_BOOKING,
    retry: 'never',
    effect: 'unknown',
  });
}
