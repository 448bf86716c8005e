/** Deadlines as people read them: by the clock of a departure, else in UTC. */
import { expect, test } from 'vitest';
import { showClock, showDeadline } from '../../../src/domain/booking/deadlines.ts';

test('shows a clock time alone in the local time of a departure, else in UTC', () => {
  expect(showClock('2026-12-09T15:40:00Z', '2026-12-09T18:40:00+03:00')).toBe('18:40 (UTC+3)');
  expect(showClock('2026-12-09T15:40:00Z', undefined)).toBe('15:40 (UTC)');
  expect(showClock('soon', undefined)).toBe('(no time)');
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
