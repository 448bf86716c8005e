/** The booking after an operation: the airline's own answer, or a reading where the answer may list only a part. */
import { type Booking, segmentsOf } from '../domain/booking/booking.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import type { GuardedCall } from './call-types.ts';

export async function bookingAfter(
  call: GuardedCall,
  operation: Operation,
  answer?: Booking,
): Promise<Booking | undefined> {
  if (answer !== undefined && listsAll(call, operation, answer)) return answer;
  const read = (await readAfter(call, operation)) ?? (answer && withoutPartTotal(operation, answer));
  const quoteId = answer?.pricing?.quoteId;
  // Only the answer carries the quote.
  return read?.pricing && quoteId !== undefined ? { ...read, pricing: { ...read.pricing, quoteId } } : read;
}

function listsAll({ act }: GuardedCall, operation: Operation, answer: Booking): boolean {
  if (changesDetails(operation)) return false;
  return act.wholeBooking !== true || (answer.travelers.length > 0 && !listsFewer(operation, answer));
}

/** Rail replies to a change of names, details or contact have no price, order or coupon (docs/wire/notes.md, Replies). */
function changesDetails({ subject: { kind } }: Operation): boolean {
  return kind === 'change_names' || kind === 'update_passengers' || kind === 'update_contact';
}

/** Whether storing this booking in the ledger would lose its price and time limits. */
export function lacksPrice(operation: Operation, booking: Booking): boolean {
  return changesDetails(operation) && booking.pricing === undefined;
}

/** A hold can list one of two segments, with the price of that one (docs/wire/notes.md, Replies). */
function listsFewer({ subject }: Operation, answer: Booking): boolean {
  return subject.kind === 'create' && segmentsOf(answer).length < (subject.offer?.segments.length ?? 0);
}

function withoutPartTotal(operation: Operation, answer: Booking): Booking {
  if (!listsFewer(operation, answer) || answer.pricing === undefined) return answer;
  const { total: _, ...pricing } = answer.pricing;
  return { ...answer, pricing: { ...pricing, perType: [] } };
}

async function readAfter({ runtime, how }: GuardedCall, operation: Operation): Promise<Booking | undefined> {
  const locator = locatorOf(operation);
  if (locator === undefined) return undefined;
  const begunAt = runtime.clock.now();
  // The operation succeeded, whether or not the booking can be read now.
  const booking = await runtime.airline.read(locator).catch(() => undefined);
  if (booking) await runtime.see?.(how.caller, booking, begunAt).catch(() => undefined);
  return booking;
}
