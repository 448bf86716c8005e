/**
 * The booking as an operation left it: the airline's own answer, or a reading where the answer may tell only a part.
 */
import type { Booking } from '../domain/booking/booking.ts';
import { segmentsOf } from '../domain/booking/expected-change.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import type { GuardedCall } from '../server/context.ts';

export async function bookingAfter(
  call: GuardedCall,
  operation: Operation,
  answer?: Booking,
): Promise<Booking | undefined> {
  if (answer !== undefined && tellsAll(call, operation, answer)) return answer;
  const read = (await readAfter(call, operation)) ?? (answer && known(operation, answer));
  const quoteId = answer?.pricing?.quoteId;
  // The quote stands in the answer alone.
  return read?.pricing && quoteId !== undefined ? { ...read, pricing: { ...read.pricing, quoteId } } : read;
}

function tellsAll({ tool }: GuardedCall, operation: Operation, answer: Booking): boolean {
  if (isOfDetails(operation)) return false;
  return tool.wholeBooking !== true || (answer.travelers.length > 0 && !listsFewer(operation, answer));
}

/** A rail answer to a change of names, details or contact has no price, order or coupon (docs/wire/notes.md, Replies). */
function isOfDetails({ subject: { kind } }: Operation): boolean {
  return kind === 'change_names' || kind === 'update_passengers' || kind === 'update_contact';
}

/** Whether the ledger would forget price and time limits by it. */
export function isBare(operation: Operation, booking: Booking): boolean {
  return isOfDetails(operation) && booking.pricing === undefined;
}

/** A hold can list one of two segments, with the price of that one (docs/wire/notes.md, Replies). */
function listsFewer({ subject }: Operation, answer: Booking): boolean {
  return subject.kind === 'create' && segmentsOf(answer).length < (subject.offer?.segments.length ?? 0);
}

/** The price of a part is not the total. */
function known(operation: Operation, answer: Booking): Booking {
  if (!listsFewer(operation, answer) || answer.pricing === undefined) return answer;
  const { total: _, ...pricing } = answer.pricing;
  return { ...answer, pricing: { ...pricing, perType: [] } };
}

async function readAfter(call: GuardedCall, operation: Operation): Promise<Booking | undefined> {
  const locator = locatorOf(operation);
  if (locator === undefined) return undefined;
  try {
    return await call.parts.airline.read(locator);
  } catch {
    // Done is done, whether or not the booking can be read just now: the report says what evidence it has.
    return undefined;
  }
}
