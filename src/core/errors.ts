/** The errors that callers see: a closed list of codes, and who acts next. */
import { listed } from './words.ts';

export const ERROR_CODES = [
  'E_INPUT',
  'E_NOT_FOUND',
  'E_NO_AVAILABILITY',
  'E_SOLD_OUT',
  'E_OFFER_EXPIRED',
  'E_PRICE_CHANGED',
  'E_NOT_PAID',
  'E_ALREADY_DONE',
  'E_TOO_LATE',
  'E_NOT_PERMITTED',
  'E_PAYMENT_DECLINED',
  'E_BOOKING_BUSY',
  'E_APPROVAL_UNAVAILABLE',
  'E_APPROVAL_DECLINED',
  'E_APPROVAL_EXPIRED',
  'E_APPROVAL_STALE',
  'E_APPROVAL_INVALID',
  'E_LIMIT',
  'E_READ_ONLY',
  'E_AUTH',
  'E_AIRLINE_BUSY',
  'E_AIRLINE_DOWN',
  'E_AIRLINE_TIMEOUT',
  'E_AIRLINE_REPLY',
  'E_CONFIG',
  'E_INTERRUPTED',
  'E_STATE_DOWN',
  'E_INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Failures of the airline or of this server, which reveal nothing about a booking. */
export const GENERAL_FAILURES: readonly ErrorCode[] = [
  'E_AIRLINE_BUSY',
  'E_AIRLINE_DOWN',
  'E_AIRLINE_TIMEOUT',
  'E_AUTH',
  'E_CONFIG',
  'E_STATE_DOWN',
  'E_INTERNAL',
];

/** Failures of this server: its own database cannot be used, or a mistake. */
export const isOwnFailure = ({ code }: Pick<ClerkError, 'code'>): boolean =>
  code === 'E_STATE_DOWN' || code === 'E_INTERNAL';

/** Whether anything changed at the airline: `none` only when that is proven. */
export type Effect = 'none' | 'unknown';

/** Whether the same call is worth repeating. `after_s:N` waits N seconds first. */
export type Retry = 'never' | 'same_call' | `after_s:${number}`;

/**
 * The next step of a caller where only time helps. Operators find theirs in the log and in `fareclerk doctor`.
 */
export function callAgain(retry: Retry): string {
  if (retry === 'never') return 'Call the tool again later; if it lasts, tell the operator.';
  const seconds = retry === 'same_call' ? 60 : Number(retry.slice('after_s:'.length));
  return `Call the tool again in ${waitText(seconds)}.`;
}

function waitText(seconds: number): string {
  if (seconds === 1) return 'a second';
  if (seconds === 60) return 'a minute';
  return seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
}

/** An airline's error in its own words. Its support asks for the `correlationId`. */
export interface AirlineFault {
  readonly status?: number;
  readonly code?: string;
  readonly title?: string;
  readonly correlationId?: string;
}

/**
 * What a refusal says that does not prove that nothing was done. Told once a reading of the booking shows no change.
 */
export interface UnprovenRefusal {
  readonly message: string;
  readonly next: string;
  readonly retry: Retry;
}

interface ErrorDetails {
  /** What happened, where the message says beside it what was sent or changed. Default: the message. */
  readonly what?: string | undefined;
  /** One sentence that names a tool or a person. */
  readonly next: string;
  /** Default `none`. */
  readonly effect?: Effect;
  /** Default `never`. */
  readonly retry?: Retry;
  readonly airline?: AirlineFault;
  /** What changed after a question, a sentence each, said before the message. It may have names, so no error is stored with it. */
  readonly changed?: readonly string[] | undefined;
  /**
   * With `E_NOT_FOUND`: the airline itself said, by one of its codes, that it has no such booking. A bare 404 does not prove
   * it: a proxy without its backend answers so too.
   */
  readonly noSuchBooking?: boolean;
  /** The request that failed only reads, even if it is part of an act. */
  readonly ofReading?: boolean;
  /** With effect `unknown`: the airline refused, which proves nothing by itself. */
  readonly refused?: UnprovenRefusal | undefined;
  /** The locator that the answer to a create names beside its error. */
  readonly named?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The one error that reaches a caller. `message` says what happened and what did not happen, in our own words:
 * text from a stranger (the airline, a passenger, the operating system) is never part of it.
 */
export class ClerkError extends Error {
  readonly code: ErrorCode;
  readonly what: string;
  readonly next: string;
  readonly effect: Effect;
  readonly retry: Retry;
  readonly airline: AirlineFault | undefined;
  readonly changed: readonly string[] | undefined;
  readonly noSuchBooking: boolean;
  readonly ofReading: boolean;
  readonly refused: UnprovenRefusal | undefined;
  readonly named: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ClerkError';
    this.code = code;
    this.what = details.what ?? message;
    this.next = details.next;
    this.effect = details.effect ?? 'none';

    this.retry = details.retry ?? 'never';
    this.airline = details.airline;
    this.changed = details.changed;
    this.noSuchBooking = details.noSuchBooking ?? false;
    this.ofReading = details.ofReading ?? false;
    this.refused = details.refused;
    this.named = details.named;
  }

  /** Copies the error with other words of the airline. */
  withAirlineWords(change: (text: string) => string): ClerkError {
    const { airline } = this;
    if (airline === undefined) return this;

    const changeWords = (text: string | undefined) => (text === undefined ? undefined : change(text));
    const words = {
      title: changeWords(airline.title),
      code: changeWords(airline.code),
      correlationId: changeWords(airline.correlationId),
    };
    return new ClerkError(this.code, this.message, { ...this, airline: { ...airline, ...words } });
  }
}

/** Makes the error of a call for which nothing was sent. @param what a sentence */
export function notSent(code: ErrorCode, what: string, next: string): ClerkError {
  return new ClerkError(code, `${what} Nothing was sent.`, { what, next });
}

/** One field of a call that cannot be used. */
export interface InputFault {
  readonly field: string;
  /** A sentence, which never repeats the given value. */
  readonly problem: string;
  /** What to do, unless another value of the field is the answer. */
  readonly next?: string | undefined;
  /** There is no such field: the next call leaves it out. */
  readonly surplus?: boolean | undefined;
}

/** Bad input. Keeps its faults, so that the errors about parts of one call can become one error. */
export class InputError extends ClerkError {
  readonly faults: readonly InputFault[];

  constructor(faults: readonly InputFault[], problems: string, next: string) {
    super('E_INPUT', `${problems} Nothing was sent.`, { what: problems, next });
    this.faults = faults;
  }
}

/**
 * Makes the error of one bad field.
 * @param problem says what was expected and, if there is one, the nearest valid value
 * @param next default: call again with a valid value
 */
export function inputError(field: string, problem: string, next?: string): ClerkError {
  return inputFaults([{ field, problem, next }]);
}

/** Ends the next step where a value is missing that nobody may make up. */
export const IF_UNKNOWN = '; ask the person where you do not know it';

/** Makes the error of a day that cannot be meant: no day is proposed, because it would be taken without asking. */
export function dayError(field: string, expected: string): ClerkError {
  return inputError(field, `expected ${expected}.`, 'Ask the person which day is meant.');
}

/** How many faults of one call an error names. */
const MOST_FAULTS = 10;

/**
 * Makes one error of all faults of a call, so that one more call can fix them all. Message and next step name the first
 * ten.
 * @param ifUnknown what to do for a value that the caller does not know
 */
export function inputFaults(faults: readonly InputFault[], ifUnknown = ''): InputError {
  const named = faults.slice(0, MOST_FAULTS);
  const more = faults.length > named.length ? [`${faults.length - named.length} more`] : [];
  const problems = [
    ...named.map(({ field, problem }) => `${field}: ${problem}`),
    ...more.map((each) => `And ${each}.`),
  ];

  const fieldsOf = (isSurplus: boolean) => {
    const alike = named.filter((fault) => fault.next === undefined && (fault.surplus ?? false) === isSurplus);
    return [...new Set(alike.map(({ field }) => field))];
  };

  const surplus = fieldsOf(true);
  const values = [...fieldsOf(false), ...more];
  const validValues = values.length === 1 ? 'a valid value' : 'valid values';

  const changes: string[] = [];
  if (surplus.length > 0) changes.push(`without ${listed(surplus)}`);
  if (values.length > 0) changes.push(`with ${validValues} for ${listed(values)}${ifUnknown}`);

  const steps = new Set(named.flatMap(({ next }) => next ?? []));
  const repeated = changes.length > 0 ? [`Call the tool again ${changes.join(', and ')}.`] : [];
  return new InputError(faults, problems.join(' '), [...steps, ...repeated].join(' '));
}

/** What a stream says whose other end is gone: a pipe, a socket, on Windows, and a terminal. */
const BROKEN: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'EOF', 'EIO'];

/** Whether nobody will ever read this stream again. A full disk, for example, may have room again. */
export function isBrokenPipe(error: NodeJS.ErrnoException): boolean {
  return BROKEN.includes(error.code);
}
