/** What a reading or a reply proves of a service that a passenger gets in addition, on each of some segments. */
import { describe, expect, test } from 'vitest';
import { addsService, expectAddedService, judgeAddedService } from '../../../src/tools/acts/service-evidence.ts';
import { type Booking, booking, option, traveler } from '../answers.ts';

type Service = Booking['services'][number];

const digest = (text: string) => `#${text}`;
const [ann, bob] = [traveler('1', 'ANN'), traveler('2', 'BOB')];
const bags = (quantity: number | undefined, over: Partial<Service> = {}): Service => ({
  ...{ code: 'XBAG', quantity, status: '30', travelerRefs: ['1'], segmentRefs: ['1', '2'] },
  ...over,
});
const on = (...segmentRefs: string[]) => ({ segmentRefs });
const MEAL = bags(1, { code: 'VGML' });
const read = (services: Service[], over: Partial<Booking> = {}) =>
  booking({ travelers: [ann, bob], services, ...over });

const asked = (before: Booking, over: Partial<Parameters<typeof expectAddedService>[1]> = {}) =>
  expectAddedService(before, { travelerRef: '1', segmentRefs: ['1', '2'], code: 'XBAG', ...over }, digest);
const judged = (expected: ReturnType<typeof asked>, after: Booking) => judgeAddedService(expected, after, { digest });

test('keeps how many there were on each segment, and the passenger as a digest', () => {
  const expected = asked(read([bags(1, on('1')), bags(2, { ...on('1'), travelerRefs: ['2'] }), MEAL]));
  expect(expected).toMatchObject({ travelerRef: '1' });
  expect(expected.who).toMatch(/^#person/);
  expect(expected.service).toBe(`#service|${expected.who}|XBAG`);
  expect(JSON.stringify({ ...expected, service: '' })).not.toContain('XBAG');
  expect(expected.on).toMatchObject([
    { flight: { number: '101' }, was: 1, refused: 0 },
    { flight: { number: '102' }, was: 0, refused: 0 },
  ]);
  const [refused] = asked(read([bags(1, { ...on('1'), status: 'UN' })])).on;
  expect(refused).toMatchObject({ was: 0, refused: 1 });
  expect(asked(read([]), { travelerRef: '9' }).service).toBe('#service|9|XBAG');
  expect(asked(read([]), on('2')).on).toHaveLength(1);
  expect(asked(read([]), { travelerRef: '9' }).who).toBe('');
  expect(addsService.touches({ kind: 'request_service', ...expected })).toMatchObject([{ adds: expected }]);
});

describe('one more on each of two segments', () => {
  test.each<[string, Service[], Service[], string]>([
    ['shown in one line', [], [bags(1)], 'done'],
    ['shown in a line for each segment', [], [bags(1, on('1')), bags(1, on('2'))], 'done'],
    ['beside one that was there', [bags(1)], [bags(1), bags(1)], 'done'],
    ['added to the line that was there', [bags(1)], [bags(2)], 'done'],
    ['beside one on the first segment', [bags(1, on('1'))], [bags(2, on('1')), bags(1, on('2'))], 'done'],
    ['on one segment only', [], [bags(1, on('1'))], 'partial'],
    ['more than asked for', [], [bags(2)], 'contradicted'],
    ['more than asked for, in two lines', [], [bags(1), bags(1)], 'contradicted'],
    ['fewer than before', [bags(2)], [bags(1)], 'contradicted'],
    ['none any more', [bags(2)], [], 'contradicted'],
    ['as before', [bags(2)], [bags(2)], 'not_done'],
    ['none, and another service', [MEAL], [MEAL], 'not_done'],
    ['another passenger’s', [], [bags(1, { travelerRefs: ['2'] })], 'not_done'],
    ['cancelled', [], [bags(1, { status: '16' })], 'not_done'],
    ['no services before and after', [], [], 'void'],
    ['documents alone', [], [bags(1, { code: 'FOID' })], 'void'],
    ['without a quantity', [], [bags(undefined)], 'void'],
    ['without a quantity before', [bags(undefined)], [bags(1)], 'void'],
    ['merely requested', [], [bags(1, { status: 'Requested' })], 'done'],
    ['waiting for an answer', [], [bags(1, { status: 'HN' })], 'done'],
    ['without a status', [], [bags(1, { status: undefined })], 'done'],
    ['refused by the airline', [], [bags(1, { status: 'UN' })], 'done'],
    ['refused beside one that stands', [bags(1)], [bags(1), bags(1, { status: 'NO' })], 'done'],
    ['refused before, and confirmed now', [bags(1, { status: 'UC' })], [bags(1)], 'done'],
    [
      'refused before, and perhaps again in its place',
      [bags(1, { status: 'UC' })],
      [bags(1, { status: 'UC' })],
      'void',
    ],
    ['refused before, and gone', [bags(1, { status: 'UC' })], [MEAL], 'void'],
    ['refused more often than asked for', [], [bags(2, { status: 'UN' })], 'void'],
    ['with a status that is not known', [], [bags(1, { status: 'QQ' })], 'void'],
    ['refused without a quantity', [], [bags(undefined, { status: 'UN' })], 'void'],
    ['a line without a code', [MEAL], [MEAL, bags(1, { code: undefined })], 'not_done'],
    ['without a passenger', [], [bags(1, { travelerRefs: [] })], 'void'],
    ['of two passengers together', [], [bags(2, { travelerRefs: ['1', '2'] })], 'void'],
    ['without a segment', [], [bags(1, { segmentRefs: [] })], 'void'],
    ['done on one segment, not clear on the other', [], [bags(1, on('1')), bags(undefined, on('2'))], 'void'],
  ])('%s', (_what, before, after, verdict) => {
    expect(judged(asked(read(before)), read(after))).toBe(verdict);
  });

  test.each<[string, Partial<Booking>, string]>([
    ['nobody', { travelers: [] }, 'void'],
    ['somebody else', { travelers: [bob] }, 'contradicted'],
    [
      'the passenger under another pointer',
      { travelers: [{ ...ann, ref: '7' }], services: [bags(1, { travelerRefs: ['7'] })] },
      'done',
    ],
    [
      'two of the same identity',
      {
        travelers: [
          { ...ann, ref: '7' },
          { ...ann, ref: '8' },
        ],
      },
      'contradicted',
    ],
    ['two of the same identity, one with the pointer', { travelers: [ann, { ...ann, ref: '8' }] }, 'done'],
    [
      'other pointers of flights',
      { options: [renumbered('1', '5'), renumbered('2', '6')], services: [bags(1, on('5', '6'))] },
      'done',
    ],
    ['a flight twice', { options: [option('1'), option('2'), renumbered('2', '3')] }, 'void'],
    ['a flight no more', { options: [option('1')] }, 'void'],
  ])('read with %s', (_what, over, verdict) => {
    expect(judged(asked(read([])), read([bags(1)], over))).toBe(verdict);
  });
});

/** The flight under another pointer. */
function renumbered(of: string, ref: string): Booking['options'][number] {
  const { segments } = option(of);
  return { ref, segments: segments.map((segment) => ({ ...segment, ref, optionRef: ref })) };
}
