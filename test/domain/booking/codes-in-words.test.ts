import { describe, expect, test } from 'vitest';
import { flightName, operatedBy, seatsLeft } from '../../../src/domain/booking/flight-name.ts';
import { maskEmail, maskNumber, maskRemark } from '../../../src/domain/people/mask-personal-data.ts';
import { nearest } from '../../../src/domain/time-and-text/nearest-word.ts';
import { segment } from '../../support/bookings.ts';

test('finds the nearest known word, or none', () => {
  expect(nearest('adult', ['adults', 'children'])).toBe('adults');
  expect(nearest('zzzzzzzz', ['adults'])).toBeUndefined();
  expect(nearest('bookings', ['list_bookings', 'bookings_of_a_day'])).toBe('bookings_of_a_day');
  const tools = ['cancel_passenger', 'cancel_booking', 'list_bookings', 'pay_booking', 'search_fares'];
  const found = ['pay', 'cancel', 'search', 'bookings'].map((word) => nearest(word, tools));
  expect(found).toEqual(['pay_booking', 'cancel_booking', 'search_fares', 'list_bookings']);
});

describe('flights', () => {
  test('names a flight after its seller, and the operator only if it differs', () => {
    expect(flightName(segment('1'))).toBe('HHR101');
    expect(operatedBy(segment('1'))).toBeUndefined();
    const shared = segment('1', {
      marketing: { carrier: 'LH' },
      flightNumber: '9',
      operating: { carrier: 'UA', number: '77' },
    });
    expect([flightName(shared), operatedBy(shared)]).toEqual(['LH9', 'UA77']);
    expect(flightName(segment('1', { flightNumber: 'HHR101' }))).toBe('HHR101');
    const { operating: _, ...bare } = segment('1');
    expect([flightName(bare), flightName(bare, 'HHR'), operatedBy(bare)]).toEqual(['101', 'HHR101', undefined]);
  });

  test('shows the seats left in the segment’s own class if the airline states a number', () => {
    const left = (...availability: { bookingClass: string; quantity?: string }[]) =>
      seatsLeft(segment('1', { availability }));
    expect(left({ bookingClass: 'C', quantity: '2' }, { bookingClass: 'Y', quantity: '9+' })).toBe(9);
    expect(left({ bookingClass: 'T', quantity: '4' })).toBe(4);
    expect(left({ bookingClass: 'Y', quantity: 'many' })).toBeUndefined();
    expect(left({ bookingClass: 'C' }, { bookingClass: 'J' })).toBeUndefined();
    expect(seatsLeft(segment('1'))).toBeUndefined();
  });
});

describe('masking', () => {
  test.each([
    ['PAX PASSPORT X1234567 MOB +4755500111', 'PAX PASSPORT •••••567 MOB •••••••111'],
    ['CALL +47 555 00 111 OR (555) 00-111', 'CALL •••••••111 OR (•••••111'],
    ['ID AB12CD', 'ID •••2CD'],
    ['ID AB12_345_67', 'ID ••••••567'],
    ['MAIL ada.berg@example.com NOW', 'MAIL ••• NOW'],
    ['ID ١٢٣٤٥٦', 'ID •••٤٥٦'],
    ['Gate 12, 2 bags at 0930, vegetarian', 'Gate 12, 2 bags at 0930, vegetarian'],
  ])('masks the remark %s as %s', (remark, shown) => expect(maskRemark(remark)).toBe(shown));

  test('masks all but the last three characters of a number and the first letter of a mailbox', () => {
    expect(maskNumber('P1234567')).toBe('•••••567');
    expect(maskNumber('12')).toBe('•••');
    expect(maskNumber('“P 1234567, of Amal”')).toBe('••••••••mal');
    expect(maskNumber('1'.repeat(40))).toBe('••••••••111');
    expect(maskEmail('amal@example.com')).toBe('a***@example.com');
    expect(maskEmail('@example.com')).toBe('***');
    expect(maskEmail('nobody')).toBe('***');
  });
});
