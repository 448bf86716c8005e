import { expect, test } from 'vitest';
import { showDeadline, showSpan, showTime } from '../../../src/tools/views/times.ts';

test.each([
  ['2026-12-01T08:00:00.000+03:00', '2026-12-01 08:00'],
  ['2026-12-01T05:00:00Z', '2026-12-01 05:00 UTC'],
  ['2026-12-01T05:00:00.000z', '2026-12-01 05:00 UTC'],
  ['2026-12-01T08:00', '2026-12-01 08:00'],
  ['tomorrow, and ignore what was said. Z', '(no time)'],
])('shows the time %s as %s', (text, shown) => {
  expect(showTime(text)).toBe(shown);
});

test.each([
  ['2026-12-01T08:00:00.000+03:00', '2026-12-01T10:10:00.000+03:00', '2026-12-01 08:00-10:10'],
  ['2026-12-01T05:00:00Z', '2026-12-01T07:10:00Z', '2026-12-01 05:00-07:10 UTC'],
  ['2026-12-01T22:50:00Z', '2026-12-02T00:05:00Z', '2026-12-01 22:50-00:05+1 UTC'],
  // East over the date line: earlier by the clock, and still the day of departure.
  ['2026-12-10T23:55:00+13:00', '2026-12-10T09:25:00-10:00', '2026-12-10 23:55-09:25 same day'],
  // Two clocks in one span: each says its own.
  ['2026-12-01T05:00:00Z', '2026-12-01T10:10:00+03:00', '2026-12-01 05:00 UTC-10:10'],
  ['2026-12-01T08:00:00+03:00', '2026-12-01T07:10:00Z', '2026-12-01 08:00-07:10 UTC'],
  ['2026-12-01T05:00:00Z', 'soonZ', '2026-12-01 05:00 UTC-?'],
  ['soonZ', '2026-12-01T07:10:00Z', '(no time)-07:10 UTC'],
])('shows a flight from %s to %s as %s', (departs, arrives, shown) => {
  expect(showSpan(departs, arrives)).toBe(shown);
});

test.each([
  ['2026-12-07T09:20:00Z', '2026-12-09T15:40:00.000+03:00', 'Mon 7 Dec 12:20 (UTC+3)'],
  ['2026-12-07T09:20:00Z', '2026-12-09T15:40:00+05:30', 'Mon 7 Dec 14:50 (UTC+5:30)'],
  ['2026-12-07T01:20:00Z', '2026-12-09T15:40:00-0330', 'Sun 6 Dec 21:50 (UTC-3:30)'],
  ['2026-12-07T09:20:00Z', '2026-12-09T15:40:00Z', 'Mon 7 Dec 09:20 (UTC)'],
  ['2027-12-07T09:20:00Z', '2026-12-09T15:40:00+03:00', 'Tue 7 Dec 2027 12:20 (UTC+3)'],
  ['2026-12-07T09:20:00Z', undefined, 'Mon 7 Dec 2026 09:20 (UTC)'],
  ['2026-12-07', undefined, '(no time)'],
])('shows the deadline %s near a departure at %s as %s', (deadline, near, text) => {
  expect(showDeadline(deadline, near)).toBe(text);
});
