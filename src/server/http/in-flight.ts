/**
 * What is being answered: awaited when the server stops.
 */

export class UnderWay {
  #count = 0;
  readonly #perCaller = new Map<string, number>();
  #idle: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  of(key: string): number {
    return this.#perCaller.get(key) ?? 0;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.#count++;
    this.#perCaller.set(key, this.of(key) + 1);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #leave(key: string): void {
    this.#count--;
    const left = this.of(key) - 1;
    if (left <= 0) this.#perCaller.delete(key);
    else this.#perCaller.set(key, left);
    if (this.#count > 0) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}
