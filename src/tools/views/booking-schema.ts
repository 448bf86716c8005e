import * as z from 'zod';
import { once } from '../../core/remembered.ts';
import type { Acts, Circumstances } from '../../journal/act.ts';
import { optionalStrings, strings } from '../definition/define.ts';

const list = () => z.array(z.string());

export const priceSchema = {
  perType: () => z.array(z.object({ type: z.string(), count: z.int(), total: z.string() })),
  lines: () => z.array(z.object({ ...strings('kind', 'code', 'amount'), ...optionalStrings('vat') })).optional(),
};

const coupon = () =>
  z.object({
    ...optionalStrings('segment_ref', 'number'),
    status: z.string(),
    ...optionalStrings('status_code', 'seat', 'coach', 'provider_ticket'),
  });

const passenger = () =>
  z.object({
    ...strings('ref', 'type', 'name'),
    ...optionalStrings('gender', 'birth_date', 'with_adult_ref'),
    unnamed: z.boolean().optional(),
    document: z
      .object({ type: z.string(), ...optionalStrings('number_masked', 'number', 'nationality', 'expires') })
      .optional(),
    tickets: z.array(z.object({ ...strings('number', 'type'), coupons: z.array(coupon()) })),
  });

const segment = () =>
  z.object({
    ...strings('ref', 'option_ref', 'flight'),
    ...optionalStrings('marketing', 'operated_by'),
    ...strings('from', 'to', 'departs', 'arrives', 'class'),
    ...optionalStrings('fare_basis', 'fare_name'),
    fare_rules: list().optional(),
    status: z.enum(['active', 'cancelled', 'other']),
    status_code: z.string(),
    ...optionalStrings('cancel_ends'),
  });

const rule = () =>
  z.object({
    kind: z.enum(['refund', 'change']),
    passenger_type: z.string(),
    segment_refs: list().optional(),
    refundable: z.boolean().optional(),
    ...optionalStrings('currency', 'base', 'tax', 'total', 'vat_percent', 'from', 'until', 'text'),
  });

const contact = () =>
  z.object({ name: z.string(), ...optionalStrings('email_masked', 'phone_masked', 'email', 'phone') });

const price = () =>
  z.object({
    ...strings('base', 'taxes', 'fees', 'total'),
    per_type: priceSchema.perType().optional(),
    lines: priceSchema.lines(),
  });

export const bookingSchema = once(() =>
  z.object({
    locator: z.string(),
    ...optionalStrings('group_name'),
    references: z.array(
      z.object({ ...optionalStrings('system'), locator: z.string(), segment_refs: list().optional() }),
    ),
    ...strings('state', 'state_basis'),
    ...optionalStrings('created_at', 'currency', 'total', 'paid', 'quote_id'),
    segments: z.array(segment()),
    passengers: z.array(passenger()),
    unnamed: z.object({ passenger_refs: list(), ...optionalStrings('until') }).optional(),
    contact: contact().optional(),
    price: price().optional(),
    baggage: list().optional(),
    rules: z.array(rule()).optional(),
    deadlines: z.object({
      ...optionalStrings('pay_by', 'names_until', 'cancel_until'),
      next: z.object({ ...strings('what', 'at'), in_minutes: z.int() }).optional(),
    }),
    allowed: z
      .record(z.string(), z.object({ ok: z.boolean(), ...optionalStrings('why') }))
      .describe('by act: pay, cancel_booking, …'),
    special_services: list().optional(),
    special_remarks: list().optional(),
    emds: list().optional(),
    orders: z.array(z.object(optionalStrings('action', 'direction', 'status', 'amount', 'currency'))).optional(),
    pending_operation: z.object(strings('operation_id', 'tool', 'status')).optional(),
  }),
);

/** A short form for schemas listed after read_booking: each full schema costs tokens. */
export const bookingOutline = once(() =>
  z.looseObject(strings('locator', 'state', 'state_basis')).describe('as in read_booking'),
);

export const shortBookingSchema = once(() =>
  z.object({ ...strings('locator', 'state'), ...optionalStrings('total', 'currency'), changed: list() }),
);

export interface BookingViewOptions extends Circumstances {
  readonly acts: Acts;
  /** `full` adds price lines, rules in words, rules of changes and expired ones, special services and EMDs. */
  readonly detail?: 'concise' | 'full' | undefined;
  /** Unmasks documents and contact details. Default false. */
  readonly reveal?: boolean | undefined;
  /** Language of rule texts. Default `en`. */
  readonly locale?: string;
}

export type BookingView = z.input<ReturnType<typeof bookingSchema>>;
export type RuleView = NonNullable<BookingView['rules']>[number];
export type ShortBookingView = z.input<ReturnType<typeof shortBookingSchema>>;
