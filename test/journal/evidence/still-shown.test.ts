/** What a reading still shows of what was cancelled here. */
import { expect, test } from 'vitest';
import type { JudgedDeed } from '../../../src/domain/booking/booking.ts';
import {
  expectCancelledPassengers,
  expectCancelledSegments,
  holdDeeds,
  peopleDeeds,
  segmentDeeds,
} from '../../../src/tools/acts/cancellation-evidence.ts';
import { gone, held, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const digest = (text: string) => `#${text}`;

/** The refs of the deeds that a reading does not show. */
const unshown = (deeds: readonly JudgedDeed[]) =>
  deeds.flatMap(({ isShown, segmentRefs, travelerRefs }) => (isShown ? [] : [...segmentRefs, ...travelerRefs]));

test('segments are known by their flights, and in operations of an earlier version by their pointers', () => {
  const expected = expectCancelledSegments(ticketed(), ['1']);
  const { flights: _, ...earlier } = expected;
  for (const each of [expected, earlier]) {
    expect(unshown(segmentDeeds(each, ticketed()))).toEqual(['1']);
    expect(unshown(segmentDeeds(each, gone(ticketed(), ['1'])))).toEqual([]);
  }
});

test('of a released hold each segment that still runs, but none once the airline says that it is cancelled', () => {
  expect(unshown(holdDeeds(held()))).toEqual(['1', '2']);
  expect(unshown(holdDeeds(held({ cancelled: true })))).toEqual([]);
});

test('of removed passengers as many equal ones as were not to stay, while a flight of theirs runs', () => {
  const twins = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Amal', 'Haddad'), traveler('3', 'Bilal', 'Haddad')];
  const booking = ticketed({ travelers: twins });
  const expected = expectCancelledPassengers(booking, ['2'], digest);
  expect(unshown(peopleDeeds(expected, booking, digest))).toEqual(['2']);
  const renamed = ticketed({ travelers: [...twins.slice(0, 1), traveler('2', 'Cyra', 'Nasser'), ...twins.slice(2)] });
  expect(unshown(peopleDeeds(expected, renamed, digest))).toEqual([]);
  expect(unshown(peopleDeeds(expected, gone(booking, ['1', '2']), digest))).toEqual([]);
});
