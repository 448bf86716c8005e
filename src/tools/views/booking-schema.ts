/** The schemas of a booking that a model sees: the fields of read_booking, and the short form that acts answer with. */
import * as z from 'zod';
import { once } from '../../core/memoize.ts';
import type { PlaceName } from '../../domain/booking/stations.ts';
import type { Acts, Circumstances } from '../../journal/act.ts';
import {
  listedWithoutShape,
  optionalStrings,
  optionalTexts,
  placesSchema,
  strings,
  unlisted,
} from '../definition/field-notes.ts';

/** The schemas of a price's rows and lines. */
export const priceSchema = {
  perType: () => {
    const row = z.object({
      ...strings('type'),
      count: z.int(),
      ...strings('total'),
    });
    return z.array(row);
  },

  lines: () => {
    const line = z.object({
      ...strings('kind', 'code', 'amount'),
      ...optionalStrings('vat'),
    });
    return z.array(line).optional();
  },
};

const coupon = () =>
  z.object({
    ...optionalStrings('segment_ref', 'number', 'coach', 'seat'),
    status: z.string().describe('absent: open').optional(),
    ...unlisted(optionalStrings('status_code')),
    ...optionalStrings('provider_ticket'),
  });

export const couponList = () => z.array(coupon()).optional();

const ticket = () =>
  z.object({
    ...strings('number'),
    ...optionalStrings('type'),
    coupons: couponList(),
  });

const document = () =>
  z.object({ ...strings('type'), ...optionalStrings('number_masked', 'number', 'nationality', 'expires') });

const passenger = () =>
  z.object({
    ...strings('ref', 'type', 'name'),
    ...unlisted(optionalStrings('gender', 'birth_date')),
    ...optionalStrings('with_adult_ref'),
    unnamed: z.boolean().optional(),
    document: document().optional(),
    ...unlisted({ memberships: optionalTexts() }),
    tickets: z.array(ticket()).optional(),
  });

const fare = () => z.object(optionalStrings('code', 'name')).optional();

const segment = () =>
  z.object({
    ...strings('ref', 'flight'),
    ...unlisted(optionalStrings('option_ref', 'marketing')),
    ...optionalStrings('operated_by'),
    ...strings('from', 'to', 'departs', 'arrives'),
    ...optionalStrings('class'),
    fare: fare(),
    ...unlisted({ fare_rules: optionalTexts() }),
    status: z.string().describe('absent: active').optional(),
    ...unlisted(optionalStrings('status_code', 'paid_for')),
  });

const span = () => z.object({ segment_refs: optionalTexts(), ...optionalStrings('from', 'until') });

const rule = () =>
  z.object({
    kind: z.enum(['refund', 'change']),
    passenger_types: z.array(z.string()),
    refundable: z.boolean().optional(),
    ...optionalStrings('currency', 'base', 'tax', 'total', 'vat_percent', 'text'),
    holds: z.array(span()),
  });

const contact = () =>
  z.object({ ...strings('name'), ...optionalStrings('email_masked', 'phone_masked', 'email', 'phone') });

const price = () =>
  z.object({
    ...strings('base', 'taxes', 'fees'),
    per_type: priceSchema.perType().optional(),
    lines: priceSchema.lines(),
  });

const order = () =>
  z.object({
    ...unlisted(optionalStrings('action')),
    ...strings('direction', 'status'),
    ...optionalStrings('amount', 'currency', 'passengers', 'segments'),
  });

const reference = () =>
  z.object({
    ...optionalStrings('system'),
    ...strings('locator'),
    segment_refs: optionalTexts(),
  });

const pendingOperation = () => z.object({ ...optionalStrings('operation_id'), ...strings('tool', 'status') });

export const bookingSchema = once(() =>
  z.object({
    ...strings('locator'),
    ...optionalStrings('group_name'),
    ...strings('state'),
    ...optionalStrings('currency', 'total', 'paid'),
    places: placesSchema(),
    // Of all segments, where they have the same.
    ...optionalStrings('class'),
    fare: fare(),
    segments: z.array(segment()),
    passengers: z.array(passenger()),
    contact: contact().optional(),
    baggage: optionalTexts(),
    deadlines: z
      .object({
        ...optionalStrings('pay_by', 'names_until', 'cancel_until'),
        as_sent: optionalTexts(),
      })
      .optional(),
    orders: listedWithoutShape(z.array(order()).optional()),
    pending_operation: listedWithoutShape(pendingOperation().optional()),
    ...unlisted({
      ...optionalStrings('state_basis', 'made', 'quote_id'),
      references: z.array(reference()).optional(),
      price: price().optional(),
      rules: z.array(rule()).optional(),
    }),
    ...unlisted({
      // Why a tool is refused now, by its name.
      not_allowed: listedWithoutShape(z.record(z.string(), z.string()).optional()),
      special_services: optionalTexts(),
      special_remarks: optionalTexts(),
      emds: optionalTexts(),
    }),
  }),
);

export const shortBookingSchema = once(() =>
  z.object({
    ...strings('locator'),
    ...optionalStrings('state', 'total', 'currency'),
  }),
);

export interface BookingViewOptions extends Circumstances {
  readonly acts: Acts;
  /** When an operation of this server ended the booking, milliseconds since 1970. */
  readonly endedAt?: number | undefined;
  /** Tools that the caller can call. */
  readonly offers: (tool: string) => boolean;
  /** `full` adds what is not allowed, references, rules, parts of the price, coupon numbers, special services and EMDs. */
  readonly detail?: 'concise' | 'full' | undefined;
  /** What is not masked. Default: nothing. */
  readonly reveal?: 'contact' | 'all' | undefined;
  /** Travellers entered details on the details page: birth dates, numbers of documents and days of expiry are not shown. */
  readonly entered?: boolean | undefined;
  /** Without it places are codes alone. */
  readonly placeName?: PlaceName;
}

export type BookingView = z.input<ReturnType<typeof bookingSchema>>;
export type PassengerView = BookingView['passengers'][number];
export type CouponView = NonNullable<NonNullable<PassengerView['tickets']>[number]['coupons']>[number];
export type RuleView = NonNullable<BookingView['rules']>[number];
export type ShortBookingView = z.input<ReturnType<typeof shortBookingSchema>>;
