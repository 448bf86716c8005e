/** What a reading still shows of what was cancelled here. */
import { expect, test } from 'vitest';
import {
  expectCancelledPassengers,
  expectCancelledSegments,
  holdStillShown,
  peopleStillShown,
  segmentsStillShown,
} from '../../../src/tools/acts/cancellation-evidence.ts';
import { gone, held, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const digest = (text: string) => `#${text}`;

test('segments are known by their flights, and in operations of an earlier version by their pointers', () => {
  const expected = expectCancelledSegments(ticketed(), ['1']);
  const { flights: _, ...earlier } = expected;
  for (const each of [expected, earlier]) {
    expect(segmentsStillShown(each, ticketed())).toEqual({ segmentRefs: ['1'], travelerRefs: [] });
    expect(segmentsStillShown(each, gone(ticketed(), ['1'])).segmentRefs).toEqual([]);
  }
});

test('of a released hold each segment that still runs, but none once the airline says that it is cancelled', () => {
  expect(holdStillShown(held()).segmentRefs).toEqual(['1', '2']);
  expect(holdStillShown(held({ cancelled: true })).segmentRefs).toEqual([]);
});

test('of removed passengers as many equal ones as were not to stay, while a flight of theirs runs', () => {
  const twins = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Amal', 'Haddad'), traveler('3', 'Bilal', 'Haddad')];
  const booking = ticketed({ travelers: twins });
  const expected = expectCancelledPassengers(booking, ['2'], digest);
  expect(peopleStillShown(expected, booking, digest)).toEqual({ segmentRefs: [], travelerRefs: ['2'] });
  const renamed = ticketed({ travelers: [...twins.slice(0, 1), traveler('2', 'Cyra', 'Nasser'), ...twins.slice(2)] });
  expect(peopleStillShown(expected, renamed, digest).travelerRefs).toEqual([]);
  expect(peopleStillShown(expected, gone(booking, ['1', '2']), digest).travelerRefs).toEqual([]);
});
