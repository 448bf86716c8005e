/**
 * Delays writes of shown offers and read bookings, so that several share a transaction. What a crash loses can be read
 * again from the airline. The journal is never written this way.
 */
import type { SqliteDatabase } from './database.ts';

/** How long a write waits for others, milliseconds: shorter than a person needs to continue in another process. */
const TOGETHER_MS = 100;
/** How long to wait after a failure, milliseconds: a try may block this process until another one frees its lock. */
const RETRY_MS = 5_000;
/** When this many writes wait, they are written at once. If that fails, the older half is dropped. */
const MOST_WAITING = 500;

interface DelayedWrite {
  /** Called within a shared transaction, perhaps more than once. */
  readonly write: () => void;
  /** Called once, when it is written or dropped. */
  readonly whenOver: (() => void) | undefined;
}

export class WriteBehind {
  readonly #db: SqliteDatabase;
  readonly #failed: (error: unknown) => void;
  #waiting: DelayedWrite[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * Flushes the writes before each read of `db` that must see them.
   * @param failed called when writes fail; they are tried again
   */
  constructor(db: SqliteDatabase, failed: (error: unknown) => void = () => undefined) {
    this.#db = db;
    this.#failed = failed;
    db.flushBeforeReads(() => this.flush());
  }

  /** Adds a write. Never throws. */
  add(write: DelayedWrite['write'], whenOver?: DelayedWrite['whenOver']): void {
    this.#waiting.push({ write, whenOver });
    if (this.#waiting.length >= MOST_WAITING) this.tryFlush();
    else this.#writeSoon();
  }

  /** Writes everything. @throws if a write fails. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const writes = this.#waiting;
    this.#db.lightly(() =>
      this.#db.transaction(() => {
        for (const { write } of writes) write();
      }),
    );
    this.#removeOldest(writes.length);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes everything; reports a failure instead of throwing. */
  tryFlush(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failed(error);
      if (this.#waiting.length >= MOST_WAITING) this.#removeOldest(this.#waiting.length - MOST_WAITING / 2);
    }
  }

  close(): void {
    this.tryFlush();
    this.#removeOldest(this.#waiting.length);
    clearTimeout(this.#timer);
  }

  /** Removes the oldest writes from the list, which were written or are dropped. */
  #removeOldest(count: number): void {
    for (const { whenOver } of this.#waiting.splice(0, count)) whenOver?.();
  }

  #writeSoon(ms = TOGETHER_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.tryFlush();
      if (this.#waiting.length > 0) this.#writeSoon(RETRY_MS);
    }, ms).unref();
  }
}
