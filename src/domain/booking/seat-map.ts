/**
 * Seats of a segment, as the airline draws them.
 */
import type { Segment } from './itinerary.ts';

export type SeatStatus = 'free' | 'taken' | 'yours';

export interface Seat {
  /** Whole, as sent: `12A`, or `52` where seats are numbered through the train. The row is no part of it. */
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

/** The cabins of one segment as they concern these travellers. */
export interface SegmentSeatMap {
  readonly segment: Segment;
  readonly travelerRefs: readonly string[];
  readonly cabins: readonly SeatCabin[];
}

export interface SeatMapQuery {
  readonly locator: string;
  readonly requests: readonly { readonly segment: Segment; readonly travelerRefs: readonly string[] }[];
  readonly travelers: readonly import('../people/traveler.ts').Traveler[];
  /** The reservation as the airline sent it: flights and travellers go back as they came. Opaque above `ota/`. */
  readonly source?: unknown;
}
