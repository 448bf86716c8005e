/**
 * Counts in memory, by the hour, why calls failed, and adds the counts to the state in the background: no call waits for that or
 * fails because of it. The counts contain no argument and no text of the airline.
 */
import { ClerkError, type ErrorCode } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import { systemClock, within } from '../journal/clock.ts';
import type { CallRecords, TenantFailures } from './ports.ts';

/** How many counts may wait. Further ones are dropped. */
const MOST_WAITING = 2_000;

/** How long closing waits for the state, milliseconds. */
const CLOSE_MS = 2_000;

interface CallCounterOptions {
  /** Opens the state. Undefined: there is none yet, so counts wait. */
  records(): Promise<CallRecords | undefined>;
  /** Called after a write with the number of dropped calls, if there were any. */
  onDropped?(calls: number): void;
  readonly now?: () => number;
  readonly everyMs?: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class CallCounter {
  readonly #options: CallCounterOptions;
  readonly #now: () => number;
  #failures = new Map<string, Mutable<TenantFailures>>();
  #droppedCalls = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The last write that began. Writes follow one another. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: CallCounterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Counts a failed call. @param tool name in the catalog, or `unknown`, because a caller may invent names */
  failed({ tenant, id: caller }: Caller, tool: string, code: ErrorCode): void {
    const now = this.#now();
    this.#addFailures({ tenant, caller, tool, code, hour: hourStart(now), calls: 1, lastAt: now });
    this.#writeSoon();
  }

  /** Adds the counts to the state. If it cannot take them now, they wait. Never throws. */
  write(): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(() => this.#writeCounts());
    return this.#lastWrite;
  }

  /** Writes for the last time. Waits at most two seconds for the state. */
  async close(): Promise<void> {
    await within(systemClock, CLOSE_MS, this.write());
    clearTimeout(this.#timer);
  }

  async #writeCounts(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#failures.size === 0) return;
    const records = await this.#options.records().catch(() => undefined);
    if (records === undefined) return this.#writeSoon();
    const failures = takeAll(this.#failures);
    await records.addFailures(failures).catch((error) => {
      if (this.#mayWriteLater(error)) for (const failure of failures) this.#addFailures(failure);
      else this.#droppedCalls += failures.reduce((sum, { calls }) => sum + calls, 0);
    });
    if (this.#droppedCalls > 0) this.#options.onDropped?.(this.#droppedCalls);
    this.#droppedCalls = 0;
  }

  /**
   * Whether the state could not be reached. Starts the next write then: the counts wait for it, because people ask
   * after an outage why calls failed.
   */
  #mayWriteLater(error: unknown): boolean {
    const isStateDown = error instanceof ClerkError && error.code === 'E_STATE_DOWN';
    if (isStateDown) this.#writeSoon();
    return isStateDown;
  }

  #addFailures(added: TenantFailures): void {
    const { tenant, caller, tool, code, hour } = added;
    const key = JSON.stringify([tenant, caller, tool, code, hour]);
    const counted = this.#failures.get(key);
    if (counted !== undefined) {
      counted.calls += added.calls;
      counted.lastAt = Math.max(counted.lastAt, added.lastAt);
    } else if (this.#failures.size < MOST_WAITING) this.#failures.set(key, { ...added });
    else this.#droppedCalls += added.calls;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), this.#options.everyMs ?? MINUTE_MS).unref();
  }
}

/** When the hour of an instant began. */
function hourStart(at: number): number {
  return at - (at % HOUR_MS);
}

/** Empties the counts and returns them in the order of their keys. */
function takeAll<T>(counts: Map<string, T>): readonly T[] {
  const all = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  counts.clear();
  return all;
}
