/** When to try again. */
import type { Due } from './ports.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** As the Standard Webhooks specification recommends; the last goes on. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** After its first failure an event is tried for so long, milliseconds. */
const GIVE_UP_MS = 3 * 24 * HOUR;

/**
 * When to try an event again that has just failed; undefined: no more.
 * @param tries before this one
 * @param chance in [0, 1): spreads tries by a fifth either way
 */
export function nextTry(
  { tries, failedAt }: Pick<Due, 'tries' | 'failedAt'>,
  now: number,
  chance: number,
): number | undefined {
  if (failedAt !== undefined && now - failedAt >= GIVE_UP_MS) return undefined;
  const delay = DELAYS[Math.min(tries, DELAYS.length - 1)] ?? 0;
  return Math.round(now + delay * (0.8 + 0.4 * chance));
}
