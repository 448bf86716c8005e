/** Seat maps of segments. */
import type { Traveler } from '../people/traveler.ts';
import type { Segment } from './booking.ts';

export type SeatStatus = 'free' | 'taken' | 'yours';

export interface Seat {
  /** Complete, as sent: `12A`, or `52` in a train that numbers seats from end to end. */
  readonly number: string;
  readonly row: string;
  readonly column?: number;
  readonly sequence?: number;
  readonly status: SeatStatus;
  readonly window: boolean;
  readonly aisle: boolean;
  readonly facing?: 'forward' | 'backward';
  readonly amenities: readonly string[];
  readonly services: readonly string[];
}

export interface SeatRow {
  readonly number: string;
  readonly characteristics: readonly string[];
  readonly description: readonly string[];
  readonly seats: readonly Seat[];
}

export interface SeatZone {
  readonly id?: string;
  /** On rail, the coach. */
  readonly code?: string;
  readonly name?: string;
  readonly description?: string;
  readonly totalSeats?: number;
  readonly type?: string;
}

export interface SeatCabin {
  readonly cabin: 'economy' | 'business' | 'other';
  /** The airline's inventory code as sent: `T` economy, `P` business. */
  readonly cabinType?: string;
  readonly zones: readonly SeatZone[];
  readonly columns?: number;
  readonly startingRow?: string;
  readonly endingRow?: string;
  readonly rows: readonly SeatRow[];
}

export interface SegmentSeatMap {
  readonly segment: Segment;
  readonly travelerRefs: readonly string[];
  readonly cabins: readonly SeatCabin[];
}

export interface SeatMapQuery {
  readonly locator: string;
  readonly requests: readonly { readonly segment: Segment; readonly travelerRefs: readonly string[] }[];
  readonly travelers: readonly Traveler[];
  /** The reservation as the airline sent it; only `ota/` reads it. */
  readonly source?: unknown;
}
