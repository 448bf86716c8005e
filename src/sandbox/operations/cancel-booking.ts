/** Cancelling a whole booking (OTA_CancelRQ): releases an unpaid hold. A paid one is cancelled segment by segment. */
import { type Carrier, needBooking } from '../carrier.ts';
import { enter } from '../ledger.ts';
import { type CarrierBooking, isExpired, saveBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { releaseBooking } from '../stock.ts';

/** Runs within a write transaction. */
export function cancelBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = needBooking(carrier, locator);
  if (booking.state === 'cancelled') throw new Refusal('95', 'the booking is cancelled already');
  if (booking.state === 'ticketed') throw new Refusal('3505', 'the booking is ticketed: cancel its segments');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
  releaseBooking(carrier.state, booking.locator);
  const cancelled: CarrierBooking = {
    ...booking,
    state: 'cancelled',
    options: booking.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, cancelled: true })),
    })),
    orders: [],
  };
  saveBooking(carrier.state, cancelled);
  enter(carrier.state, carrier.now, 'cancelled', booking.locator);
  return cancelled;
}
