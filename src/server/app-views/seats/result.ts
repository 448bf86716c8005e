/** Results of get_seat_map and read_booking, as far as the view reads them. */
import type { Data } from '../shared/result.ts';

type Status = 'free' | 'taken' | 'yours';

export interface Seat {
  readonly seat: string;
  readonly status: Status;
  readonly window?: boolean;
  readonly aisle?: boolean;
  readonly facing?: string;
  readonly amenities?: readonly string[];
}

export interface Cabin {
  readonly cabin: string;
  readonly coach?: string;
  readonly zone?: { readonly name?: string; readonly code?: string };
  readonly rows: readonly string[];
  readonly seats?: readonly Seat[];
  readonly free: number;
  readonly yours: readonly { readonly seat: string; readonly passenger_ref?: string }[];
}

export interface Segment {
  readonly segment_ref: string;
  readonly flight: string;
  readonly cabins: readonly Cabin[];
}

export interface SeatMap extends Data {
  readonly segments: readonly Segment[];
}

export interface Passenger {
  readonly ref: string;
  readonly name?: string;
  readonly type?: string;
}

export interface Trip {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
}

/** A row as drawn: its label, and a seat or a gap in each place. */
export interface Row {
  readonly label: string;
  readonly cells: readonly (Seat | undefined)[];
}

/** Reads a row, `5: 31 (32) | 33* 34`: whole seat numbers, and gaps. `seats` has more about them. */
export function rowOf(text: string, seats: readonly Seat[] = []): Row {
  const [, label = '', drawn = ''] = /^(?:(\S+): )?(.*)$/.exec(text) ?? [];
  const cells = drawn.split(' ').map((word): Seat | undefined => {
    if (word === '|') return undefined;
    const seat = word.replace(/[()*]/g, '');
    const status = word.startsWith('(') ? 'taken' : word.endsWith('*') ? 'yours' : 'free';
    return { ...seats.find((each) => each.seat === seat), seat, status };
  });
  return { label, cells };
}
