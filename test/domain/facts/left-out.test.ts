/** What a reading before a send left out: lines, limits, fields of a flight; never a name, a sum or a flight. */
import { expect, test } from 'vitest';
import type { Segment } from '../../../src/domain/booking/booking.ts';
import { isLeftOut, leftOutBeside, leftOutWords, withoutLeftOut } from '../../../src/domain/facts/left-out.ts';
import {
  type SaidPart,
  saidFlight,
  saidLimit,
  saidPerson,
  saidShare,
  saidSum,
  saidWords,
  unlikeParts,
} from '../../../src/domain/facts/said.ts';
import { held } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const booking = held();
const [FLIGHT] = booking.options.flatMap(({ segments }) => segments) as [Segment];
const BARE: Segment = { ...FLIGHT, bookingClass: undefined, stops: undefined };
const FULL: Segment = { ...FLIGHT, bookingClass: 'Y', stops: 1 };

const DAY = '2026-12-01T08:00:00+03:00';
const LIMIT = saidLimit('until when it can be paid', DAY);
const RULE = saidWords('condition', 'Refund for a fee.');

const line = (...said: readonly SaidPart[]) => ({ line: 'a line', said });
const unlike = (was: readonly SaidPart[], is: readonly SaidPart[]) => unlikeParts([line(...was)], [line(...is)]);

test('are limits and words without another in their place, and no name, no sum and no flight', () => {
  const others = [
    saidPerson(traveler('1', 'Amal', 'Haddad')),
    saidFlight(FLIGHT),
    saidSum('what comes back', { amount: { minor: 1, currency: 'SAR' } }),
  ];
  expect(leftOutBeside(undefined, unlike([LIMIT, RULE, ...others], []), [])).toEqual({
    parts: [LIMIT, RULE],
    fields: [],
    facts: [],
  });
  expect(leftOutBeside(undefined, unlike(others, []), ['flights', 'passengers', 'total'])).toBeUndefined();
  expect(leftOutBeside(undefined, unlike([RULE], [saidWords('condition', 'No refund.')]), [])).toBeUndefined();
});

test('are fields of a flight that is the same one', () => {
  const found = leftOutBeside(undefined, unlike([saidFlight(FULL)], [saidFlight(BARE)]), []);
  expect(found).toEqual({ parts: [], fields: ['bookingClass', 'stops'], facts: [] });
  const other = saidFlight({ ...BARE, flightNumber: '999' });
  expect(leftOutBeside(undefined, unlike([saidFlight(FULL)], [other]), [])).toBeUndefined();
  const withoutStation = saidFlight({ ...FULL, from: '' });
  expect(leftOutBeside(undefined, unlike([saidFlight(FULL)], [withoutStation]), [])).toBeUndefined();
});

test('come to what was left out before', () => {
  const before = { parts: [RULE], fields: ['stops'], facts: ['change rule'] } as const;
  expect(leftOutBeside(before, unlike([LIMIT], []), ['refund rule'])).toEqual({
    parts: [RULE, LIMIT],
    fields: ['stops'],
    facts: ['change rule', 'refund rule'],
  });
  expect(leftOutBeside(before, unlike([], []), [])).toBeUndefined();
});

test('may be missing or there', () => {
  const leftOut = { parts: [LIMIT], fields: ['bookingClass', 'stops'], facts: [] } as const;
  expect(isLeftOut(LIMIT, leftOut)).toBe(true);
  expect(isLeftOut(saidLimit(LIMIT.as, '2026-11-01T08:00:00Z'), leftOut)).toBe(false);
  expect(isLeftOut(saidLimit('another', DAY), leftOut)).toBe(false);

  const share = (one: Segment) =>
    saidShare(
      'share',
      { ...booking, options: [{ ref: '1', segments: [one] }] as unknown as typeof booking.options },
      { segments: [FLIGHT.ref], people: [], party: '2 adults' },
      'SAR 1.00 back',
    );
  const lines = (one: Segment) => [line(saidFlight(one), share(one), RULE), { line: 'It is late.' }];
  expect(unlikeParts(lines(FULL), lines(BARE)).gone).toHaveLength(2);
  const [was, is] = [FULL, BARE].map((one) => withoutLeftOut(lines(one), leftOut));
  expect(unlikeParts(was ?? [], is ?? [])).toEqual({ gone: [], fresh: [] });
  const none = { parts: [], fields: [], facts: [] };
  expect(withoutLeftOut(lines(FULL), none)).toEqual(lines(FULL));
});

test('are told in words', () => {
  expect(leftOutWords({ parts: [LIMIT, RULE], fields: ['stops'], facts: ['change rule'] })).toBe(
    'until when it can be paid, “Refund for a fee.”, the stops and the change rule',
  );
});
