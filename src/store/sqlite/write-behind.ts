/**
 * Delayed writes of shown offers and read bookings, several in one transaction. What a crash loses can be read again from
 * the airline; the journal is never written this way.
 */
import type { SqliteDatabase } from './database.ts';

/** How long a write waits for others, milliseconds: shorter than a person needs to continue in another process. */
const TOGETHER_MS = 100;
/** How long after a failure, milliseconds: a try may wait for another process's lock, and the whole process with it. */
const AGAIN_MS = 5_000;
/** Writes at once when so many wait; if that fails, drops the oldest. */
const MOST = 500;

interface Write {
  /** Called within a shared transaction, perhaps more than once. */
  readonly write: () => void;
  /** Called once, when it is written or dropped. */
  readonly over: (() => void) | undefined;
}

export class WriteBehind {
  readonly #db: SqliteDatabase;
  readonly #failed: (error: unknown) => void;
  #waiting: Write[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param failed called when writes fail; they are tried again */
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

  /** Writes everything before a read. @throws if a write fails. */
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

  /** Writes everything; reports a failure instead of throwing. */
  write(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failed(error);
      if (this.#waiting.length >= MOST) this.#end(this.#waiting.length - MOST / 2);
    }
  }

  close(): void {
    this.write();
    this.#end(this.#waiting.length);
    clearTimeout(this.#timer);
  }

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
