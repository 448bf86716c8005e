/**
 * A desk with a clock that the play moves: three clerks and a supervisor, who sell in three currencies at three points of sale, each
 * an airline of its own with its own books, over one state.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { remembersRoutes } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { callerClerk, clerkOfAsker } from '../../../src/http/caller-clerk.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { readNetwork } from '../../../src/sandbox/network.ts';
import { airlineAt, type Sandbox } from '../../campaigns/support/airline.ts';
import { clerkOn, type Result, runtimeOf, type State, yesTo } from '../../campaigns/support/office.ts';
import { sqlOver } from '../../support/run-sql.ts';
import { holdLasts } from '../../support/sandbox/behaviours.ts';
import { startSandbox } from '../../support/sandbox/start.ts';

export const ZONE = 'Asia/Riyadh';
const TENANT = 'forty';
const DAY = 86_400_000;
/** A Sunday, at midnight in Riyadh. */
const FIRST = Date.parse('2026-12-06T00:00:00+03:00');
const HOLD = 2 * DAY;
/** Somebody may come and answer. */
const PAGE = { canOpen: () => true, open: async () => ({ opened: true }) };
const ALL = new Set(['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names']);

export type Who = 'ann' | 'ben' | 'cyd' | 'sue';
export type Currency = 'SAR' | 'KWD' | 'JPY';
export const SELLS: Readonly<Record<Who, Currency>> = { ann: 'SAR', ben: 'SAR', cyd: 'KWD', sue: 'JPY' };

/** The date of the nth day of the fortnight; of the days after it too. */
export const dayOn = (n: number): string => new Date(FIRST + (n - 1) * DAY + DAY / 2).toISOString().slice(0, 10);

interface Rule {
  readonly amount?: string;
}
interface Tariff {
  readonly fares: readonly { readonly refund: readonly Rule[]; readonly change: readonly Rule[] }[];
}

/** Prices that need all three decimals of a KWD, and none of a JPY. `times`: fees of the tariff in SAR. */
const PRICES = {
  SAR: { price: undefined, digits: 2, times: 1 },
  KWD: { price: { start: '2', perMinute: '0.0935', step: '0.125' }, digits: 3, times: 0.0813 },
  JPY: { price: { start: '800', perMinute: '36', step: '10' }, digits: 0, times: 41.3 },
} as const;

/** The airline of a point of sale: rail, with its prices in another currency. */
async function pointOfSale(currency: Currency, seed: number, now: () => number) {
  const usual = join(import.meta.dirname, '../../../src/sandbox/rail-network.json');
  const network = JSON.parse(readFileSync(usual, 'utf8')) as Tariff;
  const { price, digits, times } = PRICES[currency];
  const scaled = (rule: Rule) => ({
    ...rule,
    ...(rule.amount && { amount: (Number(rule.amount) * times).toFixed(digits) }),
  });
  const fares = network.fares.map((fare) => ({
    ...fare,
    refund: fare.refund.map(scaled),
    change: fare.change.map(scaled),
  }));
  const name = `Sandbox Rail ${currency}`;
  const own = readNetwork({ ...network, name, currency, fares, ...(price && { price }) });
  const sandbox = await startSandbox({ now, seed, network: own, accepts: 'key', rewrite: holdLasts(HOLD) });
  const payment = { amount: 'dialect', account: 'sandbox-account' } as const;
  const adapter = airlineAt({ settings: sandbox.settings, mode: 'key', payment });
  return {
    currency,
    sandbox,
    airline: behind([remembersRoutes(now)], adapter),
    async close() {
      await adapter.close();
      await sandbox.close();
    },
  };
}

export interface Asked {
  /** What the person says; nobody says anything to a question that is only asked. */
  readonly says?: 'yes' | 'no' | 'nothing';
  /** Minutes that the person takes. */
  readonly after?: number;
  /** Default: the dialog of the host. */
  readonly via?: 'dialog' | 'assistant' | 'page';
}

export type PlayedDesk = Awaited<ReturnType<typeof openPlayedDesk>>;

/** @param openState a state whose clock is the play's */
export async function openPlayedDesk(openState: (now: () => number) => Promise<State>) {
  let now = FIRST;
  const clockNow = () => now;
  const places = await Promise.all(
    (['SAR', 'KWD', 'JPY'] as const).map((currency, i) => pointOfSale(currency, i + 7, clockNow)),
  );
  const [home] = places;
  if (home === undefined) throw new Error('no point of sale');
  const at = (currency: Currency) => places.find((place) => place.currency === currency) ?? home;
  const knows = ({ sandbox }: { sandbox: Sandbox }, locator: string) =>
    sandbox.ledger().some((entry) => entry.locator === locator);
  const airlineKnowing = (locator: string) => (places.find((place) => knows(place, locator)) ?? home).airline;
  const opened = await openState(clockNow);
  // Not the machine's watch of a set clock: another test of this process may have moved what it compares.
  const state = { ...opened, clock: { now: clockNow, sleep: systemClock.sleep } };
  const parts = {
    ...runtimeOf({
      airline: { ...home.airline, read: (locator: string) => airlineKnowing(locator).read(locator) },
      state,
    }),
    pointOfSaleOf: ({ id }: { id: string }) => {
      const { airline, currency } = at(SELLS[id as Who]);
      return { airline, currency };
    },
  };
  const failures: unknown[] = [];
  const settings = { timeZone: () => ZONE, assumedOperations: true, dialect: 'rail' as const };
  const ways = {
    dialog: clerkOn(parts, failures, { settings, runSql: sqlOver(state.ledgerRows) }),
    assistant: clerkOn(parts, failures, { settings, approval: 'echo' }),
    page: clerkOn(parts, failures, { settings, approval: 'page', page: PAGE }),
  };
  const call = (who: Who, tool: string, args: object, via: keyof typeof ways = 'dialog', more: object = {}) => {
    const caller = { tenant: TENANT, id: who };
    const clerk = callerClerk(ways[via], { caller, scopes: ALL, supervisor: who === 'sue' } as never);
    return clerk.call(tool, args, { caller, canElicit: via === 'dialog', canOpenUrls: false, ...more });
  };
  const minutes = (count: number) => {
    now += count * 60_000;
  };
  const result = async (who: Who, tool: string, args: object): Promise<Result> => {
    const answer = await call(who, tool, args);
    if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
    return answer;
  };
  /** Asks, and answers as the play says. Returns how it ended. */
  async function ask(who: Who, tool: string, args: object, { says = 'yes', after = 1, via = 'dialog' }: Asked = {}) {
    const asked = await call(who, tool, args, via);
    if (via === 'dialog') {
      if (asked.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(asked)}`);
      if (says === 'nothing') return asked;
      minutes(after);
      const raw = says === 'yes' ? yesTo(asked) : { action: 'decline' };
      return await call(who, tool, args, via, { dialog: { handle: asked.handle, raw } });
    }
    if (asked.kind !== 'result') throw new Error(`${tool} asked in a dialog`);
    if (says === 'nothing') return asked;
    const { approval } = asked.structured as { approval?: { id: string } };
    if (approval === undefined) throw new Error(`${tool} did not ask: ${asked.text}`);
    minutes(after);
    if (via === 'assistant') return await call(who, tool, { ...args, approval_id: approval.id }, via);
    const waiting = await ways.page.waiting();
    const question = waiting.find(
      ({ locator, caller }) => locator === (args as { locator: string }).locator && caller === who,
    );
    if (question === undefined) throw new Error(`${tool} waits for nobody`);
    const asker = { tenant: TENANT, id: who };
    await clerkOfAsker(ways.page, asker).decide(question.operationId, says === 'yes', {
      assurance: 'page',
      approver: 'sue',
    });
    return asked;
  }
  return {
    at,
    result,
    ask,
    failures,
    state,
    parts,
    /** Sets the clock to a local time of the nth day. */
    time(day: number, clock: string) {
      const wanted = Date.parse(`${dayOn(day)}T${clock}:00+03:00`);
      if (wanted < now) throw new Error(`day ${day} ${clock} is over`);
      now = wanted;
    },
    minutes,
    now: clockNow,
    async close() {
      await ways.dialog.idle();
      for (const place of places) await place.close();
      await opened.close();
    },
  };
}
