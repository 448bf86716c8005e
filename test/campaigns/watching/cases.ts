/** What each mishap must be found as, and until when. */
import type { Mishap, MishapKind } from '../../support/sandbox/mishaps.ts';
import type { Alteration } from './altered.ts';
import type { Desk } from './desk.ts';

export type Finding = Awaited<ReturnType<Desk['findings']>>[number];
export type { Mishap, MishapKind };

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A refund that is PENDING for so long is found. */
export const REFUND = 14 * DAY;

/** What happens to a booking. */
export type Happening = MishapKind | Alteration;

export const EXPECTED: Readonly<Record<Happening, Finding['kind']>> = {
  ...{ delay: 'retimed', retime: 'retimed', renumber: 'number_changed' },
  ...{ cancel: 'segment_cancelled', restore: 'segment_restored' },
  ...{ equipment: 'seat_changed', 'seats-moved': 'seat_changed', reissue: 'seat_changed' },
  'class-lost': 'class_changed',
  ...{ 'coupon-closed': 'coupon_closed', 'no-show': 'no_show', 'passenger-gone': 'passenger_gone' },
  ...{ price: 'price_changed', deadline: 'deadline_moved' },
  ...{ refund: 'refunded', 'refund-pending': 'refund_pending', 'refund-paid': 'refund_arrived' },
  ...{ renamed: 'name_changed', 'other-type': 'type_changed', 'other-document': 'document_changed' },
  ...{ 'other-contact': 'contact_changed', 'passenger-added': 'passenger_added' },
  ...{ 'off-flight': 'passenger_off_flight', 'other-carrier': 'carrier_changed', 'other-fare': 'fare_changed' },
  ...{ 'ticket-gone': 'ticket_gone', 'ticket-twice': 'ticket_twice', 'ticket-of-other': 'ticket_of_other' },
  ...{ 'flown-early': 'flown_early', 'other-rule': 'refund_rule_changed' },
  ...{ 'other-currency': 'price_changed', 'other-order': 'order_unlike_total' },
};
/** A mishap as one booking sees it. */
export interface Case {
  readonly kind: Happening;
  readonly locator: string;
  /** The booking was an unpaid hold. */
  readonly held: boolean;
  readonly at: number;
  /** Departures and the limit to pay at that time, ms epoch. */
  readonly goals: readonly number[];
  /** Until then the hold could be paid, ms epoch. */
  readonly payBy?: number;
  /** The run of the timetable that it struck; absent: the whole booking. */
  readonly run?: string;
  /** What struck that run before, in this booking or in the one that it was split from. */
  readonly earlier?: readonly MishapKind[];
}

/** Mishaps with which a segment shows another code: it no longer says that nobody came. */
const TRAVELS_AGAIN: readonly Happening[] = ['retime', 'renumber'];
/** Mishaps that make a finding only while the segment is to be travelled. */
const TOLD_OF_TRAVEL: readonly Happening[] = ['delay', 'retime', 'renumber', 'class-lost'];

const sameRun = (all: readonly Case[], { locator, run }: Case): readonly Case[] =>
  run === undefined ? [] : all.filter((it) => it.locator === locator && it.run === run);

/** Whether the segment was marked as not travelled when this happened. */
function wasNoShow({ earlier = [] }: Case): boolean {
  return earlier.findLast((kind) => kind === 'no-show' || TRAVELS_AGAIN.includes(kind)) === 'no-show';
}

/**
 * From when on no reading can show a mishap, ms epoch: the hold lapsed unpaid, or the same run was struck by another mishap,
 * a case of its own, whose status code or seats take the place of this one's. A segment has one code.
 */
export function goneAt(one: Case, all: readonly Case[]): number {
  // Nobody travels on it, with whatever times, and a finding says so already.
  const isLostAlready =
    [...TOLD_OF_TRAVEL, 'cancel', 'no-show'].includes(one.kind) && !TRAVELS_AGAIN.includes(one.kind);
  if (isLostAlready && wasNoShow(one)) return one.at;
  // With its class a segment loses its seats, and new ones are no finding. A second other vehicle can be the first one again.
  const hasOtherSeats = one.earlier?.some((kind) => ['class-lost', 'equipment'].includes(kind));
  if (one.kind === 'equipment' && hasOtherSeats) return one.at;
  // The times of rules go by those of the flights.
  if (one.kind === 'other-rule') {
    const others = all.filter((it) => it !== one && it.locator === one.locator && it.at >= one.at);
    return Math.min(one.payBy ?? Number.POSITIVE_INFINITY, ...others.map(({ at }) => at));
  }
  const hides = ({ kind }: Case) =>
    kind === 'cancel' ||
    (kind === 'equipment' && one.kind === 'equipment') ||
    (kind === 'no-show' && TOLD_OF_TRAVEL.includes(one.kind)) ||
    (one.kind === 'no-show' && TRAVELS_AGAIN.includes(kind));
  const ends = sameRun(all, one).filter((it) => it !== one && it.at >= one.at && hides(it));
  return Math.min(one.payBy ?? Number.POSITIVE_INFINITY, ...ends.map(({ at }) => at));
}

/**
 * Whether a finding tells a mishap. One finding tells all that changed of a segment between two readings, as the heaviest
 * change (docs/guides/watching.md): a new time with a new number, with the segment's running again, and a limit that moved
 * with the segment. So each must be in what the finding states.
 */
export function tells(finding: Finding, one: Case, all: readonly Case[]): boolean {
  const { kind, before = {}, after = {}, deadlines = [] } = finding;
  if (EXPECTED[one.kind] === kind) return true;
  const isTimed = before.departs !== after.departs || before.arrives !== after.arrives;
  const isNumbered = before.number !== after.number;
  const isRestored = kind === 'segment_restored' && wasNoShow(one);
  switch (one.kind) {
    case 'delay':
      return kind === 'number_changed' && isTimed;
    case 'retime':
      return (kind === 'number_changed' || isRestored) && isTimed;
    case 'renumber':
      return isRestored && isNumbered;
    case 'deadline': {
      // A mishap moves it earlier, which no delay does.
      const limit = one.held ? 'pay_by' : 'names_until';
      return deadlines.some((it) => it.what === limit && Date.parse(it.after) < Date.parse(it.before));
    }
    case 'price': {
      // What is left of a hold has another price in any case.
      const { locator } = one;
      return kind === 'segment_cancelled' && all.some((it) => it.locator === locator && it.kind === 'cancel');
    }
    default:
      return false;
  }
}

/**
 * Whether a moved limit may come of a mishap that its segment does not tell: nobody came for it, but the limit still goes by
 * the first departure. Then no finding of the segment explains the limit, which gets a finding of its own.
 */
export function movesLimitAlone(one: Case, all: readonly Case[]): boolean {
  if (!['delay', 'retime', 'cancel'].includes(one.kind)) return false;
  return wasNoShow(one) || sameRun(all, one).some((it) => it.kind === 'no-show' && it.at >= one.at);
}

/** Whether a kind of finding may come of a mishap: seats change with the class. */
export const fits = (mishap: Happening, kind: Finding['kind']): boolean =>
  EXPECTED[mishap] === kind || (mishap === 'class-lost' && kind === 'seat_changed');

/** Hourly within 24 hours of a departure or limit, twice a day within 72, else daily; ms epoch. */
export function latest({ at, goals }: Pick<Case, 'at' | 'goals'>): number {
  const paces = [
    [24, 1],
    [72, 12],
    [Number.POSITIVE_INFINITY, 24],
  ] as const;
  const ahead = goals.filter((goal) => goal > at);
  const due = ahead.flatMap((goal) => paces.map(([h, every]) => Math.max(at, goal - h * HOUR) + every * HOUR));
  // Without any, a refund is awaited.
  return Math.min(at + DAY, ...due);
}
