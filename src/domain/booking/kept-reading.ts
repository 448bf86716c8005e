/** The least of a reading that the next one is compared with. It names nobody: people are counted, tickets are digests. */
import type { Money } from '../pricing/money.ts';

export interface KeptSegment {
  /** The airline's pointer in that reading. */
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** As sent. */
  readonly number: string;
  readonly departs: string;
  readonly arrives: string;
  readonly class?: string;
  /** As sent; absent: the reading had none. */
  readonly status?: string;
}

export interface KeptCoupon {
  /** Keyed digest of ticket and coupon number. */
  readonly id: string;
  /** Place in the list of segments; absent: unknown. */
  readonly segment?: number;
  readonly status?: string;
  /** Coach and seat: `4/12A`. */
  readonly seat?: string;
}

export interface KeptOrder {
  readonly id?: string;
  readonly direction?: string;
  readonly status?: string;
  readonly amount?: Money;
  /** When this order was first seen PENDING, milliseconds since 1970. */
  readonly pendingSince?: number;
}

export interface KeptReading {
  /** When it was made, milliseconds since 1970. */
  readonly at: number;
  readonly state: string;
  readonly segments: readonly KeptSegment[];
  /** 0: the reading named none. */
  readonly passengers: number;
  readonly coupons: readonly KeptCoupon[];
  readonly orders: readonly KeptOrder[];
  /** UTC. */
  readonly payBy?: string;
  readonly namesUntil?: string;
  readonly cancelUntil?: string;
  readonly total?: Money;
}
