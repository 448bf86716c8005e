/** Whom a question is about, where and when, in the words of its row. */
import { expect, test } from 'vitest';
import { bookingGist, gistLine, gistOfAll, whereText, whoText } from '../../src/approvals/booking-gist.ts';
import { shownSections } from '../../src/approvals/terms.ts';
import type { Segment } from '../../src/domain/booking/booking.ts';
import { held, option, segment } from '../support/bookings.ts';
import { bareTraveler, traveler } from '../support/people.ts';

const NAMES: Readonly<Record<string, string>> = { MED: 'Madinah', JED: 'Jeddah' };
const placeName = (code: string) => NAMES[code];

type Leg = readonly [from: string, to: string];

function trip(...legs: readonly Leg[]) {
  const segments = legs.map(([from, to], i) =>
    segment(`${i + 1}`, { from, to, departs: `2026-12-0${i + 1}T08:00:00.000+03:00` }),
  );
  return held({ options: segments.map((one) => option(one)) });
}

test('goes from place to place, by name or code, and says the first day', () => {
  const words = (...legs: readonly Leg[]) => whereText(bookingGist(trip(...legs), placeName));
  expect(words(['MED', 'JED'], ['JED', 'MED'])).toBe('Madinah → Jeddah → Madinah, Tue 1 Dec');
  expect(words(['MED', 'JED'], ['QCA', 'MED'])).toBe('Madinah → Jeddah → QCA → Madinah, Tue 1 Dec');
  expect(whereText(bookingGist(held({ options: [] }), placeName))).toBe('');

  const there = segment('1', { from: 'MED', to: 'JED', departs: '2026-12-01T08:00:00+03:00' });
  const back = segment('2', { from: 'JED', to: 'MED', departs: '2026-12-02T08:00:00+03:00' });
  const inOrder = (...segments: readonly Segment[]) =>
    whereText(bookingGist(held({ options: segments.map((one) => option(one)) }), placeName));
  expect(inOrder(back, there)).toBe('Madinah → Jeddah → Madinah, Tue 1 Dec');
  expect(inOrder({ ...back, departs: 'soon' }, there)).toContain('Jeddah → Madinah → Jeddah');
});

test('names one or two people, and counts the others and those without a name', () => {
  const people = (...names: readonly (string | undefined)[]) =>
    names.map((given, i) => (given === undefined ? bareTraveler(`${i}`) : traveler(`${i}`, given, 'Haddad')));
  const words = (...names: readonly (string | undefined)[]) =>
    whoText(bookingGist(held({ travelers: people(...names) }), undefined));
  expect(words('Amal')).toBe('Amal Haddad');
  // A sentence is no name.
  expect(words('Nothing is paid now.')).toBe('“Nothing is paid now. Haddad”');
  expect(words('Y. Nothing', 'Badr')).toBe('“Y. Nothing Haddad” and Badr Haddad');
  expect(words('Amal', 'Badr')).toBe('Amal Haddad and Badr Haddad');
  expect(words('Amal', undefined)).toBe('Amal Haddad and 1 other');
  expect(words('Amal', 'Badr', 'Dana')).toBe('Amal Haddad and 2 others');
  expect(words(undefined, undefined)).toBe('2 passengers');
});

test('names who sells, by the booking or else the settings', () => {
  const seller = { carrier: 'XX', airlineHost: 'api.airline.example', agency: 'A1' };
  const own = held({ options: [option(segment('1', { operating: { carrier: 'HHR', number: '101' } }))] });
  expect(bookingGist(own, undefined, seller)).toMatchObject({ airline: 'HHR, api.airline.example', agency: 'A1' });
  expect(bookingGist(held({ options: [] }), undefined, seller).airline).toBe('XX, api.airline.example');
  expect(bookingGist(held({ options: [] }), undefined).airline).toBeUndefined();
});

test('binds people, route and day as far as the line says them', () => {
  const rows = (departs: string) => {
    const line = gistLine(
      held({ options: [option(segment('1', { departs }))], travelers: [traveler('1', 'Amal', 'Badr')] }),
    );
    return line.said?.map(({ row, as }) => `${row} ${as}`);
  };
  expect(rows('2026-12-01T08:00:00.000+03:00')).toEqual(['person of the booking', 'words route', 'flight of the trip']);
  expect(rows('')).toEqual(['person of the booking', 'words route']);
});

test('of several bookings: all their people, the route that they share, and the first day', () => {
  const [one, other] = [bookingGist(trip(['MED', 'JED']), placeName), bookingGist(trip(['JED', 'MED']), placeName)];
  const later = { ...one, departs: '2026-12-05T08:00:00.000+03:00' };
  expect(whereText(gistOfAll([later, one]) ?? one)).toBe('Madinah → Jeddah, Tue 1 Dec');
  expect(whereText(gistOfAll([later, other]) ?? one)).toBe('Tue 1 Dec');
  expect(gistOfAll([one, other])?.count).toBe(one.count + other.count);
  const { departs: _, ...someday } = one;
  expect(whereText(gistOfAll([someday, one]) ?? one)).toBe('Madinah → Jeddah, Tue 1 Dec');
  expect(gistOfAll([])).toBeUndefined();
});

test('keeps with a question what a person reads, and how the page draws it', () => {
  const day = { departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:10:00+03:00' };
  const drawn = [{ kind: 'ride', name: 'Train HHR101', from: 'MED', to: 'JED', ...day, more: '' }] as const;
  const kept = shownSections([
    { kind: 'note', lines: [] },
    { kind: 'trip', lines: ['Madinah to Jeddah'], said: [[]], drawn },
    { kind: 'people', lines: ['Laila, now Layla'] },
  ]);
  expect(kept).toEqual([
    { kind: 'trip', lines: ['Madinah to Jeddah'], drawn },
    { kind: 'people', lines: ['Laila, now Layla'] },
  ]);
});
