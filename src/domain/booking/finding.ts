/** A finding: what the airline did to a booking and no operation of ours asked for, mostly as two readings show it. */

export const FINDING_KINDS = [
  'segment_cancelled',
  'segment_restored',
  'no_show',
  'number_changed',
  'route_changed',
  'retimed',
  'schedule_change',
  'stops_changed',
  'flight_added',
  'class_changed',
  'carrier_changed',
  'fare_changed',
  'passenger_off_flight',
  'passenger_on_flight',
  'seat_changed',
  'coupon_closed',
  'ticket_gone',
  'ticket_twice',
  'ticket_of_other',
  'flown_early',
  'refunded',
  'refund_pending',
  'refund_arrived',
  'deadline_moved',
  'price_changed',
  'order_unlike_total',
  'order_added',
  'payment_changed',
  'refund_rule_changed',
  'change_rule_changed',
  'passenger_gone',
  'passenger_added',
  'name_changed',
  'type_changed',
  'lap_changed',
  'document_changed',
  'contact_changed',
  'booking_cancelled',
  'other_booking',
  // The result of an operation of ours shows it, not a reading.
  'charged_more',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

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
  /** The detail of a person that differs: `birth date`. What it says is not kept. Of an infant: the pointer of its adult. */
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

/** A later segment of the booking that leaves before this one arrives. */
type MissedConnection = FindingSegment;

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
  readonly missed?: readonly MissedConnection[];
  readonly deadlines?: readonly MovedDeadline[];
  /** Milliseconds since 1970. */
  readonly closedAt?: number;
  /** A caller's id, `operation ID`, `departed`, or `news` for a finding that nobody must act on. */
  readonly closedBy?: string;
}

/** Whether a finding is about this booking of its locator, and not about another one that had it before or has it now. */
export function isAbout({ bookedAt }: Finding, { createdAt }: { readonly createdAt?: string | undefined }): boolean {
  return bookedAt === undefined || createdAt === undefined || bookedAt === createdAt;
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
