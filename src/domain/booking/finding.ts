/** A finding: what the airline did to a booking and no operation of ours asked for, mostly as two readings show it. */
import type { Digest } from '../people/identity-text.ts';
import { isSameBooking } from './booking-identity.ts';

/**
 * What a change by the airline matters to.
 *
 * - `journey`: whether, when and how flights run. `person`: who travels on them.
 * - `document`: passports and the like. `ticket`: fares and tickets. `contact`: whom the airline writes to. `seat`: where people sit.
 * - `price`: the total. `money`: what was paid and comes back, and by which rules. `term`: until when something is possible.
 */
export type Matter = 'journey' | 'person' | 'document' | 'ticket' | 'contact' | 'seat' | 'price' | 'money' | 'term';

/**
 * By kind: what it matters to. `time`: time alone brings it about, so that no act binds it. `settled`: such a finding is closed as soon
 * as it is found.
 */
export const MATTERS = {
  segment_cancelled: 'journey',
  segment_restored: 'journey',
  no_show: 'journey',
  number_changed: 'journey',
  route_changed: 'journey',
  retimed: 'journey',
  // A mark alone: neither times nor number changed.
  schedule_change: 'money',
  stops_changed: 'journey',
  flight_added: 'journey',
  class_changed: 'journey',
  carrier_changed: 'journey',
  fare_changed: 'ticket',
  passenger_off_flight: 'person',
  passenger_on_flight: 'person',
  seat_changed: 'seat',
  coupon_closed: 'ticket',
  ticket_gone: 'ticket',
  ticket_twice: 'ticket',
  ticket_of_other: 'person',
  ticket_astray: 'ticket',
  flown_early: 'ticket',
  refunded: 'money',
  refund_pending: 'time',
  refund_arrived: 'settled',
  deadline_moved: 'term',
  price_changed: 'price',
  order_unlike_total: 'money',
  order_added: 'money',
  payment_changed: 'money',
  refund_rule_changed: 'money',
  change_rule_changed: 'money',
  passenger_gone: 'person',
  passenger_added: 'person',
  name_changed: 'person',
  type_changed: 'person',
  lap_changed: 'person',
  document_changed: 'document',
  contact_changed: 'contact',
  booking_cancelled: 'journey',
  other_booking: 'journey',
  // The result of an operation of ours shows it, not a reading.
  charged_more: 'money',
} as const satisfies Readonly<Record<string, Matter | 'time' | 'settled'>>;

export type FindingKind = keyof typeof MATTERS;

export const FINDING_KINDS = Object.keys(MATTERS) as readonly FindingKind[];

/** The segment that a finding is about, as it was before. */
export interface FindingSegment {
  readonly from: string;
  readonly to: string;
  /** As the airline sends it. */
  readonly number: string;
  /** With offset, as sent. */
  readonly departs: string;
}

/** One side of a difference: only what differs. Times as sent, amounts as decimal digits, words for codes. */
export interface FindingFacts {
  readonly departs?: string;
  readonly arrives?: string;
  readonly from?: string;
  readonly to?: string;
  readonly number?: string;
  /** How many stops on the way. */
  readonly stops?: string;
  readonly class?: string;
  /** Coach and seat: `4/12A`; empty: none. */
  readonly seat?: string;
  /** Words for a code: `cancelled`, `schedule change`, `refunded`. */
  readonly status?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly passengers?: number;
  /** The pointer of the passenger whom it is about; `contact`: the contact. Several are joined by commas. */
  readonly person?: string;
  /** The detail of a person that differs: `birth date`. What it says is not kept. Of an infant: the pointer of its adult. Of a ticket: what it lacks. */
  readonly detail?: string;
  /** Passenger type code, as sent. */
  readonly type?: string;
  readonly carrier?: string;
  readonly fare?: string;
  /** How many tickets. */
  readonly tickets?: number;
  /** A refund rule in words. */
  readonly rule?: string;
}

export interface MovedDeadline {
  readonly what: 'pay_by' | 'names_until' | 'cancel_until';
  /** UTC. */
  readonly before: string;
  readonly after: string;
}

export interface Finding {
  /** A digest of tenant, locator, kind and what changed: the same change has the same id. */
  readonly id: string;
  readonly tenant: string;
  readonly locator: string;
  readonly kind: FindingKind;
  /** When a reading showed it, milliseconds since 1970. */
  readonly seenAt: number;
  /** The departure that it matters for, milliseconds since 1970; it closes then. Absent: no departure closes it. */
  readonly departsAt?: number;
  /** When the airline made the booking, as sent: another one may have the locator later. */
  readonly bookedAt?: string;
  /** `MED-JED`, as in the ledger. */
  readonly route?: string;
  readonly segment?: FindingSegment;
  readonly before?: FindingFacts;
  readonly after?: FindingFacts;
  /** When the reading before was made, milliseconds since 1970. */
  readonly since: number;
  /** Later segments of the booking that leave before this one arrives. */
  readonly missed?: readonly FindingSegment[];
  readonly deadlines?: readonly MovedDeadline[];
  /** Milliseconds since 1970. */
  readonly closedAt?: number;
  /** A caller's id, `operation ID`, `departed`, or `news` for a finding that nobody must act on. */
  readonly closedBy?: string;
}

/** Whether all that a change did is to move deadlines later, which is only better. */
export function isOnlyLater({ kind, deadlines = [] }: Pick<Finding, 'kind' | 'deadlines'>): boolean {
  return kind === 'deadline_moved' && deadlines.length > 0 && deadlines.every(({ before, after }) => after > before);
}

/**
 * Makes the id of a finding from what makes it the same. It has only letters and digits, because a command takes an argument that begins
 * with `-` for an option.
 */
export function findingId(
  digest: Digest,
  { tenant, locator }: Pick<Finding, 'tenant' | 'locator'>,
  ...facts: unknown[]
) {
  return digest(JSON.stringify(['finding', tenant, locator, ...facts])).replace(/[^A-Za-z0-9]/g, '');
}

/** Whether a finding is about this booking of its locator, and not about another one that had it before or has it now. */
export function isAbout({ bookedAt }: Finding, { createdAt }: { readonly createdAt?: string | undefined }): boolean {
  return isSameBooking({ createdAt: bookedAt }, { createdAt }) !== false;
}

export interface FindingQuery {
  /** seenAt in [from, to), milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  readonly locators?: readonly string[];
  readonly limit: number;
}

export interface Findings {
  /** Adds the findings whose id is not stored yet. Returns them. */
  add(findings: readonly Finding[]): Promise<readonly Finding[]>;
  /** The findings that are not closed and not departed, newest first, at most 1,000. Without a tenant: of all. */
  open(tenant: string | undefined, now: number, locators?: readonly string[]): Promise<readonly Finding[]>;
  /** Closes the findings with these ids that are open. Returns how many. */
  close(tenant: string | undefined, ids: readonly string[], by: string, now: number): Promise<number>;
  /** Newest first, closed ones too. */
  list(tenant: string | undefined, query: FindingQuery): Promise<readonly Finding[]>;
}
