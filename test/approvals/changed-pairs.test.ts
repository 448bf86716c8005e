/** What the page and the terminal say of terms that changed: each line that binds as it was, beside the line as it is. */
import { expect, test } from 'vitest';
import { changedPairs } from '../../src/approvals/terms.ts';

const asked = (...lines: readonly string[]) => [{ kind: 'note' as const, lines }];

test('pairs each line with the one that it became, and leaves alone what has no like', () => {
  const [was, other] = ['Train 1: A → B, Tue 1 Dec 08:00-10:10', 'Passenger 1: “Laila Haddad”, adult'];
  const [now, otherNow] = ['Train 1: A → B, Tue 1 Dec 08:45-10:55', 'Passenger 1: “Layla Haddad”, adult'];
  expect(changedPairs(asked(was, other), [otherNow, now])).toEqual([
    { was, now },
    { was: other, now: otherNow },
  ]);
  expect(changedPairs(asked(was, 'Seats are kept.'), [now])).toEqual([{ was, now }, { was: 'Seats are kept.' }]);
  expect(changedPairs(asked(was, 'Seats are kept.'), [was, 'It may be paid already.'])).toEqual([
    { was: 'Seats are kept.' },
    { now: 'It may be paid already.' },
  ]);
});

test('names no line about accounts, because a yes is bound to none', () => {
  const account = (sum: string) => `Account “desk” pays SAR 2.00: ${sum} available.`;
  const others = [
    'Account “desk” pays SAR 2.00. What it has is not known now.',
    'WARNING: Account “desk” pays SAR 2.00: SAR 1.00 available, SAR 1.00 missing.',
    'WARNING: Account “desk” pays SAR 2.00: SAR 9.00 available, not active.',
    'WARNING: Account “desk” pays SAR 2.00, and the airline lists no such account.',
  ];
  expect(changedPairs(asked(account('SAR 9.00')), [account('SAR 8.00'), ...others])).toEqual([]);
  // A name cannot hide a change by beginning so: our own words come before it.
  const passenger = 'Passenger 1: “Account Haddad”, adult';
  expect(changedPairs(asked(), [passenger])).toEqual([{ now: passenger }]);
});
