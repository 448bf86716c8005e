/**
 * A server process that can be paused or die at any call it makes to the world. What a dead process was waiting for
 * never comes; what a paused one waits for comes when it wakes.
 */
import type { Chance } from '../support/chance.ts';
import type { Scheduler } from './scheduler.ts';

export interface Hazards {
  /** Of each call: that the process dies at it. */
  readonly crash: number;
  /** Of each call: that the process sleeps for up to 400 seconds. */
  readonly pause: number;
  /** Of each call to the store: that it fails. */
  readonly storeFault: number;
}

const MAX_PAUSE = 400_000;

export class Incarnation {
  readonly name: string;
  dead = false;
  pausedUntil = 0;
  /** Calls from outside that it has not answered yet. */
  calls = 0;
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #hazards: () => Hazards;
  readonly #onDeath: () => void;

  constructor(name: string, scheduler: Scheduler, chance: Chance, hazards: () => Hazards, onDeath: () => void) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#chance = chance;
    this.#hazards = hazards;
    this.#onDeath = onDeath;
  }

  /** Runs it in this process: when it is awake, or never if it is dead by then. */
  deliver(run: () => void): void {
    if (this.dead) return;
    if (this.#scheduler.now >= this.pausedUntil) run();
    else this.#scheduler.after(this.pausedUntil - this.#scheduler.now, () => this.deliver(run));
  }

  after(ms: number, run: () => void) {
    return this.#scheduler.after(ms, () => this.deliver(run));
  }

  /** Whether this is where the process dies; it may also fall asleep here. */
  #stumbles(): boolean {
    const { crash, pause } = this.#hazards();
    const dice = this.#chance.next();
    if (dice < crash) {
      this.dead = true;
      this.#onDeath();
      return true;
    }
    if (dice < crash + pause) this.pausedUntil = this.#scheduler.now + this.#chance.between(1000, MAX_PAUSE);
    return false;
  }

  /** A call out of this process: done at once, answered a little later; or the process dies before or after it. */
  call<T>(work: () => Promise<T>): Promise<T> {
    if (this.dead) return never();
    if (this.#chance.hit(0.5) && this.#stumbles()) return never();
    const result = work();
    result.catch(() => {}); // it may fail before anybody waits for it
    if (this.#stumbles()) return never();
    return new Promise((resolve) => {
      this.after(this.#chance.between(0, 3), () => this.#scheduler.wake(() => resolve(result)));
    });
  }

  /** A call to the store, which may fail before or after its work is done. */
  storeCall<T>(work: () => Promise<T>): Promise<T> {
    return this.call(async () => {
      const { storeFault } = this.#hazards();
      const fault = storeFault > 0 && this.#chance.hit(storeFault);
      if (fault && this.#chance.hit(0.5)) throw new Error('the store is away');
      const result = await work();
      if (fault) throw new Error('the store went away');
      return result;
    });
  }

  get clock() {
    return {
      now: () => this.#scheduler.now,
      sleep: (ms: number, signal?: AbortSignal) => this.#sleep(ms, signal),
    };
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.dead) return never();
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.after(ms, () => this.#scheduler.wake(resolve));
      signal?.addEventListener('abort', () => {
        this.#scheduler.cancel(timer);
        resolve();
      });
    });
  }

  /** Something stored as this process reaches it: each call goes out of the process, which may die or sleep at it. */
  reach<T extends object>(stored: T): T {
    return new Proxy(stored, {
      get: (target, name) => {
        const method = Reflect.get(target, name, target) as unknown;
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => this.storeCall(() => method.apply(target, args) as Promise<unknown>);
      },
    });
  }
}

/** A new one each time: a shared one would gather the waiting of every run. */
function never<T>(): Promise<T> {
  return new Promise<never>(() => {});
}
