import { expect, test } from 'vitest';
import { actNames, catalogActs, expectedBy, touchesOf } from '../../src/journal/act.ts';
import { splitEvidence } from '../../src/tools/acts/split-booking.ts';
import { ACTS } from '../support/rules.ts';
import { booking } from './answers.ts';

const LATER = { kind: 'upgrade_cabin', cabin: 'J' };

test('knows nothing of an act that this version does not have, and nothing proves it', () => {
  const act = ACTS.of(LATER);
  const judging = { digest: (text: string) => text, outcome: undefined };
  expect(act.reading(LATER, booking(), judging)).toBe('void');
  expect([act.name, act.toCheck(LATER), act.title(LATER, undefined)]).toEqual([
    'upgrade_cabin',
    'what was done',
    'Done',
  ]);
  expect(ACTS.named('upgrade_cabin')).toBeUndefined();
  expect(touchesOf(ACTS, { subject: LATER })).toEqual([]);
});

test('finds an act by its tool and by what an operation keeps, and names those that are counted alike', () => {
  const split = ACTS.named('split_booking');
  expect(split).toBe(ACTS.of({ kind: 'split_booking' }));
  expect(split && catalogActs([split]).all).toEqual([split]);
  expect(actNames(ACTS, 'hold', 'payment')).toEqual(['create_booking', 'pay_booking']);
  expect(actNames(ACTS, 'exchange', 'release')).toEqual(['cancel_booking', 'rebook_segment']);
});

test('gives what an operation keeps only to the act that wrote it', () => {
  expect(expectedBy(splitEvidence, { subject: LATER })).toBeUndefined();
  const subject = { kind: 'split_booking', moved: [] };
  expect(expectedBy(splitEvidence, { subject })).toBe(subject);
});
