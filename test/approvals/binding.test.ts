/** In what terms differ from those of a question, in words: what is not said of kinds of findings. */
import { expect, test } from 'vitest';
import { bindingOf, whatDiffers } from '../../src/approvals/binding.ts';
import type { Reading } from '../../src/domain/booking/booking.ts';
import { held, reread, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { payTerms, SAR, type Terms } from './harness.ts';

const KEY = new Uint8Array(32);
const NOW = Date.parse('2026-11-29T05:00:00Z');
const WHEELCHAIR = { code: 'WCHR', status: 'HK', quantity: 1, travelerRefs: ['1'], segmentRefs: ['1'] };
const TWO = [traveler('1', 'Amal', 'Haddad Farouk'), traveler('2', 'Bilal', 'Haddad Farouk')] as const;

function differs(asked: Terms, now: Terms, isBound = (_kind: string) => true): readonly string[] {
  const side = (terms: Terms) => ({ bound: bindingOf(KEY, terms, NOW), sections: terms.sections });
  return whatDiffers(side(asked), side(now), { isBound, readers: { vehicle: 'train' } });
}

const on = (booking: Terms['booking'], over: Partial<Terms> = {}): Terms => ({ ...payTerms(), booking, ...over });

test.each<[string, Terms['booking'], Partial<Reading>, string]>([
  [
    'special services',
    held({ services: [WHEELCHAIR] }),
    { services: [{ ...WHEELCHAIR, status: 'UN' }] },
    'The special services of the booking are not those of before.',
  ],
  [
    'pointers',
    held({ travelers: TWO }),
    {
      travelers: [
        { ...TWO[0], ref: '2' },
        { ...TWO[1], ref: '1' },
      ],
    },
    'The airline refers to flights or passengers in another way now.',
  ],
  [
    'a part of a name',
    held({ travelers: TWO }),
    { travelers: [TWO[0], traveler('2', 'Bilal', 'Haddad Nasser')] },
    'The name of a passenger differs from the one before.',
  ],
  [
    'a rule that is left out',
    ticketed(),
    { pricing: undefined },
    "The total of the booking is not in the airline's reading now.",
  ],
])('says that another %s came', (_, booking, over, sentence) => {
  if (booking === undefined) throw new Error('no booking');
  expect(differs(on(booking), on(reread(booking, over)))).toContain(sentence);
});

test('says the state of a booking that alone is another', () => {
  const [asked, now] = [held(), ticketed()];
  const isNothing = () => false;
  expect(differs(on(asked), on(now), isNothing)).toContain('The booking is ticketed, was held.');
});

test('says the sums of a refund, and says what is not known', () => {
  const refund = (amount: number | undefined, over: object = {}): Terms => ({
    ...payTerms(),
    nature: 'cancellation',
    money: { direction: 'refund', amount: SAR(9_000) },
    estimate: { rule: 'r', ...(amount === undefined ? {} : { amount: SAR(amount) }), ...over },
  });
  expect(differs(refund(9_000), refund(8_000))).toEqual(['What comes back is SAR 80.00, was SAR 90.00.']);
  const between = { bounds: { atLeast: SAR(1_000), atMost: SAR(2_000) } };
  expect(differs(refund(9_000), refund(undefined, between))).toEqual([
    'What comes back is not known, was SAR 90.00.',
    'What comes back at least is SAR 10.00, was not known.',
    'What comes back at most is SAR 20.00, was not known.',
  ]);
  expect(differs({ ...payTerms(), money: undefined } as Terms, payTerms())).toEqual([
    'The amount is SAR 172.50, was not known.',
  ]);
});

test('is empty where nothing differs, and says so of what it is about where nothing else does', () => {
  expect(differs(on(held()), on(held()))).toEqual([]);
  const sentence = ['What it is about is no longer the same: its trip, its people or its price.'];
  expect(differs(on(held()), on(undefined))).toEqual(sentence);
  expect(differs(payTerms(), payTerms({ facts: 'others' }))).toEqual(sentence);
});
