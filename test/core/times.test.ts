import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  asUtc,
  datesBetween,
  daysBetween,
  earliestTime,
  earliestToday,
  instantOf,
  isRealDate,
  minutesBetween,
  showTimeLeft,
  utcDay,
} from '../../src/core/times.ts';

describe('instants', () => {
  test('accepts only a time with a zone as an instant', () => {
    expect(instantOf('2026-12-01T08:00:00.000+03:00')).toBe(Date.UTC(2026, 11, 1, 5));
    expect(instantOf('2026-12-01T08:00:00+0300')).toBe(Date.UTC(2026, 11, 1, 5));
    expect(instantOf('2026-12-01T05:00Z')).toBe(Date.UTC(2026, 11, 1, 5));
    for (const text of ['2026-12-01T08:00:00', '2026-12-01', 'soon', '', undefined])
      expect(instantOf(text)).toBeUndefined();
  });

  test('computes durations across zones and the date line', () => {
    expect(minutesBetween('2026-12-01T08:00:00.000+03:00', '2026-12-01T08:30:00.000+01:00')).toBe(150);
    // Auckland to Honolulu: departs on Wednesday, arrives on Tuesday.
    expect(minutesBetween('2026-12-02T23:55:00.000+13:00', '2026-12-02T09:30:00.000-10:00')).toBe(515);
    // Over the end of summer time in Berlin.
    expect(minutesBetween('2026-10-25T01:30:00.000+02:00', '2026-10-25T03:30:00.000+01:00')).toBe(180);
    expect(minutesBetween('2026-12-01T08:00:00', '2026-12-01T10:00:00')).toBeUndefined();
  });

  test('finds the earliest instant by time, not by text', () => {
    expect(earliestTime(['2026-12-01T08:00:00+03:00', '2026-12-01T06:00:00Z', undefined, 'x'])).toBe(
      '2026-12-01T08:00:00+03:00',
    );
    expect(asUtc('2026-12-01T08:00:00.000+03:00')).toBe('2026-12-01T05:00:00Z');
  });
});

describe('dates', () => {
  test('rejects dates that do not exist', () => {
    expect(isRealDate('2028-02-29')).toBe(true);
    for (const text of ['2026-02-29', '2026-13-01', '2026-1-01', '26-01-01', 'x']) expect(isRealDate(text)).toBe(false);
  });

  test('shows the time left in words', () => {
    expect([0, 119, 120, 2879, 2880, 24_192].map(showTimeLeft)).toEqual([
      '0 min',
      '119 min',
      '2 hours',
      '47 hours',
      '2 days',
      '16 days',
    ]);
  });

  test('adds days and months to a date', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addMonths('2026-08-31', 6)).toBe('2027-02-28');
    expect(addMonths('2026-11-15', 2)).toBe('2027-01-15');
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(datesBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(datesBetween('2026-03-01', '2026-02-27')).toEqual([]);
  });

  test('uses the date at UTC-12 as today', () => {
    expect(earliestToday(Date.parse('2026-12-02T11:00:00Z'))).toBe('2026-12-01');
    expect(earliestToday(Date.parse('2026-12-02T12:00:00Z'))).toBe('2026-12-02');
    expect(utcDay(Date.parse('2026-12-02T11:00:00Z'))).toBe('2026-12-02');
  });
});
