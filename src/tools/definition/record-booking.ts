/** What the server's own ledger keeps of a booking it made or read. */
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import type { LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { bookingDeadlines, nextDeadline } from '../../domain/booking/deadlines.ts';
import { afterOwnRefunds } from '../../domain/booking/owed-segments.ts';
import { formatMoney } from '../../domain/pricing/money.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { latest } from '../../domain/time-and-text/times.ts';
import { nameText } from '../views/passengers.ts';
import { readCall, type ToolContext } from './define.ts';

type LedgerContext = Pick<ToolContext, 'state' | 'caller' | 'now' | 'unrecorded' | 'see'>;

/** When the reading of a booking began, milliseconds since 1970. Replies of operations are not in it. */
const begun = new WeakMap<Booking, number>();

type ReadingContext = Pick<ToolContext, 'airline' | 'signal' | 'now' | 'state' | 'caller'>;

export async function readNow(locator: string, ctx: ReadingContext): Promise<Booking> {
  const began = ctx.now();
  const booking = await knowingRefunds(await ctx.airline.read(locator, readCall(ctx)), ctx);
  begun.set(booking, began);
  return booking;
}

/** Coupons and orders can lag behind a cancellation of ours that the airline confirmed. */
async function knowingRefunds(booking: Booking, { state, caller }: ReadingContext): Promise<Booking> {
  if (segmentsOf(booking).every(({ owed }) => owed === undefined)) return booking;
  const about = { tenant: caller.tenant, locator: booking.locator };
  const done = await state.operations.list({ ...about, states: ['succeeded'] });
  return afterOwnRefunds(
    booking,
    done.map(({ subject }) => subject),
  );
}

/**
 * Throws if the ledger cannot be written. For tools that answer from the ledger. What changed becomes a finding. True if
 * none about the booking is open.
 */
export async function recordBooking(ctx: LedgerContext, booking: Booking, madeHere: boolean): Promise<boolean> {
  await ctx.state.ledger.record(ctx.caller, ledgerEntry(booking, madeHere, ctx.now()));
  return (await ctx.see?.(booking, begun.get(booking))) === true;
}

/** Reports a ledger that cannot be written, and goes on. */
export function noteBooking(ctx: LedgerContext, booking: Booking, madeHere: boolean): Promise<boolean> {
  return recordBooking(ctx, booking, madeHere).catch((error) => {
    ctx.unrecorded?.(error);
    return false;
  });
}

export function ledgerEntry(booking: Booking, madeHere: boolean, now: number): LedgerEntry {
  const { state } = bookingState(booking, now);
  const active = activeSegments(booking);
  const flown = active.length > 0 ? active : segmentsOf(booking);
  const last = latest(flown.map(({ departs }) => departs));
  const deadlines = bookingDeadlines(booking);
  const next = nextDeadline(deadlines, state, now);
  const { payBy, namesUntil } = next === undefined ? {} : deadlines;
  const total = booking.pricing?.total?.total;
  return omitUndefined({
    locator: booking.locator,
    madeHere,
    seenAt: now,
    state,
    contactName: booking.contact?.name === undefined ? undefined : nameText(booking.contact),
    route: flown.length === 0 ? undefined : routeText(flown),
    departs: flown[0]?.departs,
    lastDeparts: last === flown[0]?.departs ? undefined : last,
    total: total && formatMoney(total),
    currency: total?.currency,
    nextDeadline: next && { what: next.what, at: next.at },
    payBy,
    namesUntil,
  });
}

/** `MED-JED-MED`; a comma marks a gap: `MED-JED, RUH-DMM`. */
function routeText(segments: readonly { readonly from: string; readonly to: string }[]): string {
  let route = '';
  let at: string | undefined;
  for (const { from, to } of segments) {
    if (from !== at) route += `${route === '' ? '' : ', '}${cleanCode(from, 8)}`;
    route += `-${cleanCode(to, 8)}`;
    at = to;
  }
  return route;
}
