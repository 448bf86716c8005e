/** What can go wrong, in a closed list, and who acts next. */
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

/** Failures of the airline or of this server, whatever the booking. */
export const NOT_OF_A_BOOKING: readonly ErrorCode[] = [
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
 * The next step where only time helps, for whoever calls. What an operator does about it is in the log and in
 * `fareclerk doctor`.
 */
export function callAgain(retry: Retry): string {
  if (retry === 'never') return 'Call the tool again later; if it lasts, tell the operator.';
  const seconds = retry === 'same_call' ? 60 : Number(retry.slice('after_s:'.length));
  const when = new Map([
    [1, 'a second'],
    [60, 'a minute'],
  ]).get(seconds);
  const long = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return `Call the tool again in ${when ?? long}.`;
}

/** What the airline itself said; `correlationId` is what its support asks for. */
export interface AirlineFault {
  readonly status?: number;
  readonly code?: string;
  readonly title?: string;
  readonly correlationId?: string;
}

interface ErrorDetails {
  /** One sentence that names a tool or a person. */
  readonly next: string;
  /** Default `none`. */
  readonly effect?: Effect;
  /** Default `never`. */
  readonly retry?: Retry;
  readonly airline?: AirlineFault;
  /** New terms, with `E_APPROVAL_STALE`. */
  readonly terms?: readonly string[];
  /** With `E_NOT_FOUND`: the airline itself said, by a code of its own, that it holds no such booking. */
  readonly noSuchBooking?: boolean;
  /** The request that failed only reads, also where that is a part of an act. */
  readonly ofReading?: boolean;
  readonly cause?: unknown;
}

/**
 * The one error that reaches a caller. `message` says what happened and what did not happen, in our own words:
 * text from a stranger (the airline, a passenger, the operating system) is never part of it.
 */
export class ClerkError extends Error {
  readonly code: ErrorCode;
  readonly next: string;
  readonly effect: Effect;
  readonly retry: Retry;
  readonly airline: AirlineFault | undefined;
  readonly terms: readonly string[] | undefined;
  /** A bare 404 is no proof of it: a proxy without its backend answers so too. */
  readonly noSuchBooking: boolean;
  readonly ofReading: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ClerkError';
    this.code = code;
    this.next = details.next;
    this.effect = details.effect ?? 'none';
    this.retry = details.retry ?? 'never';
    this.airline = details.airline;
    this.terms = details.terms;
    this.noSuchBooking = details.noSuchBooking ?? false;
    this.ofReading = details.ofReading ?? false;
  }

  /** The same error, the airline's own words in it changed. */
  withAirlineWords(change: (text: string) => string): ClerkError {
    const { code, message, airline } = this;
    if (airline === undefined) return this;
    const changed = (text: string | undefined) => (text === undefined ? undefined : change(text));
    const { title, code: named, correlationId } = airline;
    const words = { title: changed(title), code: changed(named), correlationId: changed(correlationId) };
    return new ClerkError(code, message, { ...this, airline: { ...airline, ...words } });
  }
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

/** Bad input, with what is wrong, so that errors about parts of one call can become one. */
export class InputError extends ClerkError {
  readonly faults: readonly InputFault[];

  constructor(faults: readonly InputFault[], problems: string, next: string) {
    super('E_INPUT', `${problems} Nothing was sent.`, { next });
    this.faults = faults;
  }
}

/** Bad input: names the field, what was expected and, where there is one, the nearest valid value. Nothing was sent. */
export function inputError(field: string, problem: string, next?: string): ClerkError {
  const what = next ?? `Call the tool again with a valid value for ${field}.`;
  return new InputError([{ field, problem, next }], `${field}: ${problem}`, what);
}

/** So many faults of one call are named. */
const MOST = 10;

/**
 * One error names all, so that one more call can fix them all: the first ten, in the message and in `next`.
 * `ifUnknown`: what to do for a value that the caller does not know.
 */
export function inputFaults(faults: readonly InputFault[], ifUnknown = ''): InputError {
  const shown = faults.slice(0, MOST);
  const more = faults.length > MOST ? [`${faults.length - MOST} more`] : [];
  const problems = shown.map(({ field, problem }) => `${field}: ${problem}`);
  const plain = shown.filter(({ next }) => next === undefined);
  const fields = (surplus: boolean) =>
    new Set(plain.filter((fault) => (fault.surplus === true) === surplus).map(({ field }) => field));
  const others = [...fields(false), ...more];
  const value = others.length === 1 ? 'a valid value' : 'valid values';
  const changes = [
    ...(fields(true).size === 0 ? [] : [`without ${listed([...fields(true)])}`]),
    ...(others.length === 0 ? [] : [`with ${value} for ${listed(others)}${ifUnknown}`]),
  ];
  const general = changes.length === 0 ? [] : [`Call the tool again ${changes.join(', and ')}.`];
  const next = [...new Set(shown.flatMap((fault) => fault.next ?? [])), ...general].join(' ');
  return new InputError(faults, [...problems, ...more.map((count) => `And ${count}.`)].join(' '), next);
}
