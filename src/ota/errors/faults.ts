/** What an airline's error means for the operation, and whether it proves that a send did nothing. */
import { type AirlineFault, ClerkError, callAgain, type ErrorCode, type Retry } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';
import type { FaultForm } from './fault-forms.ts';
import {
  DUPLICATE,
  type FaultRow,
  NO_SUCH_BOOKING,
  NOTHING_ON_SALE,
  OTHER_FAILURE,
  rowByCode,
  rowByStatus,
  STRAY_REFUSAL,
  THROTTLED,
  wordIn,
} from './fault-table.ts';
import { ASKED, canAnswer, EACH_LEG, nextStep, type RequestKind } from './next-steps.ts';

const BUSY_SECONDS = 10;
const DOWN_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;

export interface Circumstance {
  readonly operation: OtaOperation;
  /** True for a message that books, pays or changes. */
  readonly sending: boolean;
}

export interface FaultContext extends Circumstance {
  readonly retryAfterSeconds?: number;
  readonly legs?: number;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
}

/** Our error for an airline's refusal, `effect: none`. After a send only for one that {@link provesRefusal}. */
export function refusal(fault: FaultForm, context: FaultContext): ClerkError {
  const { code, message, next } = meaningOf(fault, context);
  const retry = retryOf(code, context.retryAfterSeconds);
  return new ClerkError(code, context.sending ? `${message} ${unchangedText(code, context)}` : message, {
    next: retry === 'never' ? next : callAgain(retry),
    effect: 'none',
    retry,
    airline: toAirlineFault(fault),
    noSuchBooking: code === 'E_NOT_FOUND' && provesAbsence(fault),
    ofReading: !context.sending,
  });
}

/** If the booking already exists, nobody knows who made it: this message may have arrived twice. */
function unchangedText(code: ErrorCode, { operation }: FaultContext): string {
  const made = code === 'E_ALREADY_DONE' && ASKED[operation] === 'create';
  return made ? 'It was not made again.' : 'Nothing was changed.';
}

/** Whether the booking system itself says that it has no such booking. */
function provesAbsence(fault: FaultForm): boolean {
  return fault.code !== undefined && NO_SUCH_BOOKING.has(wordIn(fault.code)) && !isSystemFailure(fault);
}

/** Whether the airline's system failed, rather than a rule refused. */
export function isSystemFailure({ status = 0, bodyStatus = 0, code, system }: FaultForm): boolean {
  const blind = system === true || rowByCode(code)?.blind === true;
  return blind || status >= 500 || bodyStatus >= 500 || bodyStatus === 408;
}

/**
 * Whether an error form proves that the airline did not carry out a send. Only a business refusal does: a 4xx with a
 * readable error, or a 2xx whose form has a known code or a failure status; neither with a sign of a system failure.
 */
export function provesRefusal(httpStatus: number, fault: FaultForm): boolean {
  const { code, title, correlationId, bodyStatus = 0 } = fault;
  if (isSystemFailure(fault)) return false;
  if (code !== undefined && THROTTLED.has(wordIn(code))) return httpStatus === 429 || bodyStatus === 429;
  if (httpStatus >= 200 && httpStatus < 300) return rowByCode(code) !== undefined || bodyStatus >= 400;
  const said = code ?? title ?? correlationId ?? (bodyStatus || undefined);
  return said !== undefined && httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408;
}

/**
 * Whether a 409 (duplicate or conflict; docs/wire/notes.md, Errors) has no code that refuses. Then this very message,
 * forwarded twice, may have carried out the payment or change.
 */
export function mayBeDuplicate(fault: FaultForm, operation: OtaOperation): boolean {
  const onBooking = ASKED[operation] === 'pay' || ASKED[operation] === 'change';
  return onBooking && (fault.status === 409 || fault.bodyStatus === 409) && rowByCode(fault.code) === undefined;
}

function meaningOf(fault: FaultForm, { operation, legs = 1 }: FaultContext): Meaning {
  const asked = ASKED[operation];
  const found = faultRow(fault, asked);
  const code = [found.code, found.elsewhere].find((one) => one !== undefined && canAnswer(one, asked));
  const stray = asked === 'create' && statusOf(fault) === 409 ? DUPLICATE : STRAY_REFUSAL;
  if (code === undefined) return fitted(stray, stray.code, asked);
  const meaning = fitted(found, code, asked);
  const oneLegOnly = code === 'E_NO_AVAILABILITY' && legs > 1 && statusOf(fault) === 400;
  return oneLegOnly ? { ...meaning, next: EACH_LEG } : meaning;
}

function fitted({ message, next }: FaultRow, code: ErrorCode, asked: RequestKind): Meaning {
  return { code, message, next: nextStep(next, code, asked) };
}

function faultRow(fault: FaultForm, asked: RequestKind): FaultRow {
  const known = rowByCode(fault.code);
  const status = statusOf(fault);
  if (isSystemFailure(fault)) return known?.blind || known?.code === 'E_AUTH' ? known : failureBy(status);
  if (asked === 'search' && saysNothingOnSale(fault, status)) return NOTHING_ON_SALE;
  if (known !== undefined && !(known.code === 'E_INPUT' && (status === 401 || status === 403))) return known;
  return asked === 'create' && status === 409 ? DUPLICATE : rowByStatus(status);
}

/** A failed system never says that something is missing or not on sale, whatever its status. */
function failureBy(status: number): FaultRow {
  const byStatus = rowByStatus(status);
  return byStatus.blind ? byStatus : OTHER_FAILURE;
}

/** Words of older deployments for a search without a result (docs/wire/notes.md, Errors). */
const NOTHING_FOUND = ['no price tariff exists', 'no availability found'];

function saysNothingOnSale({ title = '' }: FaultForm, status: number): boolean {
  const words = title.toLowerCase();
  return (status === 400 || status === 404) && NOTHING_FOUND.some((said) => words.includes(said));
}

/** The HTTP status, or the body's if that one is good. */
function statusOf({ status = 500, bodyStatus = 400 }: FaultForm): number {
  return status >= 400 ? status : bodyStatus;
}

export function toAirlineFault(fault: FaultForm): AirlineFault {
  const { bodyStatus: _, system: __, ...rest } = fault;
  return rest;
}

export function retryOf(code: ErrorCode, retryAfterSeconds?: number): Retry {
  const asked = retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
  if (code === 'E_AIRLINE_BUSY') return `after_s:${asked ?? BUSY_SECONDS}`;
  if (code === 'E_AIRLINE_DOWN') return `after_s:${asked ?? DOWN_SECONDS}`;
  return code === 'E_AIRLINE_TIMEOUT' ? 'same_call' : 'never';
}
