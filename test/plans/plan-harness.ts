/**
 * Plans on a state in memory, with a clock that the test moves and an airline of its own: bookings with a version, which a
 * test can change behind the desk's back. Several processes may share it.
 */

import { noDialogs } from '../../src/approvals/consent-call.ts';
import { ClerkError } from '../../src/core/errors.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { planCall } from '../../src/plans/call.ts';
import { decideActOrPlan } from '../../src/plans/decide-plan.ts';
import { loadPlan } from '../../src/plans/plan-facts.ts';
import { planView } from '../../src/plans/plan-view.ts';
import { propose } from '../../src/plans/propose.ts';
import { runPlan } from '../../src/plans/run-plan.ts';
import { type Act, ANN, type Answer, accept, SETTINGS, type Settings, type Terms } from '../approvals/harness.ts';
import {
  type Booking,
  booking,
  type Evidence,
  error,
  lost,
  memoryState,
  type Operation,
  quiet,
  SETTLE,
  type State,
  TestClock,
} from '../journal/harness.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import { pendingApproval } from '../support/approvals.ts';
import { asSent } from '../support/halves.ts';
import { ACTS } from '../support/rules.ts';

export type Planner = Parameters<typeof planCall>[0];
type Asker = Parameters<typeof planCall>[1];
type RunPlanArgs = Parameters<typeof planCall>[2];
export type PlanView = Awaited<ReturnType<typeof propose>>;
export type PlanLine = Parameters<typeof propose>[2]['lines'][number];
export type PlanStep = PlanLine['steps'][number];
export type Approval = Awaited<ReturnType<State['approvals']['waiting']>>[number];
export type Result = Answer & { kind: 'result' };
export type Ask = Answer & { kind: 'ask' };

export const BOB = { tenant: 't', id: 'bob' };
/** How long one yes is good. */
export const YES_MS = 30 * 60_000;

const ORDER = { direction: 'PAYMENT', status: 'PAID' };
const KEPT = { version: 1, price: 10_000, paid: true, gone: false, drifts: 0 };
type Kept = typeof KEPT;

/** What the airline does with the next message: carries it out and answers, loses the answer, refuses, or drops the message. */
type Manner = 'done' | 'lost' | 'refused' | 'dropped';

type Sent = Record<'tool' | 'locator' | 'operationId', string>;

export class PlanHarness {
  readonly clock: TestClock;
  readonly state: State;
  settings: Settings = { ...SETTINGS, canUseTerminal: true };
  readonly bookings = new Map<string, Kept>();
  readonly sent: Sent[] = [];
  readonly done = new Set<string>();
  /** By locator; default: done. */
  readonly manners = new Map<string, Manner>();
  priceOfNew = 10_000;
  /** In what each booking that is paid is not as offered. */
  differs: string | undefined;
  /** Whether something limits what a change of flight costs. */
  costIsKnown = true;
  /** What the airline charges for it, minor units. */
  charges = 9_000;
  /** Called before a message is carried out. */
  before: (sent: Sent) => void | Promise<void> = () => undefined;
  readonly planner: Planner;
  /** What readings prove; default: the truth. */
  proves: 'done' | 'not_done' | 'contradicted' | 'void' | undefined;
  /** What the next previews differ in. */
  over: (locator: string, tool: string) => Partial<Terms> = () => ({});
  /** Until when the airline wants a pause. */
  pausedUntil = 0;
  /** Tools that are not offered. */
  readonly withheld = new Set<string>();
  readonly failures: unknown[] = [];
  readonly #endings = new Map<string, AbortController>();
  #ids = 0;
  #made = 0;

  constructor(state: State, clock: TestClock) {
    this.state = state;
    this.clock = clock;
    this.planner = this.process('p1');
  }

  static async open(): Promise<PlanHarness> {
    const clock = new TestClock();
    return new PlanHarness(await memoryState(clock), clock);
  }

  /** Another process on the same state. */
  process(owner: string): Planner {
    const { clock, state } = this;
    const ending = new AbortController();
    this.#endings.set(owner, ending);
    const random = { uuid: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}` };
    const airline = { read: async (locator: string) => this.shown(locator) };
    const plans = { leases: state.leases, owner, running: new Map<string, Promise<void>>(), ending: ending.signal };
    const journal = createJournal({
      ...{
        acts: ACTS,
        store: state.operations,
        chain: state.chain,
        clock,
        readerFor: () => airline,
        owner,
        settleMs: SETTLE,
      },
      digest: (text) => `#${text}`,
      rules: { reply: () => 'done', reading: ({ id }) => this.proves ?? (this.done.has(id) ? 'done' : 'not_done') },
    });
    const settings = () => this.settings;
    return {
      runtime: {
        acts: ACTS,
        state,
        journal,
        clock,
        random,
        inFlight: new Set(),
        dialogs: noDialogs(),
        plans,
      },
      get settings() {
        return settings();
      },
      actOf: (tool, args, how) => (this.withheld.has(tool) ? undefined : this.act(tool, args, how)),
      async each(items, done, work) {
        const all = await Promise.allSettled(items.map(work));
        done(all.length);
        return all;
      },
      failed: (failure) => void this.failures.push(failure),
    };
  }

  end(owner: string): void {
    this.#endings.get(owner)?.abort('over');
  }

  /** Bookings `B1`, `B2` …, paid by default. */
  make(count: number, kept: Partial<Kept> = {}): readonly string[] {
    return Array.from({ length: count }, () => {
      const locator = `B${++this.#made}`;
      this.bookings.set(locator, { ...KEPT, ...kept });
      return locator;
    });
  }

  kept(locator: string): Kept {
    const one = this.bookings.get(locator);
    if (one === undefined) throw error('E_NOT_FOUND');
    return one;
  }

  drift(locator: string): void {
    this.kept(locator).version += 1;
    this.kept(locator).drifts += 1;
  }

  shown(locator: string): Booking {
    this.kept(locator);
    return booking({ locator });
  }

  act(tool: string, args: Readonly<Record<string, unknown>>, { caller }: Asker): Act {
    const locator = String(args.locator ?? '');
    const preview = async () => ({ ...this.#terms(tool, locator, args), ...this.over(locator, tool) });
    return {
      ...{ tool, effect: tool === 'create_booking' ? 'hold' : 'commit', args, preview, previewAgain: preview },
      sendContext: undefined,
      commit: async (confirmed) => {
        if (!confirmed.dispatch.mayStart()) throw error('E_AIRLINE_DOWN');
        const sent = { tool, locator, operationId: confirmed.operationId };
        this.sent.push(sent);
        await this.before(sent);
        return this.#carryOut(sent);
      },
      pausedMs: async () => Math.max(0, this.pausedUntil - this.clock.now()),
      read: async (about) => this.shown(about),
      show: async () => ({ text: `${tool} done for ${caller.id}`, fields: {} }),
      remember: async () => undefined,
      ...{ isBound: () => true, readers: { vehicle: 'train' as const } },
    };
  }

  #terms(tool: string, locator: string, args: Readonly<Record<string, unknown>>): Terms {
    const common = { act: { verb: tool, booking: locator }, nature: 'change' as const, ask: true, send: {} };
    if (tool === 'create_booking') {
      const sections = [{ kind: 'act' as const, lines: ['Hold seats, unpaid.'] }];
      const subject = { kind: 'create' as const };
      return { ...common, act: { verb: 'Hold' }, ask: false, sections, subject, facts: args.offer };
    }
    const { version, price, paid, gone } = { ...this.kept(locator) };
    if (gone) throw new ClerkError('E_NOT_PERMITTED', `${locator} is gone. Nothing was sent.`, { next: 'Read it.' });
    const sections = [
      { kind: 'act' as const, lines: [`${tool} of ${locator}, version ${version}`] },
      { kind: 'people' as const, lines: ['Amal Haddad'] },
    ];
    const terms = { ...common, locator, sections, facts: version };
    if (tool === 'rebook_segment') {
      const approved = (args.approved as { minor: number } | undefined)?.minor ?? 0;
      const atMost = this.costIsKnown ? SAR(Math.max(price, approved)) : undefined;
      const money = { direction: 'payment' as const, amount: atMost, isUpperBound: true } as Terms['money'];
      const act = { verb: `Change flight ${args.flight}, at most ${atMost?.minor}` };
      const flight = (number: string) => ({ from: 'A', to: 'B', departs: '2031-01-01', number });
      const earlier = { earlierPayments: [], refundsBefore: 0, earlierRefunds: { entries: [], orders: [] }, kept: [] };
      const flights = { replaced: flight('1'), wanted: flight('2') };
      const subject = { kind: 'rebook_segment' as const, ...earlier, ...flights, ...(atMost && { atMost }) };
      return { ...terms, act, nature: 'payment', money, subject, binds: this.kept(locator).drifts };
    }
    if (tool === 'pay_booking') {
      const money = { direction: 'payment' as const, amount: SAR(price) };
      const subject = { kind: 'pay' as const, amount: SAR(price), coupons: 1 };
      const made = { booking: this.shown(locator), differs: this.differs };
      return { ...terms, act: { verb: `Pay SAR ${price}` }, nature: 'payment', money, subject, ...made };
    }
    if (tool !== 'cancel_booking') return { ...terms, subject: { kind: 'update_contact', details: [] } as never };
    const money = { direction: 'refund' as const, amount: SAR(price) };
    const base = { ...terms, nature: 'cancellation' as const, subject: { kind: 'cancel_booking' as const } };
    const estimate = { amount: SAR(price - 1_000), rule: 'a rule' };
    if (paid) return { ...base, money, estimate };
    return { ...base, act: { verb: 'Release', object: 'hold', booking: locator }, booking: this.shown(locator) };
  }

  #carryOut({ tool, locator, operationId }: Sent): Evidence {
    const manner = this.manners.get(locator) ?? this.manners.get(tool) ?? 'done';
    if (manner === 'refused') throw error('E_NOT_PERMITTED', { airline: { status: 422, code: '1' } });
    if (manner === 'dropped') throw lost();
    this.done.add(operationId);
    const name = tool === 'create_booking' ? `N${++this.#made}` : locator;
    if (tool === 'create_booking') this.bookings.set(name, { ...KEPT, price: this.priceOfNew, paid: false });
    if (tool === 'pay_booking') this.kept(name).paid = true;
    if (tool === 'cancel_booking') this.kept(name).gone = true;
    this.kept(name).version += 1;
    if (manner === 'lost') throw lost();
    const orders = tool === 'rebook_segment' ? [{ id: operationId, ...ORDER, amount: SAR(this.charges) }] : [];
    return { booking: { ...this.shown(name), orders } };
  }

  propose(lines: readonly PlanLine[], how: Asker = { caller: ANN }): Promise<PlanView> {
    return propose(this.planner, how, { lines });
  }

  /** A plan that cancels so many new bookings. */
  cancelling(count: number): Promise<PlanView> {
    return this.propose(this.make(count).map(cancelLine));
  }

  /** Calls run_plan, and moves the clock until it answers. */
  async run(id: string, how: Partial<Asker> = {}, approvalId?: unknown, over: Partial<RunPlanArgs> = {}) {
    return asSent(
      await this.during(planCall(this.planner, { caller: ANN, ...how }, { plan_id: id, ...over }, approvalId)),
    );
  }

  async during<T>(work: Promise<T>, most = 10 * 60_000): Promise<T> {
    let over = false;
    const ended = work.finally(() => {
      over = true;
    });
    ended.catch(() => undefined);
    for (let passed = 0; !over && passed < most; passed += 250) await this.clock.pass(250);
    return ended;
  }

  /** Asks on the page: the question of the plan. */
  async ask(id: string, over: Partial<RunPlanArgs> = {}) {
    const answer = (await this.run(id, {}, undefined, over)) as Result;
    const waiting = await this.state.approvals.waiting(this.clock.now());
    const question = waiting.find(({ part }) => part?.plan === id && part.line === 0);
    if (question === undefined) throw new Error(`nothing was asked: ${JSON.stringify(answer)}`);
    return { question, handle: (answer.structured.approval as { id: string }).id };
  }

  /** Proposes a plan, or so many cancellations, and asks on the page. */
  async asked(lines: readonly PlanLine[] | number) {
    const { id } = await (typeof lines === 'number' ? this.cancelling(lines) : this.propose(lines));
    return { id, ...(await this.ask(id)) };
  }

  /** An answer on the page. A yes begins at once in this process. */
  decide(
    { operationId }: Pick<Approval, 'operationId'>,
    yes: boolean,
    ticked?: readonly number[],
    planner = this.planner,
  ) {
    const { runtime, settings, actOf } = planner;
    return decideActOrPlan({
      operationId,
      yes,
      by: { assurance: 'page' },
      runtime,
      settings,
      actOf,
      plans: planner,
      ticked,
    });
  }

  yes(question: Pick<Approval, 'operationId'>, ticked?: readonly number[], planner = this.planner) {
    return this.decide(question, true, ticked, planner);
  }

  /** A yes that its process does not live to carry out. */
  async yesOfTheDead(question: Pick<Approval, 'operationId'>): Promise<Planner> {
    const dead = this.process('dead');
    this.end('dead');
    await this.yes(question, undefined, dead);
    return dead;
  }

  no(question: Pick<Approval, 'operationId'>) {
    return this.decide(question, false);
  }

  /** Proposes, asks, and gives a yes that its process does not live to carry out. */
  async granted(lines: readonly PlanLine[] | number): Promise<string> {
    const { id, question } = await this.asked(lines);
    await this.yesOfTheDead(question);
    return id;
  }

  /** Carries a plan out in this process, as far as it comes. */
  carry(id: string, planner = this.planner): Promise<void> {
    return this.during(runPlan(planner, id));
  }

  /** Waits until no process carries the plan out any more. */
  async carriedOut(id: string, planner = this.planner): Promise<PlanView> {
    await this.during(planner.runtime.plans?.running.get(id) ?? Promise.resolve(), 60 * 60_000);
    return this.view(id);
  }

  async view(id: string): Promise<PlanView> {
    const facts = await loadPlan(this.planner.runtime, id);
    if (facts === undefined) throw new Error(`no plan ${id}`);
    return planView(facts);
  }

  /** Proposes, asks once, says yes, and waits for the end. */
  async playedThrough(lines: readonly PlanLine[], ticked?: readonly number[]): Promise<PlanView> {
    const { id, question } = await this.asked(lines);
    await this.yes(question, ticked);
    return this.carriedOut(id);
  }

  /** Asks anew for what was not done, says yes, and waits for the end. */
  async playedAgain(id: string): Promise<PlanView> {
    const { question } = await this.ask(id, { again: true });
    await this.yes(question);
    return this.carriedOut(id);
  }

  /**
   * A plan of one line in the store, with its question granted just now, and of each step the approval and the operation
   * that are given.
   */
  async stored(
    steps: readonly Partial<PlanStep>[],
    given: readonly (readonly [over: object, operation?: Partial<Operation>])[],
    over: object = {},
  ): Promise<PlanView> {
    const { approvals, operations, plans } = this.state;
    const now = this.clock.now();
    const lines = [{ title: 'Move', steps: steps.map((step) => ({ tool: 'cancel_booking', args: {}, ...step })) }];
    const terms = lines.map((line) =>
      line.steps.map(({ tool }) => ({ tool, act: { verb: tool }, nature: 'change' as const, sections: [] })),
    );
    const body = { lines, terms, leftOut: [], notAsked: {} };
    const ann = { tenant: 't', caller: 'ann' };
    await plans.put({ id: 'pl_1', ...ann, createdAt: 0, expiresAt: now + 1, question: 'q', body, ...over });
    const at = now - 1_000;
    const granted = { ...ann, decision: 'granted' as const, createdAt: at, decidedAt: at, expiresAt: now + 60_000 };
    const part = { plan: 'pl_1', question: 'q', line: 0, step: 0 };
    await approvals.put(
      pendingApproval({ ...granted, operationId: 'q', handleHash: 'q', part: { ...part, alone: true } }),
    );
    for (const [step, [approval, operation]] of given.entries()) {
      const id = `op${step}`;
      const changed = Object.entries({ ...granted, part: { ...part, line: 1, step }, ...approval });
      const kept = Object.fromEntries(changed.filter(([, value]) => value !== undefined));
      const { tool = 'cancel_booking' } = steps[step] ?? {};
      await approvals.put(pendingApproval({ ...kept, tool, operationId: id, handleHash: id }));
      if (operation === undefined) continue;
      const { state = 'intent', outcome, direction, facts, subject = { kind: 'cancel_booking' } } = operation;
      const meta = { now, owner: 'p', leaseUntil: now + 60_000 };
      const { direction: _, amount, ...bare } = newOperation(id, { locator: id, caller: 'ann', subject });
      const money = direction && { direction, ...(!('amount' in operation) && amount && { amount }) };
      await operations.insert({ ...bare, ...money, ...(facts && { facts }) }, meta);
      await operations.transition(
        id,
        { from: ['intent'], to: state, patch: { ...(outcome && { outcome }) } },
        { now, actor: 'p' },
      );
    }
    if ('stoppedAt' in over) await plans.stop('pl_1', now);
    return this.view('pl_1');
  }
}

export function cancelLine(locator: string): PlanLine {
  return { title: 'Cancel booking', locator, steps: [{ tool: 'cancel_booking', args: { locator } }] };
}

/** Hold a new booking, pay it, cancel the old one. */
export function moveLine(locator: string): PlanLine {
  const sections = [{ kind: 'act' as const, lines: ['of the new booking'] }];
  const money = { direction: 'payment' as const, amount: SAR(10_000) };
  return {
    title: `Move booking ${locator}`,
    locator,
    steps: [
      { tool: 'create_booking', args: { offer: 'o1' } },
      {
        ...{ tool: 'pay_booking', args: {}, locatorOf: 0, after: [0] },
        bound: { act: { verb: 'Pay SAR 10000' }, nature: 'payment', money, sections },
      },
      { tool: 'cancel_booking', args: { locator }, after: [1] },
    ],
  };
}

/** Change two flights of a booking, one after the other. */
export function flightsLine(locator: string, count = 2): PlanLine {
  return {
    title: `Rebook connection: ${locator}`,
    locator,
    steps: Array.from({ length: count }, (_, at) => ({
      ...{ tool: 'rebook_segment', args: { locator, flight: at + 1 } },
      ...(at > 0 && { after: [at - 1], changedBefore: true as const }),
    })),
  };
}

export function payLine(locator: string): PlanLine {
  return { title: 'Pay booking', locator, steps: [{ tool: 'pay_booking', args: { locator } }] };
}

export const statesOf = ({ lines }: PlanView) => lines.map(({ state }) => state);

export const statusOf = (answer: unknown) => (answer as Result).structured.status;
export const planOf = (answer: unknown) =>
  (answer as Result).structured.plan as { state: string; lines: { state: string }[] };

export { ANN, accept, quiet, SAR };
