/** The sandbox airline for tests: with faults of every kind on the wire, and every mishap. */
import {
  type Sandbox as PlainSandbox,
  type SandboxOptions,
  startSandbox as startPlain,
} from '../../../src/sandbox/addresses/start.ts';
import { inDialect } from './forms.ts';
import { disturb, type Mishap } from './mishaps.ts';
import { type SandboxFault, WireFaults } from './wire-faults.ts';

interface PlayedMishap {
  readonly mishap: Mishap;
  /** Locators of the bookings that it changed. */
  readonly touched: readonly string[];
}

export interface Sandbox extends PlainSandbox {
  /** Orders a fault of a later call. Returns what withdraws the order. */
  order(fault: SandboxFault): () => void;
  /** Plays a mishap on existing bookings. Throws an Error if it cannot happen. */
  disturb(mishap: Mishap): PlayedMishap;
  /** Lists the played mishaps, in order. */
  mishaps(): readonly PlayedMishap[];
}

/** `before` comes before the faults that are ordered. Replies have the form of the dialect unless `rewrite` gives them another. */
export async function startSandbox({ before, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const faults = new WireFaults();
  const sandbox = await startPlain({
    rewrite: (reply, { carrier }) => inDialect(carrier.dialect, reply),
    ...options,
    before: (call) => before?.(call) ?? faults.before(call),
  });
  const played: PlayedMishap[] = [];
  return {
    ...sandbox,
    order: (fault) => faults.order(fault),
    disturb(mishap) {
      const happened = { mishap, touched: disturb(sandbox.carrier(), mishap) };
      played.push(happened);
      return happened;
    },
    mishaps: () => played,
    async close() {
      faults.flush();
      await sandbox.close();
    },
  };
}
