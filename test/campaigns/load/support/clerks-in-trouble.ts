/**
 * Clerks who sell whatever happens: they sign in again when their token is refused, ask again when no answer came, and
 * remember what they heard.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Called, type McpCaller, mcpCaller } from '../../../support/mcp-http.ts';
import { payArgs } from '../../support/acts.ts';
import { hold, type Pair } from '../../support/trip.ts';

/** What became of one booking. */
export interface Sale {
  readonly locator: string;
  /** The fault under which it was paid. */
  readonly fault: string;
  told: boolean;
}

export interface Clerks {
  readonly sales: readonly Sale[];
  /** Answers by fault and outcome. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Names the fault that calls count for from now on. */
  under(fault: string): void;
  end(): Promise<void>;
}

const PAUSE_MS = 150;
const TRIES = 4;

/** A caller who gets a new token when the old one is refused: such a call was not carried out. */
export function signedInCaller(url: string, newToken: () => Promise<string>): McpCaller {
  let caller: McpCaller | undefined;
  const renew = async () => {
    const token = await newToken().catch(() => undefined);
    if (token === undefined) return;
    caller?.close();
    caller = mcpCaller(url, token);
  };
  return {
    async call(name, args) {
      if (caller === undefined) await renew();
      const called = await caller?.call(name, args);
      if (called !== undefined && called.status !== 401) return called;
      await renew();
      return (await caller?.call(name, args)) ?? { ms: 0, status: 0, outcome: 'no token', structured: {} };
    },
    close: () => caller?.close(),
  };
}

export function putClerksToWork(callers: readonly McpCaller[], pair: Pair): Clerks {
  const sales: Sale[] = [];
  const outcomes = new Map<string, Map<string, number>>();
  let fault = 'none';
  let working = true;

  async function act(caller: McpCaller, name: string, args: object): Promise<Called> {
    const called = await caller.call(name, args);
    const counts = outcomes.get(fault) ?? new Map<string, number>();
    outcomes.set(fault, counts.set(called.outcome, (counts.get(called.outcome) ?? 0) + 1));
    return called;
  }

  async function pay(caller: McpCaller, locator: string): Promise<void> {
    const sale: Sale = { locator, fault, told: false };
    sales.push(sale);
    let id: string | undefined;
    for (let tries = 0; tries < TRIES && working; tries++) {
      id ??= (await act(caller, 'pay_booking', payArgs(locator))).structured.approval?.id;
      if (id !== undefined) {
        const { outcome } = await act(caller, 'pay_booking', payArgs(locator, id));
        sale.told = /^(already_)?done$/.test(outcome);
        if (sale.told) return;
      }
      await wait(PAUSE_MS * 3);
    }
  }

  async function live(caller: McpCaller): Promise<void> {
    while (working) {
      const locator = await hold(caller, pair, 12 + Math.floor(Math.random() * 60), act);
      if (locator !== undefined) {
        await pay(caller, locator);
        await act(caller, 'read_booking', { locator });
      }
      await wait(PAUSE_MS);
    }
  }

  const lives = callers.map(live);
  return {
    sales,
    outcomes,
    under(name) {
      fault = name;
    },
    async end() {
      working = false;
      await Promise.all(lives);
    },
  };
}
