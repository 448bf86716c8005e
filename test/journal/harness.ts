/**
 * A journal under the test's control: a clock that the test moves, a store in memory, and an airline that shows
 * what the test sets.
 */

import type { Dispatch, RawReply } from '../../src/domain/airline.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { ExpectedChange } from '../../src/domain/booking/expected-change.ts';
import type { Traveler } from '../../src/domain/people/traveler.ts';
import { ClerkError } from '../../src/errors.ts';
import { createJournal, type Journal, type JournalOptions } from '../../src/journal/journal.ts';
import type { NewOperation, Operation } from '../../src/journal/operation.ts';
import type { Act, Clock, Evidence, OperationStore, WaitingEnd, WaitingEnds } from '../../src/journal/ports.ts';
import { MemoryOperations } from '../campaigns/sim/memory-operations.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { bareTraveler, personName } from '../support/people.ts';

export const SETTLE = 240_000;
export const GAP = SETTLE / 12;

/** Lets every microtask, and what follows from it, run. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

export class TestClock implements Clock {
  time = 1_000_000;
  #timers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = { at: this.time + ms, wake: resolve };
      if (signal?.aborted === true) resolve();
      else this.#timers.push(timer);
      signal?.addEventListener('abort', () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        resolve();
      });
    });
  }

  get sleepers(): number {
    return this.#timers.length;
  }

  /** Moves the time; sleepers wake in order and finish their work. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await quiet();
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.wake();
      await quiet();
    }
    this.time = end;
    await quiet();
  }

  /** Moves the time while the whole process sleeps; nobody wakes in between. */
  jump(ms: number): void {
    this.time += ms;
  }
}

/** The second record's part of it, which outlives a process. */
class MemoryEnds implements WaitingEnds {
  readonly #ends = new Map<string, WaitingEnd>();

  keep(end: WaitingEnd): void {
    this.#ends.set(end.id, structuredClone(end));
  }

  all(): readonly WaitingEnd[] {
    return [...this.#ends.values()];
  }

  drop(id: string): void {
    this.#ends.delete(id);
  }
}

/** What the airline shows of the booking; a function may fail or hang. */
type Shown = Booking | (() => Promise<Booking>);

export class Harness {
  readonly clock = new TestClock();
  readonly store: OperationStore;
  readonly ends = new MemoryEnds();
  /** Ends the first process. */
  readonly ending = new AbortController();
  readonly warnings: string[] = [];
  reads = 0;
  shown: Shown = paidBooking();
  readonly journal: Journal;
  readonly #options: Partial<JournalOptions>;

  constructor(options: Partial<JournalOptions> = {}) {
    this.#options = options;
    this.store = options.store ?? new MemoryOperations();
    this.journal = this.process('p1');
  }

  /** Another server process on the same store. */
  process(owner: string, options: Partial<JournalOptions> = {}): Journal {
    return createJournal({
      store: this.store,
      ends: this.ends,
      ending: this.ending.signal,
      clock: this.clock,
      reader: { read: () => this.#read() },
      owner,
      settleMs: SETTLE,
      digest: (text) => `#${text}`,
      log: { info: () => {}, warn: (_fields, message) => this.warnings.push(message) },
      ...this.#options,
      ...options,
    });
  }

  async #read(): Promise<Booking> {
    this.reads++;
    return typeof this.shown === 'function' ? await this.shown() : this.shown;
  }

  async open(changes: Partial<NewOperation> = {}): Promise<Operation> {
    const opened = await this.journal.open(newOperation('a', changes));
    if (opened.kind !== 'fresh') throw new Error(`not fresh: ${opened.kind}`);
    return opened.operation;
  }

  async state(id = 'a'): Promise<Operation> {
    const operation = await this.store.get(id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    return operation;
  }

  /** Puts an operation in doubt: it is dispatched now and its answer is lost. */
  async doubt(changes: Partial<NewOperation> = {}): Promise<Operation> {
    const operation = await this.open(changes);
    await this.journal.run(
      operation,
      act(() => Promise.reject(lost())),
    );
    return await this.state();
  }
}

/** An act that sends its first byte and then runs the given function. */
export function act(
  send: (dispatch: Dispatch) => Promise<Evidence>,
  recheck = async () => {},
): Act & { sends: number } {
  const counted = {
    sends: 0,
    recheck,
    async send(dispatch: Dispatch) {
      if (!dispatch.mayStart()) throw unsent();
      counted.sends++;
      return await send(dispatch);
    },
  };
  return counted;
}

export function error(code: ClerkError['code'], details: Partial<ConstructorParameters<typeof ClerkError>[2]> = {}) {
  return new ClerkError(code, 'what happened', { next: 'do this', ...details });
}

export const lost = () => error('E_AIRLINE_TIMEOUT', { effect: 'unknown' });
export const unsent = () => error('E_AIRLINE_DOWN', { effect: 'none' });
export const refused = () => error('E_PAYMENT_DECLINED', { airline: { status: 422, code: '167' } });

export function receipt(total = '172.50', locator = 'ABC123'): Evidence {
  const item = { ticketNumber: '9000000001', total, conjunctive: [], links: [] };
  return { receipt: { locator, references: [], items: [item] } };
}

export const REPLY: RawReply = { status: 200, body: '{"success":{}}' };

export function booking(changes: Partial<Booking> = {}): Booking {
  return {
    locator: 'ABC123',
    references: [{ id: 'ABC123', type: '14', segmentRefs: [] }],
    options: [option('1'), option('2')],
    travelers: [],
    tickets: [],
    orders: [],
    services: [],
    emds: [],
    ...changes,
  };
}

export function option(ref: string, statusCode = '30'): Booking['options'][number] {
  const times = { departs: '2026-12-01T08:00:00.000+03:00', arrives: '2026-12-01T10:00:00.000+03:00' };
  const segment = { ref, optionRef: ref, flightNumber: `10${ref}`, from: 'RUH', to: 'JED', ...times, statusCode };
  return { ref, segments: [segment] };
}

export function ticket(
  number: string,
  coupons: readonly (string | undefined)[] = ['O', 'O'],
): Booking['tickets'][number] {
  return {
    number,
    travelerRefs: ['1'],
    segmentRefs: coupons.map((_, i) => String(i + 1)),
    coupons: coupons.map((statusCode, i) => ({ segmentRef: String(i + 1), ...(statusCode && { statusCode }) })),
    links: [],
  };
}

export function paidBooking(changes: Partial<Booking> = {}): Booking {
  const order = { direction: 'PAYMENT', status: 'PAID', amount: SAR(17250) };
  return booking({ orders: [order], tickets: [ticket('9000000001')], ...changes });
}

export function traveler(ref: string, given?: string, changes: Partial<Traveler> = {}): Traveler {
  return bareTraveler(ref, { ...(given !== undefined && { name: personName(given, 'DOE') }), ...changes });
}

/** An operation that was sent. */
export function operation(subject: ExpectedChange, locator: string | undefined = 'ABC123'): Operation {
  const { locator: _, ...bare } = newOperation('a', { subject });
  const meta = { state: 'dispatched', createdAt: 0, updatedAt: 0, owner: 'p', leaseUntil: 0, negatives: 0 } as const;
  return { ...bare, ...meta, ...(locator !== undefined && { locator }) };
}
