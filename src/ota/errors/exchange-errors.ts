/**
 * Makes the errors of exchanges that did not end in a good reply: first of refusals, then of exchanges without an answer
 * that proves anything. Each says whether its effect is unknown. A send that is not provably refused or unsent is
 * `effect: unknown` and must never be repeated.
 */
import {
  type AirlineFault,
  ClerkError,
  callAgain,
  type ErrorCode,
  type Retry,
  type UnprovenRefusal,
} from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';
import type { NotJson } from '../transport/json.ts';
import {
  DUPLICATE,
  type FaultForm,
  type FaultRow,
  isSystemFailure,
  NOTHING_ON_SALE,
  OTHER_FAILURE,
  rowByCode,
  rowByStatus,
  UNFITTING_REFUSAL,
} from './fault-table.ts';
import { type Circumstance, type FaultContext, provesAbsence, toAirlineFault } from './faults.ts';
import { canAnswer, nextStep, REQUEST_KIND, type RequestKind, RUN_DOCTOR, SEARCH_EACH_LEG } from './next-steps.ts';
import type { FailureKind, TransportFailure } from './transport-failure.ts';

/** Waits that are advised if the airline names none, seconds. */
const BUSY_SECONDS = 10;
const DOWN_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;
/** Words of older deployments for a search without a result (docs/wire/notes.md, Errors). */
const NOTHING_FOUND = ['no price tariff exists', 'no availability found'];

/** What an error means to the caller. */
interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
}

/** Makes our error for an airline's refusal, `effect: none`. After a send only for one that proves it (fault-table.ts). */
export function refusal(fault: FaultForm, context: FaultContext): ClerkError {
  const { code, message, next } = explainFault(fault, context);
  const retry = retryAdvice(code, context.retryAfterSeconds);
  return new ClerkError(code, context.sending ? `${message} Nothing was changed.` : message, {
    next: retry === 'never' ? next : callAgain(retry),
    effect: 'none',
    retry,
    airline: toAirlineFault(fault),
    noSuchBooking: code === 'E_NOT_FOUND' && provesAbsence(fault),
    ofReading: !context.sending,
  });
}

/** Makes our error for a refusal that proves nothing, `effect: unknown`: a reading of the booking decides. */
export function unprovenRefusal(fault: FaultForm, context: FaultContext, named?: string): ClerkError {
  const { code, message, next } = explainFault(fault, context);
  const retry = retryAdvice(code, context.retryAfterSeconds);
  const refused = { message, next: retry === 'never' ? next : callAgain(retry), retry };
  return unansweredError({ code, message, airline: toAirlineFault(fault), refused, named }, context);
}

/** Explains a fault by its row: by the first code of the row that can answer the request, or as a refusal that does not fit. */
function explainFault(fault: FaultForm, { operation, legs = 1 }: FaultContext): Meaning {
  const kind = REQUEST_KIND[operation];
  const row = faultRow(fault, kind);
  const code = [row.code, row.otherCode].find((candidate) => candidate !== undefined && canAnswer(candidate, kind));
  if (code === undefined) {
    const otherRow = kind === 'create' && failedStatus(fault) === 409 ? DUPLICATE : UNFITTING_REFUSAL;
    return meaningFor(otherRow, otherRow.code, kind);
  }
  const meaning = meaningFor(row, code, kind);
  const mayBeOneLeg = code === 'E_NO_AVAILABILITY' && legs > 1 && failedStatus(fault) === 400;
  return mayBeOneLeg ? { ...meaning, next: SEARCH_EACH_LEG } : meaning;
}

function meaningFor({ message, next }: FaultRow, code: ErrorCode, kind: RequestKind): Meaning {
  return { code, message, next: nextStep(next, code, kind) };
}

/**
 * Finds the row of the table that explains a fault. The first rule that fits decides:
 * 1. A failed system: the row of a code that says so too, or of E_AUTH; else a row of failures.
 * 2. A search whose words say that nothing is on sale.
 * 3. The row of the code, except bad input with a status of denied access: there the status says more.
 * 4. A 409 in reply to a new booking, which may exist already.
 * 5. The row of the status.
 */
function faultRow(fault: FaultForm, kind: RequestKind): FaultRow {
  const rowOfCode = rowByCode(fault.code);
  const status = failedStatus(fault);
  if (isSystemFailure(fault)) return rowOfCode?.system || rowOfCode?.code === 'E_AUTH' ? rowOfCode : failureRow(status);
  if (kind === 'search' && saysNothingOnSale(fault, status)) return NOTHING_ON_SALE;
  const isDenied = status === 401 || status === 403;
  if (rowOfCode !== undefined && !(rowOfCode.code === 'E_INPUT' && isDenied)) return rowOfCode;
  return kind === 'create' && status === 409 ? DUPLICATE : rowByStatus(status);
}

/** A failed system never says that something is missing or not on sale, whatever its status. */
function failureRow(status: number): FaultRow {
  const byStatus = rowByStatus(status);
  return byStatus.system ? byStatus : OTHER_FAILURE;
}

/** Whether the airline's words say that a search has no result. */
function saysNothingOnSale({ title = '' }: FaultForm, status: number): boolean {
  const words = title.toLowerCase();
  return (status === 400 || status === 404) && NOTHING_FOUND.some((phrase) => words.includes(phrase));
}

/**
 * The HTTP status, or the body's if the HTTP status is a good one. A form without any status counts as a failure of the
 * system (500), and an error in a good reply as a bad request (400).
 */
function failedStatus({ status = 500, bodyStatus = 400 }: FaultForm): number {
  return status >= 400 ? status : bodyStatus;
}

/** What an error says, before it is known whether the request was sent. */
interface ExchangeProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly airline?: AirlineFault;
  readonly retry?: Retry;
  readonly next?: string;
  readonly refused?: UnprovenRefusal;
  readonly named?: string | undefined;
  readonly cause?: unknown;
}

const READ_BOOKING_FIRST = 'Do not repeat it. Call read_booking to see what became of it.';
const ASK_AIRLINE_FIRST = 'Do not book again. Tell the person to ask the airline whether a booking was made.';

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
    next: RUN_DOCTOR,
  },
  timeout: timeoutProblem('The airline did not answer in time.'),
  aborted: timeoutProblem('The call was given up before the airline answered.'),
  closed: downProblem('The airline closed the connection without an answer.'),
  truncated: { ...badReplyProblem("The airline's reply broke off before its end."), retry: 'same_call' },
  too_large: badReplyProblem("The airline's reply is larger than is read."),
  garbled: badReplyProblem("The airline's reply is not HTTP, or is packed in an unknown way."),
  undecodable: badReplyProblem("The airline's reply is neither UTF-8 nor in the character set that it names."),
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
  if (!(cause instanceof ClerkError))
    return unansweredError(
      { ...badReplyProblem("The airline's reply could not be read.", { status }), cause },
      circumstance,
    );
  const { message, named } = cause;
  return unansweredError({ ...badReplyProblem(message, { status }), named, cause }, circumstance);
}

/** The error of a reply to another request. */
export function foreignReply(status: number, circumstance: Circumstance): ClerkError {
  const message = "The airline's reply was not about what was asked, so it was thrown away.";
  return unansweredError({ ...badReplyProblem(message, { status }), retry: 'same_call' }, circumstance);
}

/** The error of a bad status without a documented error form, or with a form that proves nothing. */
export function unknownError(status: number, airline: AirlineFault, context: FaultContext): ClerkError {
  if (status >= 500) return systemFailed(status, airline, context);
  const answer = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unansweredError(badReplyProblem(`The airline answered with ${answer} (HTTP ${status}).`, airline), context);
}

/** The error of a failed system, whatever the status in which the airline says so. */
export function systemFailed(status: number, airline: AirlineFault, context: FaultContext, named?: string): ClerkError {
  const message = `The airline's system failed (HTTP ${status}).`;
  const retry = retryAdvice('E_AIRLINE_DOWN', context.retryAfterSeconds);
  return unansweredError({ ...downProblem(message), airline, retry, named }, context);
}

/** The error of an error form together with a result inside a good status. */
export function contradictoryReply(airline: AirlineFault, circumstance: Circumstance, named?: string): ClerkError {
  const message = "The airline's reply tells of an error and of a result.";
  return unansweredError({ ...badReplyProblem(message, airline), named }, circumstance);
}

/** The error of a message that we cannot write. */
export function requestNotWrittenError(cause: unknown): ClerkError {
  const message = "The request could not be written as the airline's message.";
  return unsentError({
    code: 'E_INTERNAL',
    message,
    next: 'Tell the operator that this is a fault of the server.',
    cause,
  });
}

/** The error of flights or travellers from the airline that lack what its own message needs. */
export function sourceIncompleteError(cause: unknown): ClerkError {
  const message = 'The airline sent flights or travellers without what its message about them needs.';
  return unsentError({ ...badReplyProblem(message), next: RUN_DOCTOR, cause });
}

/** The error of a call that its caller gave up while it waited to be sent. */
export function givenUpError(): ClerkError {
  return unsentError(PROBLEM_BY_FAILURE.aborted);
}

/** @param waitMs milliseconds until the airline is asked again */
export function breakerOpenError(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = 'The airline has been failing and is not asked for a moment.';
  return unsentError({ ...downProblem(message), retry: `after_s:${seconds}` });
}

/** @param waitMs milliseconds until the end of the pause that the airline asked for */
export function pausedError(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = 'The airline asked for a pause of requests of this kind.';
  return unsentError({ code: 'E_AIRLINE_BUSY', message, retry: `after_s:${seconds}` });
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

/** Whether to repeat a call that failed with this code, and after how many seconds. */
function retryAdvice(code: ErrorCode, retryAfterSeconds?: number): Retry {
  const waitSeconds = retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
  if (code === 'E_AIRLINE_BUSY') return `after_s:${waitSeconds ?? BUSY_SECONDS}`;
  if (code === 'E_AIRLINE_DOWN') return `after_s:${waitSeconds ?? DOWN_SECONDS}`;
  return code === 'E_AIRLINE_TIMEOUT' ? 'same_call' : 'never';
}
