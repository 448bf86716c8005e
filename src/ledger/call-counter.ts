/**
 * Counts in memory, by the hour, why calls failed and how the airline answered, and adds the counts to the state in the
 * background: no call waits for that or fails because of it. The counts contain no argument and no text of the airline. In order: whose
 * work makes a request, the counter, and the times of requests by bucket.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ClerkError, type ErrorCode } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { CallRecords, Latencies, LedgerRowsQuery, LedgerSource, TenantFailures, TenantRequests } from './ports.ts';

/** How many counts of failed calls, and as many of requests, may wait. Further ones are dropped. */
const MOST_WAITING = 2_000;

/** How long closing waits for the state, milliseconds. */
const CLOSE_MS = 2_000;

/** Each bucket of times ends at 1.2 times the end of the one before. The first ends at 1 millisecond. */
const BUCKET_GROWTH = 1.2;

/** It ends at six minutes, and has all longer times too. */
const LAST_BUCKET = 70;

/** The caller of the running work, through everything that it awaits: the wire's log, which counts requests, knows no caller. */
const currentCaller = new AsyncLocalStorage<Caller>();

/** Runs work whose requests to the airline count for the caller's tenant. */
export function forCaller<Args extends unknown[], T>(caller: Caller, work: (...args: Args) => T, ...args: Args): T {
  return currentCaller.run(caller, work, ...args);
}

/** One exchange with the airline, as its log has it. */
interface AirlineExchange {
  readonly operation: string;
  readonly ms: number;
  /** HTTP status. Absent if no reply came. */
  readonly status?: number;
}

interface CallCounterOptions {
  /** The tenant of requests that no caller's work makes. */
  readonly tenant: string;
  /** Opens the state. Undefined: there is none yet, so counts wait. */
  records(): Promise<CallRecords | undefined>;
  /** Called after a write with the number of dropped calls and requests, if there were any. */
  onDropped?(calls: number): void;
  readonly now?: () => number;
  readonly everyMs?: number;
}

/** Whether a query reads counts: it asks about the whole tenant, and for a kind of counts. */
export function asksForCounts(
  { caller }: Pick<LedgerRowsQuery, 'caller'>,
  { each }: Pick<LedgerSource, 'each'>,
): boolean {
  return caller === undefined && (each === 'failures' || each === 'airlineHours');
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class CallCounter {
  readonly #options: CallCounterOptions;
  readonly #now: () => number;
  #failures = new Map<string, Mutable<TenantFailures>>();
  #requests = new Map<string, Mutable<TenantRequests>>();
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

  /** Counts an exchange with the airline. */
  answered({ operation, ms, status }: AirlineExchange): void {
    const tenant = currentCaller.getStore()?.tenant ?? this.#options.tenant;
    const errors = status === undefined || status >= 400 ? 1 : 0;
    const counted = { requests: 1, errors, slowestMs: ms, latencies: { [bucketNumber(ms)]: 1 } };
    this.#addRequests({ tenant, request: operation, hour: hourStart(this.#now()), ...counted });
    this.#writeSoon();
  }

  /** Adds the counts to the state. If it cannot take them now, they wait. Never throws. */
  write(): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(() => this.#writeCounts());
    return this.#lastWrite;
  }

  /** Writes for the last time. Waits at most two seconds for the state. */
  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.write(), late]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
  }

  async #writeCounts(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#failures.size + this.#requests.size === 0) return;
    const records = await this.#options.records().catch(() => undefined);
    if (records === undefined) return this.#writeSoon();
    const failures = takeAll(this.#failures);
    const requests = takeAll(this.#requests);
    await records.addFailures(failures).catch((error) => {
      if (this.#mayWriteLater(error)) for (const failure of failures) this.#addFailures(failure);
      else this.#droppedCalls += sumOf(failures.map(({ calls }) => calls));
    });
    await records.addRequests(requests).catch((error) => {
      if (this.#mayWriteLater(error)) for (const counted of requests) this.#addRequests(counted);
      else this.#droppedCalls += sumOf(requests.map((counted) => counted.requests));
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
    if (counted === undefined) this.#addCount(this.#failures, key, added, added.calls);
    else {
      counted.calls += added.calls;
      counted.lastAt = Math.max(counted.lastAt, added.lastAt);
    }
  }

  #addRequests(added: TenantRequests): void {
    const key = JSON.stringify([added.tenant, added.request, added.hour]);
    const counted = this.#requests.get(key);
    if (counted === undefined) this.#addCount(this.#requests, key, added, added.requests);
    else {
      counted.requests += added.requests;
      counted.errors += added.errors;
      counted.slowestMs = Math.max(counted.slowestMs, added.slowestMs);
      counted.latencies = addLatencies(counted.latencies, added.latencies);
    }
  }

  /** Adds the first count of a key, or drops it if too many wait. @param calls how many calls or requests it counts */
  #addCount<T>(counts: Map<string, T>, key: string, added: T, calls: number): void {
    if (counts.size < MOST_WAITING) counts.set(key, { ...added });
    else this.#droppedCalls += calls;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), this.#options.everyMs ?? MINUTE_MS).unref();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
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

/** The number of the bucket that a time falls into. */
function bucketNumber(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log(ms) / Math.log(BUCKET_GROWTH)));
}

/** The geometric middle of a bucket, milliseconds: at most a tenth from every time in it. */
function bucketMiddle(bucket: number): number {
  return BUCKET_GROWTH ** (bucket - 0.5);
}

/** Adds two counts bucket by bucket. */
function addLatencies(one: Latencies, other: Latencies): Latencies {
  const sums: Record<string, number> = { ...one };
  for (const [bucket, count] of Object.entries(other)) sums[bucket] = (sums[bucket] ?? 0) + count;
  return sums;
}

/** The median of these times, milliseconds, to within a tenth and not above the slowest. */
export function medianMs(latencies: Latencies, slowestMs: number): number {
  const buckets = Object.entries(latencies)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .toSorted((one, other) => one.bucket - other.bucket);
  const total = sumOf(buckets.map(({ count }) => count));
  /** The time of the request at this place, from 0, in the order of their times. */
  const timeAt = (place: number): number => {
    let end = 0;
    for (const { bucket, count } of buckets) {
      end += count;
      if (place < end) return Math.min(slowestMs, bucketMiddle(bucket));
    }
    return slowestMs;
  };
  // Of an even number, the middle of the two in the middle.
  return Math.round((timeAt(Math.floor((total - 1) / 2)) + timeAt(Math.floor(total / 2))) / 2);
}
