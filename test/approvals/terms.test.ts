/** Terms as the page and the terminal show them. */
import { expect, test } from 'vitest';
import { linesIn, type TermsSection } from '../../src/approvals/terms.ts';

test('the lines of one kind stand together in the order of the terms, wherever their sections are', () => {
  const sections: readonly TermsSection[] = [
    { kind: 'note', lines: ['first', 'second'] },
    { kind: 'caution', lines: ['read this'] },
    { kind: 'note', lines: ['third'] },
  ];
  expect(linesIn(sections, 'note')).toEqual(['first', 'second', 'third']);
  expect(linesIn(sections, 'caution')).toEqual(['read this']);
  expect(linesIn(sections, 'refund')).toEqual([]);
});
