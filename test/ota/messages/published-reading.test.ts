/**
 * What the published reading means, written by hand (docs/wire/interface.md, reservation).
 */
import { describe, expect, test } from 'vitest';
import type { PenaltyRule, Pricing, Reading } from '../support/port.ts';
import { readingOf } from '../support/wire.ts';
import { fixture } from './fixture.ts';
import { LINA, OMAR, OUTBOUND, optionOf, price, RETURN, SARA, sar } from './support/values.ts';

const TIMES = ['2026-11-20T09:00:00Z', '2026-12-02T15:30:00Z', '2026-12-03T15:30:00Z'] as const;
const [SOLD, DAY_BEFORE, LIMIT] = TIMES;

/** A rule with 15 % on its penalty, from the sale on. */
const rule = (base: number, tax: number, over: Partial<PenaltyRule>): PenaltyRule => ({
  passengerType: 'ADT',
  refundable: true,
  base: sar(base),
  tax: sar(tax),
  total: sar(base + tax),
  vatHundredths: 1500,
  from: SOLD,
  until: LIMIT,
  texts: [],
  ...over,
});
const early = ['More than 24 hours', 'أكثر من 24 ساعة'].map((text, i) => ({
  locale: ['en_GB', 'ar_SA'][i] ?? '',
  text,
}));
const EARLY = rule(5000, 750, { until: DAY_BEFORE, texts: early });
const LATE = rule(15000, 2250, { refundable: false, from: DAY_BEFORE });
const CHANGE = rule(1500, 225, { texts: [{ locale: 'en_GB', text: 'Any time' }] });

const vat = (minor: number) => ({ kind: 'tax', code: 'VAT', amount: sar(minor) }) as const;
const fareBasis = ['1', '2'].map((segmentRef) => ({ code: 'EFLEX1', segmentRef }));
const FEE = { kind: 'fee', code: 'FE1', amount: sar(1000) } as const;

const PRICING: Pricing = {
  total: price(32000, 4800, 1000, 37800, {
    lines: [vat(4800), FEE],
    baggage: ['2 pieces'],
    remarks: ['No smoking'],
  }),
  refunds: [{ amount: sar(13150), penalty: sar(5000), vat: sar(750) }],
  fares: [
    {
      ref: '2',
      references: [{ code: 'EFLEX1', bookingClass: 'Y' }],
      from: 'DMX',
      to: 'MKX',
      cancelUntil: LIMIT,
      payBy: '2026-11-20T09:30:00Z',
      namesUntil: '2026-11-30T15:30:00Z',
      refundRules: [EARLY, LATE],
      changeRules: [CHANGE],
    },
  ],
  perType: [
    {
      type: 'ADT',
      count: 1,
      price: price(30000, 4500, 1000, 35500, {
        lines: [vat(4500), FEE],
        baggage: ['2 pieces'],
        remarks: ['Flexible'],
      }),
      refunds: [{ amount: sar(12000), penalty: sar(5000), vat: sar(750) }],
      fareBasis,
      travelerRefs: ['1'],
      segmentRefs: ['1', '2'],
    },
    {
      type: 'INF',
      count: 1,
      price: price(2000, 300, 0, 2300, { lines: [vat(300)] }),
      refunds: [{ amount: sar(1150) }],
      fareBasis,
      travelerRefs: ['2'],
      segmentRefs: ['2'],
    },
  ],
};

const CANCELLED = { statusCode: '16', stops: 0, permitted: [{ modificationType: '10' }] };
const PAID = { status: 'PAID' };
const coupon = (segmentRef: string, statusCode: string) => ({ segmentRef, number: segmentRef, statusCode });

const BOOKING: Reading = {
  locator: 'K7M4QX',
  references: [
    { id: 'K7M4QX', type: '14', system: 'W1', segmentRefs: [] },
    { id: '77204518B', type: '14', system: 'HHR', segmentRefs: ['1', '2'] },
  ],
  createdAt: '2026-11-20T09:00:00.463Z',
  options: [
    optionOf({ ...OUTBOUND, ...CANCELLED }),
    optionOf({ ...RETURN, availability: [{ bookingClass: 'Y', quantity: '87' }] }),
  ],
  contact: { ...LINA, addresses: [{ city: 'Jeddah', countryCode: 'SA', countryName: 'Saudi Arabia' }] },
  travelers: [
    {
      ...SARA,
      name: { prefix: ['MS'], given: ['SARA'], middle: ['ANNE'], surname: 'HADDAD', suffix: ['II'], title: ['DR'] },
      emails: ['sara@example.com'],
      memberships: [{ program: 'SV', number: 'SV12345678', level: 'Gold' }],
      comments: [{ name: 'note', value: 'vegetarian' }],
    },
    OMAR,
  ],
  pricing: PRICING,
  tickets: [
    {
      number: '2201234500017',
      ticketType: 'E_TICKET',
      passengerType: 'ADT',
      travelerRefs: ['1'],
      segmentRefs: ['1', '2'],
      timeLimit: '2026-11-20T12:30:00.000+03:00',
      coupons: [
        { ...coupon('1', 'R'), coach: '006', seat: '118', providerTicket: '71A0C4D2E9335B16' },
        { ...coupon('2', 'O'), coach: '011', seat: '340', providerTicket: '0288417730915504' },
      ],
      links: [
        {
          href: 'https://rest.example/tickets/confirmation/K7M4QX/download/passenger-segment?ticketNumber=2201234500017&couponNumber=2',
          segmentRef: '2',
          travelerRef: '1',
        },
        { href: 'https://rest.example/a' },
        { href: 'https://rest.example/b' },
        { href: 'https://rest.example/c' },
      ],
    },
    {
      number: '2201234500018',
      ticketType: 'PAPER',
      passengerType: 'INF',
      travelerRefs: ['2'],
      segmentRefs: ['2'],
      coupons: [],
      links: [],
    },
  ],
  orders: [
    { ...PAID, id: '904411', action: 'CREATE_BOOKING', direction: 'PAYMENT', amount: sar(37800) },
    { ...PAID, id: '904412', action: 'OTHER', direction: 'REFUND', amount: sar(13150) },
  ],
  services: [
    {
      ...{ code: 'WCHR', quantity: 1, text: 'Wheelchair to the platform', status: '11' },
      ...{ travelerRefs: ['1'], segmentRefs: ['2'] },
    },
  ],
  emds: [{ number: '2201234509991', type: 'A', text: 'Extra bag' }],
};

describe('a reading', () => {
  test('decodes the published read reply', () => {
    const { source: _, ...booking } = readingOf(fixture('read-reply')).reading;
    expect(booking).toEqual(BOOKING);
  });

  test('keeps the reservation as it was sent', () => {
    const wire = fixture('read-reply');
    const untouched = structuredClone(wire.airReservation);
    const booking = readingOf(wire).reading;
    expect(booking.source).toBe(wire.airReservation);
    expect(booking.source).toEqual(untouched);
  });
});
