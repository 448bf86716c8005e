/** Mishaps: what an airline does to bookings that were made long ago. Nobody asked for it, and no message tells it. */
import * as z from 'zod';

/** Each strikes one run of a train or flight, and every booking on it. */
const RUN_MISHAPS = {
  delay: 'moves a departure; bookings stay confirmed',
  retime: 'moves it by a schedule change: a connection may break',
  renumber: 'gives a departure another number',
  cancel: 'cancels a departure',
  restore: 'runs a cancelled departure after all',
  equipment: 'sends another vehicle: other seats, or none',
} as const;

/** Each strikes one booking. */
const BOOKING_MISHAPS = {
  'class-lost': 'moves a segment to another class',
  'coupon-closed': 'closes a coupon',
  'seats-moved': 'gives other seats',
  reissue: 'issues new tickets, with other seats',
  'no-show': 'marks a segment as not travelled',
  'passenger-gone': 'drops a passenger',
  price: 'changes the price of an unpaid hold',
  deadline: 'moves the limit to pay, or for names once paid',
  refund: 'refunds a part that nobody asked for',
  'refund-pending': 'does not pay a refund out',
  'refund-paid': 'pays the refunds out',
} as const;

export const MISHAPS = { ...RUN_MISHAPS, ...BOOKING_MISHAPS } as const;
export type MishapKind = keyof typeof MISHAPS;
export const MISHAP_KINDS = Object.keys(MISHAPS) as readonly MishapKind[];

const MOST_MINUTES = 60 * 24 * 3;

export const mishapSchema = z.strictObject({
  kind: z.enum(MISHAP_KINDS),
  /** The booking, or one whose departure is meant. */
  locator: z.string().optional(),
  /** Pointer of a segment of the booking; default its first that is not cancelled. */
  segment: z.string().optional(),
  /** The departure without a booking: its number in the timetable, and the local date at its first stop. */
  train: z.string().optional(),
  date: z.iso.date().optional(),
  /**
   * How far departure and arrival, or a time limit, move; negative: earlier. Default of a delay 45; of a retiming as much
   * as breaks the connection, else 90; of a time limit 10 earlier (hold) or 24 hours earlier.
   */
  minutes: z.int().min(-MOST_MINUTES).max(MOST_MINUTES).optional(),
  /** Minutes that the arrival moves, if not as far as the departure. */
  arrives: z.int().min(-MOST_MINUTES).max(MOST_MINUTES).optional(),
  /** The new number; default the next free one. */
  number: z.string().min(1).max(6).optional(),
  /** Status code that segments or a coupon show; each kind has a default. */
  status: z.string().min(1).max(2).optional(),
  /** Pointer of a traveller; default the last, or the first with an open coupon. */
  traveler: z.string().optional(),
  /** Per cent of the former price; default 110. */
  percent: z.int().min(1).max(1000).optional(),
});

export type Mishap = Readonly<z.output<typeof mishapSchema>>;

/** A mishap that happened. */
export interface Happened {
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly mishap: Mishap;
  /** Locators of the bookings that look different since. */
  readonly touched: readonly string[];
}

export function isRunMishap(kind: MishapKind): kind is keyof typeof RUN_MISHAPS {
  return Object.hasOwn(RUN_MISHAPS, kind);
}
