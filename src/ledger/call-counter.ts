/**
 * Counts in memory why calls failed and how the airline answered, by the hour, and adds the counts to the state behind
 * the answers: no call waits for them, and none fails by them. No argument and no word of the airline is in them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ClerkError, type ErrorCode } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { CallRecords, Latencies, LedgerRowsQuery, TenantFailures, TenantRequests } from './ports.ts';

/** How many different counts wait at most, of failed calls and of requests each. What is beyond is dropped. */
const MOST_WAITING = 2_000;
/** How long closing waits for the state. */
const CLOSE_MS = 2_000;

/** Who calls, through everything that a call awaits. */
const calling = new AsyncLocalStorage<Caller>();

/** What this work asks of the airline counts for the tenant of the caller. */
export function forCaller<Given extends unknown[], T>(
  caller: Caller,
  work: (...given: Given) => T,
  ...given: Given
): T {
  return calling.run(caller, work, ...given);
}

/** One exchange with the airline, as its log tells of it. */
interface AirlineExchange {
  readonly operation: string;
  readonly ms: number;
  /** HTTP status; absent: no reply came. */
  readonly status?: number;
}

interface CallCounterOptions {
  /** Of requests that no caller's work makes. */
  readonly tenant: string;
  /** Opens the state. Undefined: there is none yet, and counts wait. */
  records(): Promise<CallRecords | undefined>;
  /** Gets after a write how many calls and requests were left out meanwhile, if any. */
  left?(calls: number): void;
  readonly now?: () => number;
  readonly everyMs?: number;
}

/** Only who asks of the whole tenant gets counts, and only a statement that names their views can read them. */
export function asksForCounts({ caller, sql }: Pick<LedgerRowsQuery, 'caller' | 'sql'>): boolean {
  return caller === undefined && (sql === undefined || /failure|airline_hour/i.test(sql));
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

export class CallCounter {
  readonly #options: CallCounterOptions;
  readonly #now: () => number;
  #failures = new Map<string, Changing<TenantFailures>>();
  #requests = new Map<string, Changing<TenantRequests>>();
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Writes follow one another: this is the last one that began. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: CallCounterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** @param tool of the catalog, or `unknown`: a caller may invent names */
  failed({ tenant, id: caller }: Caller, tool: string, code: ErrorCode): void {
    const lastAt = this.#now();
    this.#addFailures({ tenant, caller, tool, code, hour: hourAt(lastAt), calls: 1, lastAt });
    this.#writeSoon();
  }

  answered({ operation, ms, status }: AirlineExchange): void {
    const tenant = calling.getStore()?.tenant ?? this.#options.tenant;
    const errors = status === undefined || status >= 400 ? 1 : 0;
    const counted = { requests: 1, errors, slowestMs: ms, latencies: { [bucket(ms)]: 1 } };
    this.#addRequests({ tenant, request: operation, hour: hourAt(this.#now()), ...counted });
    this.#writeSoon();
  }

  /** Adds what was counted to the state, if it takes it; else it waits. Never throws. */
  write(): Promise<void> {
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  /** Writes for the last time. A state that does not answer holds it up for two seconds. */
  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.write(), late]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#failures.size + this.#requests.size === 0) return;
    const records = await this.#options.records().catch(() => undefined);
    if (records === undefined) return this.#writeSoon();
    const failures = takeAll(this.#failures);
    const requests = takeAll(this.#requests);
    await records.addFailures(failures).catch((error) => {
      if (this.#isAway(error)) for (const failure of failures) this.#addFailures(failure);
      else this.#leftOut += sumOf(failures.map(({ calls }) => calls));
    });
    await records.addRequests(requests).catch((error) => {
      if (this.#isAway(error)) for (const counted of requests) this.#addRequests(counted);
      else this.#leftOut += sumOf(requests.map((counted) => counted.requests));
    });
    if (this.#leftOut > 0) this.#options.left?.(this.#leftOut);
    this.#leftOut = 0;
  }

  /**
   * Whether the state could not be reached: then what was counted waits for a minute, because people ask afterwards why
   * calls failed.
   */
  #isAway(error: unknown): boolean {
    const isAway = error instanceof ClerkError && error.code === 'E_STATE_DOWN';
    if (isAway) this.#writeSoon();
    return isAway;
  }

  #addFailures(added: TenantFailures): void {
    const { tenant, caller, tool, code, hour } = added;
    const key = JSON.stringify([tenant, caller, tool, code, hour]);
    const counted = this.#failures.get(key);
    if (counted === undefined) this.#keep(this.#failures, key, added, added.calls);
    else {
      counted.calls += added.calls;
      counted.lastAt = Math.max(counted.lastAt, added.lastAt);
    }
  }

  #addRequests(added: TenantRequests): void {
    const key = JSON.stringify([added.tenant, added.request, added.hour]);
    const counted = this.#requests.get(key);
    if (counted === undefined) this.#keep(this.#requests, key, added, added.requests);
    else {
      counted.requests += added.requests;
      counted.errors += added.errors;
      counted.slowestMs = Math.max(counted.slowestMs, added.slowestMs);
      counted.latencies = bothOf(counted.latencies, added.latencies);
    }
  }

  #keep<T>(counts: Map<string, T>, key: string, added: T, calls: number): void {
    if (counts.size < MOST_WAITING) counts.set(key, { ...added });
    else this.#leftOut += calls;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), this.#options.everyMs ?? MINUTE_MS).unref();
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const hourAt = (at: number): number => at - (at % HOUR_MS);

/** Empties the counts and returns them in the order of their keys. */
function takeAll<T>(counts: Map<string, T>): readonly T[] {
  const all = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  counts.clear();
  return all;
}

/** Each bucket ends at a time 1.2 times that of the one before; the first at a millisecond, the last at six minutes. */
const STEP = 1.2;
const LAST_BUCKET = 70;

/** The number of the bucket that a time falls into. */
function bucket(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log(ms) / Math.log(STEP)));
}

/** The middle of a bucket, by ratio: at most a tenth from every time in it. */
const middle = (bucketNumber: number): number => STEP ** (bucketNumber - 0.5);

/** The sums of two counts, bucket by bucket. */
function bothOf(one: Latencies, other: Latencies): Latencies {
  const sums: Record<string, number> = { ...one };
  for (const [at, count] of Object.entries(other)) sums[at] = (sums[at] ?? 0) + count;
  return sums;
}

/** The median of these times, to within a tenth, and not above the slowest. */
export function medianMs(latencies: Latencies, slowestMs: number): number {
  const buckets = Object.entries(latencies)
    .map(([at, count]) => ({ at: Number(at), count }))
    .toSorted((one, other) => one.at - other.at);
  const all = sumOf(buckets.map(({ count }) => count));
  /** The time of the request that has so many before it. */
  const nth = (before: number): number => {
    let rest = before;
    const found = buckets.find(({ count }) => {
      rest -= count;
      return rest < 0;
    });
    return found === undefined ? slowestMs : Math.min(slowestMs, middle(found.at));
  };
  return Math.round((nth(Math.floor((all - 1) / 2)) + nth(Math.floor(all / 2))) / 2);
}
