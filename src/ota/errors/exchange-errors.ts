/**
 * Makes the errors of exchanges that did not end in a good reply. Each says whether its effect is unknown. A send that is not provably
 * refused or unsent is `effect: unknown` and must never be repeated.
 */
import { type AirlineFault, ClerkError, callAgain, type ErrorCode, type Retry } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';
import type { NotJson } from '../transport/json.ts';
import { type Circumstance, retryAdvice } from './faults.ts';
import type { FailureKind, TransportFailure } from './transport-failure.ts';

/** What an error says, before it is known whether the request was sent. */
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

/** The next step after a send whose outcome is unknown; {@link READ_BOOKING_FIRST} for all other operations. */
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

/** The error of a request without a complete reply. */
export function exchangeFailed(failure: TransportFailure, circumstance: Circumstance): ClerkError {
  const problem = { ...PROBLEM_BY_FAILURE[failure.kind], cause: failure };
  return failure.sent ? unansweredError(problem, circumstance) : unsentError(problem);
}

const NOT_JSON_WORDS: Readonly<Record<NotJson, string>> = {
  empty: 'nothing',
  html: 'an HTML page',
  not_json: 'text that is not JSON',
  too_deep: 'JSON nested deeper than is read',
};

/** The error of a reply that is not JSON. */
export function notJsonError(problem: NotJson, status: number, circumstance: Circumstance): ClerkError {
  return unansweredError(
    badReplyProblem(`The airline's reply held ${NOT_JSON_WORDS[problem]}.`, { status }),
    circumstance,
  );
}

/** The error of JSON that the decoder refused. Our own errors name the part that is missing. */
export function malformedReply(cause: unknown, status: number, circumstance: Circumstance): ClerkError {
  const message = cause instanceof ClerkError ? cause.message : "The airline's reply could not be read.";
  return unansweredError({ ...badReplyProblem(message, { status }), cause }, circumstance);
}

/** The error of a reply to another request. */
export function foreignReply(status: number, circumstance: Circumstance): ClerkError {
  const message = "The airline's reply was not about what was asked; it was thrown away.";
  return unansweredError({ ...badReplyProblem(message, { status }), retry: 'same_call' }, circumstance);
}

/** The error of a bad status without a documented error form, or with a form that proves nothing. */
export function unknownError(
  status: number,
  airline: AirlineFault,
  circumstance: Circumstance,
  retryAfter?: number,
): ClerkError {
  if (status >= 500) return systemFailed(status, airline, circumstance, retryAfter);
  const answer = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unansweredError(
    badReplyProblem(`The airline answered with ${answer} (HTTP ${status}).`, airline),
    circumstance,
  );
}

/** The error of a failed system, whatever the status in which the airline says so. */
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

/** The error of a booking that is already paid or cancelled, by this very message or by another. */
export function alreadyDone(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  return unansweredError(badReplyProblem('The airline says that this is done already.', airline), circumstance);
}

/** The error of a duplicate or a conflict, perhaps with this very message. */
export function conflictError(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  const message = 'The airline says that this is a duplicate or conflicts with another request.';
  return unansweredError(badReplyProblem(message, airline), circumstance);
}

/** The error of an error form together with `success`, or without a known code inside a good status. */
export function contradictoryReply(airline: AirlineFault, circumstance: Circumstance): ClerkError {
  return unansweredError(
    badReplyProblem("The airline's reply tells of an error but not of a refusal.", airline),
    circumstance,
  );
}

/** The error of a message that we cannot write. */
export function requestNotWrittenError(cause: unknown): ClerkError {
  const message = "The request could not be written as the airline's message.";
  return unsentError({ code: 'E_INTERNAL', message, next: 'Tell the operator: this is a fault of the server.', cause });
}

/** The error of flights or travellers from the airline that lack what its own message needs. */
export function sourceIncompleteError(cause: unknown): ClerkError {
  const message = 'The airline sent flights or travellers without what its message about them needs.';
  return unsentError({ ...badReplyProblem(message), next: DOCTOR, cause });
}

/** @param waitMs milliseconds until the airline is asked again */
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
