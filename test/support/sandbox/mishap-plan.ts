/** Mishaps by seed: which bookings can be disturbed, and how. */

import type { Sandbox } from '../../../src/sandbox/addresses/start.ts';
import { activeSegments, allBookings, isExpired, isOpenCoupon } from '../../../src/sandbox/record.ts';
import { draw } from '../../campaigns/support/chance.ts';
import type { Mishap, MishapKind } from './mishaps.ts';

const HOUR = 3_600_000;

/** A booking as the plan needs to know it; lists are of its segments, in order of travel. */
type Disturbable = ReturnType<typeof disturbable>[number];

/** Bookings of the airline that can still be disturbed. */
export function disturbable(airline: ReturnType<Sandbox['carrier']>) {
  return allBookings(airline.state)
    .filter((booking) => booking.state !== 'cancelled' && !isExpired(booking, airline.now))
    .map((booking) => {
      const held = booking.state === 'held';
      const active = activeSegments(booking);
      return {
        ...{ locator: booking.locator, held, travelers: booking.travelers.length },
        /** Milliseconds epoch. */
        departs: active.map((it) => airline.timetable.findByKey(it.departure)?.departsAt ?? 0),
        segments: active.map((it) => it.ref),
        /** Of the timetable: `0113 2026-12-05`. */
        runs: active.map(({ departure }) => `${departure.number} ${departure.serviceDate}`),
        /** Whether somebody has a seat to travel on. */
        seated: active.map(({ ref }) =>
          booking.tickets.some(({ coupons }) =>
            coupons.some((one) => one.segmentRef === ref && isOpenCoupon(one) && one.seat !== undefined),
          ),
        ),
        /** Until then a hold can be paid, ms epoch. */
        ...(held && { payBy: booking.payBy }),
      };
    });
}

/** Codes with which airlines show a cancelled departure (docs/wire/notes.md, Statuses). */
const CANCELLED = ['16', '31', 'UN', 'HX', 'XX'];

const HELD: readonly MishapKind[] = ['price', 'deadline', 'delay', 'cancel'];
const PAID: readonly MishapKind[] = [
  ...(['delay', 'retime', 'renumber', 'cancel', 'equipment'] as const),
  ...(['class-lost', 'coupon-closed', 'no-show', 'passenger-gone', 'deadline'] as const),
];

/** How this mishap happens to this booking, by seed; undefined if it cannot, or is too late by `now` (ms epoch). */
export function mishapTo(booking: Disturbable, kind: MishapKind, seed: number, now: number): Mishap | undefined {
  const { locator, held, travelers, departs, segments, payBy } = booking;
  const paid = (departs[0] ?? 0) - 6 * HOUR;
  const last = held ? Math.min(paid, payBy ?? Infinity) - 15 * 60_000 : paid;
  const fits = (held ? HELD : PAID).includes(kind) && (kind !== 'passenger-gone' || travelers > 1);
  if (last <= now || !fits) return undefined;
  const drawn = (what: string) => draw(seed, what, locator);
  const pick = <T>(list: readonly T[], what: string): T | undefined => list[Math.floor(drawn(what) * list.length)];
  return {
    ...{ kind, locator },
    ...detailsOf(kind, pick(segments, 'segment'), pick(CANCELLED, 'status'), drawn('size')),
  };
}

function detailsOf(
  kind: MishapKind,
  segment: string | undefined,
  cancelled: string | undefined,
  size: number,
): Partial<Mishap> {
  const where = segment === undefined ? {} : { segment };
  switch (kind) {
    case 'delay':
      return { ...where, minutes: 5 + Math.floor(size * 175) };
    case 'cancel':
      return { ...where, ...(cancelled !== undefined && { status: cancelled }) };
    case 'price':
      return { percent: 105 + Math.floor(size * 50) };
    case 'deadline':
    case 'passenger-gone':
      return {};
    default:
      return where;
  }
}
