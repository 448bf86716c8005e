/**
 * One schedule of plans: two server processes on one store, a bad airline, an agent that proposes and follows, a person who
 * ticks, says yes or no, and stops, and others who change the bookings meanwhile. The seed decides everything.
 */

import { planCall } from '../../../../src/plans/call.ts';
import { decideActOrPlan } from '../../../../src/plans/decide-plan.ts';
import { propose } from '../../../../src/plans/propose.ts';
import { replacing } from '../../support/replacing.ts';
import type { Incarnation } from '../process.ts';
import { type Climate, Simulation } from '../simulation.ts';
import { ACTIVE, type Kind, sar, sold, type Truth } from '../truth.ts';
import { corrected, withoutSecond } from '../world.ts';
import { ANN, moveLine, PlanDesk, type PlanLine, type PlanPolicy, type Stored } from './plan-desk.ts';

type NewOperation = Parameters<Stored['operations']['insert']>[0];
type Approval = Awaited<ReturnType<Stored['plans']['approvals']>>[number];
type Amount = ReturnType<typeof sar>;

interface Click {
  readonly question: string;
  readonly at: number;
  readonly yes: boolean;
  /** Lines of a plan; empty for a question about one act. */
  readonly ticked: readonly number[];
}

export type PlanHistory = Awaited<ReturnType<typeof livePlan>>;

const CLIMATE: Climate = {
  ...{ crash: [0, 0.003, 0.003, 0.01], pause: [0, 0.002, 0.002, 0.01], storeFault: 0.005 },
  ...{ meddling: [0, 0.3, 0.3, 0.8], calmAfter: 3 * 3600_000, horizon: 6 * 3600_000 },
};
/** What comes when an act of the plan is about to be entered: no reading of the plan before it shows it. */
const MEANWHILE = [
  ...(['stop', 'no', 'half an hour', 'new question'] as const),
  ...(['lower limit of an action', 'lower limit of a day'] as const),
] as const;
type Meanwhile = (typeof MEANWHILE)[number];
/** One schedule of so many has it. */
const MEANWHILE_EVERY = 4;
/** Longer than a yes to a plan counts. */
const HALF_AN_HOUR_MS = 31 * 60_000;
/** Less than any act of a plan moves, if it moves money. */
const LOW = sar(1);
const ROUNDS = 3;
const CALLS = 60;
const LOCATORS = ['A', 'B', 'C', 'D'];
const KINDS: readonly Kind[] = ['pay', 'cancel_segments', 'cancel_passengers', 'change_names', 'cancel_booking'];

export function livePlan(seed: number, stored: Stored, policy: PlanPolicy) {
  return new PlanWorld(seed, stored, policy).live();
}

class PlanWorld extends Simulation<PlanDesk> {
  readonly #policy: PlanPolicy;
  readonly #stored: Stored;
  readonly #clicks: Click[] = [];
  readonly #stops: { readonly plan: string; readonly at: number }[] = [];
  readonly #moves: { readonly id: string; readonly to: string; readonly at: number }[] = [];
  readonly #lines: PlanLine[] = [];
  /** Those that the plan took: it numbers them. */
  #planned: readonly PlanLine[] = [];
  #plan: string | undefined;
  #meanwhile: Meanwhile | undefined;
  readonly #isUndisturbed: boolean;
  #limits: { readonly perAction?: Amount; readonly perDay?: Amount } = {};
  /** Operations that may not be sent, because of what came before they were entered. */
  readonly #barred = new Map<string, Meanwhile>();
  /** Until it has come. Another process that enters the same operation waits for it, too. */
  #coming: Promise<void> | undefined;

  constructor(seed: number, stored: Stored, policy: PlanPolicy) {
    super(seed, CLIMATE);
    this.#policy = { ...policy, limits: () => this.#limits };
    // By the seed itself: if it were drawn, all other schedules would be others.
    this.#isUndisturbed = seed % MEANWHILE_EVERY !== MEANWHILE_EVERY - 1;
    if (!this.#isUndisturbed) this.#meanwhile = MEANWHILE[Math.floor(seed / MEANWHILE_EVERY) % MEANWHILE.length];
    const put = this.airline.put.bind(this.airline);
    this.airline.put = (truth) => {
      const isNew = truth.locator.startsWith('N') && !this.airline.bookings.has(truth.locator);
      put(truth);
      if (isNew && this.chance.hit(this.meddling / 2))
        this.scheduler.after(this.chance.between(0, 3_000), () => this.#meddleNew(truth.locator));
    };
    const operations = replacing(stored.operations, {
      insert: async (operation, meta) => {
        await this.#meet(operation);
        return await stored.operations.insert(operation, meta);
      },
      transition: async (id, change, meta) => {
        const moved = await stored.operations.transition(id, change, meta);
        if (moved) this.#moves.push({ id, to: change.to, at: this.scheduler.now });
        return moved;
      },
    });
    this.#stored = { ...stored, operations };
  }

  override open(inc: Incarnation): PlanDesk {
    return new PlanDesk(inc, this.#stored, this.airline, this.#policy);
  }

  async live() {
    for (const locator of LOCATORS.slice(0, this.chance.between(2, LOCATORS.length))) this.#populate(locator);
    for (const n of [0, 1]) this.start(n);
    void this.#agent();
    void this.watch(async () => {
      const { operations, plans } = this.#stored;
      const open = await operations.list({ states: ACTIVE, limit: 1 });
      return open.length === 0 && (await plans.unfinished(this.scheduler.now - 1_900_000)).length === 0;
    });
    await this.run();
    const { airline, crashes, scheduler, hazards } = this;
    return {
      ...{ stored: this.#stored, airline, crashes, endedAt: scheduler.now },
      ...{ plan: this.#plan, lines: this.#planned, clicks: this.#clicks, approvals: await this.#approvals() },
      /** When the person knew that the plan was stopped. */
      stops: this.#stops,
      /** Moves of operations, in order. */
      moves: this.#moves,
      barred: this.#barred,
      /** Nobody died, slept or failed. */
      isCalm: this.#isUndisturbed && hazards.crash + hazards.pause + hazards.storeFault === 0,
    };
  }

  async #approvals() {
    return this.#plan === undefined ? [] : await this.#stored.plans.approvals(this.#plan);
  }

  /** Has what comes meanwhile come before the first operation of the plan that it can forbid. */
  async #meet({ id, amount }: NewOperation): Promise<void> {
    const what = this.#meanwhile;
    if (what === undefined) return this.#barred.has(id) ? await this.#coming : undefined;
    const approval = (await this.#approvals()).find(({ operationId }) => operationId === id);
    if (approval === undefined || this.#meanwhile === undefined) return;
    if (what.startsWith('lower limit') && (amount?.minor ?? 0) <= LOW.minor) return;
    this.#meanwhile = undefined;
    this.#barred.set(id, what);
    this.#coming = this.#come(what, approval);
    await this.#coming;
  }

  async #come(what: Meanwhile, { handleHash, part: { plan } }: Approval): Promise<void> {
    const { approvals, plans } = this.#stored;
    switch (what) {
      case 'no':
        await approvals.takeBack(handleHash, { assurance: 'person' }, this.scheduler.now);
        return;
      case 'half an hour':
        return this.scheduler.sleep(HALF_AN_HOUR_MS);
      case 'lower limit of an action':
        this.#limits = { perAction: LOW };
        return;
      case 'lower limit of a day':
        this.#limits = { perDay: LOW };
        return;
      case 'stop':
      case 'new question':
        await plans.stop(plan, this.scheduler.now);
        this.#stops.push({ plan, at: this.scheduler.now });
        if (what === 'new question') await this.#askAgain(plan);
    }
  }

  async #askAgain(plan: string): Promise<void> {
    const before = (await this.#stored.plans.get(plan))?.question;
    for (let tried = 0; tried < 5; tried++) {
      const args = { plan_id: plan, again: true };
      await this.invoke(({ parts }) => planCall(parts, { caller: ANN }, args, undefined));
      if ((await this.#stored.plans.get(plan))?.question !== before) return;
    }
  }

  #populate(locator: string): void {
    const moves = this.chance.hit(0.4);
    const kind = this.chance.pick(KINDS);
    const paid = moves || (kind !== 'pay' && kind !== 'cancel_booking');
    this.airline.put(this.#booking(locator, paid));
    const refs = kind === 'cancel_segments' ? ['2'] : kind === 'pay' || kind === 'cancel_booking' ? [] : ['1'];
    const args = { locator, refs, ...(kind === 'change_names' && { given: 'NEWNAME' }) };
    const line = { title: `${kind} ${locator}`, locator, steps: [{ tool: kind, args }] };
    this.#lines.push(moves ? moveLine(locator) : line);
    if (this.chance.hit(this.meddling))
      this.scheduler.after(this.chance.between(0, 300_000), () => this.#meddle(locator));
  }

  #booking(locator: string, paid: boolean): Truth {
    const first = 10 * (1 + LOCATORS.indexOf(locator));
    const people = [0, 1].map((i) => {
      return { who: first + i, ref: String(i + 1), given: `P${first + i}`, named: true, type: 'ADT' as const };
    });
    return sold(locator, people, paid);
  }

  #meddle(locator: string): void {
    const truth = this.airline.truth(locator);
    const dice = this.chance.next();
    if (truth.paid.length === 0 && dice < 0.6) this.airline.put({ ...truth, total: 66_000 });
    else this.airline.put(dice < 0.8 ? corrected(truth) : withoutSecond(truth));
  }

  /** The price of a new hold changes before it is paid. */
  #meddleNew(locator: string): void {
    const truth = this.airline.truth(locator);
    if (truth.paid.length === 0 && !truth.cancelled) this.airline.put({ ...truth, total: 900 });
  }

  async #agent(): Promise<void> {
    this.agents++;
    for (let tried = 0; tried < 6 && this.#plan === undefined; tried++) {
      const view = await this.invoke(({ parts }) => propose(parts, { caller: ANN }, { lines: this.#lines }));
      this.#plan = view?.lines.length === 0 ? undefined : view?.id;
      this.#planned = this.#lines.filter((line) => view?.lines.some(({ title }) => title === line.title));
    }
    const plan = this.#plan;
    if (plan !== undefined) {
      if (this.chance.hit(0.15)) void this.#stopLater(plan);
      for (let round = 0; round < ROUNDS; round++) if (!(await this.#round(plan))) break;
      await this.#answerAlone();
    }
    this.agents--;
  }

  async #stopLater(plan: string): Promise<void> {
    await this.scheduler.sleep(this.chance.between(1000, 300_000));
    const known = await this.invoke((desk) => stop(desk, plan));
    if (known !== undefined) this.#stops.push({ plan, at: this.scheduler.now });
  }

  /** Asks, has it answered, and follows it. False: nothing is left to ask. */
  async #round(plan: string): Promise<boolean> {
    let handle: unknown;
    for (let tried = 0; tried < 5; tried++) {
      const answer = await this.invoke(({ parts }) => planCall(parts, { caller: ANN }, { plan_id: plan }, undefined));
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
      const ask = () => this.invoke(({ parts }) => planCall(parts, { caller: ANN }, { plan_id: plan }, handle));
      if (this.chance.hit(0.1)) void ask();
      const answer = await ask();
      const { status } = (answer?.kind === 'result' && answer.structured) || {};
      if (status === 'done' || status === 'needs_person') return;
      if (handle === undefined) return;
      const question = (await this.#approvals()).findLast(({ part }) => part.line === 0);
      if (question?.decision === 'declined' || question?.decision === 'void') return;
      if (question?.decision === 'pending' && this.scheduler.now > question.expiresAt) return;
      await this.scheduler.sleep(this.chance.between(5_000, 90_000));
    }
  }

  /** The person opens the page, ticks and answers; the answer may get lost on its way, and then they press again. */
  async #click(plan: string): Promise<void> {
    if (this.chance.hit(0.05)) return;
    await this.scheduler.sleep(this.chance.between(1000, 120_000));
    const waiting = await this.#stored.approvals.waiting(this.scheduler.now);
    const question = waiting.find(({ part }) => part?.line === 0);
    if (question === undefined) return;
    // Sometimes they read for so long that it is asked anew meanwhile.
    if (this.chance.hit(0.1)) await this.scheduler.sleep(this.chance.between(1000, 400_000));
    const yes = this.chance.hit(0.92);
    const lines = this.#lines.map((_, i) => i + 1);
    const ticked = this.chance.hit(0.5) ? lines : lines.filter(() => this.chance.hit(0.7));
    this.#clicks.push({ question: question.operationId, at: this.scheduler.now, yes, ticked });
    await this.#press((desk) => answer(desk, question, yes, ticked));
    if (yes && this.chance.hit(0.05)) {
      await this.scheduler.sleep(this.chance.between(1, 60_000));
      const known = await this.#press((desk) => stop(desk, plan));
      if (known) this.#stops.push({ plan, at: this.scheduler.now });
    }
  }

  /** False: no answer came. */
  async #press(work: (desk: PlanDesk) => Promise<unknown>): Promise<boolean> {
    for (let tried = 0; tried < 5; tried++) if ((await this.invoke(work)) !== undefined) return true;
    return false;
  }

  /** Questions about one act, asked after the payment of a move. */
  async #answerAlone(): Promise<void> {
    for (const question of await this.#stored.approvals.waiting(this.scheduler.now)) {
      if (question.part?.line === 0) continue;
      const yes = this.chance.hit(0.8);
      this.#clicks.push({ question: question.operationId, at: this.scheduler.now, yes, ticked: [] });
      await this.#press((desk) => answer(desk, question, yes));
    }
  }
}

type Question = Awaited<ReturnType<Stored['approvals']['waiting']>>[number];

function answer({ parts }: PlanDesk, { operationId }: Question, yes: boolean, ticked?: readonly number[]) {
  return decideActOrPlan({ ...parts, plans: parts, operationId, yes, ticked, by: { assurance: 'page' } });
}

function stop({ parts }: PlanDesk, plan: string) {
  return planCall(parts, { caller: ANN }, { plan_id: plan, stop: true }, undefined);
}
