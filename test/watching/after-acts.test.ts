/** A sample of test/campaigns/watching/after-acts.ts. */
import { expect, test } from 'vitest';
import { type Dialect, ON_PAID, OPERATIONS, playBatch, type Wait } from '../campaigns/watching/matrix.ts';

test.each<[Dialect, string, Wait, string[]]>([
  ['rail', 'change_names', 'hour', ['coupon void', 'seats-moved']],
  ['airline', 'assign_seats', 'hour', ['reissue', 'coupon suspended']],
  ['rail', 'cancel_segment', 'seconds', ['refund', 'delay']],
])('tells what the %s airline does after %s (%s later), once, and nothing else', async (dialect, act, wait, names) => {
  const operation = OPERATIONS.find((one) => one.act === act && !one.held);
  if (operation === undefined) throw new Error(`no operation ${act}`);
  const { cells, refused, failures } = await playBatch(
    dialect,
    operation,
    wait,
    ON_PAID.filter(({ name }) => names.includes(name)),
  );
  expect([refused, failures]).toEqual([[], []]);
  expect(cells.map(({ disturbance }) => disturbance).sort()).toEqual(names.toSorted());
  for (const { disturbance, missed, twice, strays } of cells)
    expect([disturbance, missed, twice, strays]).toEqual([disturbance, [], [], []]);
});
