/**
 * Writes that nobody waits for: offers that were shown, bookings that were seen. Each is a matter of microseconds, its
 * transaction is not, so those of a moment share one. What a crash loses of them can be had again from the airline;
 * nothing of the journal ever goes this way.
 */
import type { SqliteDatabase } from './sqlite/database.ts';

/** How long a write waits for others, milliseconds: no person is quicker than that in another process. */
const TOGETHER_MS = 25;
/** A try may wait for another process's lock, and everything with it: after one that failed there is a rest. */
const AGAIN_MS = 5_000;
/** So many are written at once in any case; where that fails, the oldest are given up. */
const MOST = 500;

interface Write {
  /** Called within a transaction of others, perhaps more than once. */
  readonly write: () => void;
  /** Called once: it is written, or given up. */
  readonly over: (() => void) | undefined;
}

export class LightWrites {
  readonly #db: SqliteDatabase;
  readonly #failed: (error: unknown) => void;
  #waiting: Write[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `failed` is told when what was gathered could not be written; it stays, and is tried again. */
  constructor(db: SqliteDatabase, failed: (error: unknown) => void = () => undefined) {
    this.#db = db;
    this.#failed = failed;
    db.catchUp = () => this.flush();
  }

  /** Never throws. */
  add(write: Write['write'], over?: Write['over']): void {
    this.#waiting.push({ write, over });
    if (this.#waiting.length >= MOST) this.write();
    else this.#soon();
  }

  /** Writes what waits, before it is looked for. Throws where that cannot be done. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const writes = this.#waiting;
    this.#db.lightly(() =>
      this.#db.transaction(() => {
        for (const { write } of writes) write();
      }),
    );
    this.#end(writes.length);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes what waits, as far as it can be written. */
  write(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failed(error);
      if (this.#waiting.length >= MOST) this.#end(this.#waiting.length - MOST / 2);
    }
  }

  /** The last of them, as far as they can be written. */
  close(): void {
    this.write();
    this.#end(this.#waiting.length);
    clearTimeout(this.#timer);
  }

  /** The oldest are over. */
  #end(count: number): void {
    for (const { over } of this.#waiting.splice(0, count)) over?.();
  }

  #soon(ms = TOGETHER_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.write();
      if (this.#waiting.length > 0) this.#soon(AGAIN_MS);
    }, ms).unref();
  }
}
