/**
 * Bookings made by hand: out on Tuesday, back on Saturday, two fare components with their rules.
 */

import { addMoney, percentOf } from '../../src/core/money.ts';
import { shownBooking } from '../../src/domain/booking/blanked-booking.ts';
import type { Booking, Reading } from '../../src/domain/booking/booking.ts';
import { contactNamed, traveler } from './people.ts';

export type { Booking, Reading };

/** What differs in a booking. */
export type Fields = Partial<Omit<Reading, 'reading'>>;

type Pricing = NonNullable<Booking['pricing']>;
type Price = NonNullable<Pricing['total']>;
type SegmentOption = Booking['options'][number];
export type Segment = SegmentOption['segments'][number];
export type FareComponent = Pricing['fares'][number];
export type PenaltyRule = Extract<FareComponent['refundRules'][number], { readonly refundable: boolean }>;
export type TypePrice = Pricing['perType'][number];
export type Money = Price['total'];
export type Ticket = Booking['tickets'][number];
export type Coupon = Ticket['coupons'][number];
export type Order = Booking['orders'][number];

/** Two days before the first departure. */
export const NOW = Date.parse('2026-11-29T05:00:00Z');

export function sar(minor: number): Money {
  return { minor, currency: 'SAR' };
}

export function segment(ref: string, over: Partial<Segment> = {}): Segment {
  return {
    ref,
    optionRef: ref,
    flightNumber: '101',
    operating: { carrier: 'HHR', number: '101' },
    from: 'MED',
    to: 'JED',
    departs: '2026-12-01T08:00:00.000+03:00',
    arrives: '2026-12-01T10:10:00.000+03:00',
    bookingClass: 'Y',
    fareBasis: 'YOW',
    statusCode: '30',
    ...over,
  };
}

export function option(...segments: Segment[]): SegmentOption {
  return { ref: segments[0]?.ref ?? '', segments };
}

export const OUT = option(segment('1'));
export const BACK = option(
  segment('2', {
    flightNumber: '202',
    operating: { carrier: 'HHR', number: '202' },
    from: 'JED',
    to: 'MED',
    departs: '2026-12-05T18:00:00.000+03:00',
    arrives: '2026-12-05T20:10:00.000+03:00',
  }),
);

/** 150.00 and 15 % tax on it: 172.50 is kept. `base` alone brings its tax and total along. */
export function rule(over: Partial<PenaltyRule> = {}): PenaltyRule {
  const { base = sar(15000), vatHundredths = 1500 } = over;
  const tax = percentOf(base, vatHundredths);
  return {
    passengerType: 'ADT',
    refundable: true,
    base,
    tax,
    total: addMoney(base, tax),
    vatHundredths,
    from: '2026-11-01T00:00:00Z',
    until: '2026-11-30T05:00:00Z',
    texts: [{ locale: 'en', text: ruleText(over.refundable ?? true, base.minor) }],
    ...over,
  };
}

/** Says no more than the figures. */
function ruleText(refundable: boolean, minor: number): string {
  if (!refundable) return 'Refund not permitted.';
  return minor === 0 ? 'Free refund.' : 'Refund with a penalty.';
}

/** Until a day before departure 150.00, then nothing comes back. */
export const ADULT_RULES: readonly PenaltyRule[] = [
  rule(),
  rule({ refundable: false, base: sar(0), from: '2026-11-30T05:00:00Z', until: '2026-12-05T15:00:00Z' }),
];

export function fare(ref: string, from: string, to: string, over: Partial<FareComponent> = {}): FareComponent {
  return {
    ref,
    references: [{ code: 'YOW', bookingClass: 'Y' }],
    from,
    to,
    cancelUntil: '2026-12-01T02:00:00Z',
    payBy: '2026-11-29T05:25:00Z',
    namesUntil: '2026-11-30T00:00:00Z',
    refundRules: ADULT_RULES,
    changeRules: [],
    ...over,
  };
}

export function price(total: Money, over: Partial<Price> = {}): Price {
  const nothing = { minor: 0, currency: total.currency };
  return {
    base: total,
    taxes: nothing,
    fees: nothing,
    total,
    lines: [],
    baggage: ['1 PC'],
    remarks: [],
    ...over,
  };
}

export function row(type: string, count: number, total: Money, over: Partial<TypePrice> = {}): TypePrice {
  return {
    type,
    count,
    price: price(total),
    refunds: [],
    fareBasis: [{ code: 'YOW' }],
    travelerRefs: [],
    segmentRefs: [],
    ...over,
  };
}

/** The price of one adult, without rules. */
export function pricing(minor: number, over: Partial<Pricing> = {}): Pricing {
  const total = sar(minor);
  return { total: price(total), refunds: [], fares: [], perType: [row('ADT', 1, total)], ...over };
}

export const UNPRICED: Pricing = { refunds: [], fares: [], perType: [] };

/** The fare components of `OUT` and `BACK`. */
export function faresOf(out: Partial<FareComponent> = {}, back = out): FareComponent[] {
  return [fare('1', 'MED', 'JED', out), fare('2', 'JED', 'MED', back)];
}

/** The same trains in this status, such as 16: cancelled. */
export function inStatus({ segments }: SegmentOption, statusCode: string, over: Partial<Segment> = {}): SegmentOption {
  return option(...segments.map((each) => ({ ...each, statusCode, ...over })));
}

/** A hold for one adult at 690.00, to be paid within 25 minutes of NOW. */
export function held(over: Fields = {}): Booking {
  return shownBooking({
    locator: 'ABC123',
    references: [{ id: 'ABC123', type: '14', system: 'HHR', segmentRefs: [] }],
    createdAt: '2026-11-29T04:55:00Z',
    options: [OUT, BACK],
    travelers: [traveler('1', 'Amal', 'Haddad')],
    contact: contactNamed('Amal', 'Haddad', { phones: [{ countryCode: '966', number: '551234567' }] }),
    pricing: pricing(69000, { fares: faresOf() }),
    tickets: [],
    orders: [],
    services: [],
    emds: [],
    source: { opaque: true },
    ...over,
  });
}

/** The same booking paid: a ticket with two open coupons for each traveller, and a PAID order. */
export function ticketed(over: Fields = {}): Booking {
  const booking = held(over).reading;
  const refs = booking.options.flatMap((each) => each.segments.map((s) => s.ref));
  const total = booking.pricing?.total?.total;
  return shownBooking({
    ...booking,
    tickets: booking.travelers.map((person) => ({
      number: `12345678901${person.ref.padStart(2, '0')}`,
      ticketType: 'E_TICKET',
      passengerType: person.type,
      travelerRefs: [person.ref],
      segmentRefs: refs,
      coupons: refs.map((ref, i) => ({ segmentRef: ref, number: String(i + 1), statusCode: 'O' })),
      links: [],
    })),
    orders: total ? [{ action: 'CREATE_BOOKING', direction: 'PAYMENT', status: 'PAID', amount: total }] : [],
    ...over,
  });
}

/** The same booking, read with these fields. */
export function reread(booking: Booking, over: Fields): Booking {
  return shownBooking({ ...asRead(booking).reading, ...over });
}

/** The booking that an airline shows whose fields are these: what a test changed in what is shown was read so too. */
export function asRead(booking: Omit<Booking, 'reading'> & { readonly reading?: Reading }): Booking {
  const { reading, ...fields } = booking;
  if (reading === undefined) return shownBooking(fields);
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const before = shownBooking(reading);
  const people = fields.travelers?.map(
    (person) => reading.travelers[before.travelers.findIndex((one) => same(one, person))] ?? person,
  );
  const names = [...new Set([...Object.keys(before), ...Object.keys(fields)])] as (keyof typeof fields)[];
  const changed = names.filter((name) => !same(before[name], fields[name]) && (name as string) !== 'reading');
  const over = Object.fromEntries(changed.map((name) => [name, fields[name]]));
  return shownBooking({ ...reading, ...over, ...('travelers' in over && { travelers: people }), reading: undefined });
}

/** The same booking under another locator. */
export function withLocator(locator: string, booking: Booking): Booking {
  return reread(booking, { locator, references: [{ id: locator, segmentRefs: [] }] });
}

/** Five adults at 345.00 a leg each: the worked example of docs/wire/notes.md, money and rules. */
export function fiveAdults(over: Fields = {}): Booking {
  const people = ['1', '2', '3', '4', '5'];
  return ticketed({
    travelers: people.map((ref) =>
      traveler(ref, `Given${'abcde'[Number(ref) - 1]}`, 'Haddad', { birthDate: `199${ref}-04-12` }),
    ),
    pricing: pricing(345000, { fares: faresOf(), perType: [row('ADT', 5, sar(345000))] }),
    ...over,
  });
}

/** One flight of two is not refundable, and the price does not distinguish them. */
export function halfLost(): Booking {
  const refundRules = [rule({ refundable: false, base: sar(0) })];
  return ticketed({ pricing: pricing(69000, { fares: faresOf({ refundRules }, {}) }) });
}

/** With one option cancelled and refunded. */
export function partlyCancelled(): Booking {
  const booking = ticketed();
  return reread(booking, {
    options: [OUT, inStatus(BACK, '16')],
    tickets: coupons(booking, ({ segmentRef }) => (segmentRef === '2' ? { statusCode: 'R' } : {})),
    pricing: pricing(69000, {
      refunds: [{ amount: sar(17250), penalty: sar(15000), vat: sar(2250) }],
      fares: [fare('1', 'MED', 'JED')],
    }),
    orders: [...booking.orders, { action: 'OTHER', direction: 'REFUND', status: 'PAID', amount: sar(17250) }],
  });
}

/**
 * The tickets of a booking with changed coupons.
 *
 * @param change what differs in a coupon, by the place of its ticket and its own place in that
 */
export function coupons(booking: Booking, change: (coupon: Coupon, ticket: number, at: number) => Partial<Coupon>) {
  return booking.tickets.map((ticket, i) => ({
    ...ticket,
    coupons: ticket.coupons.map((coupon, at) => ({ ...coupon, ...change(coupon, i, at) })),
  }));
}

/** Changes every segment. */
function segments(booking: Booking, change: (segment: Segment) => Partial<Segment>) {
  return booking.options.map((one) => ({
    ...one,
    segments: one.segments.map((each) => ({ ...each, ...change(each) })),
  }));
}

/** These segments cancelled, with their coupons refunded. */
export function gone(booking: Booking, refs: readonly string[], over: Fields = {}): Booking {
  return reread(booking, {
    options: segments(booking, ({ ref }) => (refs.includes(ref) ? { statusCode: '16' } : {})),
    tickets: coupons(booking, ({ segmentRef }) => (refs.includes(segmentRef ?? '') ? { statusCode: 'R' } : {})),
    ...over,
  });
}

/** These operations are what the airline permits on every segment. */
export function permitting(booking: Booking, types: readonly string[]): Booking {
  const permitted = types.map((modificationType) => ({ modificationType }));
  return reread(booking, { options: segments(booking, () => ({ permitted })) });
}
