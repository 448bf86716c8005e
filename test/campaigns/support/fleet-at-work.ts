/** Callers who book, pay and read until the test ends them, and what became of each of their calls. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Called, McpCaller } from '../../support/mcp-http.ts';
import { payArgs } from './acts.ts';
import { ledgerOf } from './stage.ts';
import { hold, type Pair } from './trip.ts';

export interface Call extends Pick<Called, 'ms' | 'outcome'> {
  /** Monotonic milliseconds. */
  readonly began: number;
}

export interface Work {
  readonly calls: readonly Call[];
  /** Bookings whose payment was reported as done. */
  readonly paid: readonly string[];
  end(): Promise<void>;
}

const PAUSE_MS = 150;
const GOOD = ['ok', 'done', 'approval_required'];

/** Whether a call was refused, lost, or its outcome is not known. */
export function isLost({ outcome }: Pick<Call, 'outcome'>): boolean {
  return !GOOD.includes(outcome);
}

export function putToWork(callers: readonly McpCaller[], pair: Pair): Work {
  const calls: Call[] = [];
  const paid: string[] = [];
  let working = true;

  async function act(caller: McpCaller, name: string, args: object): Promise<Called> {
    const began = performance.now();
    const called = await caller.call(name, args);
    calls.push({ began, ms: called.ms, outcome: called.outcome });
    return called;
  }

  /** The question is asked at one instance, and as often as not answered at the other. A lost call ends the trip. */
  async function trip(caller: McpCaller): Promise<void> {
    const locator = await hold(caller, pair, 12 + Math.floor(Math.random() * 60), act);
    if (locator === undefined) return;
    const asked = await act(caller, 'pay_booking', payArgs(locator));
    const approval = asked.structured.approval?.id;
    if (approval === undefined) return;
    const done = await act(caller, 'pay_booking', payArgs(locator, approval));
    if (done.outcome === 'done') paid.push(locator);
    await act(caller, 'read_booking', { locator });
  }

  async function live(caller: McpCaller): Promise<void> {
    while (working) {
      await trip(caller);
      await wait(PAUSE_MS);
    }
  }

  const lives = callers.map(live);
  return {
    calls,
    paid,
    async end() {
      working = false;
      await Promise.all(lives);
      const counts = Map.groupBy(calls, ({ outcome }) => outcome);
      for (const [outcome, those] of counts) process.stderr.write(`  ${outcome}: ${those.length}\n`);
    },
  };
}

/** Locators of the payments in the airline's books, one for each payment. */
export function paymentsIn(books: string): readonly (string | undefined)[] {
  return ledgerOf(books)
    .filter(({ event }) => event === 'paid')
    .map(({ locator }) => locator);
}
