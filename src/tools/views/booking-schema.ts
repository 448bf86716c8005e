import * as z from 'zod';
import { once } from '../../core/remembered.ts';
import type { PlaceName } from '../../domain/booking/place-names.ts';
import type { Acts, Circumstances } from '../../journal/act.ts';
import { optionalStrings, strings } from '../definition/define.ts';

const list = () => z.array(z.string());

export const priceSchema = {
  perType: () => z.array(z.object({ type: z.string(), count: z.int(), total: z.string() })),
  lines: () => z.array(z.object({ ...strings('kind', 'code', 'amount'), ...optionalStrings('vat') })).optional(),
};

export const coupon = () =>
  z.object({
    ...optionalStrings('segment_ref', 'number', 'coach', 'seat'),
    status: z.string().describe('absent: open').optional(),
    ...optionalStrings('status_code', 'provider_ticket'),
  });

const ticket = () =>
  z.object({ number: z.string(), ...optionalStrings('type'), coupons: z.array(coupon()).optional() });

const passenger = () =>
  z.object({
    ...strings('ref', 'type', 'name'),
    ...optionalStrings('gender', 'birth_date', 'with_adult_ref'),
    unnamed: z.boolean().optional(),
    document: z
      .object({ type: z.string(), ...optionalStrings('number_masked', 'number', 'nationality', 'expires') })
      .optional(),
    tickets: z.array(ticket()).optional(),
  });

const segment = () =>
  z.object({
    ...strings('ref', 'flight'),
    ...optionalStrings('option_ref', 'marketing', 'operated_by'),
    ...strings('from', 'to', 'departs', 'arrives'),
    ...optionalStrings('class'),
    fare: z.object(optionalStrings('code', 'name')).optional(),
    fare_rules: list().optional(),
    status: z.string().describe('absent: active').optional(),
    ...optionalStrings('status_code', 'cancel_ends'),
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
    ...strings('base', 'taxes', 'fees'),
    per_type: priceSchema.perType().optional(),
    lines: priceSchema.lines(),
  });

const reference = () =>
  z.object({ ...optionalStrings('system'), locator: z.string(), segment_refs: list().optional() });

export const placesSchema = () => z.record(z.string(), z.string()).optional();

export const bookingSchema = once(() =>
  z.object({
    locator: z.string(),
    ...optionalStrings('group_name'),
    state: z.string(),
    ...optionalStrings('currency', 'total', 'paid'),
    places: placesSchema(),
    segments: z.array(segment()),
    passengers: z.array(passenger()),
    contact: contact().optional(),
    baggage: list().optional(),
    deadlines: z.object(optionalStrings('pay_by', 'names_until', 'cancel_until')).optional(),
    orders: z
      .array(
        z.object({
          ...optionalStrings('action'),
          ...strings('direction', 'status'),
          ...optionalStrings('amount', 'currency', 'passengers', 'segments'),
        }),
      )
      .optional(),
    allowed: list(),
    not_allowed: z.array(z.object({ tools: list(), why: z.string() })).optional(),
    pending_operation: z.object(strings('operation_id', 'tool', 'status')).optional(),
    ...optionalStrings('state_basis', 'created_at', 'quote_id'),
    references: z.array(reference()).optional(),
    price: price().optional(),
    rules: z.array(rule()).optional(),
    special_services: list().optional(),
    special_remarks: list().optional(),
    emds: list().optional(),
  }),
);

export const shortBookingSchema = once(() =>
  z.object({ ...strings('locator', 'state'), ...optionalStrings('total', 'currency'), changed: list() }),
);

export interface BookingViewOptions extends Circumstances {
  readonly acts: Acts;
  /** `full` adds references, rules, parts of the price, coupon numbers, special services and EMDs. */
  readonly detail?: 'concise' | 'full' | undefined;
  /** What is not masked. Default: nothing. */
  readonly reveal?: 'contact' | 'all' | undefined;
  /** Language of rule texts. Default `en`. */
  readonly placeName?: PlaceName;
}

export type BookingView = z.input<ReturnType<typeof bookingSchema>>;
export type PassengerView = BookingView['passengers'][number];
export type CouponView = NonNullable<NonNullable<PassengerView['tickets']>[number]['coupons']>[number];
export type RuleView = NonNullable<BookingView['rules']>[number];
export type ShortBookingView = z.input<ReturnType<typeof shortBookingSchema>>;
