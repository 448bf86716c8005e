/**
 * Counts what is being answered, by caller; awaited when the server stops.
 */

export class InFlight {
  #count = 0;
  readonly #perCaller = new Map<string, number>();
  #idle: (() => void)[] = [];

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

  /** Resolves when nothing is in flight. */
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
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
