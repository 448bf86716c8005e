import { expect, test } from 'vitest';
import { localMinute, showDay, showLocal, showTrip, zoneOf } from '../../src/core/times.ts';

test.each([
  ['2026-12-09', 'Wed 9 Dec'],
  ['2026-12-09T18:40:00+03:00', 'Wed 9 Dec'],
  ['soon', '(no date)'],
])('shows the day %s as %s', (text, shown) => {
  expect(showDay(text)).toBe(shown);
});

test.each([
  ['2026-12-09T18:40:00.000+03:00', 'Wed 9 Dec 18:40 (UTC+3)'],
  ['2026-12-09T18:40:00-03:30', 'Wed 9 Dec 18:40 (UTC-3:30)'],
  ['2026-12-09T18:40:00+00:00', 'Wed 9 Dec 18:40 (UTC)'],
  ['2026-12-09T18:40:00Z', 'Wed 9 Dec 18:40 (UTC)'],
  ['2026-12-09T18:40', 'Wed 9 Dec 18:40'],
  ['tomorrow', '(no time)'],
])('shows the time %s as %s', (text, shown) => {
  expect(showLocal(text)).toBe(shown);
});

test('shows departure and arrival with one zone, or both where they differ', () => {
  expect(showTrip('2026-12-09T18:40:00+03:00', '2026-12-09T20:45:00+03:00')).toBe('Wed 9 Dec 18:40-20:45 (UTC+3)');
  expect(showTrip('2026-12-09T18:40:00+03:00', '2026-12-09T20:45:00+03:00', { withoutZone: true })).toBe(
    'Wed 9 Dec 18:40-20:45',
  );
  expect(showTrip('2026-12-09T23:50:00+03:00', '2026-12-10T01:10:00+03:00')).toBe(
    'Wed 9 Dec 23:50-01:10 Thu 10 Dec (UTC+3)',
  );
  expect(showTrip('2026-12-09T18:40:00+03:00', '2026-12-09T16:45:00+01:00', { withoutZone: true })).toBe(
    'Wed 9 Dec 18:40 (UTC+3)-16:45 (UTC+1)',
  );
  expect(showTrip('2026-12-09T18:40:00+03:00', 'later')).toBe('Wed 9 Dec 18:40-? (UTC+3)');
  expect(showTrip('soon', '2026-12-09T16:45:00+01:00')).toBe('arrives Wed 9 Dec 16:45 (UTC+1)');
});

test('knows no zone of a time that was sent without one', () => {
  expect(zoneOf('2026-12-09T18:40')).toBe('');
});

test.each([
  ['2026-12-07T09:20:00Z', '2026-12-09T15:40:00.000+03:00', '2026-12-07T12:20+03:00'],
  ['2026-12-07T01:20:00Z', '2026-12-09T15:40:00-0330', '2026-12-06T21:50-03:30'],
  ['2026-12-07T12:20:59.999+03:00', undefined, '2026-12-07T12:20+03:00'],
  ['2026-12-07T09:20:00.000Z', undefined, '2026-12-07T09:20Z'],
  ['2026-12-07T12:20:00+03:00', '2026-12-09T15:40', '2026-12-07T09:20Z'],
  ['2026-12-07T12:20:00', '2026-12-09T15:40:00+03:00', '2026-12-07T12:20'],
  ['2026-12-07', undefined, '2026-12-07'],
  ['soon', undefined, 'soon'],
])('writes %s near %s as %s in a field', (time, near, field) => {
  expect(localMinute(time, near)).toBe(field);
});
