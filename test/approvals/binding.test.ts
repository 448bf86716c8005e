/** The sentences that say in what terms differ from those of a question, without those that kinds of findings have. */
import { expect, test } from 'vitest';
import { bindingOf, whatDiffers } from '../../src/approvals/binding.ts';
import type { TermsSection } from '../../src/approvals/terms.ts';
import type { Reading } from '../../src/domain/booking/booking.ts';
import { type SaidSum, saidSum } from '../../src/domain/facts/said.ts';
import { held, reread, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { payTerms, SAR, type Terms } from './harness.ts';

const KEY = new Uint8Array(32);
const NOW = Date.parse('2026-11-29T05:00:00Z');
const WHEELCHAIR = { code: 'WCHR', status: 'HK', quantity: 1, travelerRefs: ['1'], segmentRefs: ['1'] };
const TWO = [traveler('1', 'Amal', 'Haddad Farouk'), traveler('2', 'Bilal', 'Haddad Farouk')] as const;

function differs(asked: Terms, now: Terms): readonly string[] {
  const side = (terms: Terms) => ({ bound: bindingOf(KEY, terms, NOW), sections: terms.sections });
  return whatDiffers(side(asked), side(now), { readers: { vehicle: 'train' } });
}

const on = (booking: Terms['booking'], over: Partial<Terms> = {}): Terms => ({ ...payTerms(), booking, ...over });

/** A line that says what comes back. */
const backSection = (sum: SaidSum): TermsSection => ({
  kind: 'refund',
  lines: ['what comes back'],
  said: [[saidSum('what comes back', sum)]],
});

test.each<[string, Terms['booking'], Partial<Reading>, string]>([
  [
    'special services',
    held({ services: [WHEELCHAIR] }),
    { services: [{ ...WHEELCHAIR, status: 'UN' }] },
    'The special services of the booking are not those of before.',
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
  const changes = (booking: Terms['booking']) => on(booking, { nature: 'change', sections: [] });
  expect(differs(changes(asked), changes(now))).toContain('The booking is ticketed, was held.');
});

test('says the sums of a refund, and says what is not known', () => {
  const refund = (sum: SaidSum): Terms => ({
    ...payTerms(),
    nature: 'cancellation',
    money: { direction: 'refund', amount: SAR(9_000) },
    sections: [backSection(sum)],
  });
  const exactly = (minor: number) => refund({ amount: SAR(minor) });
  expect(differs(exactly(9_000), exactly(8_000))).toEqual(['What comes back is SAR 80.00, was SAR 90.00.']);
  const between = { atLeast: SAR(1_000), atMost: SAR(2_000) };
  expect(differs(exactly(9_000), refund(between))).toEqual([
    'What comes back is not known, was SAR 90.00.',
    'What comes back at least is SAR 10.00, was not known.',
    'What comes back at most is SAR 20.00, was not known.',
  ]);
  expect(differs({ ...payTerms(), money: undefined } as Terms, payTerms())).toEqual([
    'The amount is SAR 172.50, was not known.',
  ]);
});

test('says of a sum that it is not said now, or was not', () => {
  const saying = (...sums: SaidSum[]) => payTerms({ sections: sums.map(backSection) });
  const sum = { amount: SAR(9_000) };
  expect(differs(saying(sum), saying())).toEqual(['What comes back is not known, was SAR 90.00.']);
  expect(differs(saying(), saying(sum))).toEqual(['What comes back is SAR 90.00, was not known.']);
});

test('a yes covers at most as much as the question said, and a refund that is known now and between what it said', () => {
  const pays = (amount: number | undefined, over: object = { isUpperBound: true }): Terms =>
    payTerms({
      money: { direction: 'payment', amount: amount === undefined ? undefined : SAR(amount), ...over },
    } as Partial<Terms>);
  expect(differs(pays(38_950), pays(2_725))).toEqual([]);
  expect(differs(pays(undefined, {}), pays(2_725))).toEqual([]);
  expect(differs(pays(2_725), pays(38_950))).toEqual(['The amount is SAR 389.50, was SAR 27.25.']);
  expect(differs(pays(38_950, {}), pays(2_725))).toEqual(['The amount is SAR 27.25, was SAR 389.50.']);
  const back = (sum: SaidSum, most = 70_000): Terms =>
    payTerms({ money: { direction: 'refund', amount: SAR(most) }, sections: [backSection(sum)] });
  const between = { atLeast: SAR(1_000), atMost: SAR(70_000) };
  expect(differs(back(between), back({ amount: SAR(37_225) }, 37_225))).toEqual([]);
  // Less may come back than was shown.
  expect(differs(back(between), back({ atLeast: SAR(1_000), atMost: SAR(60_000) }, 60_000))).toEqual([
    'What can come back is SAR 600.00, was SAR 700.00.',
    'What comes back at most is SAR 600.00, was SAR 700.00.',
  ]);
  expect(differs(back(between), back({ amount: SAR(900) }, 900))).not.toEqual([]);
  expect(differs(back({}), back({ amount: SAR(900) }, 900))).not.toEqual([]);
});

test('a caution less needs no new yes, and a caution or a note more does; a note less does too', () => {
  const saying = (kind: 'caution' | 'note', ...lines: string[]) => {
    const terms = payTerms();
    return { ...terms, sections: [...terms.sections, { kind, lines }] };
  };
  expect(differs(saying('caution', 'It is late.'), payTerms())).toEqual([]);
  expect(differs(payTerms(), saying('caution', 'It is late.'))).toEqual(['Now: It is late.']);
  expect(differs(saying('note', 'It is free.'), payTerms())).toEqual(['No longer: It is free.']);
});

test('the number of a flight is the same with zeros and without', () => {
  const cancels = (number: string) => payTerms({ sections: [{ kind: 'act', lines: [`Cancel train ${number}.`] }] });
  expect(differs(cancels('HHR0108'), cancels('HHR108'))).toEqual([]);
  expect(differs(cancels('HHR0108'), cancels('HHR1080'))).toHaveLength(2);
});

test('is empty where nothing differs, and says so of what it is about where nothing else does', () => {
  expect(differs(on(held()), on(held()))).toEqual([]);
  const sentence = ['What it is about is no longer the same: its trip, its people or its price.'];
  expect(differs(on(held()), on(undefined))).toEqual(['No longer: Amal Haddad · MED → JED → MED, Tue 1 Dec.']);
  expect(differs(payTerms(), payTerms({ facts: 'others' }))).toEqual(sentence);
  const renaming = (name: string) =>
    payTerms({ facts: name, sections: [{ kind: 'people', lines: [`now “${name}”`] }] });
  expect(differs(renaming('Amal'), renaming('Laila'))).toEqual(['Now: now “Laila”.', 'No longer: now “Amal”.']);
});
