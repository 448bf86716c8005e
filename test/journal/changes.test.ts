/**
 * Waits in this process end when an operation changes its state. Aborting one wait does not end the others.
 */
import { expect, test } from 'vitest';
import { Changes } from '../../src/journal/context.ts';
import { quiet } from './harness.ts';

function waiter(changes: Changes, id: string) {
  const leave = new AbortController();
  const at = { woken: 0, leave: () => leave.abort() };
  void changes.next(id, leave.signal).then(() => {
    at.woken += 1;
  });
  return at;
}

test('wakes all who wait for the operation once, and nobody else', async () => {
  const changes = new Changes();
  const [one, two, other] = [waiter(changes, 'a'), waiter(changes, 'a'), waiter(changes, 'b')];
  changes.announce('a');
  await quiet();
  expect([one.woken, two.woken, other.woken]).toEqual([1, 1, 0]);
  changes.announce('a');
  changes.announce('b');
  await quiet();
  expect([one.woken, two.woken, other.woken]).toEqual([1, 1, 1]);
});

test('wakes only the waiter that leaves', async () => {
  const changes = new Changes();
  const [one, two] = [waiter(changes, 'a'), waiter(changes, 'a')];
  one.leave();
  await quiet();
  expect([one.woken, two.woken]).toEqual([1, 0]);
  changes.announce('a');
  await quiet();
  expect([one.woken, two.woken]).toEqual([1, 1]);
});

test('does not wake new waiters when an earlier one leaves late', async () => {
  const changes = new Changes();
  const early = waiter(changes, 'a');
  changes.announce('a');
  const late = waiter(changes, 'a');
  early.leave();
  await quiet();
  expect(late.woken).toBe(0);
  changes.announce('a');
  await quiet();
  expect(late.woken).toBe(1);
});

test('lets a new waiter wait after the last one left', async () => {
  const changes = new Changes();
  waiter(changes, 'a').leave();
  const next = waiter(changes, 'a');
  await quiet();
  expect(next.woken).toBe(0);
  changes.announce('a');
  await quiet();
  expect(next.woken).toBe(1);
});
