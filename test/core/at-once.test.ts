import { describe, expect, it, test } from 'vitest';
import { singleFlight, Turns } from '../../src/core/at-once.ts';

function counting(keepMs?: number) {
  let [now, runs] = [0, 0];
  const ends: PromiseWithResolvers<number>[] = [];
  const ask = singleFlight(
    (_by: string) => {
      runs += 1;
      const end = Promise.withResolvers<number>();
      ends.push(end);
      return end.promise;
    },
    { keepMs, tick: () => now },
  );
  return {
    ask,
    runs: () => runs,
    end: (run: number) => ends[run]?.resolve(run),
    fail: (run: number) => ends[run]?.reject(new Error('away')),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('shares a run among all who call before its end, however long it takes', async () => {
  const { ask, runs, end, pass } = counting();
  const both = [ask('a'), ask('b')];
  pass(1_000_000);
  both.push(ask('c'));
  end(0);
  expect(await Promise.all(both)).toEqual([0, 0, 0]);
  expect(runs()).toBe(1);
});

test('begins another run after the end if no result is kept', async () => {
  const { ask, runs, end } = counting();
  const first = ask('a');
  end(0);
  await first;
  void ask('a');
  expect(runs()).toBe(2);
});

test('keeps a result for so long after the end of its run', async () => {
  const { ask, runs, end, pass } = counting(100);
  const first = ask('a');
  pass(1_000);
  end(0);
  await first;
  pass(99);
  expect(await ask('a')).toBe(0);
  pass(1);
  void ask('a');
  expect(runs()).toBe(2);
});

test('tells a failure to all who waited, and keeps none', async () => {
  const { ask, runs, fail } = counting(Number.POSITIVE_INFINITY);
  const both = [ask('a'), ask('b')];
  fail(0);
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  void ask('a');
  expect(runs()).toBe(2);
});

describe('turns', () => {
  it('belong, once ended, to whoever waits, and not to who comes in between', async () => {
    const turns = new Turns(1);
    expect(await turns.take(0)).toBe(true);
    const waiting = turns.take(60_000);
    turns.end();
    const late = turns.take(1);
    expect(await Promise.all([waiting, late])).toEqual([true, false]);
    turns.end();
    expect(await turns.take(0)).toBe(true);
  });

  it('come in the order of those who wait, whoever of them gave up', async () => {
    const turns = new Turns(1);
    await turns.take();
    const came: string[] = [];
    const first = turns.take(60_000).then(() => came.push('first'));
    expect(await turns.take(1)).toBe(false);
    const third = turns.take().then(() => came.push('third'));
    turns.end();
    await first;
    turns.end();
    await third;
    expect(came).toEqual(['first', 'third']);
  });
});
