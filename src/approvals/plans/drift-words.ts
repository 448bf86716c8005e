/** Why a line whose terms changed after the question was not sent: only what differs, which a person would have to look for. */
import { linesOf, type TermsSection } from '../terms.ts';

/** @param now lines of the new terms */
export function driftWords(asked: readonly TermsSection[], now: readonly string[]): string {
  const before = linesOf(asked);
  const told = (word: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`${word}: ${lines.join(' ')}`]);
  return [
    'Its terms changed after the question.',
    ...told(
      'Now',
      now.filter((line) => !before.includes(line)),
    ),
    ...told(
      'No longer',
      before.filter((line) => !now.includes(line)),
    ),
  ].join(' ');
}
