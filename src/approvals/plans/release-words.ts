/** What the page and the terminal say of a line whose payment may fail. */
import type { LineView, PlanLine } from './plan.ts';
import { RELEASED_FREE } from './question.ts';

/** What happens to a line where its payment is certainly not made: of each such line, from 1. */
export function releaseWords(lines: readonly PlanLine[]): ReadonlyMap<number, string> {
  const released = lines.map(
    ({ steps }, i) => [i + 1, steps.some(({ insteadOf }) => insteadOf !== undefined)] as const,
  );
  return new Map(released.filter(([, is]) => is).map(([n]) => [n, RELEASED_FREE]));
}

/** Not of a line of which only the rest is asked: what was paid is not released. */
export function releaseOf({ n, steps }: LineView, releases: ReturnType<typeof releaseWords>): readonly string[] {
  const words = releases.get(n);
  return words === undefined || steps.filter(({ state }) => state === 'asked').length < 2 ? [] : [words];
}
