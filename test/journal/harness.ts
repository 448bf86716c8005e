/**
 * A journal under the test's control: a clock that the test moves, a store in memory, and an airline that shows
 * what the test sets.
 */

import { test as base, onTestFinished } from 'vitest';
import { createJournal } from '../../src/journal/journal.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { ACTS } from '../support/rules.ts';
import {
  type Act,
  act,
  type Booking,
  type Dispatch,
  type Evidence,
  type Journal,
  lost,
  type NewOperation,
  type Operation,
  paidBooking,
  receipt,
} from './answers.ts';

export * from './answers.ts';

export type Options = Partial<Parameters<typeof createJournal>[0]>;
export type State = Awaited<ReturnType<typeof openSqliteState>>;
type End = ReturnType<State['ends']['all']>[number];

export const SETTLE = 240_000;
export const GAP = SETTLE / 12;
export const MINUTE = 60_000;
/** Of calls that fail until the store is back. */
export const DOWN = Number.POSITIVE_INFINITY;

/** Lets every microtask, and what follows from it, run. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

export class TestClock {
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
function memoryEnds() {
  const ends = new Map<string, End>();
  return {
    keep: (end: End) => void ends.set(end.id, structuredClone(end)),
    all: () => [...ends.values()],
    drop: (id: string) => void ends.delete(id),
  };
}

/** A state in memory, by the time of that clock. It is closed when the test is over. */
export async function memoryState(clock: { now(): number }): Promise<State> {
  const state = await openSqliteState(':memory:', { now: () => clock.now() });
  onTestFinished(() => state.close());
  return state;
}

type Store = State['operations'];

/** A store whose calls are made by the given function. */
export function intercepted(
  store: Store,
  around: (call: () => Promise<unknown>, name: keyof Store) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const own = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
      return (...given: unknown[]) => around(() => own(...given), name);
    },
  });
}

/** A tracer that notes the spans. */
export class Spans {
  /** Runs now. */
  trace: string | undefined;
  readonly begun: { readonly name: string; readonly operation?: string }[] = [];
  current = () => this.trace;
  about() {}
  mark() {}
  fail() {}
  span<T>(about: Spans['begun'][number], work: () => Promise<T>): Promise<T> {
    this.begun.push(about);
    return work();
  }
}

/** What the airline answers: evidence, an error, or what the test does. */
type Answer = Evidence | Error | ((dispatch: Dispatch) => Promise<Evidence>);

export class Harness {
  readonly clock: TestClock;
  readonly state: State;
  readonly store: Store;
  /** How often calls to the store fail from now on. */
  readonly faults: Partial<Record<keyof Store, number>> = {};
  readonly ends = memoryEnds();
  /** Ends the first process. */
  readonly ending = new AbortController();
  readonly warnings: string[] = [];
  reads = 0;
  sends = 0;
  /** What the airline shows of the booking; a function may fail or hang. */
  shown: Booking | (() => Promise<Booking>) = paidBooking();
  readonly journal: Journal;
  readonly #options: Options;

  constructor(state: State, clock: TestClock, options: Options = {}) {
    this.clock = clock;
    this.state = state;
    this.#options = options;
    this.store = intercepted(state.operations, async (call, name) => {
      const left = this.faults[name] ?? 0;
      if (left === 0) return await call();
      this.faults[name] = left - 1;
      throw new Error('disk full');
    });
    this.journal = this.process('p1');
  }

  static async open(options: Options = {}, clock = new TestClock()): Promise<Harness> {
    return new Harness(await memoryState(clock), clock, options);
  }

  /** Another server process on the same store. */
  process(owner: string, options: Options = {}): Journal {
    return createJournal({ ...this.options(owner), ...options });
  }

  options(owner: string): Parameters<typeof createJournal>[0] {
    return {
      acts: ACTS,
      store: this.store,
      ends: this.ends,
      ending: this.ending.signal,
      clock: this.clock,
      readerFor: () => ({ read: () => this.read() }),
      owner,
      settleMs: SETTLE,
      digest: (text) => `#${text}`,
      log: { info: () => {}, warn: (_fields, message) => this.warnings.push(message) },
      ...this.#options,
    };
  }

  async read(): Promise<Booking> {
    this.reads++;
    return typeof this.shown === 'function' ? await this.shown() : this.shown;
  }

  async open(changes: Partial<NewOperation> = {}): Promise<Operation> {
    const opened = await this.journal.open(newOperation('a', changes));
    if (opened.kind !== 'inserted') throw new Error(`not fresh: ${opened.kind}`);
    return opened.operation;
  }

  async entry(id = 'a'): Promise<Operation> {
    const operation = await this.store.get(id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    return operation;
  }

  /** What another process does. */
  move(from: Operation['state'], to: Operation['state'], patch = {}, id = 'a'): Promise<boolean> {
    return this.store.transition(id, { from: [from], to, patch }, { now: this.clock.now(), actor: 'p2' });
  }

  /** Opens an operation and runs it. */
  async send(answer: Answer = receipt(), changes: Partial<NewOperation> = {}, recheck = async () => {}) {
    const operation = await this.open(changes);
    return this.journal.execute(operation, this.act(answer, recheck));
  }

  act(answer: Answer = receipt(), recheck = async () => {}): Act {
    return act(async (dispatch) => {
      this.sends += 1;
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? await answer(dispatch) : answer;
    }, recheck);
  }

  /** Sends, and waits for an answer that the test gives. */
  async begin(changes: Partial<NewOperation> = {}) {
    const { promise, resolve: answer, reject: refuse } = Promise.withResolvers<Evidence>();
    const running = this.send(() => promise, changes);
    await this.clock.pass(0);
    return { answer, refuse, running };
  }

  /** Puts an operation in doubt: it is dispatched now and its answer is lost. */
  async doubt(changes: Partial<NewOperation> = {}): Promise<Operation> {
    await this.send(lost(), changes);
    return await this.entry();
  }

  /** Reconciles in every gap until that much time is over. */
  async tend(ms: number): Promise<void> {
    for (let spent = 0; spent < ms; spent += GAP) {
      await this.journal.reconcile();
      await this.clock.pass(Math.min(GAP, ms - spent));
    }
  }
}

/** A test with a journal of its own. */
export const test = base.extend('h', () => Harness.open());
