import { describe, expect, test } from 'vitest';
import { flightKey } from '../../../src/domain/booking/expected-change.ts';
import {
  couponOf,
  expectAssignedSeats,
  expectRebookedSegment,
  expectSplitBooking,
  expectUpdatedContact,
  expectUpdatedPassengers,
  sameFlight,
  sameSeat,
  seatOf,
} from '../../../src/domain/booking/expected-details.ts';
import { contactText, identityText, isBlank } from '../../../src/domain/people/identity-text.ts';
import {
  BACK,
  type Booking,
  coupons,
  held,
  option,
  partlyCancelled,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const digest = (text: string) => `#${text}`;

function seated(...seats: { seat?: string; coach?: string }[]): Booking {
  const booking = ticketed();
  return { ...booking, tickets: coupons(booking, (_coupon, _ticket, i) => seats[i] ?? {}) };
}

describe('contact details as text', () => {
  const contact = held().contact;
  if (contact === undefined) throw new Error('no contact');

  test('writes each contact detail as a canonical text', () => {
    const { name: _, ...nameless } = contact;
    expect(contactText(contact, 'name')).toBe('AMAL/HADDAD');
    expect(contactText(nameless, 'name')).toBe('');
    expect(contactText({ ...contact, emails: [' Amal@Example.COM', 'b@c.de'] }, 'email')).toBe(
      'amal@example.com,b@c.de',
    );
    for (const [countryCode, number] of [
      ['966', '551234567'],
      ['+966', '55 123 45 67'],
      ['00966', '551234567'],
    ] as const) {
      expect(contactText({ ...contact, phones: [{ countryCode, number }] }, 'phone')).toBe('966551234567');
    }
    expect(contactText({ ...contact, phones: [{}] }, 'phone')).toBe('');
    expect(contactText({ ...contact, emails: ['b@c.de', ' ', 'A@c.de', 'a@c.de'] }, 'email')).toBe('a@c.de,b@c.de');
    const phones = ['552', '551', '+552'].map((number) => ({ number }));
    expect(contactText({ ...contact, phones }, 'phone')).toBe('551,552');
    const addresses = [{ city: 'Jiddah', countryCode: 'SA' }, {}];
    expect(contactText({ ...contact, addresses }, 'address')).toBe('JIDDAH/SA,/');
  });

  test('writes an empty contact as a text without content', () => {
    expect(['', '/', '///', ',/'].map(isBlank)).toEqual([true, true, true, true]);
    expect(isBlank('A/')).toBe(false);
  });

  test('expects only differences, and marks details that were not shown before', () => {
    const wanted = { ...contact, emails: ['new@example.com'], addresses: [{ city: 'Riyadh' }] };
    expect(expectUpdatedContact(held(), wanted, digest)).toEqual({
      kind: 'update_contact',
      changes: [
        { detail: 'email', was: '#amal@example.com', wanted: '#new@example.com' },
        { detail: 'address', was: '#', wanted: '#RIYADH/', unseen: true },
      ],
    });
    const { contact: _, ...alone } = held();
    expect(expectUpdatedContact(alone, contact, digest)).toMatchObject({
      changes: [
        { detail: 'name', unseen: true },
        { detail: 'email', unseen: true },
        { detail: 'phone', unseen: true },
      ],
    });
    expect(expectUpdatedContact(held(), contact, digest)).toEqual({ kind: 'update_contact', changes: [] });
  });
});

describe("passengers' information", () => {
  test('expects each detail of a passenger separately', () => {
    const wanted = [
      traveler('1', 'Amal', 'Haddad', { gender: 'Male', birthDate: '1991-01-01', emails: ['amal@example.com'] }),
      traveler('9', 'Nobody', 'Here'),
    ];
    expect(expectUpdatedPassengers(held(), wanted, digest)).toEqual({
      kind: 'update_passengers',
      changes: [
        { ref: '1', details: ['gender'], was: '#gender=FEMALE', wanted: '#gender=MALE' },
        { ref: '1', details: ['birth_date'], was: '#birth_date=1990-04-12', wanted: '#birth_date=1991-01-01' },
        { ref: '1', details: ['email'], was: '#email=', wanted: '#email=amal@example.com', unseen: true },
      ],
    });
  });
});

describe('seats', () => {
  test('takes a seat from the coupon', () => {
    const booking = seated({ seat: '12A', coach: '4' }, { seat: '3C' });
    expect(couponOf(booking, '1', '2')?.seat).toBe('3C');
    expect(couponOf(booking, '2', '1')).toBeUndefined();
    expect([seatOf(booking, '1', '1'), seatOf(booking, '1', '2'), seatOf(booking, '1', '3')]).toEqual([
      { seat: '12A', coach: '4' },
      { seat: '3C' },
      undefined,
    ]);
  });

  test('compares seats in any spelling, and lets an unnamed coach match any', () => {
    expect(sameSeat({ seat: '012a' }, { seat: '12A', coach: '4' })).toBe(true);
    expect(sameSeat({ seat: '12A', coach: '04' }, { seat: '12A', coach: '4' })).toBe(true);
    expect(sameSeat({ seat: '12A', coach: '5' }, { seat: '12A', coach: '4' })).toBe(false);
    expect(sameSeat({ seat: '12B' }, { seat: '12A' })).toBe(false);
    expect(sameSeat(undefined, { seat: '12A' })).toBe(false);
  });

  test("places a requested seat in the traveller's coach unless another is named", () => {
    const booking = seated({ seat: '12A', coach: '4' }, {});
    const choices = [
      { segmentRef: '1', travelerRef: '1', seat: '12B' },
      { segmentRef: '1', travelerRef: '1', seat: '12B', coach: '5' },
      { segmentRef: '2', travelerRef: '1', seat: '1A' },
      { segmentRef: '2', travelerRef: '9', seat: '1A' },
    ];
    const [person] = booking.travelers;
    const who = person === undefined ? '' : digest(identityText(person));
    const flights = booking.options.flatMap(({ segments }) => segments).map(flightKey);
    expect(expectAssignedSeats(booking, choices, digest)).toEqual({
      kind: 'assign_seats',
      seats: [
        {
          segmentRef: '1',
          flight: flights[0],
          travelerRef: '1',
          who,
          was: { seat: '12A', coach: '4' },
          wanted: { seat: '12B', coach: '4' },
        },
        {
          segmentRef: '1',
          flight: flights[0],
          travelerRef: '1',
          who,
          was: { seat: '12A', coach: '4' },
          wanted: { seat: '12B', coach: '5' },
        },
        { segmentRef: '2', flight: flights[1], travelerRef: '1', who, wanted: { seat: '1A' } },
        { segmentRef: '2', flight: flights[1], travelerRef: '9', who: '', wanted: { seat: '1A' } },
      ],
    });
  });
});

describe('flights', () => {
  test('identifies a flight by stations, instant, number and class', () => {
    expect(flightKey(segment('7', { flightNumber: 'HHR0101' }))).toEqual({
      from: 'MED',
      to: 'JED',
      departs: '2026-12-01T05:00:00Z',
      number: '101',
      bookingClass: 'Y',
    });
    const { bookingClass: _, ...classless } = segment('1', { departs: 'soon' });
    expect(flightKey(classless)).toEqual({ from: 'MED', to: 'JED', departs: 'soon', number: '101' });
  });

  test('compares flights in any time zone, and lets an unnamed class match any', () => {
    const key = flightKey(segment('1'));
    const { bookingClass: _, ...classless } = key;
    expect(sameFlight(key, flightKey(segment('2', { departs: '2026-12-01T05:00:00.000Z' })))).toBe(true);
    expect([sameFlight(key, classless), sameFlight(classless, key)]).toEqual([true, true]);
    for (const other of [
      { from: 'RUH' },
      { to: 'RUH' },
      { departs: '2026-12-01T05:00:00+02:00' },
      { flightNumber: '103' },
      { bookingClass: 'C' },
    ])
      expect(sameFlight(key, flightKey(segment('1', other)))).toBe(false);
  });

  test('expects a rebooking to keep the other active flights, and counts payments and refunds', () => {
    const [old] = ticketed().options[0]?.segments ?? [];
    const fresh = segment('3', { flightNumber: '109' });
    if (old === undefined) throw new Error('no segment');
    expect(expectRebookedSegment(ticketed(), old, fresh)).toEqual({
      kind: 'rebook_segment',
      replaced: flightKey(old),
      wanted: flightKey(fresh),
      kept: BACK.segments.map(flightKey),
      paymentsBefore: 1,
      earlierPayments: [{ amount: sar(69000) }],
      refundsBefore: 0,
      earlierRefunds: { entries: [], orders: [] },
    });
    expect(expectRebookedSegment(partlyCancelled(), old, fresh)).toMatchObject({
      kept: [],
      paymentsBefore: 1,
      refundsBefore: 1,
      earlierRefunds: {
        entries: [{ amount: sar(17250), penalty: sar(15000) }],
        orders: [{ amount: sar(17250) }],
      },
    });
  });

  test('expects a split to move people with the active flights', () => {
    const people = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
    const [amal, noor] = people.map((person) => digest(identityText(person)));
    const booking = ticketed({ travelers: people, options: [option(segment('1', { statusCode: '16' })), BACK] });
    expect(expectSplitBooking(booking, ['2'], digest)).toEqual({
      kind: 'split_booking',
      moved: [noor],
      kept: [amal],
      flights: BACK.segments.map(flightKey),
    });
  });
});
