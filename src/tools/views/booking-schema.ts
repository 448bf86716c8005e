/** The schemas of a booking that a model sees: the fields of read_booking, and the short form that acts answer with. */
import * as z from 'zod';
import { once } from '../../core/memoize.ts';
import type { PlaceName } from '../../domain/booking/stations.ts';
import type { Acts, Circumstances } from '../../journal/act.ts';
import {
  listedWithoutShape,
  noted,
  optionalStrings,
  optionalTexts,
  placesSchema,
  strings,
  USUAL,
  unlisted,
  usual,
} from '../definition/field-notes.ts';

/** The notes of a ticket's fields, the same in every list of tickets. */
export const TICKET = {
  number: 'ticket number',
  type: 'kind of the document',
} as const;

/** The notes of a fare, and of whose refund an order is. Other results have the same fields. */
export const FARE = { code: 'fare basis', name: 'name of the fare' } as const;
export const WHOSE_REFUND = {
  passengers: 'whose refund, by name',
  segments: 'for which flights or trains, in words',
} as const;

/** The schemas of a price's parts, rows and lines. */
export const priceSchema = {
  parts: () => usual('base', 'taxes', 'fees'),

  perType: () => {
    const row = z.object({
      ...strings(usual('type')),
      count: noted('how many passengers of this type', z.int()),
      ...strings({ total: 'price for all of this type' }),
    });
    return noted('the price by passenger type', z.array(row));
  },

  lines: () => {
    const line = z.object({
      ...strings({ kind: 'what the line is about', code: "the airline's or IATA's code", ...usual('amount') }),
      ...optionalStrings({ vat: 'tax on it' }),
    });
    return noted('every line of the price, with `detail: full`', z.array(line).optional());
  },
};

const coupon = () =>
  z.object({
    ...optionalStrings({
      ...usual('segment_ref'),
      number: 'number of the coupon on its ticket',
      ...usual('coach', 'seat'),
    }),
    status: noted('current status, in our words', z.string().describe('absent: open').optional()),
    ...unlisted(optionalStrings(usual('status_code'))),
    ...optionalStrings(usual('provider_ticket')),
  });

export const couponList = () => noted('one entry for each flight or train of the ticket', z.array(coupon()).optional());

const ticket = () =>
  z.object({
    ...strings({ number: TICKET.number }),
    ...optionalStrings({ type: TICKET.type }),
    coupons: couponList(),
  });

const document = () =>
  z.object({
    ...strings({ type: 'kind of document' }),
    ...optionalStrings({
      number_masked: 'last characters only',
      number: 'whole, with `reveal_personal`',
      nationality: 'country of citizenship',
      expires: 'last day on which it is valid',
    }),
  });

const passenger = () =>
  z.object({
    ...strings(usual('ref', 'type', 'name')),
    ...unlisted(
      optionalStrings({
        gender: 'as in the travel document',
        birth_date: 'day of birth, with `detail: full` or `reveal_personal`',
      }),
    ),
    ...optionalStrings({ with_adult_ref: 'the adult of a lap infant, by ref' }),
    unnamed: noted('its name must still be given', z.boolean().optional()),
    ...unlisted({
      memberships: optionalTexts('programmes of frequent flyers: programme, level, number with its last characters'),
    }),
    document: noted('travel document', document().optional()),
    tickets: noted('one entry for each ticket', z.array(ticket()).optional()),
  });

const segment = () =>
  z.object({
    ...strings(usual('ref', 'flight')),
    ...unlisted(
      optionalStrings({
        option_ref: "the airline's ref of the option",
        marketing: 'carrier that sells it, if another one operates it',
      }),
    ),
    ...optionalStrings(usual('operated_by')),
    ...strings(usual('from', 'to', 'departs', 'arrives')),
    ...optionalStrings(usual('class')),
    fare: noted('its fare', z.object(optionalStrings(FARE)).optional()),
    ...unlisted({ fare_rules: optionalTexts('rules of the fare, as the airline words them') }),
    status: noted('current status, in our words', z.string().describe('absent: active').optional()),
    ...unlisted(
      optionalStrings({
        ...usual('status_code'),
        paid_for: 'of a cancelled one, what was paid for it, in the currency of the booking',
        cancel_ends: 'where this one alone can be cancelled longer than the whole: until when',
      }),
    ),
  });

const span = () =>
  z.object({
    segment_refs: optionalTexts(USUAL.segment_refs),
    ...optionalStrings({
      from: 'from when the rule holds; absent: it holds already',
      until: 'until when the rule holds',
    }),
  });

const rule = () =>
  z.object({
    kind: noted('what the rule is about', z.enum(['refund', 'change'])),
    passenger_types: noted('for whom the rule is', z.array(z.string())),
    refundable: noted(
      'whether anything is refunded; absent where the airline says it in words only',
      z.boolean().optional(),
    ),
    ...optionalStrings({
      ...usual('currency'),
      base: 'penalty before tax',
      tax: 'tax on the penalty',
      total: 'penalty with tax, for each person and segment',
      vat_percent: 'rate of that tax',
      text: 'in words',
    }),
    holds: noted('when it holds, for which flights or trains', z.array(span())),
  });

const contact = () =>
  z.object({
    ...strings(usual('name')),
    ...optionalStrings({
      email_masked: 'beginning and domain only',
      phone_masked: 'last digits only',
      email: 'whole, with `reveal_contact` or `reveal_personal`',
      phone: 'whole, with `reveal_contact` or `reveal_personal`',
    }),
  });

const price = () =>
  z.object({
    ...strings(priceSchema.parts()),
    per_type: priceSchema.perType().optional(),
    lines: priceSchema.lines(),
  });

const order = () =>
  z.object({
    ...unlisted(optionalStrings({ action: 'what the order is for' })),
    ...strings({ direction: 'payment or refund', status: 'current status, in our words' }),
    ...optionalStrings({ ...usual('amount', 'currency'), ...WHOSE_REFUND }),
  });

const reference = () =>
  z.object({
    ...optionalStrings({ system: 'whose reference it is' }),
    ...strings(usual('locator')),
    segment_refs: optionalTexts(USUAL.segment_refs),
  });

const notAllowed = () =>
  z.object({
    tools: noted('their names', z.array(z.string())),
    segment_refs: optionalTexts('only for these; absent: for the whole booking'),
    ...strings(usual('why')),
  });

const pendingOperation = () =>
  z.object(
    strings({ operation_id: 'the operation in the journal', ...usual('tool'), status: 'its state in the journal' }),
  );

export const bookingSchema = once(() =>
  noted(
    'the booking as it is now',
    z.object({
      ...strings(usual('locator')),
      ...optionalStrings({ group_name: 'name of the group' }),
      ...strings(usual('state')),
      ...optionalStrings({ ...usual('currency', 'total'), paid: 'what was paid' }),
      places: placesSchema(),
      segments: noted('one entry for each flight or train', z.array(segment())),
      passengers: noted('one entry for each passenger', z.array(passenger())),
      contact: noted('to whom the airline writes', contact().optional()),
      baggage: optionalTexts('what is included'),
      deadlines: noted(
        'the time limits of the booking, local',
        z
          .object({
            ...optionalStrings(usual('pay_by', 'names_until', 'cancel_until')),
            as_sent: optionalTexts('what the airline sent of a limit that is no exact time'),
          })
          .optional(),
      ),
      orders: noted("the airline's payments and refunds", z.array(order()).optional()),
      not_allowed: noted(
        'what cannot be called for it now, and why; what is not named can',
        listedWithoutShape(z.array(notAllowed()).optional()),
      ),
      pending_operation: noted(
        'an operation on this booking whose outcome is not known yet',
        listedWithoutShape(pendingOperation().optional()),
      ),
      ...unlisted(
        optionalStrings({
          state_basis: 'how the state is known, with `detail: full`',
          created_at: 'when it was made',
          ...usual('quote_id'),
        }),
      ),
      references: listedWithoutShape(
        noted("further references, such as the operator's", z.array(reference()).optional()),
      ),
      price: listedWithoutShape(noted('the price of the booking', price().optional())),
      rules: listedWithoutShape(noted('what a refund or a change costs', z.array(rule()).optional())),
      ...unlisted({
        special_services: optionalTexts('requests in addition to the fare'),
        special_remarks: optionalTexts('remarks of the airline'),
        emds: optionalTexts('documents for services'),
      }),
    }),
  ),
);

export const shortBookingSchema = once(() =>
  noted(
    'the booking afterwards, with the fields of [read_booking](tools/read_booking.md)',
    z.object({
      ...strings(usual('locator')),
      ...optionalStrings(usual('state', 'total', 'currency')),
      changed: optionalTexts('what the call changed'),
    }),
  ),
);

export interface BookingViewOptions extends Circumstances {
  readonly acts: Acts;
  /** When an operation of this server ended the booking, milliseconds since 1970. */
  readonly endedAt?: number | undefined;
  /** `full` adds references, rules, parts of the price, coupon numbers, special services and EMDs. */
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
