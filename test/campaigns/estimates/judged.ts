/**
 * Compares our estimate of a refund with the airline's own arithmetic, and with what it really refunds.
 */
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { segmentStatus } from '../../../src/domain/booking/status-codes.ts';
import { estimateRefund } from '../../../src/domain/pricing/estimate-refund.ts';
import type { CancelledPart } from '../../../src/domain/pricing/refund-amount.ts';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import { type Cut, joined, type Leg, openWindow, START, type Window } from '../../ota/against-sandbox/window.ts';
import {
  type BookingCase,
  type Cancellation,
  networkOf,
  ROUTES,
  type World,
} from '../../ota/against-sandbox/worlds.ts';

export interface Tally {
  bookings: number;
  /** Estimates compared with the airline's arithmetic. */
  estimates: number;
  /** Of those, the estimates that name bounds. */
  bounded: number;
  /** Of those, bounds although no penalty is above its price: the reply does not split the price, or has no rules. */
  vague: number;
  /** Amounts that a penalty above the price of its part makes too low, where the reply does not show that price. */
  pooled: number;
  /** Cancellations over HTTP whose refund was compared. */
  cancelled: number;
  /** Of those, the cancellations of bookings of which something was cancelled before. */
  second: number;
  /** Where our estimate is not the airline's refund. */
  readonly differences: string[];
}

export function emptyTally(): Tally {
  return { bookings: 0, estimates: 0, bounded: 0, vague: 0, pooled: 0, cancelled: 0, second: 0, differences: [] };
}

const HOUR = 3_600_000;

export async function runWorld(tally: Tally, world: World): Promise<void> {
  const { dialect, bookings, forms } = world;
  const window = await openWindow(dialect, networkOf(world), forms);
  try {
    for (const one of bookings) {
      window.setClock(START);
      await runBooking(tally, window, dialect, one);
    }
  } finally {
    await window.close();
  }
}

async function runBooking(tally: Tally, window: Window, dialect: World['dialect'], one: BookingCase): Promise<void> {
  const sold = await soldIn(window, dialect, one);
  if (sold === undefined) return;
  const { locator, departs } = sold;
  tally.bookings += 1;
  for (const hours of one.hours) {
    window.setClock(departs - hours * HOUR);
    const booking = await window.airline.read(locator);
    for (const cut of one.cuts) compare(tally, window, booking, cut);
  }
  for (const act of one.acts) await cancel(tally, window, locator, act);
}

/** A booking of the case, and its first departure, ms epoch; undefined for a day without seats. */
export async function soldIn(window: Window, dialect: World['dialect'], one: BookingCase) {
  const [from, to] = ROUTES[dialect][one.route % ROUTES[dialect].length] ?? ['', ''];
  const there: Leg = { from, to, day: one.day };
  const legs = [there, { from: to, to: from, day: one.day + 3 }].slice(0, one.offers.length);
  const found = await Promise.all(legs.map((leg) => window.offers(leg, one.passengers)));
  const chosen = found.flatMap((offers, i) => offers[(one.offers[i] ?? 0) % offers.length] ?? []);
  if (chosen.length < legs.length) return undefined;
  const locator = await window.sell(joined(chosen), one.passengers);
  const options = chosen.flatMap((offer) => offer.options);
  return { locator, departs: Math.min(...options.map((it) => Date.parse(it.segments[0]?.departs ?? ''))) };
}

type Going = NonNullable<ReturnType<typeof goingOf>>;

/** Cancels for good. Returns how many refunds the airline's ledger had of the booking before, and those made now. */
export async function cancelled(window: Window, booking: Booking, { given: { options, travelers }, cut }: Going) {
  const refunds = () =>
    window.sandbox.ledger().filter((entry) => entry.event === 'refunded' && entry.locator === booking.locator);
  const before = refunds().length;
  await window.modify(
    'segments' in cut
      ? { kind: 'cancel_segments', booking, options }
      : { kind: 'cancel_passengers', booking, travelers },
  );
  return { before, made: refunds().slice(before) };
}

function someOf<T>(all: readonly T[], bits: number): readonly T[] {
  const chosen = all.filter((_, i) => (bits >> i) % 2 === 1);
  return chosen.length > 0 ? chosen : all;
}

/** What goes; undefined where the airline would not take it: the last passengers, or an infant without its adult. */
export function goingOf(booking: Booking, { of, bits }: Cancellation): { given: CancelledPart; cut: Cut } | undefined {
  const options = booking.options.filter(({ segments }) =>
    segments.some(({ statusCode }) => segmentStatus(statusCode) === 'active'),
  );
  if (options.length === 0) return undefined;
  if (of === 'segments') {
    const going = someOf(options, bits);
    const segments = going.flatMap((option) => option.segments.map(({ ref }) => ref));
    return { given: { options: going, travelers: booking.travelers }, cut: { segments } };
  }
  const named = someOf(booking.travelers, bits);
  const travelers = booking.travelers.filter(
    (it) => named.includes(it) || named.some(({ ref }) => ref === it.attendantRef),
  );
  const staying = booking.travelers.filter((it) => !travelers.includes(it));
  if (!staying.some(({ type }) => type === 'ADT')) return undefined;
  return { given: { options, travelers }, cut: { passengers: travelers.map(({ ref }) => ref) } };
}

function compare(tally: Tally, window: Window, booking: Booking, cancellation: Cancellation): number | undefined {
  const going = goingOf(booking, cancellation);
  if (going === undefined) return undefined;
  const { refund, pooled } = window.judge(booking.locator, going.cut);
  tally.estimates += 1;
  const { amount, bounds, overPrice } = estimateRefund(booking, going.given, window.sandbox.now());
  const within = bounds !== undefined && bounds.atLeast.minor <= refund && refund <= bounds.atMost.minor;
  if (bounds !== undefined) tally.bounded += 1;
  if (bounds !== undefined && overPrice === undefined) tally.vague += 1;
  if (amount?.minor === refund || within) return refund;
  if (amount?.minor === pooled && !isSplit(booking)) {
    tally.pooled += 1;
    return refund;
  }
  const told = JSON.stringify({ amount, bounds });
  tally.differences.push(`${booking.locator}: ${JSON.stringify(going.cut)} refunds ${refund}, we said ${told}`);
  return refund;
}

/** Whether the price of each part is known: only then does a penalty above it show. */
function isSplit({ pricing }: Booking): boolean {
  const rows = pricing?.perType ?? [];
  return rows.length > 0 && rows.every(({ segmentRefs }) => segmentRefs.length === 1);
}

/** Cancels through the adapter: what moved in the airline's ledger is what it would refund, and what we said. */
async function cancel(tally: Tally, window: Window, locator: string, act: Cancellation): Promise<void> {
  const booking = await window.airline.read(locator);
  const going = goingOf(booking, act);
  const expected = compare(tally, window, booking, act);
  if (going === undefined || expected === undefined) return;
  const { before, made } = await cancelled(window, booking, going);
  const told = statedRefund(await window.airline.read(locator), before);
  tally.cancelled += 1;
  if (before > 0) tally.second += 1;
  if (made.length === 1 && made[0]?.amount?.minor === expected && told?.amount.minor === expected) return;
  const ledger = JSON.stringify(made);
  tally.differences.push(`${locator}: ${expected} was due, the ledger has ${ledger}, we read ${JSON.stringify(told)}`);
}
