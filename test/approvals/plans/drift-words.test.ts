/** Why a line was skipped: what differs, and nothing else. */
import { expect, test } from 'vitest';
import { driftWords } from '../../../src/approvals/plans/drift-words.ts';
import type { TermsSection } from '../../../src/approvals/terms.ts';

const asked: readonly TermsSection[] = [
  { kind: 'act', lines: ['Cancel every train.'] },
  { kind: 'people', lines: ['Passenger 1: “Noor”, adult', 'Passenger 2: “Omar”, adult'] },
] as readonly TermsSection[];

test('a line whose terms changed says only what is new and what is gone', () => {
  expect(driftWords(asked, ['Cancel every train.', 'Passenger 1: “Noor”, adult', 'It may be paid already.'])).toBe(
    'Its terms changed after the question. Now: It may be paid already. No longer: Passenger 2: “Omar”, adult',
  );
});

test('it says no more where all lines read as before', () => {
  const same = ['Cancel every train.', 'Passenger 1: “Noor”, adult', 'Passenger 2: “Omar”, adult'];
  expect(driftWords(asked, same)).toBe('Its terms changed after the question.');
});
