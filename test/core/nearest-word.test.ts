import { expect, test } from 'vitest';
import { nearest } from '../../src/core/nearest-word.ts';

test('finds the nearest known word; of those with it as a part, the one that begins with it, then the shortest', () => {
  expect(nearest('adult', ['adults', 'children'])).toBe('adults');
  expect(nearest('zzzzzzzz', ['adults'])).toBeUndefined();
  expect(nearest('bookings', ['list_bookings', 'bookings_of_a_day'])).toBe('bookings_of_a_day');
  expect(nearest('cancel', ['cancel_passenger', 'cancel_booking'])).toBe('cancel_booking');
});
