/**
 * Flights and trains of a trip: segments (one departure to one arrival) grouped in options (what is sold and
 * cancelled together).
 */

/** IATA station code, three letters. */
export type StationCode = string;

export interface Flight {
  /** Carrier designator: `HHR`, `LH`. */
  readonly carrier: string;
  readonly number: string;
}

/** What the airline says of seats left in one booking class of a segment. */
export interface ClassAvailability {
  readonly bookingClass: string;
  /** As sent; a count, or text such as `9+`. */
  readonly quantity?: string;
  readonly statusCode?: string;
}

/** An operation that the airline itself offers on a segment now (airline dialect, `tpaextensions.operations`). */
export interface PermittedOperation {
  readonly modificationType: string;
  readonly name?: string;
}

/** A fare rule that the airline sends as words alone. */
export interface FareRuleText {
  readonly code?: string;
  readonly name?: string;
  readonly text: string;
}

export interface Segment {
  /** The airline's pointer to this segment (rph). */
  readonly ref: string;
  /** The pointer of the option that holds it. */
  readonly optionRef: string;
  /** Marketing or operating number, as the airline prints it. */
  readonly flightNumber: string;
  /** Absent where the airline named none (an availability record). */
  readonly operating?: Flight;
  readonly marketing?: Partial<Flight>;
  readonly from: StationCode;
  readonly to: StationCode;
  /** Local time with offset as sent (`2026-12-01T08:00:00.000+03:00`), or UTC ending in `Z`. RFC 3339. */
  readonly departs: string;
  readonly arrives: string;
  /** Local date of departure, where `departs` is UTC. */
  readonly journeyDate?: string;
  readonly bookingClass?: string;
  /** Code of the fare that the segment is offered or held in, wherever the airline wrote it. */
  readonly fareBasis?: string;
  /** The airline's name for the family of that fare: `Eco Flex`. */
  readonly fareName?: string;
  /** The airline's own words of a fare rule (airline dialect, `tpaextensions.fareRule`). */
  readonly fareRules?: readonly FareRuleText[];
  /** The airline's own status code: `30` confirmed, `16` cancelled, others by {@link segmentStatus}. */
  readonly statusCode?: string;
  readonly availability?: readonly ClassAvailability[];
  readonly stops?: number;
  /** Undefined where the airline says nothing of it. */
  readonly permitted?: readonly PermittedOperation[];
}

/** What is sold, and cancelled, as one: a direct segment, or the segments of a connection. */
export interface SegmentOption {
  readonly ref: string;
  readonly segments: readonly Segment[];
}

export { type SegmentStatus, segmentStatus } from './status-codes.ts';
