/**
 * Only an internal failure before anything was sent is marked as unsent.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Trail } from '../../src/approvals/call-types.ts';
import { markingUnsent, UnsentMistake } from '../../src/approvals/unsent.ts';
import { ClerkError } from '../../src/errors.ts';
import { ANN, CallHarness, replacing } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

const broken = new Error('the disk is full');
const ours = new ClerkError('E_INTERNAL', 'The disk is full. Nobody knows.', { next: 'x', effect: 'unknown' });

async function thrown(trail: Trail, error: unknown): Promise<unknown> {
  const { runtime, settings } = desk;
  const call = { act: desk.act(), how: { caller: ANN }, runtime, settings };
  return markingUnsent(call, trail, () => Promise.reject(error)).catch((reason: unknown) => reason);
}

test('returns the result of a call that works', async () => {
  const { runtime, settings } = desk;
  const call = { act: desk.act(), how: { caller: ANN }, runtime, settings };
  expect(await markingUnsent(call, { isNew: true }, async ({ trail }) => trail)).toEqual({ isNew: true });
});

test('marks an internal error of a new call as unsent', async () => {
  const error = await thrown({ isNew: true }, broken);
  expect(error).toBeInstanceOf(UnsentMistake);
  expect((error as Error).cause).toBe(broken);
});

test('keeps the message of a failing store, and says that nothing was sent', async () => {
  expect(await thrown({ isNew: true }, ours)).toMatchObject({
    code: 'E_INTERNAL',
    message: 'The disk is full. Nothing was sent.',
    effect: 'none',
  });
});

test.each<[string, Trail, unknown]>([
  ['the call began to send', { isNew: true, ran: true }, broken],
  ['the approval was not found yet', {}, broken],
  ['it is a refusal', { isNew: true }, new ClerkError('E_LIMIT', 'x', { next: 'x' })],
  ['its effect is known', { isNew: true }, new ClerkError('E_INTERNAL', 'x', { next: 'x', effect: 'none' })],
  [
    'it is no failure of ours',
    { isNew: true },
    new ClerkError('E_AIRLINE_DOWN', 'x', { next: 'x', effect: 'unknown' }),
  ],
])('does not mark a failure as unsent where %s', async (_, trail, error) => {
  expect(await thrown(trail, error)).toBe(error);
});

test('does not mark a failure as unsent if the journal has the operation', async () => {
  await desk.operation('op', 'dispatched');
  expect(await thrown({ operationId: 'op', isNew: false }, broken)).toBe(broken);
  expect(await thrown({ operationId: 'other', isNew: false }, broken)).toBeInstanceOf(UnsentMistake);
});

test('marks only a new call as unsent if the journal cannot be read', async () => {
  replacing(desk.state.operations, 'get').mockRejectedValue(new Error('away'));
  expect(await thrown({ operationId: 'op', isNew: false }, broken)).toBe(broken);
  expect(await thrown({ operationId: 'op', isNew: true }, broken)).toBeInstanceOf(UnsentMistake);
});
