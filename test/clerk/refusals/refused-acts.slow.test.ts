/** Every act, answered with every refusal, by an airline that did it and by one that did not, in both dialects. */
import { expect, test } from 'vitest';
import { ACTS } from '../../campaigns/support/acts.ts';
import { inParallel } from '../../campaigns/support/pace.ts';
import { ANSWERS, type Case, casesOf, officeAt, openRefusing, problemsOf } from './refused-acts.ts';

/** So many acts at a time, each at an airline of its own, which has few seats. */
const ACTS_AT_ONCE = 4;
const CASES_AT_ONCE = 8;

async function play(dialect: 'rail' | 'airline', act: Case['act']): Promise<readonly string[]> {
  const world = await openRefusing(dialect);
  const office = await officeAt(world, dialect);
  try {
    const problems = await inParallel(casesOf(ANSWERS, [act]), CASES_AT_ONCE, (one) => problemsOf(world, office, one));
    return [...problems.flat(), ...office.failures.map(String)];
  } finally {
    await office.close();
    await world.close();
  }
}

test.each(['rail', 'airline'] as const)('takes every refusal of every act for what it proves (%s)', async (dialect) => {
  const problems = await inParallel([undefined, ...ACTS], ACTS_AT_ONCE, (act) => play(dialect, act));
  expect(problems.flat()).toEqual([]);
});
