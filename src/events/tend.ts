/**
 * Tells events. One process of a fleet looks for those that time brings, one delivers to each address: those whose settings
 * have the address share its work, and no other process can keep it from them.
 */
import type { Clock, Leases } from '../journal/ports.ts';
import { whileHeld } from '../journal/while-held.ts';
import { Deliverer, type DeliverOptions, receiverOf } from './deliver.ts';
import { sweep } from './sweep.ts';

export interface TendOptions extends DeliverOptions {
  readonly leases: Leases;
  readonly owner: string;
  readonly addresses: readonly string[];
  /** Hears a failure of the store; the work goes on. */
  readonly failed?: (error: unknown) => void;
}

const SWEEP_MS = 60_000;
/** Between two looks without anything to do, and after a failure of the store, milliseconds. */
const IDLE_MS = 1_000;
const FAILED_MS = 5_000;

/** Ends when the signal does, after the tries that are under way. */
export async function tendEvents(options: TendOptions, signal: AbortSignal): Promise<void> {
  const { leases, owner, addresses, outbox, clock } = options;
  const { failed = () => undefined } = options;
  const alone = (name: string, work: (held: AbortSignal) => Promise<void>) =>
    whileHeld({ leases, clock, name, owner }, signal, work);
  await Promise.all([
    alone('events', (held) => {
      let since: number | undefined;
      const look = async () => {
        since = await sweep(outbox, clock.now(), since);
        return false;
      };
      return again(clock, held, look, SWEEP_MS, failed);
    }),
    ...addresses.map((address) =>
      alone(`events/${receiverOf(address)}`, (held) => {
        const one = new Deliverer(address, options);
        return again(clock, held, () => one.pass(), IDLE_MS, failed);
      }),
    ),
  ]);
}

/** Works until the signal ends; rests after a step that had nothing to do. */
async function again(
  clock: Clock,
  signal: AbortSignal,
  step: () => Promise<boolean>,
  restMs: number,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await step())) await clock.sleep(restMs, signal);
    } catch (error) {
      failed(error);
      await clock.sleep(FAILED_MS, signal);
    }
  }
}
