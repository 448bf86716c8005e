/** A state, a sender and an address that hears, on a clock of the test. */
import { createSender } from '../../../src/events/signed-post.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { startReceiver } from './receiver.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-03-01T00:00:00Z');

export async function openToldAddress(now: () => number) {
  const state = await openSqliteState(':memory:', { now });
  const receiver = await startReceiver();
  const sender = createSender({
    secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    privateHosts: ['127.0.0.1'],
    now,
  });
  return {
    state,
    receiver,
    sender,
    async close() {
      await sender.close();
      await receiver.close();
      await state.close();
    },
  };
}

export type ToldAddress = Awaited<ReturnType<typeof openToldAddress>>;
