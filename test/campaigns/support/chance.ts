import { hash } from 'node:crypto';

/** Chance from a seed: the same seed gives the same run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 32 bits as a whole number. mulberry32 (public domain). */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    return this.bits() / 4294967296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** A whole number in [from, to]. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  hit(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** A copy in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    for (let i = left.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [left[i], left[j]] = [left[j] as T, left[i] as T];
    }
    return left;
  }
}

/** In [0, 1): hangs on these words alone. */
export function draw(...words: readonly (string | number)[]): number {
  return Number.parseInt(hash('sha256', words.join('|')).slice(0, 12), 16) / 2 ** 48;
}
