/** When two parts of a question say the same: each row of the table, with what is equal and what is not. */
import { describe, expect, test } from 'vitest';
import type { Segment } from '../../../src/domain/booking/booking.ts';
import {
  mattersIn,
  type SaidLine,
  type SaidPart,
  saidCondition,
  saidDeparture,
  saidFlight,
  saidLimit,
  saidLoss,
  saidPerson,
  saidShare,
  saidStep,
  saidSum,
  saidWords,
  unlikeParts,
} from '../../../src/domain/facts/said.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { held } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const booking = held({ travelers: [traveler('1', 'Amal', 'Haddad Farouk'), traveler('2', 'Bilal', 'Haddad Farouk')] });
const [FLIGHT] = booking.options.flatMap(({ segments }) => segments) as [Segment];
const [AMAL, BILAL] = booking.travelers as [Traveler, Traveler];
const SAR = (minor: number) => ({ minor, currency: 'SAR' });
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const DAY = '2026-12-01T08:00:00+03:00';

const named = (over: object): Traveler => ({
  ...AMAL,
  name: { ...(AMAL.name as object), ...over } as Traveler['name'],
});
const flight = (over: Partial<Segment>, more = '') => saidFlight({ ...FLIGHT, ...over }, '', more);
const without = (field: keyof Segment) => {
  const { [field]: _, ...segment } = FLIGHT;
  return saidFlight(segment as Segment);
};
const share = (figures: string, refs: { segments?: string[]; people?: string[]; party?: string } = {}) =>
  saidShare('share', booking, { segments: ['1'], people: ['1', '2'], party: '2 adults', ...refs }, figures);
const step = (
  from: string,
  over: Partial<{ sums: string; isLess: boolean; conditions: readonly { says: string }[] }> = {},
) => saidStep('later', { from, sums: 'SAR 10.00 comes back', conditions: [], isLess: true, ...over });
const condition = (says: string, of?: string) => saidCondition('the condition', { says, of });

const line = (...said: readonly SaidPart[]): SaidLine => ({ line: 'a line', said });
const isSame = (was: SaidPart, is: SaidPart) => {
  const { gone, fresh } = unlikeParts([line(was)], [line(is)]);
  return gone.length === 0 && fresh.length === 0;
};

describe('is the same', () => {
  test.each<[string, SaidPart, SaidPart]>([
    ['a flight number with zeros', flight({ flightNumber: 'HHR0101' }), flight({ flightNumber: 'HHR101' })],
    ['a time in another zone', flight({}), flight({ departs: new Date(FLIGHT.departs).toISOString() })],
    ['no stop that is said', flight({ stops: 0 }), flight({})],
    [
      'a carrier that is left out',
      flight({ marketing: { carrier: 'AA', number: '101' }, operating: { carrier: 'BB', number: '101' } }),
      flight({ operating: { carrier: 'BB', number: '101' } }),
    ],
    ['a number of a person', saidPerson(AMAL), saidPerson({ ...AMAL, ref: '61' })],
    ['a name in capitals', saidPerson(AMAL), saidPerson(named({ given: ['AMAL'], surname: 'HADDAD FAROUK' }))],
    ['a name with a title', saidPerson(AMAL), saidPerson(named({ given: ['Amal MRS'], title: ['MRS'] }))],
    ['an unnamed person', saidPerson({ ...AMAL, name: undefined }), saidPerson({ ...AMAL, name: undefined })],
    ['a sum', saidSum('x', { amount: SAR(100) }), saidSum('x', { amount: SAR(100) })],
    [
      'a sum between those that were said',
      saidSum('x', { atLeast: SAR(100), atMost: SAR(300) }),
      saidSum('x', { amount: SAR(200) }),
    ],
    ['less that is given up', saidLoss('x', SAR(100)), saidLoss('x', SAR(90))],
    ['a limit that is later', saidLimit('x', DAY), saidLimit('x', '2026-12-02T08:00:00+03:00')],
    ['a limit in the minute before', saidLimit('x', DAY), saidLimit('x', '2026-12-01T07:59:00+03:00')],
    ['less that comes back later', step(DAY), step('2026-12-01T09:00:00+03:00')],
    ['a share of people in another order', share('paid'), share('paid', { people: ['2', '1'] })],
    ['a class that was not said', without('bookingClass'), flight({ bookingClass: 'Y' })],
    ['a name of a fare that is left out', flight({ fareBasis: 'Y1', fareName: 'Flex' }), flight({ fareBasis: 'Y1' })],
    ['a name that was not said', saidPerson({ ...AMAL, name: undefined }), saidPerson(AMAL)],
    ['a name that was masked', saidPerson(named({ given: ['A***l'], surname: 'H****d F' })), saidPerson(AMAL)],
    [
      'a condition with a flight number',
      condition('No refund.', 'train HHR0108'),
      condition('No refund.', 'train HHR108'),
    ],
    ['a condition in other letters', condition('No refund.'), condition('\u0644\u0627')],
    [
      'conditions in another order',
      step(DAY, { conditions: [{ says: 'a' }, { says: 'b' }] }),
      step(DAY, { conditions: [{ says: 'b' }, { says: 'a' }] }),
    ],
    ['an address in capitals', saidWords('', 'was a@example.com'), saidWords('', 'was A@EXAMPLE.COM')],
    ['words with a flight number', saidWords('', 'Cancel HHR0108.'), saidWords('', 'Cancel HHR108.')],
  ])('%s', (_, was, is) => {
    expect(isSame(was, is)).toBe(true);
  });
});

describe('is not the same', () => {
  test.each<[string, SaidPart, SaidPart]>([
    ['another flight', flight({ flightNumber: 'HHR101' }), flight({ flightNumber: 'HHR102' })],
    ['another departure', flight({}), flight({ departs: '2026-12-01T09:00:00+03:00' })],
    ['another class', flight({ bookingClass: 'Y' }), flight({ bookingClass: 'B' })],
    ['a class that is left out', flight({ bookingClass: 'Y' }), without('bookingClass')],
    [
      'a name of a fare that is left out',
      flight({ fareName: 'Flex', fareBasis: undefined }),
      flight({ fareName: undefined, fareBasis: undefined }),
    ],
    ['another day', saidDeparture('trip', FLIGHT.departs), saidDeparture('trip', '2027-01-01T08:00:00+03:00')],
    ['another status', flight({}), flight({}, '; waitlisted')],
    [
      'another operating flight',
      flight({ marketing: { carrier: 'AA', number: '1' }, operating: { carrier: 'BB', number: '2' } }),
      flight({ marketing: { carrier: 'AA', number: '1' }, operating: { carrier: 'CC', number: '2' } }),
    ],
    ['a flight that stays', saidFlight(FLIGHT), saidFlight(FLIGHT, 'stays')],
    ['another person', saidPerson(AMAL), saidPerson({ ...BILAL, ref: '1' })],
    ['a masked name', saidPerson(AMAL), saidPerson(named({ given: ['A***'], surname: 'H****' }))],
    ['no name', saidPerson(AMAL), saidPerson({ ...AMAL, name: undefined })],
    ['a name that was masked otherwise', saidPerson(named({ given: ['B***'], surname: 'H****' })), saidPerson(AMAL)],
    ['stars', saidPerson(named({ given: ['***'], surname: '****' })), saidPerson(AMAL)],
    [
      'another masked name',
      saidPerson(named({ given: ['A***'], surname: 'H****' })),
      saidPerson(named({ given: ['A**'], surname: 'H**' })),
    ],
    ['another condition', condition('No refund.'), condition('Refund.')],
    [
      'the condition of another flight',
      condition('No refund.', 'train HHR108'),
      condition('No refund.', 'train HHR109'),
    ],
    ['another condition later', step(DAY, { conditions: [{ says: 'a' }] }), step(DAY)],
    ['another type', saidPerson(AMAL), saidPerson({ ...AMAL, type: 'CHD' })],
    ['another ticket', saidPerson(AMAL, '', '1234'), saidPerson(AMAL, '', '1235')],
    ['another sum', saidSum('x', { amount: SAR(100) }), saidSum('x', { amount: SAR(101) })],
    ['another currency', saidSum('x', { amount: SAR(100) }), saidSum('x', { amount: EUR(100) })],
    ['a sum that is not known', saidSum('x', { amount: SAR(100) }), saidSum('x', {})],
    ['less than was said', saidSum('x', { atLeast: SAR(100), atMost: SAR(300) }), saidSum('x', { amount: SAR(99) })],
    ['more than was said', saidSum('x', { atLeast: SAR(100), atMost: SAR(300) }), saidSum('x', { amount: SAR(301) })],
    ['more that is given up', saidLoss('x', SAR(100)), saidLoss('x', SAR(101))],
    ['what is given up in another currency', saidLoss('x', SAR(100)), saidLoss('x', EUR(90))],
    ['a limit that is sooner', saidLimit('x', DAY), saidLimit('x', '2026-12-01T07:58:00+03:00')],
    ['a limit that is no time', saidLimit('x', DAY), saidLimit('x', 'soon')],
    ['another limit that is no time', saidLimit('x', 'soon'), saidLimit('x', 'later')],
    ['less that comes back sooner', step(DAY), step('2026-12-01T07:00:00+03:00')],
    ['more that comes back later', step(DAY, { isLess: false }), step('2026-12-01T09:00:00+03:00', { isLess: false })],
    ['another sum that comes back later', step(DAY), step(DAY, { sums: 'nothing comes back' })],
    ['more in the place of less', step(DAY), step(DAY, { isLess: false })],
    ['another figure', share('SAR 1.00 back'), share('SAR 2.00 back')],
    ['the share of another person', share('back', { people: ['1'] }), share('back', { people: ['2'] })],
    ['the share of fewer people', share('back'), share('back', { people: ['1'] })],
    ['the share of another flight', share('back'), share('back', { segments: ['2'] })],
    ['another party', share('back', { people: [] }), share('back', { people: [], party: '3 adults' })],
    ['other words', saidWords('', 'It is free.'), saidWords('', 'It is not free.')],
    ['a part of another kind', saidWords('x', DAY), saidLimit('x', DAY)],
  ])('%s', (_, was, is) => {
    expect(isSame(was, is)).toBe(false);
  });
});

test('lines count in any order, and each part once', () => {
  const [amal, bilal] = [line(saidPerson(AMAL)), line(saidPerson(BILAL))];
  expect(unlikeParts([amal, bilal], [bilal, amal])).toEqual({ gone: [], fresh: [] });
  expect(unlikeParts([amal, amal], [amal, amal])).toEqual({ gone: [], fresh: [] });
  expect(unlikeParts([amal, amal], [amal])).toMatchObject({ gone: [{ of: amal }], fresh: [] });
  expect(unlikeParts([amal], [amal, bilal])).toMatchObject({ gone: [], fresh: [{ of: bilal }] });
});

test('a line without parts stands as it is, and one whose parts are none is only shown', () => {
  const plain = { line: 'It is late.' };
  expect(unlikeParts([plain], [{ line: 'It is early.' }]).gone).toHaveLength(1);
  expect(unlikeParts([{ ...plain, said: [] }], [])).toEqual({ gone: [], fresh: [] });
});

test('who gets how much may be said where it was not', () => {
  expect(unlikeParts([line()], [line(share('back'))])).toEqual({ gone: [], fresh: [] });
  expect(unlikeParts([line(share('back'))], [line(share('back'), share('paid'))]).fresh).toHaveLength(1);
  expect(unlikeParts([line(share('back'))], [line()]).gone).toHaveLength(1);
});

test('what is given up no more is only better', () => {
  expect(unlikeParts([line(saidLoss('x', SAR(100)))], [line()])).toEqual({ gone: [], fresh: [] });
  expect(unlikeParts([line()], [line(saidLoss('x', SAR(100)))]).fresh).toHaveLength(1);
});

test('what matters to somebody is what lines say', () => {
  expect(mattersIn([line(saidLimit('x', DAY)), { line: 'words' }])).toEqual(['term']);
  expect(mattersIn([line(saidPerson(AMAL), saidFlight(FLIGHT))])).toEqual(['person', 'document', 'journey', 'ticket']);
});
