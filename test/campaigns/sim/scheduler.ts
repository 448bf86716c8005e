/**
 * Virtual time. Events run in order of their time; after each one that woke a promise, every microtask that follows
 * from it runs before the next event, so a run depends on nothing but its seed.
 */

export interface Timer {
  readonly time: number;
  readonly order: number;
  run: (() => void) | undefined;
}

export class Scheduler {
  now = 0;
  /** Set whenever a promise was settled: its followers must run before the next event. */
  woke = false;
  events = 0;
  readonly #heap: Timer[] = [];
  #order = 0;

  after(ms: number, run: () => void): Timer {
    const timer = { time: this.now + ms, order: this.#order++, run };
    push(this.#heap, timer);
    return timer;
  }

  cancel(timer: Timer): void {
    timer.run = undefined;
  }

  /** Settles a promise from an event. */
  wake(settle: () => void): void {
    this.woke = true;
    settle();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, () => this.wake(resolve));
    });
  }

  /** Runs until `done` says so or nothing is left to happen. */
  run(done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          do {
            if (done() || !this.#next()) return resolve();
          } while (!this.woke);
          this.woke = false;
          // A tick set by a microtask runs when no microtask is left.
          queueMicrotask(drained);
        } catch (error) {
          reject(error);
        }
      };
      const drained = () => process.nextTick(step);
      this.woke = false;
      queueMicrotask(drained);
    });
  }

  #next(): boolean {
    const timer = pop(this.#heap);
    if (timer === undefined) return false;
    if (timer.run !== undefined) {
      this.now = timer.time;
      this.events++;
      timer.run();
    }
    return true;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || !before(timer, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || first === last) return first;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    const left = heap[down];
    if (left === undefined) break;
    const right = heap[down + 1];
    const child = right !== undefined && before(right, left) ? right : left;
    if (child === right) down++;
    if (!before(child, last)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = last;
  return first;
}
