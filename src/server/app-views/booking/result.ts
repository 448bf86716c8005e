/** Results of read_booking and create_booking, as far as the view reads them. */
import type { Decided } from '../shared/decision.ts';

export interface Segment {
  readonly ref: string;
  readonly flight: string;
  readonly operated_by?: string;
  readonly class: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
}

interface Coupon {
  readonly segment_ref?: string;
  readonly status: string;
  readonly coach?: string;
  readonly seat?: string;
}

export interface Passenger {
  readonly ref: string;
  readonly name: string;
  readonly unnamed?: boolean;
  readonly type: string;
  readonly tickets: readonly { readonly number: string; readonly coupons: readonly Coupon[] }[];
}

type Permission = { readonly ok: boolean; readonly why?: string };
export type Allowed = { readonly pay: Permission } & Readonly<Record<string, Permission>>;

/** Time limits by name: `pay_by`, `names_until`, `cancel_until`. */
export type Deadlines = { readonly next?: { readonly at: string; readonly in_minutes: number } } & Readonly<
  Record<'pay_by' | 'names_until' | 'cancel_until', string>
>;

export interface Booking {
  readonly locator: string;
  readonly state: string;
  readonly group_name?: string;
  readonly currency: string;
  readonly total?: string;
  readonly paid?: string;
  readonly price?: { readonly base: string; readonly taxes: string; readonly fees: string };
  readonly baggage?: readonly string[];
  readonly deadlines: Deadlines;
  readonly segments: readonly Segment[];
  readonly passengers: readonly Passenger[];
  readonly allowed: Allowed;
  readonly pending_operation?: object;
}

export interface BookingData extends Omit<Decided, 'booking' | 'refund'> {
  readonly booking: Booking;
  readonly refund?: { readonly text: string };
  readonly price_changed?: { readonly was: string; readonly now: string };
}
