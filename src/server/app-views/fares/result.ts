/** Results of search_fares, as far as the view reads them. */
import type { Data } from '../shared/result.ts';

interface Segment {
  readonly flight: string;
  readonly from: string;
  readonly class: string;
  readonly seats_left?: number;
}

export interface Leg {
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
  readonly duration_minutes?: number;
  readonly segments: readonly Segment[];
  readonly fare?: { readonly code: string; readonly name?: string };
}

export interface Offer {
  readonly offer_id: string;
  readonly total: string;
  readonly leg?: number;
  readonly legs: readonly [Leg, ...Leg[]];
  readonly per_type: readonly { readonly count: number; readonly type: string }[];
  readonly refund?: { readonly text: string };
  readonly refund_note?: string;
  readonly baggage?: string;
  readonly pay_by?: string;
  readonly notes?: readonly string[];
}

export interface SoldOut {
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
  readonly class: string;
}

export interface Fares extends Data {
  readonly currency: string;
  readonly offers: readonly Offer[];
  readonly total_found?: number;
  readonly sold_out?: readonly SoldOut[];
}
