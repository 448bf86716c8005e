/**
 * The airline's clock: the system's, moved by an offset that lies in the state, so that a restart and every process
 * on the same state see one time.
 */
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

  /** Makes it `at` (ms epoch) now; it goes on from there. */
  set(at: number): void {
    this.#state.setMeta(OFFSET, String(at - this.#system()));
  }

  advance(ms: number): void {
    this.#state.change(() => {
      this.#state.setMeta(OFFSET, String(Number(this.#state.meta(OFFSET) ?? '0') + ms));
    });
  }
}
