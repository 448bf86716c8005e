/**
 * Limits how many calls to the airline run at once, by kind: a slow airline must not fill our memory or its own queue,
 * and a rush of searches must not delay a payment. A call that would wait too long is refused at once.
 */
import { ClerkError, callAgain } from '../../core/errors.ts';
import type { Airline } from '../../domain/airline.ts';
import { givenUpError } from '../errors/exchange-errors.ts';

interface BulkheadLimits {
  readonly slots: number;
  readonly queue: number;
  /** Longest wait in milliseconds. Shorter than the journal's fence: a send that waited still starts in time. */
  readonly waitMs: number;
}

/** `aside`: calls on which no payment depends, so that they never delay a reading. */
type BulkheadName = 'search' | 'read' | 'money' | 'aside';

const BULKHEADS: Readonly<Record<BulkheadName, BulkheadLimits>> = {
  search: { slots: 32, queue: 64, waitMs: 2_000 },
  read: { slots: 32, queue: 64, waitMs: 2_000 },
  money: { slots: 16, queue: 32, waitMs: 2_000 },
  aside: { slots: 8, queue: 0, waitMs: 1_000 },
};

/** A call is refused at once if it would probably wait longer than this part of the longest wait. */
const EXPECTED_SHARE = 0.75;
/** Weight of the newest call in the mean time of calls. */
const NEWEST_WEIGHT = 0.2;

export class Bulkhead {
  readonly #limits: BulkheadLimits;
  /** Monotonic milliseconds. */
  readonly #now: () => number;
  /** One function for each caller that waits: it is called when the caller gets its slot. */
  readonly #queue: (() => void)[] = [];
  /** When the calls under way began, the oldest first. */
  readonly #startTimes: number[] = [];
  /** Mean time of a call, milliseconds. */
  #meanMs = 0;
  #ended = 0;

  constructor(limits: BulkheadLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The most calls at once. */
  get slots(): number {
    return this.#limits.slots;
  }

  get active(): number {
    return this.#startTimes.length;
  }

  /** How many calls have ended. */
  get ended(): number {
    return this.#ended;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Throws E_AIRLINE_BUSY if no slot becomes free in time, E_AIRLINE_TIMEOUT if the caller gives up; `effect: none` both. */
  async inSlot<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const startedAt = this.#startTimes.length < this.#limits.slots ? this.#enter() : await this.#waitForSlot(signal);
    try {
      return await work();
    } finally {
      this.#leave(startedAt);
    }
  }

  #enter(): number {
    const now = this.#now();
    this.#startTimes.push(now);
    return now;
  }

  #waitForSlot(signal: AbortSignal | undefined): Promise<number> {
    const { queue, waitMs } = this.#limits;
    const expected = this.#expectedMs();
    if (this.#queue.length >= queue || expected > waitMs * EXPECTED_SHARE) return Promise.reject(busyError(expected));
    const slot = Promise.withResolvers<number>();
    const takeSlot = () => slot.resolve(this.#enter());
    const refuse = (error: ClerkError) => {
      this.#leaveQueue(takeSlot);
      slot.reject(error);
    };
    const giveUp = () => refuse(givenUpError());
    this.#queue.push(takeSlot);
    const timer = setTimeout(() => refuse(busyError(this.#expectedMs())), waitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    return slot.promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    });
  }

  #leaveQueue(takeSlot: () => void): void {
    const place = this.#queue.indexOf(takeSlot);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  /**
   * How long the next caller will probably wait for a slot, milliseconds, if calls take their mean time. With 2 slots and 3
   * callers ahead of it, both calls under way must end, then those of the first two callers. The next caller gets the slot
   * of the younger call under way, two mean times after that began.
   */
  #expectedMs(): number {
    const { slots } = this.#limits;
    const ahead = this.#queue.length;
    const startedAt = this.#startTimes[ahead % slots] ?? this.#now();
    return Math.max(0, startedAt + this.#meanMs * (1 + Math.floor(ahead / slots)) - this.#now());
  }

  #leave(startedAt: number): void {
    this.#ended += 1;
    const weight = this.#meanMs === 0 ? 1 : NEWEST_WEIGHT;
    this.#meanMs += (this.#now() - startedAt - this.#meanMs) * weight;
    this.#startTimes.splice(this.#startTimes.indexOf(startedAt), 1);
    this.#queue.shift()?.();
  }
}

function busyError(expectedMs: number): ClerkError {
  const retry = `after_s:${Math.max(1, Math.ceil(expectedMs / 1_000))}` as const;
  return new ClerkError('E_AIRLINE_BUSY', 'Too many calls to the airline are under way. Nothing was sent.', {
    next: callAgain(retry),
    retry,
  });
}

export type Bulkheads = Readonly<Record<BulkheadName, Bulkhead>>;

export function createBulkheads(limits: Readonly<Record<BulkheadName, BulkheadLimits>> = BULKHEADS): Bulkheads {
  const { search, read, money, aside } = limits;
  return {
    search: new Bulkhead(search),
    read: new Bulkhead(read),
    money: new Bulkhead(money),
    aside: new Bulkhead(aside),
  };
}

/** Wraps an airline so that each call first enters the bulkhead of its kind. */
export function withBulkheads(airline: Airline, { search, read, money, aside }: Bulkheads): Airline {
  return {
    pausedMs: (requests, sender) => airline.pausedMs(requests, sender),
    searchFares: (query, call) => search.inSlot(() => airline.searchFares(query, call), call?.signal),
    read: (locator, call) => read.inSlot(() => airline.read(locator, call), call?.signal),
    seatMap: (query, call) => read.inSlot(() => airline.seatMap(query, call), call?.signal),
    ticketDocument: (query, call) => read.inSlot(() => airline.ticketDocument(query, call), call?.signal),
    routes: (call) => read.inSlot(() => airline.routes(call), call?.signal),
    calendar: (query, call) => read.inSlot(() => airline.calendar(query, call), call?.signal),
    accounts: (call) => aside.inSlot(() => airline.accounts(call), call?.signal),
    sendMail: (mail) => read.inSlot(() => airline.sendMail(mail)),
    create: (booking, dispatch) => money.inSlot(() => airline.create(booking, dispatch)),
    createFromCounts: (booking, dispatch) => money.inSlot(() => airline.createFromCounts(booking, dispatch)),
    pay(order) {
      const payInSlot = () => airline.pay(order);
      return money.inSlot(payInSlot);
    },
    modify: (change) => money.inSlot(() => airline.modify(change)),
    cancel: (cancellation) => money.inSlot(() => airline.cancel(cancellation)),
  };
}
