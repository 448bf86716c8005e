/** Every act, answered with every refusal, by an airline that did it and by one that did not, in both dialects. */
import { expect, test } from 'vitest';
import { inParallel } from '../../campaigns/support/pace.ts';
import { ANSWERS, casesOf, officeAt, openRefusing, problemsOf } from './refused-acts.ts';

const WIDTH = 16;

test.each(['rail', 'airline'] as const)('takes every refusal of every act for what it proves (%s)', async (dialect) => {
  const world = await openRefusing(dialect);
  const office = await officeAt(world, dialect);
  try {
    const problems = await inParallel(casesOf(ANSWERS), WIDTH, (one) => problemsOf(world, office, one));
    expect(problems.flat()).toEqual([]);
    expect(office.failures).toEqual([]);
  } finally {
    await office.close();
    await world.close();
  }
});
