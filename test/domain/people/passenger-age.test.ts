import { describe, expect, test } from 'vitest';
import { ageOn, departureDate, firstMisfit, typeAtAge } from '../../../src/domain/people/passenger-age.ts';
import { segment } from '../../support/bookings.ts';

describe('ages at the local date of departure', () => {
  test('counts ages in whole years from the birthday on', () => {
    expect(ageOn('2024-12-02', '2026-12-01')).toBe(1);
    expect(ageOn('2024-12-01', '2026-12-01')).toBe(2);
    expect(ageOn('2014-12-01', '2026-11-30')).toBe(11);
    expect(ageOn('2024-02-29', '2026-02-28')).toBe(1);
    expect(ageOn('2024-02-29', '2026-03-01')).toBe(2);
  });

  test.each([
    [0, 'INF'],
    [1, 'INF'],
    [2, 'CHD'],
    [11, 'CHD'],
    [12, 'ADT'],
  ])('assigns %i years to type %s', (age, type) => expect(typeAtAge(age)).toBe(type));

  test('computes ages by the date at the airport, not by the UTC date', () => {
    const auckland = segment('1', { departs: '2026-12-02T00:30:00.000+13:00' });
    // In UTC it is still 1 December, the day before the second birthday.
    expect(firstMisfit('INF', '2024-12-02', [auckland])).toMatchObject({ date: '2026-12-02', age: 2, fits: 'CHD' });
    expect(firstMisfit('CHD', '2024-12-02', [auckland])).toBeUndefined();
  });

  test('finds a traveller who is younger on the second flight, across the date line', () => {
    const out = segment('1', { departs: '2026-12-02T06:00:00.000+13:00' });
    const on = segment('2', { departs: '2026-12-01T09:00:00.000-10:00' });
    expect(firstMisfit('CHD', '2024-12-02', [out, on])).toMatchObject({ date: '2026-12-01', fits: 'INF' });
  });

  test('uses the journey date for a time in UTC', () => {
    const evening = segment('1', { departs: '2026-12-01T22:30:00Z', journeyDate: '2026-12-02' });
    expect(departureDate(evening)).toBe('2026-12-02');
  });

  test('finds a birthday between the flight out and the flight back', () => {
    const out = segment('1');
    const back = segment('2', { departs: '2026-12-05T18:00:00.000+03:00' });
    expect(firstMisfit('INF', '2024-12-03', [out, back])).toMatchObject({ segment: { ref: '2' }, age: 2 });
  });

  test('accepts no passenger type for a traveller before birth', () => {
    expect(firstMisfit('INF', '2027-01-01', [segment('1')])).toMatchObject({ age: -1 });
  });
});
