/**
 * Keeps reads from hurting an airline in trouble: one breaker per origin, and the pauses that the airline asks for, which sends keep
 * too. Adapters of the same airline (one for each point of sale) share one guard, so that all learn at once that it is down.
 */
import { singleFlight, withinTime } from '../../core/at-once.ts';
import { type AirlinePauses, LONGEST_PAUSE_MS, placeAfterPause } from '../../domain/airline-pauses.ts';
import { parseAddress } from './addresses.ts';
import type { HttpReply } from './http.ts';

/** A breaker opens after this many bad reads in a row. */
const MOST_BAD_READS = 20;
/** How long an open breaker waits before each probe, milliseconds. */
const WAIT_MS = 5_000;
/** How long a kind of message pauses after a 429 that names no time, seconds: short enough that calls wait for it. */
const PAUSE_WITHOUT_TIME_SECONDS = 2;
/** How long a call waits for the pauses that other processes know, milliseconds. */
const LOOK_MS = 500;
/** How long they are not asked for after that failed, milliseconds. */
const NO_LOOK_MS = 5_000;

/** How a read ended. `slow`: the airline took the request, and did not answer in time. */
export type ReadEnd = 'good' | 'bad' | 'slow';

type Breaker = ReturnType<typeof createBreaker>;

/**
 * Stops reads from an airline that is down: one that refuses, loses connections or fails, {@link MOST_BAD_READS} times in a row.
 * Lets one probe through every 5 s. An airline that is slow is not down: its bulkhead (bulkhead.ts) limits how many reads wait
 * for it at once.
 * @param now monotonic milliseconds
 * @param onChange called when it opens, and when it closes again
 */
function createBreaker(now: () => number, onChange: (isOpen: boolean) => void = () => undefined) {
  /** How many reads in a row were bad. */
  let bad = 0;
  /** When the next probe may be sent; undefined while the breaker is closed. */
  let probeAt: number | undefined;
  /** Whether a probe is under way: the slow end of a read from before it proves nothing. */
  let isProbing = false;

  return {
    /** Whether a read may be sent now; else the next probe is due after `waitMs`. */
    allows(): boolean {
      if (probeAt === undefined) return true;
      if (now() < probeAt) return false;
      probeAt = now() + WAIT_MS;
      isProbing = true;
      return true;
    },

    record(end: ReadEnd): void {
      if (end === 'bad') {
        bad += 1;
        isProbing = false;
        if (bad < MOST_BAD_READS || probeAt !== undefined) return;
        probeAt = now() + WAIT_MS;
        onChange(true);
      } else if (isProbing || end === 'good') {
        bad = 0;
        isProbing = false;
        if (probeAt !== undefined) onChange(false);
        probeAt = undefined;
      }
    },

    /** True from the failures until a read succeeds. */
    isOpen: () => probeAt !== undefined,
    /** Milliseconds until the next probe; 0 when closed. */
    waitMs: () => (probeAt === undefined ? 0 : Math.max(0, probeAt - now())),
  };
}

export type ReadGuard = ReturnType<typeof createReadGuard>;

/**
 * @param now monotonic milliseconds
 * @param onChange called when reading stops because the airline fails, and when it goes on
 * @param shared the pauses that other processes know
 */
export function createReadGuard(now: () => number, onChange?: (isDown: boolean) => void, shared?: AirlinePauses) {
  const breakers = new Map<string, Breaker>();
  return {
    pauses: createPauses(now, shared),
    /** How many addresses are not read because they fail. */
    openBreakers: () => [...breakers.values()].filter((breaker) => breaker.isOpen()).length,
    breakerOf(url: string): Breaker {
      const { origin } = parseAddress(url);
      const breaker = breakers.get(origin) ?? createBreaker(now, onChange);
      breakers.set(origin, breaker);
      return breaker;
    },
  };
}

/**
 * Remembers for how long the airline wants no more messages of a kind (`Retry-After`, 429), at each origin.
 * @param now monotonic milliseconds
 */
function createPauses(now: () => number, shared: AirlinePauses | undefined) {
  const endByKind = new Map<string, number>();
  let noLookUntil = Number.NEGATIVE_INFINITY;
  const kindOf = (url: string, operation: string): string => `${parseAddress(url).origin} ${operation}`;

  const note = (kind: string, ms: number): void => {
    endByKind.set(kind, Math.max(now() + ms, endByKind.get(kind) ?? 0));
  };

  /** Learns what the airline told other processes. Without the state each process keeps its own pauses. */
  const look = singleFlight(async () => {
    const found = shared && (await soon(shared.left()));
    if (found === undefined) noLookUntil = now() + NO_LOOK_MS;
    for (const [kind, ms] of found ?? []) note(kind, ms);
  });

  return {
    /** Milliseconds until messages of these kinds may be sent, and it is the sender's turn among the first after a pause. */
    async waitMs(url: string, operations: readonly string[], sender?: string): Promise<number> {
      if (shared !== undefined && now() >= noLookUntil) await look();
      const ends = operations.map((operation) => endByKind.get(kindOf(url, operation)) ?? Number.NEGATIVE_INFINITY);
      const place = sender === undefined ? 0 : placeAfterPause(sender);
      return Math.max(0, ...ends.map((end) => end + place - now()));
    },

    /** What is left of the longest pause of this kind of message, milliseconds, as far as this process knows. */
    leftMs(operation: string): number {
      const ends = [...endByKind].filter(([kind]) => kind.endsWith(` ${operation}`)).map(([, end]) => end);
      return Math.max(0, ...ends.map((end) => end - now()));
    },

    /** Learns from a reply whether the airline wants a pause. A shorter one does not end a longer one. */
    async learn(url: string, operation: string, { status, retryAfterSeconds }: HttpReply): Promise<void> {
      const seconds = status === 429 ? (retryAfterSeconds ?? PAUSE_WITHOUT_TIME_SECONDS) : retryAfterSeconds;
      if (seconds === undefined || (status !== 429 && status !== 503)) return;
      const kind = kindOf(url, operation);
      const ms = Math.min(seconds * 1_000, LONGEST_PAUSE_MS);
      note(kind, ms);
      if (shared !== undefined) await soon(shared.keep(kind, ms));
    },
  };
}

/** Waits for the state as long as a call may. Undefined if that takes longer, or fails. */
async function soon<T>(answer: Promise<T>): Promise<T | undefined> {
  return withinTime(answer, LOOK_MS, () => new Error('the state is late')).catch(() => undefined);
}
