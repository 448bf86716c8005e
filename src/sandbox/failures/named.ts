/** Names what can go wrong: faults, which make a call fail, and mishaps, which change bookings without a message. */
import * as z from 'zod';
import { MINUTES_PER_DAY } from '../zone.ts';
import type { SandboxFault } from './wire-faults.ts';

export interface NamedFault {
  /** Says in one line what the airline does. */
  readonly says: string;
  readonly fault: Omit<SandboxFault, 'message' | 'times' | 'nth'>;
  /** The tool whose call the fault strikes unless the order names another; default {@link USUAL_TOOL}. */
  readonly tool?: string;
}

export const USUAL_TOOL = 'pay_booking';

export const MODIFICATION = 'OTA_AirBookModifyRQ';

/** The message of each tool. Other acts send a modification. `release_hold`: cancel_booking of an unpaid hold. */
export const OTA_MESSAGES: Readonly<Record<string, string>> = {
  search_fares: 'OTA_AirLowFareSearchRQ',
  find_cheapest_dates: 'OTA_AirLowFareSearchRQ',
  create_booking: 'OTA_AirBookRQ',
  pay_booking: 'OTA_AirDemandTicketRQ',
  read_booking: 'OTA_ReadRQ',
  get_seat_map: 'OTA_AirSeatMapRQ',
  cancel_booking: MODIFICATION,
  release_hold: 'OTA_CancelRQ',
};

/** Calls without an OTA message, by the names that faults use. `any` is the next call, whatever it is. */
export const OTHER_CALLS: Readonly<Record<string, string>> = {
  list_routes: 'routes',
  get_calendar_dates: 'calendar',
  send_tickets: 'email',
  get_tickets: 'download',
  login: 'token',
  any: '*',
};

/** Makes the fault of a refusal with a code of refusal.ts. */
const refused = (code: string) => ({ kind: 'error-before', status: 422, code }) as const;

/** Faults after which the airline acted but its answer fails; those before which it does not act; its refusals. */
export const NAMED_FAULTS = {
  'lost-answer': { says: 'acts, then the connection breaks', fault: { kind: 'commit-then-lose' } },
  'no-answer': { says: 'acts, and never answers', fault: { kind: 'commit-then-hang' } },
  'late-answer': { says: 'acts, and answers 40 seconds later', fault: { kind: 'commit-then-late', ms: 40_000 } },
  'slow-answer': { says: 'acts, and sends its answer byte by byte', fault: { kind: 'slow-drip' } },
  'cut-answer': { says: 'acts, and sends half of its answer', fault: { kind: 'commit-then-truncated' } },
  'empty-answer': { says: 'acts, and answers with nothing', fault: { kind: 'empty-body' } },
  'wrong-answer': { says: 'acts, and answers with another booking', fault: { kind: 'wrong-locator' } },
  'false-error': { says: 'acts, but answers with an error (502)', fault: { kind: 'commit-then-5xx' } },
  'acts-late': { says: 'disconnects, and acts 5 seconds later', fault: { kind: 'late-commit', ms: 5000 } },
  'lost-request': { says: 'does nothing: the connection breaks', fault: { kind: 'lose-before' } },
  'no-reaction': { says: 'does nothing, and never answers', fault: { kind: 'hang-before' } },
  'airline-down': { says: 'does nothing: out of service (503)', fault: { kind: '5xx-before' } },
  'too-busy': { says: 'does nothing: too many requests (429)', fault: { kind: 'throttled' }, tool: 'search_fares' },
  'signed-out': { says: 'does nothing: not signed in (401)', fault: { kind: 'unauthorized' } },
  'web-page': { says: 'does nothing, and answers with a web page', fault: { kind: 'html' } },
  'refused-payment': { says: 'refuses: payment rejected', fault: refused('167') },
  'sold-out': { says: 'refuses: not enough seats', fault: refused('1053'), tool: 'create_booking' },
  'fare-gone': { says: 'refuses: the fare is no longer available', fault: refused('1055'), tool: 'create_booking' },
  'not-possible': { says: 'refuses: not possible (422)', fault: { kind: '4xx-before' } },
} as const satisfies Readonly<Record<string, NamedFault>>;

export type FaultName = keyof typeof NAMED_FAULTS;

/** Mishaps of one run of a train or flight, and so of every booking on it. */
const RUN_MISHAPS = {
  delay: 'moves a departure; bookings stay confirmed',
  retime: 'moves it by a schedule change: a connection may break',
  renumber: 'gives a departure another number',
  cancel: 'cancels a departure',
  restore: 'runs a cancelled departure after all',
  equipment: 'sends another vehicle: other seats, or none',
} as const;

/** Mishaps of one booking. */
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
export type RunMishap = keyof typeof RUN_MISHAPS;
export type BookingMishap = keyof typeof BOOKING_MISHAPS;
export type MishapKind = RunMishap | BookingMishap;
export const MISHAP_KINDS = Object.keys(MISHAPS) as readonly MishapKind[];

/** The most minutes that a mishap may move a time: three days. */
const MOST_MINUTES = 3 * MINUTES_PER_DAY;

export const mishapSchema = z.strictObject({
  kind: z.enum(MISHAP_KINDS),
  /** The booking, or a booking with the departure. */
  locator: z.string().optional(),
  /** Pointer of a segment of the booking; default its first that is not cancelled. */
  segment: z.string().optional(),
  /** Instead of a booking: the departure's number in the timetable, and the local date at its first stop. */
  train: z.string().optional(),
  date: z.iso.date().optional(),
  /**
   * How many minutes departure and arrival, or a time limit, move; negative: earlier. Default: 45 for a delay; as many
   * as break the connection, or else 90, for a retiming; -10 for the limit of a hold; -24 hours for names.
   */
  minutes: z.int().min(-MOST_MINUTES).max(MOST_MINUTES).optional(),
  /** How many minutes the arrival moves; default as many as the departure. */
  arrives: z.int().min(-MOST_MINUTES).max(MOST_MINUTES).optional(),
  /** The new number; default the next free one. */
  number: z.string().min(1).max(6).optional(),
  /** Status code that segments or a coupon show; each kind has a default. */
  status: z.string().min(1).max(2).optional(),
  /** Pointer of a traveller; default the last, or the first with an open coupon. */
  traveler: z.string().optional(),
  /** Per cent of the former price, default 110; of the payment that a refund returns, default 10. */
  percent: z.int().min(1).max(1000).optional(),
});

export type Mishap = Readonly<z.output<typeof mishapSchema>>;

export interface PlayedMishap {
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly mishap: Mishap;
  /** Locators of the bookings that it changed. */
  readonly touched: readonly string[];
}

export function isRunMishap(kind: MishapKind): kind is RunMishap {
  return Object.hasOwn(RUN_MISHAPS, kind);
}
