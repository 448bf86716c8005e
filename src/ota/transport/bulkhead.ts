/**
 * Limits how many calls to the airline run at once, by kind: a slow airline must not fill our memory or its own queue,
 * and a rush of searches must not delay a payment. A call for which there is no place in time is refused before it is sent.
 */
import { Turns } from '../../core/at-once.ts';
import type { Airline } from '../../domain/airline.ts';
import { notSentError } from '../errors/exchange-errors.ts';

interface BulkheadLimits {
  /** The most calls at once. */
  readonly slots: number;
  /** The most calls that wait. */
  readonly queue: number;
  /** Default {@link LONGEST_WAIT_MS}. */
  readonly waitMs?: number;
}

/** Longest wait for a slot, milliseconds. Shorter than the journal's fence: a send that waited still starts in time. */
const LONGEST_WAIT_MS = 2_000;

export class Bulkhead {
  readonly slots: number;
  readonly #queue: number;
  readonly #waitMs: number;
  readonly #turns: Turns;
  #active = 0;

  constructor({ slots, queue, waitMs = LONGEST_WAIT_MS }: BulkheadLimits) {
    this.slots = slots;
    this.#queue = queue;
    this.#waitMs = waitMs;
    this.#turns = new Turns(slots);
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Throws E_AIRLINE_BUSY if no slot becomes free in time, E_AIRLINE_TIMEOUT if the caller gives up; `effect: none` both. */
  async inSlot<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (!this.#turns.takeNow()) await this.#waitForSlot(signal);
    this.#active += 1;

    try {
      return await work();
    } finally {
      this.#active -= 1;
      this.#turns.end();
    }
  }

  async #waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const hasSlot = this.waiting < this.#queue && (await this.#turns.take(this.#waitMs, signal));
    if (hasSlot) return;
    throw signal?.aborted ? notSentError('aborted') : notSentError('no_slot', { waitMs: 1_000 });
  }
}

export type Bulkheads = ReturnType<typeof createBulkheads>;

export function createBulkheads() {
  return {
    search: new Bulkhead({ slots: 32, queue: 64 }),
    read: new Bulkhead({ slots: 32, queue: 64 }),
    money: new Bulkhead({ slots: 16, queue: 32 }),
  };
}

/** Wraps an airline so that each call first enters the bulkhead of its kind. */
export function withBulkheads(airline: Airline, { search, read, money }: Bulkheads): Airline {
  return {
    pausedMs: (requests, sender) => airline.pausedMs(requests, sender),
    searchFares: (query, call) => search.inSlot(() => airline.searchFares(query, call), call?.signal),
    read: (locator, call) => read.inSlot(() => airline.read(locator, call), call?.signal),
    seatMap: (query, call) => read.inSlot(() => airline.seatMap(query, call), call?.signal),
    ticketDocument: (query, call) => read.inSlot(() => airline.ticketDocument(query, call), call?.signal),
    routes: (call) => read.inSlot(() => airline.routes(call), call?.signal),
    calendar: (query, call) => read.inSlot(() => airline.calendar(query, call), call?.signal),
    accounts: (call) => read.inSlot(() => airline.accounts(call), call?.signal),
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
