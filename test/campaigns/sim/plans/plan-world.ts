/**
 * One schedule of plans: two server processes on one store, a bad airline, an agent that proposes and follows, a person who
 * ticks, says yes or no, and stops, and others who change the bookings meanwhile. The seed decides everything.
 */
import { decide } from '../../../../src/approvals/decide.ts';
import { planCall } from '../../../../src/approvals/plans/call.ts';
import { decidePlan, stopPlan } from '../../../../src/approvals/plans/decide-plan.ts';
import type { PlanLine } from '../../../../src/approvals/plans/plan.ts';
import { propose } from '../../../../src/approvals/plans/propose.ts';
import type { Approval } from '../../../../src/approvals/ports.ts';
import { ACTIVE_STATES, type OperationState } from '../../../../src/journal/operation.ts';
import { Chance } from '../../support/chance.ts';
import { SimAirline, weather } from '../airline.ts';
import { MemoryOperations } from '../memory-operations.ts';
import { type Hazards, Incarnation } from '../process.ts';
import { Scheduler } from '../scheduler.ts';
import type { Kind, Truth } from '../truth.ts';
import { MemoryPlans } from './memory-plans.ts';
import { ANN, moveLine, PlanDesk, type PlanPolicy } from './plan-desk.ts';

/** What the person did, as they know it. */
export interface Click {
  /** Operation id of the question. */
  readonly question: string;
  readonly at: number;
  readonly yes: boolean;
  /** Lines of a plan; empty for a question about one act. */
  readonly ticked: readonly number[];
}

export interface PlanHistory {
  readonly seed: number;
  readonly store: MemoryOperations;
  readonly memory: MemoryPlans;
  readonly airline: SimAirline;
  readonly plan: string | undefined;
  readonly lines: readonly PlanLine[];
  readonly clicks: readonly Click[];
  /** When the person knew that the plan was stopped. */
  readonly stops: readonly { readonly plan: string; readonly at: number }[];
  /** Moves of operations, in order. */
  readonly moves: readonly { readonly id: string; readonly to: OperationState; readonly at: number }[];
  /** Nobody died, slept or failed. */
  readonly isCalm: boolean;
  readonly crashes: number;
  readonly endedAt: number;
}

const CALM = 3 * 3600_000;
const HORIZON = 6 * 3600_000;
const MAX_EVENTS = 100_000;
const PATIENCE = 60_000;
const ROUNDS = 3;
const CALLS = 60;
const LOCATORS = ['A', 'B', 'C', 'D'] as const;
const KINDS: readonly Kind[] = ['pay', 'cancel_segments', 'cancel_passengers', 'change_names', 'cancel_booking'];

export function livePlan(seed: number, policy: PlanPolicy = {}): Promise<PlanHistory> {
  return new PlanWorld(seed, policy).live();
}

class PlanWorld {
  readonly #seed: number;
  readonly #policy: PlanPolicy;
  readonly #scheduler = new Scheduler();
  readonly #chance: Chance;
  readonly #airline: SimAirline;
  readonly #store = new MemoryOperations({ chained: false });
  readonly #memory = new MemoryPlans(this.#store);
  readonly #hazards: Hazards;
  readonly #processes: ({ inc: Incarnation; desk: PlanDesk } | undefined)[] = [];
  readonly #clicks: Click[] = [];
  readonly #stops: { plan: string; at: number }[] = [];
  readonly #moves: { id: string; to: OperationState; at: number }[] = [];
  readonly #drifts: number;
  readonly #lines: PlanLine[] = [];
  #plan: string | undefined;
  #crashes = 0;
  #agents = 0;
  #over = false;

  constructor(seed: number, policy: PlanPolicy) {
    this.#seed = seed;
    this.#policy = policy;
    this.#chance = new Chance(seed);
    this.#hazards = {
      crash: this.#chance.pick([0, 0.003, 0.003, 0.01]),
      pause: this.#chance.pick([0, 0.002, 0.002, 0.01]),
      storeFault: this.#chance.hit(0.2) ? 0.005 : 0,
    };
    this.#drifts = this.#chance.pick([0, 0.3, 0.3, 0.8]);
    this.#airline = new SimAirline(this.#scheduler, this.#chance, weather(this.#chance));
    const put = this.#airline.put.bind(this.#airline);
    this.#airline.put = (truth) => {
      const isNew = truth.locator.startsWith('N') && !this.#airline.bookings.has(truth.locator);
      put(truth);
      if (isNew && this.#chance.hit(this.#drifts / 2))
        this.#scheduler.after(this.#chance.between(0, 3_000), () => this.#meddleNew(truth.locator));
    };
    const move = this.#store.transition.bind(this.#store);
    this.#store.transition = async (id, from, to, patch, meta) => {
      const moved = await move(id, from, to, patch, meta);
      if (moved) this.#moves.push({ id, to, at: this.#scheduler.now });
      return moved;
    };
  }

  async live(): Promise<PlanHistory> {
    for (const locator of LOCATORS.slice(0, this.#chance.between(2, LOCATORS.length))) this.#populate(locator);
    for (const n of [0, 1]) this.#start(n, 0);
    void this.#agent();
    void this.#watch();
    await this.#scheduler.run(() => this.#isOver());
    const told = { plan: this.#plan, lines: this.#lines, clicks: this.#clicks, stops: this.#stops, moves: this.#moves };
    const world = { seed: this.#seed, store: this.#store, memory: this.#memory, airline: this.#airline };
    const { crash, pause, storeFault } = this.#hazards;
    return {
      ...world,
      ...told,
      isCalm: crash + pause + storeFault === 0,
      crashes: this.#crashes,
      endedAt: this.#scheduler.now,
    };
  }

  #isOver(): boolean {
    return this.#over || this.#scheduler.now > HORIZON || this.#scheduler.events > MAX_EVENTS;
  }

  async #watch(): Promise<void> {
    while (!this.#over) {
      await this.#scheduler.sleep(20_000);
      if (this.#agents > 0 || this.#airline.underWay > 0) continue;
      const open = await this.#store.list({ states: ACTIVE_STATES, limit: 1 });
      this.#over = open.length === 0 && (await this.#memory.unfinished(this.#scheduler.now - 1_900_000)).length === 0;
    }
  }

  #start(n: number, life: number): void {
    const hazards = () => (this.#scheduler.now < CALM ? this.#hazards : { crash: 0, pause: 0, storeFault: 0 });
    const inc = new Incarnation(`p${n}.${life}`, this.#scheduler, this.#chance, hazards, () => {
      this.#crashes++;
      this.#processes[n] = undefined;
      this.#scheduler.after(this.#chance.between(100, 30_000), () => this.#start(n, life + 1));
    });
    this.#scheduler.woke = true;
    const desk = new PlanDesk(inc, this.#store, this.#memory, this.#airline, this.#policy);
    this.#processes[n] = inc.dead ? undefined : { inc, desk };
  }

  #populate(locator: string): void {
    const moves = this.#chance.hit(0.4);
    const kind = this.#chance.pick(KINDS);
    const paid = moves || (kind !== 'pay' && kind !== 'cancel_booking');
    this.#airline.put(this.#booking(locator, paid));
    const refs = kind === 'cancel_segments' ? ['2'] : kind === 'pay' || kind === 'cancel_booking' ? [] : ['1'];
    const args = { locator, refs, ...(kind === 'change_names' && { given: 'NEWNAME' }) };
    this.#lines.push(
      moves ? moveLine(locator) : { title: `${kind} ${locator}`, locator, steps: [{ tool: kind, args }] },
    );
    if (this.#chance.hit(this.#drifts))
      this.#scheduler.after(this.#chance.between(0, 300_000), () => this.#meddle(locator));
  }

  #booking(locator: string, paid: boolean): Truth {
    const first = 10 * (1 + LOCATORS.indexOf(locator as (typeof LOCATORS)[number]));
    const people = [0, 1].map((i) => {
      return { who: first + i, ref: String(i + 1), given: `P${first + i}`, named: true, type: 'ADT' as const };
    });
    const segments = ['1', '2'].map((ref) => ({ ref, active: true }));
    const money = { total: 60_000, paid: paid ? [60_000] : [], ticketed: paid };
    return { locator, people, segments, ...money, refunds: [], cancelled: false };
  }

  /** Somebody at another desk changes a booking. */
  #meddle(locator: string): void {
    const truth = this.#airline.truth(locator);
    const dice = this.#chance.next();
    if (truth.paid.length === 0 && dice < 0.6) this.#airline.put({ ...truth, total: 66_000 });
    else if (dice < 0.8) {
      const people = truth.people.map((one, i) => (i === 1 ? { ...one, given: 'CORRECTED' } : one));
      this.#airline.put({ ...truth, people });
    } else {
      const segments = truth.segments.map((one) => (one.ref === '2' ? { ...one, active: false } : one));
      this.#airline.put({ ...truth, segments });
    }
  }

  /** The price of a new hold changes before it is paid. */
  #meddleNew(locator: string): void {
    const truth = this.#airline.truth(locator);
    if (truth.paid.length === 0 && !truth.cancelled) this.#airline.put({ ...truth, total: 900 });
  }

  async #agent(): Promise<void> {
    this.#agents++;
    for (let tried = 0; tried < 6 && this.#plan === undefined; tried++) {
      const view = await this.#invoke(({ parts }) => propose(parts, { caller: ANN }, this.#lines, []));
      this.#plan = view?.lines.length === 0 ? undefined : view?.id;
    }
    const plan = this.#plan;
    if (plan !== undefined) {
      if (this.#chance.hit(0.15)) void this.#stopLater(plan);
      for (let round = 0; round < ROUNDS; round++) if (!(await this.#round(plan))) break;
      await this.#answerAlone();
    }
    this.#agents--;
  }

  async #stopLater(plan: string): Promise<void> {
    await this.#scheduler.sleep(this.#chance.between(1000, 300_000));
    const done = await this.#invoke(({ parts }) => stopPlan(parts, { id: plan }));
    if (done === true) this.#stops.push({ plan, at: this.#scheduler.now });
  }

  /** Asks, has it answered, and follows it. False: nothing is left to ask. */
  async #round(plan: string): Promise<boolean> {
    let handle: unknown;
    for (let tried = 0; tried < 5; tried++) {
      const answer = await this.#invoke(({ parts }) => planCall(parts, { caller: ANN }, { plan_id: plan }, undefined));
      if (answer?.kind !== 'result') continue;
      if (answer.structured.status === 'already_done') return false;
      handle = (answer.structured.approval as { id?: string } | undefined)?.id;
      break;
    }
    const clicked = this.#click(plan);
    await this.#follow(plan, handle);
    await clicked;
    return true;
  }

  async #follow(plan: string, handle: unknown): Promise<void> {
    for (let call = 0; call < CALLS; call++) {
      const ask = () => this.#invoke(({ parts }) => planCall(parts, { caller: ANN }, { plan_id: plan }, handle));
      if (this.#chance.hit(0.1)) void ask();
      const answer = await ask();
      const { status } = (answer?.kind === 'result' && answer.structured) || {};
      if (status === 'done' || status === 'needs_person') return;
      if (handle === undefined) return;
      const question = [...this.#memory.all.values()].findLast(({ part }) => part?.plan === plan && part.line === 0);
      if (question?.decision === 'declined' || question?.decision === 'void') return;
      if (question?.decision === 'pending' && this.#scheduler.now > question.expiresAt) return;
      await this.#scheduler.sleep(this.#chance.between(5_000, 90_000));
    }
  }

  /** The person opens the page, ticks and answers; the answer may get lost on its way, and then they press again. */
  async #click(plan: string): Promise<void> {
    if (this.#chance.hit(0.05)) return;
    await this.#scheduler.sleep(this.#chance.between(1000, 120_000));
    const waiting = await this.#memory.waiting(this.#scheduler.now);
    const question = waiting.find(({ part }) => part?.plan === plan && part.line === 0);
    if (question === undefined) return;
    // Sometimes they read for so long that it is asked anew meanwhile.
    if (this.#chance.hit(0.1)) await this.#scheduler.sleep(this.#chance.between(1000, 400_000));
    const yes = this.#chance.hit(0.92);
    const lines = this.#lines.map((_, i) => i + 1);
    const ticked = this.#chance.hit(0.5) ? lines : lines.filter(() => this.#chance.hit(0.7));
    this.#clicks.push({ question: question.operationId, at: this.#scheduler.now, yes, ticked });
    await this.#press((desk) => decidePlan(desk.parts, question, { yes, assurance: 'page' }, ticked));
    if (yes && this.#chance.hit(0.05)) {
      await this.#scheduler.sleep(this.#chance.between(1, 60_000));
      const known = await this.#press((desk) => stopPlan(desk.parts, { id: plan }));
      if (known) this.#stops.push({ plan, at: this.#scheduler.now });
    }
  }

  /** False: no answer came. */
  async #press(work: (desk: PlanDesk) => Promise<unknown>): Promise<boolean> {
    for (let tried = 0; tried < 5; tried++) if ((await this.#invoke(work)) !== undefined) return true;
    return false;
  }

  /** Questions about one act, asked after the payment of a move. */
  async #answerAlone(): Promise<void> {
    for (const question of await this.#memory.waiting(this.#scheduler.now)) {
      if (question.part?.line === 0) continue;
      const yes = this.#chance.hit(0.8);
      this.#clicks.push({ question: question.operationId, at: this.#scheduler.now, yes, ticked: [] });
      await this.#press((desk) => this.#decideAlone(desk, question, yes));
    }
  }

  #decideAlone({ parts }: PlanDesk, { operationId }: Approval, yes: boolean) {
    const { runtime, settings, actOf } = parts;
    return decide({ operationId, yes, by: { assurance: 'page' }, runtime, settings, actOf });
  }

  /** A call from outside to either process. Undefined: no answer in time, a refusal, or nobody there. */
  #invoke<T>(work: (desk: PlanDesk) => Promise<T>): Promise<T | undefined> {
    const process = this.#processes[this.#chance.between(0, 1)];
    if (process === undefined) return this.#scheduler.sleep(2000).then(() => undefined);
    const { inc, desk } = process;
    return new Promise((resolve) => {
      const timer = this.#scheduler.after(PATIENCE, () => this.#scheduler.wake(() => resolve(undefined)));
      const end = (value?: T) => {
        if (inc.dead) return;
        this.#scheduler.cancel(timer);
        resolve(value);
      };
      inc.after(this.#chance.between(0, 5), () => this.#scheduler.wake(() => void work(desk).then(end, () => end())));
    });
  }
}
