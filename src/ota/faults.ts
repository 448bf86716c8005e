/**
 * What an airline's error means to us: which of our errors it is, and, after a send, whether it proves that nothing
 * happened.
 */
import { type AirlineFault, ClerkError, type ErrorCode, type Retry } from '../errors.ts';
import type { FaultForm } from './fault-forms.ts';
import {
  BOOKED_ALREADY,
  FAULT_TABLE,
  type FaultRow,
  NO_SUCH_BOOKING,
  OUTCOME_BLIND,
  rowByStatus,
} from './fault-table.ts';

const BUSY_SECONDS = 10;
const DOWN_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;

export interface FaultContext {
  /** True for a message that books, pays or changes. */
  readonly sending: boolean;
  /** From the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
}

/** Our error for an airline's refusal. `effect: none`: only for one that {@link provesRefusal}. */
export function refusal(fault: FaultForm, context: FaultContext): ClerkError {
  const row = rowOf(fault);
  const message = context.sending ? `${row.message} ${unchanged(fault)}` : row.message;
  return new ClerkError(row.code, message, {
    next: row.next,
    effect: 'none',
    retry: retryOf(row.code, context.retryAfterSeconds),
    airline: shown(fault),
    noSuchBooking: provesAbsence(fault),
  });
}

/** Where the airline says that it is there already, nobody knows who made it: this message may have come twice. */
function unchanged({ code }: FaultForm): string {
  return code !== undefined && BOOKED_ALREADY.has(code) ? 'It was not made again.' : 'Nothing was changed.';
}

/** Whether the airline's booking system itself speaks of the booking: a code, and no failed system. */
function provesAbsence({ code, status = 0, bodyStatus = 0 }: FaultForm): boolean {
  return code !== undefined && NO_SUCH_BOOKING.has(code) && status < 500 && bodyStatus < 500;
}

/**
 * Whether an error form in reply to a send proves that the airline did nothing: 4xx, or 2xx holding an error form, as
 * long as neither the status in the body nor the code speaks of a failed system.
 */
export function provesRefusal(httpStatus: number, fault: FaultForm): boolean {
  if (fault.code !== undefined && OUTCOME_BLIND.has(fault.code)) return false;
  if ((fault.bodyStatus ?? 0) >= 500 || fault.bodyStatus === 408) return false;
  const refused = httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408;
  return refused || (httpStatus >= 200 && httpStatus < 300);
}

export function rowOf(fault: FaultForm): FaultRow {
  const known = fault.code === undefined ? undefined : FAULT_TABLE.get(fault.code);
  const httpStatus = fault.status ?? 500;
  const status = httpStatus >= 400 ? httpStatus : (fault.bodyStatus ?? 400);
  return known ?? rowByStatus(status);
}

/** The fault as a caller may see it. */
export function shown(fault: FaultForm): AirlineFault {
  const { bodyStatus: _, ...rest } = fault;
  return rest;
}

export function retryOf(code: ErrorCode, retryAfterSeconds?: number): Retry {
  const asked = retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
  if (code === 'E_AIRLINE_BUSY') return `after_s:${asked ?? BUSY_SECONDS}`;
  if (code === 'E_AIRLINE_DOWN') return `after_s:${asked ?? DOWN_SECONDS}`;
  return code === 'E_AIRLINE_TIMEOUT' ? 'same_call' : 'never';
}
