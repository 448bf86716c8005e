/**
 * Errors for an exchange that did not end in a good reply, and what each leaves unknown. A send that is not provably
 * refused or unsent is `effect: unknown` and must never be repeated.
 */
import { type AirlineFault, ClerkError, callAgain, type ErrorCode, type Retry } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';
import type { NotJson } from '../transport/json.ts';
import { type Circumstance, retryAdvice } from './faults.ts';
import type { FailureKind, TransportFailure } from './transport-failure.ts';

interface ExchangeProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly airline?: AirlineFault;
  readonly retry?: Retry;
  readonly next?: string;
  readonly cause?: unknown;
}

const DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
const READ_BOOKING_FIRST = 'Do not repeat it: call read_booking to see what became of it.';
const ASK_AIRLINE_FIRST = 'Do not book again: a person must ask the airline whether a booking was made.';

const NEXT_STEP: Partial<Readonly<Record<OtaOperation, string>>> = {
  book: ASK_AIRLINE_FIRST,
  group_book: ASK_AIRLINE_FIRST,
  mail: 'Ask the person to look for the mail before it is asked for again.',
};

const timeoutProblem = (message: string): ExchangeProblem => ({ code: 'E_AIRLINE_TIMEOUT', message });
const downProblem = (message: string): ExchangeProblem => ({ code: 'E_AIRLINE_DOWN', message });
const badReplyProblem = (message: string, airline?: AirlineFault): ExchangeProblem => ({
  code: 'E_AIRLINE_REPLY',
  message,
  airline,
});

const PROBLEM_BY_FAILURE: Readonly<Record<FailureKind, ExchangeProblem>> = {
  unreachable: downProblem('The airline could not be reached.'),
  fenced: timeoutProblem('The request was held back: its time to start had passed.'),
  unwritable: {
    code: 'E_CONFIG',
    message: 'An address or credential holds a character that HTTP does not allow.',
    next: DOCTOR,
  },
  timeout: timeoutProblem('The airline did not answer in time.'),
  aborted: timeoutProblem('The call was given up before the airline answered.'),
  closed: downProblem('The airline closed the connection without an answer.'),
  truncated: { ...badReplyProblem("The airline's reply broke off before its end."), retry: 'same_call' },
  too_large: badReplyProblem("The airline's reply is larger than is read."),
  garbled: badReplyProblem("The airline's reply is not HTTP, or is packed in an unknown way."),
};

export function exchangeFailed(failure: TransportFailure, circumstance: Circumstance): ClerkError {
  const problem = { ...PROBLEM_BY_FAILURE[failure.kind], cause: failure };
  return failure.sent ? unansweredError(problem, circumstance) : unsentError(problem);
}

const NOT_JSON: Readonly<Record<NotJson, string>> = {
  empty: 'nothing',
  html: 'an HTML page',
  not_json: 'text that is not JSON',
  too_deep: 'JSON nested deeper than is read',
};

export function notJsonError(problem: NotJson, status: number, circumstance: Circumstance): ClerkError {
  return unansweredError(badReplyProblem(`The airline's reply held ${NOT_JSON[problem]}.`, { status }), circumstance);
}

/** JSON that the decoder refused. Our own errors name the part that is missing. */
export function malformedReply(cause: unknown, status: number, circumstance: Circumstance): ClerkError {
  const message = cause instanceof ClerkError ? cause.message : "The airline's reply could not be read.";
  return unansweredError({ ...badReplyProblem(message, { status }), cause }, circumstance);
}

/** A reply that does not name what was asked for. */
export function foreignReply(status: number, circumstance: Circumstance): ClerkError {
  const message = "The airline's reply was not about what was asked; it was thrown away.";
  return unansweredError({ ...badReplyProblem(message, { status }), retry: 'same_call' }, circumstance);
}

/** A bad status without a documented error form, or with one that proves nothing. */
export function unknownError(
  status: number,
  airline: AirlineFault,
  circumstance: Circumstance,
  retryAfter?: number,
): ClerkError {
  if (status >= 500) return systemFailed(status, airline, circumstance, retryAfter);
  const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unansweredError(badReplyProblem(`The airline answered with ${what} (HTTP ${status}).`, airline), circumstance);
}

/** The airline's own system failed, or says so in a status that means something else. */
export function systemFailed(
  status: number,
  airline: AirlineFault,
  circumstance: Circumstance,
  retryAfter?: number,
): ClerkError {
  const message = `The airline's system failed (HTTP ${status}).`;
  return unansweredError(
    { ...downProblem(message), airline, retry: retryAdvice('E_AIRLINE_DOWN', retryAfter) },
    circumstance,
  );
}

/** Already paid or cancelled, by this very message or by another. */
export function alreadyDone(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  return unansweredError(badReplyProblem('The airline says that this is done already.', airline), circumstance);
}

/** A duplicate or a conflict, perhaps with this very message. */
export function conflictError(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  const message = 'The airline says that this is a duplicate or conflicts with another request.';
  return unansweredError(badReplyProblem(message, airline), circumstance);
}

/** An error form together with `success`, or one without a known code inside a good status. */
export function contradictoryReply(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  return unansweredError(
    badReplyProblem("The airline's reply tells of an error but not of a refusal.", airline),
    circumstance,
  );
}

export function requestNotWrittenError(cause: unknown): ClerkError {
  const message = "The request could not be written as the airline's message.";
  return unsentError({ code: 'E_INTERNAL', message, next: 'Tell the operator: this is a fault of the server.', cause });
}

/** The flights or travellers that the airline sent lack what its own message needs. */
export function sourceIncompleteError(cause: unknown): ClerkError {
  const message = 'The airline sent flights or travellers without what its message about them needs.';
  return unsentError({ ...badReplyProblem(message), next: DOCTOR, cause });
}

export function breakerOpenError(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = 'The airline has been failing and is not asked for a moment.';
  return unsentError({ ...downProblem(message), retry: `after_s:${seconds}` });
}

/** `details` may override the next step: nothing was sent, so any advice is safe. */
function unsentError({ code, message, ...details }: ExchangeProblem): ClerkError {
  const { retry = retryAdvice(code) } = details;
  return new ClerkError(code, `${message} Nothing was sent.`, {
    next: callAgain(retry),
    effect: 'none',
    ...details,
    retry,
  });
}

/** After a send, `details` cannot override the next step: the only safe ones are those of NEXT_STEP. */
function unansweredError({ code, message, ...details }: ExchangeProblem, circumstance: Circumstance): ClerkError {
  if (!circumstance.sending) {
    const { retry = retryAdvice(code) } = details;
    return new ClerkError(code, message, { next: callAgain(retry), ...details, retry, ofReading: true });
  }
  return new ClerkError(code, `${message} It is not known whether the request was carried out.`, {
    ...details,
    next: NEXT_STEP[circumstance.operation] ?? READ_BOOKING_FIRST,
    retry: 'never',
    effect: 'unknown',
  });
}
