/** A state, a sender and an address that hears, on a clock of the test. */
import { Deliverer, webhook } from '../../../src/events/deliver-with-retries.ts';
import { createSender } from '../../../src/events/signed-post.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { startReceiver } from './receiver.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-03-01T00:00:00Z');

type Options = ConstructorParameters<typeof Deliverer>[1];

/** Delivers until nothing is due. */
export async function deliverAll(deliverer: Deliverer): Promise<void> {
  while (await deliverer.pass());
}

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
    /** To the address, or another target: of the events from now on. */
    async deliverer(target = webhook(receiver.url), over: Partial<Options> = {}): Promise<Deliverer> {
      const { outbox, deliveries } = state;
      const clock = { now, sleep: async () => undefined };
      const deliverer = new Deliverer(target, { outbox, deliveries, clock, sender, ...over });
      await deliverer.pass();
      return deliverer;
    },
    async close() {
      await sender.close();
      await receiver.close();
      await state.close();
    },
  };
}

export type ToldAddress = Awaited<ReturnType<typeof openToldAddress>>;
