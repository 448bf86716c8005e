/**
 * The shape of a booking as tools answer with it.
 */
import * as z from 'zod';
import { once } from '../definition/define.ts';

const s = () => z.string();
const opt = () => z.string().optional();

const permission = () => z.object({ ok: z.boolean(), why: opt() });

export const priceSchema = {
  base: s,
  perType: () => z.array(z.object({ type: s(), count: z.int(), total: s() })),
  lines: () => z.array(z.object({ kind: s(), code: s(), amount: s(), vat: opt() })).optional(),
};

const coupon = () =>
  z.object({
    segment_ref: opt(),
    number: opt(),
    status: s(),
    status_code: opt(),
    seat: opt(),
    coach: opt(),
    provider_ticket: opt(),
    download_url: opt(),
  });

const passenger = () =>
  z.object({
    ref: s(),
    type: s(),
    name: s(),
    gender: opt(),
    birth_date: opt(),
    with_adult_ref: opt(),
    unnamed: z.boolean().optional(),
    document: z
      .object({ type: s(), number_masked: opt(), number: opt(), nationality: opt(), expires: opt() })
      .optional(),
    tickets: z.array(z.object({ number: s(), type: s(), coupons: z.array(coupon()) })),
  });

const segment = () =>
  z.object({
    ref: s(),
    option_ref: s(),
    flight: s(),
    marketing: opt(),
    operated_by: opt(),
    from: s(),
    to: s(),
    departs: s(),
    arrives: s(),
    class: s(),
    fare_basis: opt(),
    fare_rules: z.array(s()).optional(),
    status: z.enum(['active', 'cancelled', 'other']),
    status_code: s(),
  });

const rule = () =>
  z.object({
    kind: z.enum(['refund', 'change']),
    passenger_type: s(),
    segment_refs: z.array(s()).optional(),
    refundable: z.boolean(),
    currency: s(),
    base: s(),
    tax: s(),
    total: s(),
    vat_percent: s(),
    from: opt(),
    until: opt(),
    text: opt(),
  });

export const bookingSchema = once(() =>
  z.object({
    locator: s(),
    group_name: opt(),
    references: z.array(z.object({ system: opt(), locator: s(), segment_refs: z.array(s()).optional() })),
    state: s(),
    state_basis: s(),
    created_at: opt(),
    currency: opt(),
    total: opt(),
    paid: opt(),
    quote_id: opt(),
    segments: z.array(segment()),
    passengers: z.array(passenger()),
    unnamed: z.object({ passenger_refs: z.array(s()), until: opt() }).optional(),
    contact: z.object({ name: s(), email_masked: opt(), phone_masked: opt(), email: opt(), phone: opt() }).optional(),
    price: z
      .object({
        base: s(),
        taxes: s(),
        fees: s(),
        total: s(),
        per_type: priceSchema.perType().optional(),
        lines: priceSchema.lines(),
      })
      .optional(),
    baggage: z.array(s()).optional(),
    rules: z.array(rule()).optional(),
    deadlines: z.object({
      pay_by: opt(),
      names_until: opt(),
      cancel_until: opt(),
      next: z.object({ what: s(), at: s(), in_minutes: z.int() }).optional(),
    }),
    allowed: z
      .record(z.string(), permission())
      .describe('pay, cancel_segment, cancel_passenger, change_names, seat_map, assign_seats'),
    special_services: z.array(s()).optional(),
    special_remarks: z.array(s()).optional(),
    emds: z.array(s()).optional(),
    orders: z
      .array(z.object({ action: opt(), direction: opt(), status: opt(), amount: opt(), currency: opt() }))
      .optional(),
    pending_operation: z.object({ operation_id: s(), tool: s(), status: s() }).optional(),
  }),
);

/** The whole booking again, where its shape is written out elsewhere: every listed schema is paid for. */
export const bookingOutline = once(() =>
  z.looseObject({ locator: s(), state: s(), state_basis: s() }).describe('as in read_booking'),
);

/** The booking where it is not the answer itself. */
export const shortBookingSchema = once(() =>
  z.object({ locator: s(), state: s(), total: opt(), currency: opt(), changed: z.array(s()) }),
);

export type BookingView = z.input<ReturnType<typeof bookingSchema>>;
export type ShortBookingView = z.input<ReturnType<typeof shortBookingSchema>>;
