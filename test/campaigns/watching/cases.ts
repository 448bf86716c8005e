/** What each mishap must be found as, and until when. */
import type { Mishap, MishapKind } from '../../../src/sandbox/start.ts';
import type { Desk } from './desk.ts';

export type Finding = Awaited<ReturnType<Desk['findings']>>[number];
export type { Mishap, MishapKind };

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A refund that is PENDING for so long is found. */
export const REFUND = 14 * DAY;

export const EXPECTED: Readonly<Record<MishapKind, Finding['kind']>> = {
  ...{ delay: 'retimed', retime: 'retimed', renumber: 'number_changed' },
  ...{ cancel: 'segment_cancelled', restore: 'segment_restored' },
  ...{ equipment: 'seat_changed', 'seats-moved': 'seat_changed', reissue: 'seat_changed' },
  'class-lost': 'class_changed',
  ...{ 'coupon-closed': 'coupon_closed', 'no-show': 'no_show', 'passenger-gone': 'passenger_gone' },
  ...{ price: 'price_changed', deadline: 'deadline_moved' },
  ...{ refund: 'refunded', 'refund-pending': 'refund_pending', 'refund-paid': 'refund_arrived' },
};
/** Whether a finding may come of a mishap: seats change with the class. */
export const fits = (mishap: MishapKind, kind: Finding['kind']): boolean =>
  EXPECTED[mishap] === kind || (mishap === 'class-lost' && kind === 'seat_changed');

/** A mishap as one booking sees it. */
export interface Case {
  readonly kind: MishapKind;
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
}

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
