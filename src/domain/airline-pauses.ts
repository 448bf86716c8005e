/**
 * The pauses that an airline asks for (429, or `Retry-After` with 503), and the port of the store that shares them between processes.
 * The store's clock measures them, so that the clocks of machines may differ.
 */

/** How long a kind of message pauses at most, milliseconds, whatever the airline asks for. */
export const LONGEST_PAUSE_MS = 600_000;

export interface AirlinePauses {
  /** What is left of each pause, milliseconds, by its kind of message. */
  left(): Promise<ReadonlyMap<string, number>>;
  /** Keeps a pause from now on. It does not end a longer one. */
  keep(kind: string, ms: number): Promise<void>;
}
