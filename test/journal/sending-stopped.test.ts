import { expect, test } from 'vitest';
import type { ChainStatus } from '../../src/journal/ports.ts';
import { whyNotSend } from '../../src/journal/sending-stopped.ts';

const HASH = '0'.repeat(64);
const head = { n: 5, hash: HASH };
const hold = { since: 1_000, seen: { n: 9, hash: HASH }, head };
const pause = { since: 2_000, by: 'os:ann', why: 'the airline asked' };

test.each<[string, ChainStatus, string | undefined]>([
  ['without a hold or pause', { head }, undefined],
  ['a hold, with both numbers', { head, hold }, 'number 5, and number 9 was seen before'],
  ['a hold without second records', { head, hold: { since: 1_000, head } }, 'has no second records of the journal'],
  [
    'a pause, with who and why',
    { head, pause },
    '“os:ann” paused sending at 1970-01-01T00:00:02Z: “the airline asked”',
  ],
  ['a hold before a pause', { head, hold, pause }, 'held'],
])('explains why nothing is sent: %s', (_what, status, words) => {
  const error = whyNotSend(status);
  expect(error?.message).toEqual(words === undefined ? undefined : expect.stringContaining(words));
  if (error !== undefined) {
    expect(error).toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none', retry: 'never' });
    expect(error.message).toMatch(/Nothing was sent\.$/);
    expect(error.next).toContain('operator');
  }
});
