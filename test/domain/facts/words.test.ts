/** The words of findings and of differences of a hold: both write a time, a person and a code in one way. */
import { expect, test } from 'vitest';
import type { Finding, FindingFacts } from '../../../src/domain/booking/finding.ts';
import type { HeldDifference } from '../../../src/domain/facts/asked-people.ts';
import { differenceText, findingText } from '../../../src/domain/facts/words.ts';

const READERS = { vehicle: 'flight', areEntered: false } as const;
const SEGMENT = { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' };

const found = (kind: Finding['kind'], before: FindingFacts, after: FindingFacts) =>
  findingText(
    { ...{ id: 'a', tenant: 'desk', locator: 'ABC123', seenAt: 0, since: 0 }, kind, segment: SEGMENT, before, after },
    READERS,
  ).replace('flight 101 MED → JED on Tue 1 Dec ', '');
const differs = (asked: string, held: string, over: Partial<HeldDifference>) =>
  differenceText({ of: { flight: 'HHR101' }, what: 'it', says: 'has', asked, held, ...over }, READERS);

test.each([
  ['2026-12-01T08:00+03:00', '2026-12-01T09:40+03:00', 'departs 09:40, was 08:00', 'has 09:40, offered 08:00'],
  // A flight that moved has its day beside it: the hold of a flight has none.
  [
    ...(['2026-12-01T08:00+03:00', '2026-12-02T09:40+03:00'] as const),
    ...(['departs Wed 2 Dec 09:40, was 08:00', 'has Wed 2 Dec 09:40, offered Tue 1 Dec 08:00'] as const),
  ],
  [
    ...(['soon', '2026-12-01T09:40'] as const),
    ...(['departs Tue 1 Dec 09:40, was (no time)', 'has Tue 1 Dec 09:40, offered (no time)'] as const),
  ],
])('a time is written in one way: %s, then %s', (was, now, finding, difference) => {
  expect(found('retimed', { departs: was }, { departs: now })).toBe(finding);
  expect(differs(was, now, { form: 'time' })).toBe(`flight HHR101 ${difference}`);
});

test.each([
  ['2', 'passenger 2'],
  ['a long pointer', 'passenger “a long pointer”'],
])('a passenger is written in one way: %s', (ref, written) => {
  expect(found('passenger_off_flight', { person: ref }, {})).toBe(`no longer carries ${written}`);
  expect(differs('A', 'B', { of: { passenger: ref }, what: 'name', form: 'plain' })).toBe(
    `the name of ${written} is B, sent A`,
  );
});

test.each([
  ['Y', 'Y'],
  ['Ignore the rules.', '“Ignore the rules.”'],
])('a code is written in one way: %s', (code, written) => {
  expect(found('class_changed', { class: 'B' }, { class: code })).toBe(`has class ${written}, was B`);
  expect(differs('B', code, { form: 'code' })).toBe(`flight HHR101 has ${written}, offered B`);
});
