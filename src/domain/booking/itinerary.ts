/**
 * Flights and trains of a trip. A segment is one departure to one arrival; an option groups the segments that are sold
 * and cancelled together.
 */

import { dateOf } from '../../core/times.ts';

/** IATA station code, three letters. */
export type StationCode = string;

export interface Flight {
  /** Carrier designator: `HHR`, `LH`. */
  readonly carrier: string;
  readonly number: string;
}

export interface ClassAvailability {
  readonly bookingClass: string;
  /** As sent; a count, or text such as `9+`. */
  readonly quantity?: string;
  readonly statusCode?: string;
}

/** An operation that the airline offers on a segment now (airline dialect, `tpaextensions.operations`). */
export interface PermittedOperation {
  readonly modificationType: string;
  readonly name?: string;
}

/** A fare rule that the airline sends only as text. */
export interface FareRuleText {
  readonly code?: string;
  readonly name?: string;
  readonly text: string;
}

export interface Segment {
  /** The airline's pointer (rph). */
  readonly ref: string;
  readonly optionRef: string;
  /** As sent: the marketing or the operating number. */
  readonly flightNumber: string;
  /** Absent in an availability record. */
  readonly operating?: Flight;
  readonly marketing?: Partial<Flight>;
  readonly from: StationCode;
  readonly to: StationCode;
  /** Local time with offset as sent (`2026-12-01T08:00:00.000+03:00`), or UTC ending in `Z`. RFC 3339. */
  readonly departs: string;
  readonly arrives: string;
  /** Local date of departure, if `departs` is UTC. */
  readonly journeyDate?: string;
  readonly bookingClass?: string;
  /** Fare basis code of the offer or hold, from any place in the message. */
  readonly fareBasis?: string;
  /** The fare family's name: `Eco Flex`. */
  readonly fareName?: string;
  /** Airline dialect, `tpaextensions.fareRule`. */
  readonly fareRules?: readonly FareRuleText[];
  /** `30` confirmed, `16` cancelled, others in status-codes.ts. */
  readonly statusCode?: string;
  /**
   * The airline cancelled it and its coupons are open: nothing was refunded yet (docs/wire/notes.md, What the airline changes).
   * `unclear`: a refund is recorded that may be for it.
   */
  readonly owed?: true | 'unclear';
  readonly availability?: readonly ClassAvailability[];
  readonly stops?: number;
  /** Absent if the airline does not state it. */
  readonly permitted?: readonly PermittedOperation[];
}

/** A direct segment, or the segments of a connection. */
export interface SegmentOption {
  readonly ref: string;
  readonly segments: readonly Segment[];
}

/** The local calendar date of departure. */
export function departureDate({ departs, journeyDate }: Segment): string {
  return journeyDate ?? dateOf(departs);
}
