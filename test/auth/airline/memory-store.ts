/**
 * Shared logins in memory, with a clock that the test sets. Follows postgres-logins.ts, to test the rules of
 * shared-token.ts.
 */
import type { LoginStore, Refusal, SharedLogin, TokenSet } from '../../../src/domain/login-store.ts';

interface Row {
  generation: number;
  tokens?: TokenSet;
  receivedAt: number;
  failures: number;
  pausedUntil: number;
  refusal?: Refusal;
  refusedAt: number[];
  holder?: string | undefined;
  leaseUntil: number;
}

export class MemoryStore implements LoginStore {
  readonly #now: () => number;
  readonly #rows = new Map<string, Row>();
  /** Every call throws while true. */
  away = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  async read(name: string): Promise<SharedLogin> {
    const { generation, tokens, receivedAt, failures, pausedUntil, refusal, refusedAt, leaseUntil } = this.#row(name);
    const now = this.#now();
    const recent = refusedAt.filter((at) => at > now - 3_600_000);
    const newest = recent.at(-1);
    return {
      generation,
      ...(tokens && { tokens }),
      ageMs: tokens ? now - receivedAt : 0,
      busy: leaseUntil > now,
      pauseMs: Math.max(0, pausedUntil - now),
      failures,
      ...(refusal && newest !== undefined && { refusal: { ...refusal, ageMs: now - newest, inAnHour: recent.length } }),
    };
  }

  async claim(name: string, generation: number, holder: string, leaseMs: number): Promise<boolean> {
    const row = this.#row(name);
    const now = this.#now();
    if (row.generation !== generation || row.leaseUntil > now || row.pausedUntil > now) return false;
    Object.assign(row, { holder, leaseUntil: now + leaseMs });
    return true;
  }

  async put(name: string, generation: number, holder: string, tokens: TokenSet, ageMs: number): Promise<boolean> {
    return this.#end(name, generation, holder, (row) => {
      const fresh = { generation: generation + 1, tokens, receivedAt: this.#now() - ageMs };
      Object.assign(row, fresh, { failures: 0, pausedUntil: 0, refusal: undefined, refusedAt: [] });
    });
  }

  async pause(name: string, generation: number, holder: string, pauseMs: number): Promise<void> {
    this.#end(name, generation, holder, (row) => {
      row.failures += 1;
      row.pausedUntil = this.#now() + pauseMs;
    });
  }

  async refuse(name: string, generation: number, holder: string, refusal: Refusal): Promise<void> {
    this.#end(name, generation, holder, (row) => {
      row.refusal = refusal;
      row.refusedAt.push(this.#now());
    });
  }

  #end(name: string, generation: number, holder: string, change: (row: Row) => void): boolean {
    const row = this.#row(name);
    if (row.generation !== generation || row.holder !== holder) return false;
    Object.assign(row, { holder: undefined, leaseUntil: 0 });
    change(row);
    return true;
  }

  #row(name: string): Row {
    if (this.away) throw new Error('the store is away');
    const row = this.#rows.get(name) ?? {
      generation: 0,
      receivedAt: 0,
      failures: 0,
      pausedUntil: 0,
      refusedAt: [],
      leaseUntil: 0,
    };
    this.#rows.set(name, row);
    return row;
  }
}
