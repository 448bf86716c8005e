/**
 * Two desks with one clock, which the play moves, and one state: a desk in Berlin sells in three currencies, one in New York in a
 * fourth. Each currency is an airline of its own with its own books, and each desk counts its failed calls.
 */
import { remembersRoutes } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { callerClerk, clerkOfAsker } from '../../../src/http/caller-clerk.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { CallCounter } from '../../../src/ledger/call-counter.ts';
import { loadNetwork, type Network } from '../../../src/sandbox/network.ts';
import { airlineAt, type Sandbox } from '../../campaigns/support/airline.ts';
import { type Answer, clerkOn, type Result, runtimeOf, type State, yesTo } from '../../campaigns/support/office.ts';
import { sqlOver } from '../../support/run-sql.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { CURRENCIES, type Currency, DESKS, type DeskName, HOLD_MS, instantAt, PEOPLE, type Who } from './people.ts';
import { refundsOnExchange } from './refunds-on-exchange.ts';

/** Somebody may come and answer. */
const PAGE = { canOpen: () => true, open: async () => ({ opened: true }) };
const ALL = new Set(['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names']);

/** Prices that need all three decimals of a KWD, and none of a JPY. `times`: fees of the tariff. */
const PRICES: Readonly<Record<Currency, { price?: Network['price']; digits: number; times: number; zone: string }>> = {
  EUR: { digits: 2, times: 1, zone: 'Europe/Berlin' },
  KWD: {
    price: { start: '2', perMinute: '0.0935', step: '0.125' },
    digits: 3,
    times: 0.0813,
    zone: 'Asia/Riyadh',
  },
  JPY: { price: { start: '800', perMinute: '36', step: '10' }, digits: 0, times: 41.3, zone: 'Europe/Berlin' },
  USD: { digits: 2, times: 1.1, zone: 'America/New_York' },
};

/** The airline of a point of sale: rail, with stations in its zone and prices in its currency. */
async function pointOfSale(currency: Currency, seed: number, now: () => number) {
  const network = await loadNetwork('rail');
  const { price, digits, times, zone } = PRICES[currency];
  const scaled = (rule: Network['fares'][number]['refund'][number]) => ({
    ...rule,
    ...(rule.amount && { amount: (Number(rule.amount) * times).toFixed(digits) }),
  });
  const fares = network.fares.map((fare) => ({
    ...fare,
    refund: fare.refund.map(scaled),
    change: fare.change.map(scaled),
  }));
  const stations = network.stations.map((station) => ({ ...station, zone }));
  const name = `Sandbox Rail ${currency}`;
  const own = { ...network, name, currency, fares, stations, ...(price && { price }) };
  const sandbox = await startSandbox({
    ...{ now, seed, network: own, accepts: 'key' },
    rewrite: refundsOnExchange(HOLD_MS),
  });
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
  readonly via?: 'dialog' | 'page';
}

export type PlayedDesks = Awaited<ReturnType<typeof openPlayedDesks>>;

/** @param openState a state whose clock is the play's */
export async function openPlayedDesks(openState: (now: () => number) => Promise<State>, startsAt: number) {
  let now = startsAt;
  const clockNow = () => now;
  const opened = await openState(clockNow);
  const counter = new CallCounter({
    now: clockNow,
    records: async () => opened.callRecords,
  });
  const places = await Promise.all(CURRENCIES.map((currency, i) => pointOfSale(currency, i + 21, clockNow)));
  const [home] = places;
  if (home === undefined) throw new Error('no point of sale');
  const at = (currency: Currency) => places.find((place) => place.currency === currency) ?? home;
  const knows = ({ sandbox }: { sandbox: Sandbox }, locator: string) =>
    sandbox.ledger().some((entry) => entry.locator === locator);
  const airlineKnowing = (locator: string) => (places.find((place) => knows(place, locator)) ?? home).airline;
  // Not the machine's watch of a set clock: another test of this process may have moved what it compares.
  const state = { ...opened, clock: { now: clockNow, sleep: systemClock.sleep } };
  const whoIs = ({ tenant, id }: { readonly tenant: string; readonly id: string }) =>
    Object.values(PEOPLE).find((one) => one.id === id && DESKS[one.desk].tenant === tenant);
  const parts = {
    ...runtimeOf({
      airline: { ...home.airline, read: (locator: string) => airlineKnowing(locator).read(locator) },
      state,
    }),
    pointOfSaleOf(caller: { readonly tenant: string; readonly id: string }) {
      const { airline, currency } = at(whoIs(caller)?.sells ?? 'EUR');
      return { airline, currency };
    },
  };
  const failures: unknown[] = [];
  const clerksOf = (desk: DeskName) => {
    const settings = { timeZone: () => DESKS[desk].zone, assumedOperations: true, dialect: 'rail' as const };
    return {
      dialog: clerkOn(parts, failures, { settings, runSql: sqlOver(state.ledgerRows), counter }),
      page: clerkOn(parts, failures, { settings, counter, approval: 'page', page: PAGE }),
    };
  };
  const clerks = { hanse: clerksOf('hanse'), hudson: clerksOf('hudson') };
  const callerOf = (who: Who) => ({ tenant: DESKS[PEOPLE[who].desk].tenant, id: PEOPLE[who].id });
  function call(who: Who, tool: string, args: object, via: 'dialog' | 'page' = 'dialog', more: object = {}) {
    const caller = callerOf(who);
    const { desk, isSupervisor } = PEOPLE[who];
    const clerk = callerClerk(clerks[desk][via], { caller, scopes: ALL, supervisor: isSupervisor } as never);
    return clerk.call(tool, args, { caller, canElicit: via === 'dialog', canOpenUrls: false, ...more });
  }
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
    if (via === 'page') return answerOnPage(who, args as { locator: string }, asked, says, after);
    if (asked.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(asked)}`);
    if (says === 'nothing') return asked;
    minutes(after);
    const raw = says === 'yes' ? yesTo(asked) : { action: 'decline' };
    return await call(who, tool, args, via, { dialog: { handle: asked.handle, raw } });
  }
  /** The supervisor of the desk answers. */
  async function answerOnPage(who: Who, { locator }: { locator: string }, asked: Answer, says: string, after: number) {
    const { desk, id } = PEOPLE[who];
    const { page } = clerks[desk];
    minutes(after);
    const waiting = await page.waiting();
    const question = waiting.find((one) => one.locator === locator && one.caller === id);
    if (question === undefined) throw new Error(`nothing waits about ${locator}: ${JSON.stringify(asked)}`);
    const approver = DESKS[desk].supervisor;
    await clerkOfAsker(page, callerOf(who)).decide(question.operationId, says === 'yes', {
      assurance: 'page',
      approver,
    });
    return asked;
  }
  return {
    at,
    result,
    call,
    ask,
    failures,
    state,
    parts,
    /** Sets the clock to a time of a desk's day; `again`: when the clock shows it for the second time. */
    time(date: string, clock: string, zone: string, again = false) {
      const wanted = instantAt(zone, date, clock, again);
      if (wanted < now) throw new Error(`${date} ${clock} is over`);
      now = wanted;
    },
    minutes,
    now: clockNow,
    async close() {
      for (const { dialog } of Object.values(clerks)) await dialog.idle();
      await counter.close();
      for (const place of places) await place.close();
      await opened.close();
    },
  };
}
