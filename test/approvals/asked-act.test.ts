/** The words of acts: each teller, from one value. */
import { expect, test } from 'vitest';
import {
  type AskedAct,
  actAndBooking,
  actSentence,
  actTitle,
  readAct,
  sumColumn,
  yesWords,
} from '../../src/approvals/asked-act.ts';
import { SAR } from '../store/support/new-operation.ts';

const CANCEL = { verb: 'Cancel', object: 'train HHR101', preposition: 'of', booking: 'ABC123' } as const;
const CHANGE = { verb: 'Change', object: 'train HHR101', preposition: 'of', booking: 'ABC123', to: 'HHR105' } as const;

test.each<readonly [AskedAct, sentence: string, title: string, column: string, yes: string]>([
  [
    { ...CANCEL, sum: { moves: 'back', about: SAR(8625), onCondition: SAR(8625) } },
    'Cancel train HHR101 of ABC123, refund about SAR 86.25, on a condition',
    'Cancel train HHR101 of ABC123',
    'SAR 86.25 back',
    'Yes, cancel for SAR 86.25 back, on a condition',
  ],
  [
    { ...CANCEL, sum: { moves: 'back', about: SAR(8625), onCondition: SAR(2000) } },
    'Cancel train HHR101 of ABC123, refund about SAR 86.25, of which SAR 20.00 on a condition',
    'Cancel train HHR101 of ABC123',
    'SAR 86.25 back',
    'Yes, cancel for SAR 86.25 back, of which SAR 20.00 on a condition',
  ],
  [
    { ...CANCEL, sum: { moves: 'back', about: SAR(0), onCondition: SAR(0) } },
    'Cancel train HHR101 of ABC123, refund about SAR 0.00',
    'Cancel train HHR101 of ABC123',
    'SAR 0.00 back',
    'Yes, cancel for SAR 0.00 back',
  ],
  [
    { ...CANCEL, sum: { moves: 'back', between: { atLeast: SAR(0), atMost: SAR(8625) }, onCondition: SAR(2000) } },
    'Cancel train HHR101 of ABC123, refund SAR 0.00 to SAR 86.25, of which SAR 20.00 on a condition',
    'Cancel train HHR101 of ABC123',
    '',
    'Yes, cancel',
  ],
  [
    { ...CANCEL, sum: { moves: 'back', isTooLate: true } },
    'Cancel train HHR101 of ABC123, nothing comes back (estimate)',
    'Cancel train HHR101 of ABC123',
    '',
    'Yes, cancel',
  ],
  [
    { ...CHANGE, sum: { moves: 'paid', atMost: SAR(5000) } },
    'Change train HHR101 of ABC123 to HHR105, at most SAR 50.00',
    'Change train HHR101 of ABC123 to HHR105',
    'at most SAR 50.00',
    'Yes, change for at most SAR 50.00',
  ],
  [
    { verb: 'Pay', sum: { moves: 'paid', exactly: SAR(100) } },
    'Pay SAR 1.00',
    'Pay SAR 1.00',
    'SAR 1.00',
    'Yes, pay SAR 1.00',
  ],
  [
    { verb: 'Cancel 2 bookings', sum: { moves: 'both', words: 'costs nothing; about SAR 1.00 comes back' } },
    'Cancel 2 bookings: costs nothing; about SAR 1.00 comes back',
    'Cancel 2 bookings',
    'Costs nothing; about SAR 1.00 comes back',
    'Yes, cancel 2 bookings for Costs nothing; about SAR 1.00 comes back',
  ],
])('%j has its sum in the sentence and in a column, and not in the title', (act, sentence, title, column, yes) => {
  expect([actSentence(act), actTitle(act), sumColumn(act), yesWords(act, 'cancellation')]).toEqual([
    sentence,
    title,
    column,
    yes,
  ]);
});

test('leaves the column empty if no money moves, or nobody knows how much', () => {
  const seats: AskedAct = { verb: 'Change', object: 'seats', preposition: 'of', booking: 'ABC123' };
  expect([sumColumn(seats), actSentence(seats)]).toEqual(['', 'Change seats of ABC123']);
  const unknown: AskedAct = { ...CHANGE, sum: { moves: 'paid' } };
  expect([sumColumn(unknown), actSentence(unknown)]).toEqual([
    '',
    'Change train HHR101 of ABC123 to HHR105, cost not known',
  ]);
});

test('a short act is the yes itself, but for what gives something up', () => {
  const pay: AskedAct = { verb: 'Pay', sum: { moves: 'paid', exactly: SAR(100) } };
  expect([yesWords(pay, 'payment'), yesWords(pay, 'cancellation')]).toEqual(['Pay SAR 1.00', 'Yes, pay SAR 1.00']);
});

test('a refund that is not known says so, or between what it lies', () => {
  const refund = (sum: object) => actSentence({ ...CANCEL, sum: { moves: 'back', ...sum } });
  expect(refund({})).toBe('Cancel train HHR101 of ABC123, refund not known');
  expect(refund({ between: { atLeast: SAR(0), atMost: SAR(500) } })).toBe(
    'Cancel train HHR101 of ABC123, refund SAR 0.00 to SAR 5.00',
  );
});

test('a booking is named once: by the act, or behind it', () => {
  expect(actAndBooking({ act: CANCEL, locator: 'ABC123' })).toBe('Cancel train HHR101 of ABC123');
  expect(actAndBooking({ act: { verb: 'Pay' }, locator: 'ABC123' })).toBe('Pay, booking ABC123');
});

test('a question of an earlier version keeps its sentence', () => {
  expect(actSentence(readAct('Pay SAR 1.00'))).toBe('Pay SAR 1.00');
  expect(readAct(CANCEL)).toBe(CANCEL);
});

test('no code can look for words in a sentence', () => {
  // @ts-expect-error A sentence is only shown.
  expect(actSentence(CANCEL).includes('refund')).toBe(false);
});
