/** What the airline answers and shows: errors, receipts and bookings; and acts that a test sends. */

import { ClerkError } from '../../src/core/errors.ts';
import { shownBooking } from '../../src/domain/booking/blanked-booking.ts';
import type { createJournal } from '../../src/journal/journal.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import { bareTraveler, personName } from '../support/people.ts';

export type Journal = ReturnType<typeof createJournal>;
export type Operation = Parameters<Journal['execute']>[0];
export type NewOperation = Parameters<Journal['open']>[0];
export type Booking = Awaited<ReturnType<Journal['bookingOf']>>;
type Fields = Partial<Omit<Booking['reading'], 'reading'>>;
export type Act = Parameters<Journal['execute']>[1];
export type Dispatch = Parameters<Act['sendConfirmed']>[0];
export type Evidence = Awaited<ReturnType<Act['sendConfirmed']>>;

/** A create, which has no booking yet. */
export const CREATE = {
  ...{ tool: 'create_booking', subject: { kind: 'create' }, fingerprint: 'f' },
  ...({ locator: undefined } as object),
} as const satisfies Partial<NewOperation>;

/** An act that sends its first byte and then runs the given function. */
export function act(
  send: (dispatch: Dispatch) => Promise<Evidence>,
  recheck = async () => {},
): Act & { sends: number } {
  return {
    sends: 0,
    recheck,
    async sendConfirmed(dispatch) {
      if (!dispatch.mayStart()) throw unsent();
      this.sends++;
      return await send(dispatch);
    },
  };
}

export function error(code: ClerkError['code'], details: Partial<ConstructorParameters<typeof ClerkError>[2]> = {}) {
  return new ClerkError(code, 'what happened', { next: 'do this', ...details });
}

export const lost = () => error('E_AIRLINE_TIMEOUT', { effect: 'unknown' });
export const unsent = () => error('E_AIRLINE_DOWN', { effect: 'none' });
export const refused = () => error('E_PAYMENT_DECLINED', { airline: { status: 422, code: '167' } });

export function receipt(total = '172.50', locator = 'ABC123'): Evidence {
  const item = { ticketNumber: '9000000001', total, conjunctive: [], links: [] };
  return { receipt: { locator, references: [], items: [item] } };
}

/** The locators that a reply names. */
export const NAMED = ['ABC123'];

export function booking(changes: Fields = {}): Booking {
  return shownBooking({
    locator: 'ABC123',
    references: [{ id: 'ABC123', type: '14', segmentRefs: [] }],
    options: [option('1'), option('2')],
    travelers: [],
    tickets: [],
    orders: [],
    services: [],
    emds: [],
    ...changes,
  });
}

export function option(ref: string, statusCode = '30'): Booking['options'][number] {
  const times = { departs: '2026-12-01T08:00:00.000+03:00', arrives: '2026-12-01T10:00:00.000+03:00' };
  const segment = { ref, optionRef: ref, flightNumber: `10${ref}`, from: 'RUH', to: 'JED', ...times, statusCode };
  return { ref, segments: [segment] };
}

export function ticket(
  number: string,
  coupons: readonly (string | undefined)[] = ['O', 'O'],
): Booking['tickets'][number] {
  return {
    number,
    travelerRefs: ['1'],
    segmentRefs: coupons.map((_, i) => String(i + 1)),
    coupons: coupons.map((statusCode, i) => ({ segmentRef: String(i + 1), ...(statusCode && { statusCode }) })),
    links: [],
  };
}

/** An order of SAR, in halalas. */
export function order(minor?: number, status = 'PAID', direction = 'PAYMENT'): Booking['orders'][number] {
  return { direction, status, ...(minor !== undefined && { amount: SAR(minor) }) };
}

export function paidBooking(changes: Fields = {}): Booking {
  return booking({ orders: [order(17250)], tickets: [ticket('9000000001')], ...changes });
}

export function traveler(ref: string, given?: string, changes: Partial<Booking['travelers'][number]> = {}) {
  return bareTraveler(ref, { ...(given !== undefined && { name: personName(given, 'DOE') }), ...changes });
}

/** An operation that was sent. */
export function operation(subject: Operation['subject'], over: Partial<Operation> = {}): Operation {
  const meta = { state: 'dispatched', createdAt: 0, updatedAt: 0, owner: 'p', leaseUntil: 0, negatives: 0 } as const;
  return { ...newOperation('a', { subject }), ...meta, ...over };
}
