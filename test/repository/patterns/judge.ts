/**
 * Judges whether the time that a regular expression takes grows faster than the text. Two judges, because each sees what the other does
 * not: scslre looks into lookarounds and finds a search that begins anew at each character, recheck finds one that begins anew at each
 * sign before a repetition.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { analyse } from 'scslre';

/** The form of recheck that is JavaScript alone: the other one starts a native program. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** Above this count a repetition is as bad as one without an end: `<{79958}$`. */
const MOST_COUNTED = 1_000;

const TIMEOUT_MS = 20_000;

/** Part of the thorough judge tries texts by chance: the same ones each time. */
const SEED = 1;

function withoutLargeCounts(source: string): string {
  return source.replace(/\{(\d+)(?:,\d*)?\}/g, (count, least) => (Number(least) > MOST_COUNTED ? '+' : count));
}

/** By scslre: quick. Undefined if nothing is found. */
export function quickFinding({ source, flags }: Expression): string | undefined {
  const { reports } = analyse({ source: withoutLargeCounts(source), flags });
  const [worst] = reports.toSorted((a, b) => Number(b.exponential) - Number(a.exponential));
  return worst && `${worst.exponential ? 'exponential' : 'polynomial'} (${worst.type})`;
}

/** By recheck: up to seconds for one. Undefined if it is safe; `unknown` is a finding, too. */
export function thoroughFinding({ source, flags }: Expression): string | undefined {
  const verdict = checkSync(withoutLargeCounts(source), flags, { timeout: TIMEOUT_MS, randomSeed: SEED });
  if (verdict.status === 'safe') return undefined;
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : `unknown (${verdict.error.kind})`;
}

/** What stands in safe.txt for an expression that the thorough judge found to be safe. */
export function mark({ source, flags }: Expression): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 16);
}
