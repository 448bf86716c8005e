/** Mishaps by seed: which bookings are disturbed, how and when. */
import { activeSegments, allBookings, isExpired } from '../../../src/sandbox/record.ts';
import type { Mishap, MishapKind, Sandbox } from '../../../src/sandbox/start.ts';
import { draw } from '../../campaigns/support/chance.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A booking as the plan needs to know it. */
export interface Disturbable {
  readonly locator: string;
  /** Unpaid. */
  readonly held: boolean;
  readonly travelers: number;
  /** Of each segment, in order of travel, ms epoch. */
  readonly departs: readonly number[];
  /** Pointers of the segments, in the same order. */
  readonly segments: readonly string[];
  /** The runs of the timetable that they are on, in the same order: `0113 2026-12-05`. */
  readonly runs: readonly string[];
  /** Until then a hold can be paid, ms epoch. */
  readonly payBy?: number;
}

/** Bookings of the airline that can still be disturbed. */
export function disturbable(airline: ReturnType<Sandbox['carrier']>): readonly Disturbable[] {
  return allBookings(airline.state)
    .filter((booking) => booking.state !== 'cancelled' && !isExpired(booking, airline.now))
    .map((booking) => {
      const held = booking.state === 'held';
      const active = activeSegments(booking);
      return {
        ...{ locator: booking.locator, held, travelers: booking.travelers.length },
        departs: active.map((it) => airline.timetable.find(it.departure)?.departsAt ?? 0),
        segments: active.map((it) => it.ref),
        runs: active.map(({ departure }) => `${departure.number} ${departure.serviceDate}`),
        ...(held && { payBy: booking.payBy }),
      };
    });
}

interface PlannedMishap {
  /** ms epoch by the airline's clock. */
  readonly at: number;
  readonly mishap: Mishap;
}

export interface MishapPlan {
  /** How many bookings are disturbed, each once. A disturbed run may carry others too. */
  readonly count: number;
  /** ms epoch. */
  readonly from: number;
  readonly days: number;
  /** Default: all that fit the booking. */
  readonly kinds?: readonly MishapKind[];
  /** Least time from the mishap to the departure or the end of the hold, ms; default 6 hours and 15 minutes. */
  readonly lead?: { readonly departure: number; readonly hold: number };
}

const LEAD = { departure: 6 * HOUR, hold: 15 * 60_000 };
/** Codes with which airlines show a cancelled departure (docs/wire/notes.md, Statuses). */
const CANCELLED = ['16', '31', 'UN', 'HX', 'XX'];

const HELD: readonly MishapKind[] = ['price', 'deadline', 'delay', 'cancel'];
const PAID: readonly MishapKind[] = [
  ...(['delay', 'retime', 'renumber', 'cancel', 'equipment'] as const),
  ...(['class-lost', 'coupon-closed', 'no-show', 'passenger-gone', 'deadline'] as const),
];

/**
 * The mishaps in order of time. Depends on its arguments alone. Fewer than `count` where too few bookings have time left
 * to be disturbed.
 */
export function planMishaps(
  seed: number,
  bookings: readonly Disturbable[],
  plan: MishapPlan,
): readonly PlannedMishap[] {
  const order = bookings.toSorted((a, b) => draw(seed, 'who', a.locator) - draw(seed, 'who', b.locator));
  const planned: PlannedMishap[] = [];
  for (const booking of order) {
    if (planned.length === plan.count) break;
    const one = mishapOf(seed, booking, plan);
    if (one !== undefined) planned.push(one);
  }
  return planned.toSorted((a, b) => a.at - b.at);
}

function mishapOf(seed: number, booking: Disturbable, plan: MishapPlan): PlannedMishap | undefined {
  const { locator, held, travelers, departs, segments, payBy } = booking;
  const drawn = (what: string) => draw(seed, what, locator);
  const lead = plan.lead ?? LEAD;
  const last =
    Math.min((departs[0] ?? 0) - lead.departure, (held ? payBy : undefined) ?? Infinity) - (held ? lead.hold : 0);
  const until = Math.min(plan.from + plan.days * DAY, last);
  if (until <= plan.from) return undefined;
  const fits = (kind: MishapKind) =>
    (plan.kinds?.includes(kind) ?? true) && (kind !== 'passenger-gone' || travelers > 1);
  const kinds = (held ? HELD : PAID).filter(fits);
  const pick = <T>(list: readonly T[], what: string): T | undefined => list[Math.floor(drawn(what) * list.length)];
  const kind = pick(kinds, 'kind');
  if (kind === undefined) return undefined;
  const at = Math.floor(plan.from + drawn('at') * (until - plan.from));
  return {
    at,
    mishap: { kind, locator, ...detailsOf(kind, pick(segments, 'segment'), pick(CANCELLED, 'status'), drawn('size')) },
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
