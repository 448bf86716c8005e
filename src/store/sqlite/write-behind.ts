/**
 * Delays the writes of shown offers and read bookings, so that several share a transaction. What a crash loses can be
 * read again from the airline; the journal is never written this way.
 */
import type { SqliteDatabase } from './database.ts';

/** How long a write waits for others, milliseconds: shorter than a person needs to continue in another process. */
const TOGETHER_MS = 100;
/** How long it waits after a failure, milliseconds: a try may wait for another process's lock, and all else with it. */
const AGAIN_MS = 5_000;
/** When so many writes wait they are written at once; if that fails, the older half is dropped. */
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

  /** @param failed called when writes fail; they are tried again */
  constructor(db: SqliteDatabase, failed: (error: unknown) => void = () => undefined) {
    this.#db = db;
    this.#failed = failed;
    db.catchUp = () => this.flush();
  }

  /** Never throws. */
  add(write: DelayedWrite['write'], whenOver?: DelayedWrite['whenOver']): void {
    this.#waiting.push({ write, whenOver });
    if (this.#waiting.length >= MOST_WAITING) this.write();
    else this.#writeSoon();
  }

  /** Writes everything before a read. @throws if a write fails. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const writes = this.#waiting;
    this.#db.lightly(() =>
      this.#db.transaction(() => {
        for (const { write } of writes) write();
      }),
    );
    this.#takeOff(writes.length);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes everything; reports a failure instead of throwing. */
  write(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failed(error);
      if (this.#waiting.length >= MOST_WAITING) this.#takeOff(this.#waiting.length - MOST_WAITING / 2);
    }
  }

  close(): void {
    this.write();
    this.#takeOff(this.#waiting.length);
    clearTimeout(this.#timer);
  }

  /** Takes the oldest off the list, written or dropped. */
  #takeOff(count: number): void {
    for (const { whenOver } of this.#waiting.splice(0, count)) whenOver?.();
  }

  #writeSoon(ms = TOGETHER_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.write();
      if (this.#waiting.length > 0) this.#writeSoon(AGAIN_MS);
    }, ms).unref();
  }
}
