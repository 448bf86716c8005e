import { expect, test } from 'vitest';
import { startEvents } from '../../../src/cli/runtime/events.ts';
import { Secret } from '../../../src/config/secret.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { startReceiver } from '../../events/support/receiver.ts';

test('a receiver that hangs holds up the end of the server for two seconds at most', async () => {
  const state = await openSqliteState(':memory:');
  const receiver = await startReceiver();
  receiver.answer = () => new Promise(() => undefined);
  const secrets = new Secret('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');
  const webhooks = { addresses: [receiver.url], secrets, privateHosts: ['127.0.0.1'], withCaller: false };
  const events = startEvents(webhooks, async () => state, {});
  await state.outbox.add([{ id: 'a', type: 'booking.changed', at: Date.now(), tenant: 't' }]);
  await expect.poll(() => receiver.got.length, { timeout: 5_000 }).toBe(1);
  const ended = await Promise.race([
    events.stop(),
    new Promise((resolve) => setTimeout(() => resolve('hangs'), 4_000)),
  ]);
  expect(ended).toBeUndefined();
  await receiver.close();
  await state.close();
});
