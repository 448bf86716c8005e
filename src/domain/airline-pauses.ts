/**
 * The pauses that an airline asks for (429, or `Retry-After` with 503), and the port of the store that shares them between processes.
 * The store's clock measures them, so that the clocks of machines may differ.
 */
import { createHash } from 'node:crypto';

/** How long a kind of message pauses at most, milliseconds, whatever the airline asks for. */
export const LONGEST_PAUSE_MS = 600_000;

/** The longest rest of a pause for which a call waits, milliseconds. */
export const SHORT_PAUSE_MS = 2_000;
/** How long a call waits for pauses in all, milliseconds: longer than for one, because a timer may be early, and a pause may grow. */
const LONGEST_WAIT_MS = 2_500;

/** Over how long the first sends after a pause are spread, milliseconds: all that waited would leave at once. */
export const SPREAD_MS = 5_000;

export interface AirlinePauses {
  /** What is left of each pause, milliseconds, by its kind of message. Below 0: it ended so long ago, {@link SPREAD_MS} at most. */
  left(): Promise<ReadonlyMap<string, number>>;
  /** Keeps a pause from now on. It does not end a longer one. */
  keep(kind: string, ms: number): Promise<void>;
}

/**
 * How long after the end of a pause this sender's turn is, milliseconds, below {@link SPREAD_MS}. It is the same in every process, and
 * each time that the sender looks.
 * @param sender id of an operation
 */
export function placeAfterPause(sender: string): number {
  const share = createHash('sha256').update(sender).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * SPREAD_MS);
}

/** How a call waits for a pause. Times are milliseconds. */
interface Waiting {
  left(): Promise<number>;
  sleep(ms: number): Promise<void>;
  /** It waits for less than this in all. Absent: no limit of its own. */
  readonly mostMs?: number | undefined;
}

/**
 * Waits for the rest of a short pause. It may have grown meanwhile, so looks again before the call goes on.
 * @returns what is left, milliseconds: 0, or a pause that is too long to wait for
 */
export async function waitOutPause({ left, sleep, mostMs = Number.POSITIVE_INFINITY }: Waiting): Promise<number> {
  let waitedMs = 0;
  for (;;) {
    const leftMs = await left();
    waitedMs += leftMs;
    if (leftMs === 0 || leftMs > SHORT_PAUSE_MS || waitedMs > LONGEST_WAIT_MS || waitedMs >= mostMs) return leftMs;
    await sleep(leftMs);
  }
}
