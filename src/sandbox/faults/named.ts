/** Faults by plain names, for people who try out what happens when an airline fails. */
import type { SandboxFault } from './orders.ts';

export interface NamedFault {
  /** What the airline does, in one line. */
  readonly says: string;
  readonly fault: Omit<SandboxFault, 'message' | 'times' | 'nth'>;
  /** The tool whose call it usually disturbs; default USUAL_TOOL. */
  readonly tool?: string;
}

export const USUAL_TOOL = 'pay_booking';

export const MODIFICATION = 'OTA_AirBookModifyRQ';

/**
 * The message that a tool sends; an act that is not listed sends a modification. cancel_booking releases an unpaid hold with
 * another message: `release_hold`.
 */
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

/** Without an OTA message; `any` strikes the next call, whatever it is. */
export const OTHER_CALLS: Readonly<Record<string, string>> = {
  list_routes: 'routes',
  get_calendar_dates: 'calendar',
  send_tickets: 'email',
  get_tickets: 'download',
  login: 'token',
  any: '*',
};

/** The airline acts, and its answer fails; then: it does not act; then: what it refuses. */
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
  'refused-payment': {
    says: 'refuses: payment rejected',
    fault: { kind: 'error-before', status: 422, code: '167' },
  },
  'sold-out': {
    says: 'refuses: not enough seats',
    fault: { kind: 'error-before', status: 422, code: '1053' },
    tool: 'create_booking',
  },
  'fare-gone': {
    says: 'refuses: the fare is no longer available',
    fault: { kind: 'error-before', status: 422, code: '1055' },
    tool: 'create_booking',
  },
  'not-possible': { says: 'refuses: not possible (422)', fault: { kind: '4xx-before' } },
} as const satisfies Readonly<Record<string, NamedFault>>;

export type FaultName = keyof typeof NAMED_FAULTS;
