/** Knows what is being answered, and for whom; awaited when the server stops. */
export class InFlight {
  readonly #running = new Map<Promise<unknown>, string>();

  /** How much is in flight for this caller. */
  of(key: string): number {
    return [...this.#running.values()].filter((one) => one === key).length;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.set(running, key);
    return running.finally(() => this.#running.delete(running));
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.keys());
  }
}
