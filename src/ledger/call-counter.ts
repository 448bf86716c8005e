/**
 * Counts in memory, by the hour, why calls failed, and adds the counts to the state in the background: no call waits for that or
 * fails because of it. The counts contain no argument and no text of the airline.
 */
import type { ErrorCode } from '../core/errors.ts';
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
  readonly now?: () => number;
}

export class CallCounter {
  readonly #options: CallCounterOptions;
  #failures = new Map<string, TenantFailures>();
  #timer: NodeJS.Timeout | undefined;
  /** The last write that began. Writes follow one another. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: CallCounterOptions) {
    this.#options = options;
  }

  /** Counts a failed call. @param tool name in the catalog, or `unknown`, because a caller may invent names */
  failed({ tenant, id: caller }: Caller, tool: string, code: ErrorCode): void {
    const now = this.#options.now?.() ?? Date.now();
    this.#add({ tenant, caller, tool, code, hour: now - (now % HOUR_MS), calls: 1, lastAt: now });
    this.#writeSoon();
  }

  /** Adds the counts to the state. If it cannot take them now, they wait: people ask after an outage why calls failed. Never throws. */
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

    const counts = this.#failures;
    this.#failures = new Map();

    try {
      const records = await this.#options.records();
      if (records === undefined) throw new Error('there is no state yet');
      const inOrder = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      await records.addFailures(inOrder.map(([, count]) => count));
    } catch {
      for (const count of counts.values()) this.#add(count);
      this.#writeSoon();
    }
  }

  #add(added: TenantFailures): void {
    const { tenant, caller, tool, code, hour } = added;
    const key = JSON.stringify([tenant, caller, tool, code, hour]);
    const counted = this.#failures.get(key);
    if (counted === undefined && this.#failures.size === MOST_WAITING) return;
    const { calls = 0, lastAt = 0 } = counted ?? {};
    this.#failures.set(key, { ...added, calls: calls + added.calls, lastAt: Math.max(lastAt, added.lastAt) });
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), MINUTE_MS).unref();
  }
}
