/**
 * Clerks who sell until the test ends them, whatever happens: they sign in again when their token is refused, ask again when no
 * answer came, and remember what they heard.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Called, type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { payArgs } from './acts.ts';
import { hold, type Pair } from './trip.ts';

export interface Call extends Pick<Called, 'ms' | 'outcome'> {
  /** Monotonic milliseconds. */
  readonly began: number;
  /** What happened meanwhile. */
  readonly under: string;
  readonly locator?: string | undefined;
}

/** What became of one booking. */
export interface Sale {
  readonly locator: string;
  readonly under: string;
  /** Its payment was reported as done. */
  told: boolean;
}

const PAUSE_MS = 150;
const TRIES = 4;
const GOOD = ['ok', 'done', 'already_done', 'approval_required'];

/** Whether a call was refused, lost, or its outcome is not known. */
export const isLost = ({ outcome }: Pick<Call, 'outcome'>): boolean => !GOOD.includes(outcome);

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
      return (await caller?.call(name, args)) ?? { ms: 0, status: 0, outcome: 'no token', structured: {}, text: '' };
    },
    close: () => caller?.close(),
  };
}

export function putToWork(callers: readonly McpCaller[], pair: Pair) {
  const calls: Call[] = [];
  const sales: Sale[] = [];
  let under = '';
  let working = true;

  const noting = (caller: McpCaller): Pick<McpCaller, 'call'> => ({
    async call(name, args: { readonly locator?: string } = {}) {
      const began = performance.now();
      const called = await caller.call(name, args);
      calls.push({ began, ms: called.ms, outcome: called.outcome, under, locator: args.locator });
      return called;
    },
  });

  /** The question is asked at one instance, and as often as not answered at the other. */
  async function pay({ call }: Pick<McpCaller, 'call'>, locator: string): Promise<void> {
    const sale: Sale = { locator, under, told: false };
    sales.push(sale);
    let id: string | undefined;
    for (let tries = 0; tries < TRIES && (working || tries === 0); tries++) {
      id ??= (await call('pay_booking', payArgs(locator))).structured.approval?.id;
      if (id !== undefined) {
        const { outcome } = await call('pay_booking', payArgs(locator, id));
        sale.told = /^(already_)?done$/.test(outcome);
        if (sale.told) return;
      }
      await wait(PAUSE_MS * 3);
    }
  }

  const lives = callers.map(async (caller) => {
    const noted = noting(caller);
    while (working) {
      const locator = await hold(noted, pair, 12 + Math.floor(Math.random() * 60));
      if (locator !== undefined) {
        await pay(noted, locator);
        await noted.call('read_booking', { locator });
      }
      await wait(PAUSE_MS);
    }
  });
  return {
    calls: calls as readonly Call[],
    sales: sales as readonly Sale[],
    /** Names what calls are made under from now on. */
    under(what: string) {
      under = what;
    },
    async end() {
      working = false;
      await Promise.all(lives);
    },
  };
}
