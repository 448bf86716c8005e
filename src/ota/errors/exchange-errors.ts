/**
 * Makes the errors of exchanges that did not end in a good reply: first of refusals, then of exchanges without an answer
 * that proves anything. Each says whether its effect is unknown. A send that is not provably refused or unsent is
 * `effect: unknown` and must never be repeated.
 */
import { type AirlineFault, ClerkError, callAgain, type ErrorCode, type Retry } from '../../core/errors.ts';
import type { NotJson } from '../messages/json.ts';
import type { OtaOperation } from '../transport/options.ts';
import { type Circumstance, type FaultContext, provesAbsence, toAirlineFault } from './faults.ts';
import { canAnswer, nextStep, REQUEST_KIND, type RequestKind, RUN_DOCTOR, SEARCH_EACH_LEG } from './next-steps.ts';
import type { TransportFailure } from './transport-failure.ts';
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
} from './what-refusals-prove.ts';

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

/** Makes our error for an airline's refusal, `effect: none`. After a send only for one that proves it (what-refusals-prove.ts). */
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
interface ExchangeProblem
  extends Partial<Pick<ClerkError, 'airline' | 'retry' | 'next' | 'refused' | 'named' | 'cause'>> {
  readonly code: ErrorCode;
  readonly message: string;
}

const problem =
  (code: ErrorCode) =>
  (message: string): ExchangeProblem => ({ code, message });
const timedOut = problem('E_AIRLINE_TIMEOUT');
const down = problem('E_AIRLINE_DOWN');
const busy = problem('E_AIRLINE_BUSY');
const badReply = problem('E_AIRLINE_REPLY');

/** The problems of exchanges without an answer that proves anything, in the order in which they can come. */
const PROBLEMS = {
  // Before the request is sent.
  not_written: {
    code: 'E_INTERNAL',
    message: "The request could not be written as the airline's message.",
    next: 'Tell the operator that this is a fault of the server.',
  },
  source_incomplete: {
    ...badReply('The airline sent flights or travellers without what its message about them needs.'),
    next: RUN_DOCTOR,
  },
  unwritable: {
    code: 'E_CONFIG',
    message: 'An address or credential holds a character that HTTP does not allow.',
    next: RUN_DOCTOR,
  },
  no_slot: busy('Too many calls to the airline are under way.'),
  paused: busy('The airline asked for a pause of requests of this kind.'),
  breaker_open: down('The airline has been failing and is not asked for a moment.'),
  fenced: timedOut('The request was held back: its time to start had passed.'),
  unreachable: down('The airline could not be reached.'),
  // Without a whole reply.
  timeout: timedOut('The airline did not answer in time.'),
  aborted: timedOut('The call was given up before the airline answered.'),
  closed: down('The airline closed the connection without an answer.'),
  truncated: { ...badReply("The airline's reply broke off before its end."), retry: 'same_call' },
  too_large: badReply("The airline's reply is larger than is read."),
  garbled: badReply("The airline's reply is not HTTP, or is packed in an unknown way."),
  undecodable: badReply("The airline's reply is neither UTF-8 nor in the character set that it names."),
  // In a whole reply.
  empty: badReply("The airline's reply held nothing."),
  html: badReply("The airline's reply held an HTML page."),
  not_json: badReply("The airline's reply held text that is not JSON."),
  too_deep: badReply("The airline's reply held JSON nested deeper than is read."),
  malformed: badReply("The airline's reply could not be read."),
  foreign: {
    ...badReply("The airline's reply was not about what was asked, so it was thrown away."),
    retry: 'same_call',
  },
  contradictory: badReply("The airline's reply tells of an error and of a result."),
} as const satisfies Readonly<Record<string, ExchangeProblem>>;

/** The error of a request without a complete reply. */
export function exchangeFailed(failure: TransportFailure, circumstance: Circumstance): ClerkError {
  const problem = { ...PROBLEMS[failure.kind], cause: failure };
  return failure.sent ? unansweredError(problem, circumstance) : unsentError(problem);
}

/** The error of a request that was not sent. `waitMs`: milliseconds until it may be. */
export function notSentError(
  kind: 'not_written' | 'source_incomplete' | 'no_slot' | 'paused' | 'breaker_open' | 'aborted',
  { waitMs, cause }: { readonly waitMs?: number; readonly cause?: unknown } = {},
): ClerkError {
  const retry = waitMs === undefined ? undefined : (`after_s:${Math.max(1, Math.ceil(waitMs / 1_000))}` as const);
  return unsentError({ ...PROBLEMS[kind], retry, cause });
}

/** What a reply that proves nothing shows all the same: the airline's error, and the locator that the answer to a create names. */
type Shown = Pick<ExchangeProblem, 'airline' | 'named'>;

/** The error of a whole reply that proves nothing. */
export function badReplyError(
  kind: NotJson | 'foreign' | 'contradictory',
  shown: Shown,
  circumstance: Circumstance,
): ClerkError {
  return unansweredError({ ...PROBLEMS[kind], ...shown }, circumstance);
}

/** The error of JSON that the decoder refused. Our own errors name the part that is missing. */
export function malformedReply(cause: unknown, airline: AirlineFault, circumstance: Circumstance): ClerkError {
  const { message, named } = cause instanceof ClerkError ? cause : PROBLEMS.malformed;
  return unansweredError({ ...badReply(message), airline, named, cause }, circumstance);
}

/** The error of a bad status without a documented error form, or with a form that proves nothing. */
export function unknownError(status: number, airline: AirlineFault, context: FaultContext): ClerkError {
  if (status >= 500) return systemFailed(status, { airline }, context);
  const answer = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an error of no known form';
  return unansweredError({ ...badReply(`The airline answered with ${answer} (HTTP ${status}).`), airline }, context);
}

/** The error of a failed system, whatever the status in which the airline says so. */
export function systemFailed(status: number, shown: Shown, context: FaultContext): ClerkError {
  const retry = retryAdvice('E_AIRLINE_DOWN', context.retryAfterSeconds);
  return unansweredError({ ...down(`The airline's system failed (HTTP ${status}).`), ...shown, retry }, context);
}

const READ_BOOKING_FIRST = 'Do not repeat it. Call read_booking to see what became of it.';
const ASK_AIRLINE_FIRST = 'Do not book again. Tell the person to ask the airline whether a booking was made.';

/** The next step after a send whose outcome is unknown; {@link READ_BOOKING_FIRST} for all other operations. */
const NEXT_STEP: Partial<Readonly<Record<OtaOperation, string>>> = {
  book: ASK_AIRLINE_FIRST,
  group_book: ASK_AIRLINE_FIRST,
  mail: 'Ask the person to look for the mail before it is asked for again.',
};

/** `details` may override the next step: nothing was sent, so any advice is safe. */
function unsentError({ code, message, ...details }: ExchangeProblem): ClerkError {
  const { retry = retryAdvice(code) } = details;
  return new ClerkError(code, `${message} Nothing was sent.`, {
    what: message,
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
