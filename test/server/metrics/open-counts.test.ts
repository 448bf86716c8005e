/**
 * Counts for gauges, from a store that is slow, silent or gone.
 */
import { expect, test } from 'vitest';
import type { OpenCounts } from '../../../src/approvals/ports.ts';
import { stateWatch } from '../../../src/server/metrics/open-counts.ts';

const counts = (inDoubt: number): OpenCounts => ({
  inDoubt,
  needsPerson: 0,
  needsPersonHolds: 0,
  approvalsWaiting: 0,
  approvalsLapsed: { dialog: 0, page: 0 },
  findingsOpen: 0,
});

/** A store whose answers the test gives, and a clock that the test moves. */
function slowStore(waitMs = 20) {
  const asked: PromiseWithResolvers<OpenCounts>[] = [];
  const time = { now: 0 };
  const ask = () => {
    const answer = Promise.withResolvers<OpenCounts>();
    asked.push(answer);
    return answer.promise;
  };
  const look = stateWatch(ask, { freshMs: 1_000, waitMs, tick: () => time.now });
  return { asked, time, look };
}

test('asks once for concurrent readers, and not again while the counts are fresh', async () => {
  const { asked, time, look } = slowStore(5_000);
  const all = Promise.all([look(), look(), look()]);
  asked[0]?.resolve(counts(3));
  for (const seen of await all) expect(seen).toEqual({ up: true, known: { counts: counts(3), ageMs: 0 } });
  time.now = 999;
  expect(await look()).toEqual({ up: true, known: { counts: counts(3), ageMs: 999 } });
  expect(asked).toHaveLength(1);
  time.now = 1_000;
  const again = look();
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(counts(4));
  expect(await again).toEqual({ up: true, known: { counts: counts(4), ageMs: 0 } });
});

test('returns the last known counts and reports the store as down while an answer is late', async () => {
  const { asked, time, look } = slowStore();
  expect(await look()).toEqual({ up: false });
  expect(await look()).toEqual({ up: false });
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(counts(1));
  await asked[0]?.promise;
  expect(await look()).toEqual({ up: true, known: { counts: counts(1), ageMs: 0 } });
  time.now = 60_000;
  for (let scrape = 0; scrape < 3; scrape++) {
    expect(await look()).toEqual({ up: false, known: { counts: counts(1), ageMs: 60_000 } });
  }
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(counts(2));
  await asked[1]?.promise;
  expect(await look()).toEqual({ up: true, known: { counts: counts(2), ageMs: 0 } });
});

test('asks again after a failure, even if the counts are fresh', async () => {
  const { asked, time, look } = slowStore(5_000);
  const first = look();
  asked[0]?.resolve(counts(1));
  await first;
  time.now = 2_000;
  const second = look();
  asked[1]?.reject(new Error('gone'));
  expect(await second).toEqual({ up: false, known: { counts: counts(1), ageMs: 2_000 } });
  const third = look();
  asked[2]?.resolve(counts(5));
  expect(await third).toEqual({ up: true, known: { counts: counts(5), ageMs: 0 } });
});
