/**
 * An airline that throttles payments, two instances over one database, and callers who sign in: no question is asked into the pause, no
 * yes is spent in it, and what was approved is sent after it, spread. Counted at the airline's socket, by the airline's clock.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSignIn } from '../../src/auth/callers/access-tokens.ts';
import { placeAfterPause } from '../../src/domain/airline-pauses.ts';
import { createReadGuard } from '../../src/ota/transport/read-guard.ts';
import { jsonReply } from '../../src/sandbox/calls.ts';
import { startIssuer } from '../auth/callers/issuer.ts';
import { payArgs } from '../campaigns/support/acts.ts';
import { airlineAt, type OpenAirline, openAirline } from '../campaigns/support/airline.ts';
import { clerkOn, runtimeOf } from '../campaigns/support/office.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { type Called, type McpCaller, mcpCaller } from '../support/mcp-http.ts';
import { ALL_SCOPES, PUBLIC_URL, serve, UNLIMITED } from './support/serve.ts';

const database = suiteDatabase();
const PAYMENT = 'OTA_AirDemandTicketRQ';
const PAUSE_SECONDS = 45;
const CLERKS = 12;

/** A clock that tests move: who sleeps until then wakes. */
class MovedClock {
  #offset = 0;
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  readonly now = () => Date.now() + this.#offset;

  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const sleeper = { at: this.now() + ms, wake };
      const timer = setTimeout(wake, ms);
      const sleepers = this.#sleepers;
      function wake() {
        clearTimeout(timer);
        sleepers.delete(sleeper);
        resolve();
      }
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });

  move(ms: number): void {
    this.#offset += ms;
    for (const { at, wake } of [...this.#sleepers]) if (at <= this.now()) wake();
  }
}

let clock: MovedClock;
let schema: string;
let agency: OpenAirline;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let instances: readonly Awaited<ReturnType<typeof startInstance>>[];
let failures: unknown[];
/** The payments that came to the airline, and when, by the clock. */
let payments: { readonly at: number; readonly body: string }[];
/** When the airline takes payments again; undefined: the next payment begins the pause. */
let pausedUntil: number | undefined;
const callers: McpCaller[] = [];

beforeEach(async () => {
  clock = new MovedClock();
  schema = database.freshSchema();
  payments = [];
  failures = [];
  pausedUntil = 0;
  agency = await openAirline({
    before({ name, body }) {
      if (name !== PAYMENT) return undefined;
      payments.push({ at: clock.now(), body });
      pausedUntil ??= clock.now() + PAUSE_SECONDS * 1_000;
      const leftMs = pausedUntil - clock.now();
      if (leftMs <= 0) return undefined;
      const { headers, ...refusal } = jsonReply(429, {});
      return { ...refusal, headers: { ...headers, 'retry-after': String(Math.ceil(leftMs / 1_000)) } };
    },
  });
  issuer = await startIssuer();
  instances = [await startInstance('one'), await startInstance('other')];
});
afterEach(async () => {
  for (const caller of callers.splice(0)) caller.close();
  for (const instance of instances) await instance.close();
  await issuer.close();
  await agency.close();
  expect(failures).toEqual([]);
});

/** An instance of the server, with an adapter of its own, on the state that all share. */
async function startInstance(owner: string) {
  const { now } = clock;
  const state = await database.open({ schema, now });
  const readGuard = createReadGuard(now, undefined, state.airlinePauses);
  const adapter = airlineAt({ settings: agency.settings, now, readGuard });
  const ending = new AbortController();
  const plans = { leases: state.leases, owner, running: new Map(), ending: ending.signal };
  const parts = { ...runtimeOf({ airline: adapter, state, clock }), state, plans };
  const clerk = clerkOn(parts, failures, {
    approval: 'echo',
    resumesPlans: true,
    settings: { assumedOperations: true },
  });
  const close = async () => {
    ending.abort();
    await Promise.allSettled(plans.running.values());
    await clerk.idle();
    await adapter.close();
  };
  void clerk.runtime();
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL });
  return serve({ publicUrl: PUBLIC_URL, signIn, limits: UNLIMITED }, { clerk, close });
}

/** Moves the clocks of the airline, of the instances and of the database, which measures the pauses. */
async function pass(ms: number): Promise<void> {
  const sql = `update ${schema}.lease set lease_until = lease_until - ${ms} where name like 'pause %'`;
  await database.cluster().sql('clerk', sql);
  agency.sandbox.advance(ms);
  clock.move(ms);
}

/** Ends when the work has, while time passes ten times as fast. */
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const ending = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await wait(20);
    await pass(200);
  }
  return ending;
}

/** The same person at both instances. */
async function callersFor(sub: string): Promise<readonly [McpCaller, McpCaller]> {
  const token = await issuer.sign({ aud: `${PUBLIC_URL}/mcp`, scope: ALL_SCOPES, sub });
  const both = [0, 1].map((n) => mcpCaller(instances[n]?.url ?? '', token)) as [McpCaller, McpCaller];
  callers.push(...both);
  return both;
}

/** A hold of the agency, which this caller claims by its surname. */
async function claimedHold(caller: McpCaller): Promise<string> {
  const { locator } = await agency.stock.held();
  const surname = (await agency.airline.read(locator)).travelers[0]?.name?.surname;
  expect((await caller.call('read_booking', { locator, surname })).outcome).toBe('ok');
  return locator;
}

async function clerkWithHold(sub: string) {
  const at = await callersFor(sub);
  return { at, locator: await claimedHold(at[0]) };
}

type Clerk = Awaited<ReturnType<typeof clerkWithHold>>;

const clerksWithHolds = (prefix: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => clerkWithHold(`${prefix}-${n}`)));

/** Pays at an instance: asks, or says yes with the id of the approval. */
const pay = ({ at, locator }: Clerk, instance: 0 | 1, approvalId?: string) =>
  at[instance].call('pay_booking', payArgs(locator, approvalId));

const approvalOf = ({ structured }: Called): string => String(structured.approval?.id);
const codesOf = (all: readonly Called[]) => [...new Set(all.map(({ outcome }) => outcome))];

/** One payment is sent and refused with 429, which begins the pause. Its own yes was sent. */
async function beginPause(): Promise<void> {
  const first = await clerkWithHold('first');
  const approvalId = approvalOf(await pay(first, 0));
  pausedUntil = undefined;
  expect((await pay(first, 0, approvalId)).outcome).toBe('E_AIRLINE_BUSY');
  expect(payments).toHaveLength(1);
}

describe('a pause of payments that the airline asks for', () => {
  it('asks nobody, spends no yes, and lets what was approved leave after it, spread', async () => {
    const clerks = await clerksWithHolds('clerk', CLERKS);
    const asked = await Promise.all(clerks.map((clerk, n) => pay(clerk, n % 2 === 0 ? 0 : 1)));
    expect(codesOf(asked)).toEqual(['approval_required']);
    const approvals = asked.map(approvalOf);
    await beginPause();
    // A yes at either instance.
    const yes = (n: number) => pay(clerks[n] as Clerk, n % 3 === 0 ? 0 : 1, approvals[n]);
    const refused = await Promise.all(clerks.map((_, n) => yes(n)));
    expect(codesOf(refused)).toEqual(['E_AIRLINE_BUSY']);
    for (const { structured, text } of refused) {
      expect(structured.error.retry).toMatch(/^after_s:4[0-5]$/);
      expect(text).toMatch(/pause of requests of this kind until \d\d:\d\d \(UTC\S*\)\. Nothing was sent\./);
      expect(text).toMatch(/nobody is asked again\. The approval counts until \d\d:\d\d \(UTC\S*\)\./);
    }
    // A new question at either instance.
    const others = await clerksWithHolds('late', 2);
    const notAsked = [await pay(others[0] as Clerk, 0), await pay(others[1] as Clerk, 1)];
    for (const { outcome, text } of notAsked) {
      expect(outcome).toBe('E_AIRLINE_BUSY');
      expect(text).toMatch(/until \d\d:\d\d \(UTC\S*\)\. Nobody was asked, and nothing was sent\./);
    }
    expect(payments).toHaveLength(1);
    await pass(PAUSE_SECONDS * 1_000);
    const paid = await whileTimePasses(Promise.all(clerks.map((_, n) => yes(n))));
    expect(codesOf(paid)).toEqual(['done']);
    for (const { locator } of clerks) expect(agency.times('paid', locator)).toBe(1);
    expect(payments).toHaveLength(1 + CLERKS);
    // Each waited for its turn, and the turns are apart. A busy machine may be later.
    const turns = clerks.map(({ locator }, n) => {
      const turn = (pausedUntil ?? 0) + placeAfterPause(String(asked[n]?.structured.operation_id));
      expect(payments.find((payment) => payment.body.includes(locator))?.at).toBeGreaterThanOrEqual(turn);
      return turn;
    });
    expect(Math.max(...turns) - Math.min(...turns)).toBeGreaterThan(1_500);
    // And the question that was not asked is asked now.
    expect(codesOf([await pay(others[0] as Clerk, 0)])).toEqual(['approval_required']);
  });

  it('keeps the yes to the lines of a plan, says until when, and sends them after it by itself', async () => {
    const at = await callersFor('planner');
    const locators: string[] = [];
    for (let n = 0; n < 4; n++) locators.push(await claimedHold(at[0]));
    const steps = locators.map((one) => ({ tool: 'pay_booking', arguments: payArgs(one) }));
    const proposed = await at[0].call('propose_plan', { steps });
    const plan_id = proposed.structured.plan_id;
    const second = await at[0].call('propose_plan', { steps });
    const asked = await at[0].call('run_plan', { plan_id });
    expect(asked.outcome).toBe('approval_required');
    // The plan itself meets the pause: its first line is sent and refused.
    pausedUntil = undefined;
    const running = await whileTimePasses(at[1].call('run_plan', { plan_id, approval_id: approvalOf(asked) }));
    expect([running.outcome, payments.length]).toEqual(['pending', 1]);
    expect(running.text).toMatch(
      /pause of requests of this kind until \d\d:\d\d \(UTC\S*\)\. Nothing of the lines that wait/,
    );
    expect(running.text).toMatch(/What was approved is sent after it by itself, if that is before \d\d:\d\d/);
    // Nobody is asked about another plan of such lines.
    const notAsked = await at[0].call('run_plan', { plan_id: second.structured.plan_id });
    expect([notAsked.outcome, payments.length]).toEqual(['E_AIRLINE_BUSY', 1]);
    await pass(PAUSE_SECONDS * 1_000);
    await whileTimePasses(expect.poll(() => payments.length, { timeout: 20_000 }).toBe(locators.length));
    expect(locators.map((one) => agency.times('paid', one))).toEqual([0, 1, 1, 1]);
  });
});
