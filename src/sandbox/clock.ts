/** The airline's clock: the system clock plus an offset stored in the state, which restarts and processes share. */
import type { CarrierState } from './state.ts';

const OFFSET = 'clock_offset_ms';

export class Clock {
  readonly #state: CarrierState;
  readonly #system: () => number;

  constructor(state: CarrierState, system: () => number) {
    this.#state = state;
    this.#system = system;
  }

  /** ms epoch. */
  now(): number {
    return this.#system() + Number(this.#state.meta(OFFSET) ?? '0');
  }

  /** Sets the clock to `at` (ms epoch); it runs on from there. */
  set(at: number): void {
    this.#state.setMeta(OFFSET, String(at - this.#system()));
  }

  advance(ms: number): void {
    this.#state.change(() => {
      this.#state.setMeta(OFFSET, String(Number(this.#state.meta(OFFSET) ?? '0') + ms));
    });
  }
}
