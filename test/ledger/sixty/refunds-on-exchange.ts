/** An airline that refunds the difference when a paid train is exchanged for a cheaper one: the sandbox's own keeps it. */
import { sum } from '../../../src/sandbox/amounts.ts';
import { bookingTotal } from '../../../src/sandbox/carrier.ts';
import { readLedger } from '../../../src/sandbox/ledger.ts';
import { withRefund } from '../../../src/sandbox/operations/cancel.ts';
import { saveBooking } from '../../../src/sandbox/record.ts';
import { writeReservation } from '../../../src/sandbox/replies/reservation.ts';
import { holdLasts } from '../../support/sandbox/behaviours.ts';
import { bookingIn, type Rewrite } from '../../support/sandbox/deviations.ts';
import { inDialect } from '../../support/sandbox/forms.ts';

const MODIFY = 'OTA_AirBookModifyRQ';

/** Holds last `holdMs`, and an exchange refunds the difference. Other refunds are those of the sandbox. */
export function refundsOnExchange(holdMs: number): Rewrite {
  const rewriteHold = holdLasts(holdMs);
  /** What the trains of a booking cost when it was last shown. */
  const totals = new Map<string, number>();
  return (reply, answered) => {
    const booking = bookingIn(reply, answered);
    if (booking === undefined) return rewriteHold(reply, answered);
    const { carrier } = answered;
    const total = bookingTotal(carrier, booking);
    const before = totals.get(booking.locator) ?? total.minor;
    totals.set(booking.locator, total.minor);
    if (answered.name !== MODIFY || before <= total.minor || !wasExchanged(answered.carrier, booking.locator))
      return rewriteHold(reply, answered);
    const nothing = sum(total.currency, []);
    const amount = { minor: before - total.minor, currency: total.currency };
    const refunded = withRefund(carrier, booking, { whole: { amount, penalty: nothing, tax: nothing }, shares: [] });
    saveBooking(carrier.state, refunded);
    return inDialect(carrier.dialect, { ...reply, airReservation: writeReservation(carrier, refunded, 'rebooked') });
  };
}

/** Whether the last that the airline did is an exchange of this booking, with or without a charge. */
function wasExchanged({ state }: Parameters<Rewrite>[1]['carrier'], locator: string): boolean {
  const last = readLedger(state).slice(-2);
  const isOf = (event: string, entry: (typeof last)[number] | undefined) =>
    entry?.locator === locator && entry.event === event;
  return isOf('rebooked', last.at(-1)) || (isOf('paid', last.at(-1)) && isOf('rebooked', last.at(-2)));
}
