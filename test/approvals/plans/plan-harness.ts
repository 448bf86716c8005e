/**
 * Plans on a state in memory, with a clock that the test moves and an airline of its own: bookings with a version, which a
 * test can change behind the desk's back. Several processes may share it.
 */
import type { Answer, Result } from '../../../src/approvals/answer.ts';
import type { ApprovalSettings, Asker, GuardedAct } from '../../../src/approvals/call-types.ts';
import { boundFacts, NEW_BOOKING } from '../../../src/approvals/plans/bound.ts';
import { planCall, type RunPlanArgs } from '../../../src/approvals/plans/call.ts';
import { decidePlan } from '../../../src/approvals/plans/decide-plan.ts';
import type { PlanParts } from '../../../src/approvals/plans/parts.ts';
import type { PlanLine, PlanView } from '../../../src/approvals/plans/plan.ts';
import { propose, viewPlan } from '../../../src/approvals/plans/propose.ts';
import type { Approval } from '../../../src/approvals/ports.ts';
import type { MoneyAtStake, Terms } from '../../../src/approvals/terms.ts';
import { activeSegments, type Booking } from '../../../src/domain/booking/booking.ts';
import type { ExpectedChange } from '../../../src/domain/booking/expected-change.ts';
import { ClerkError } from '../../../src/errors.ts';
import type { Verdict } from '../../../src/journal/evidence/verdict.ts';
import { createJournal, type Journal } from '../../../src/journal/journal.ts';
import type { Evidence } from '../../../src/journal/ports.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { fanOut } from '../../../src/tools/definition/fan-out.ts';
import { booking, error, lost, quiet, SETTLE, TestClock } from '../../journal/harness.ts';
import { SAR } from '../../store/new-operation.ts';

export const ANN = { tenant: 't', id: 'ann' };
export const BOB = { tenant: 't', id: 'bob' };

interface Kept {
  version: number;
  price: number;
  paid: boolean;
  gone: boolean;
}

/** What the airline does with the next message: carries it out and answers, loses the answer, refuses, or drops the message. */
export type Manner = 'done' | 'lost' | 'refused' | 'dropped';

interface Sent {
  readonly tool: string;
  readonly locator: string;
  readonly operationId: string;
}

export class PlanHarness {
  readonly clock = new TestClock();
  readonly state: State;
  settings: ApprovalSettings = {
    environment: 'live',
    approval: 'auto',
    limits: {},
    dialogFloorMs: 0,
    answerMs: 30_000,
    waitMs: 1_000,
    canUseTerminal: true,
  };
  readonly bookings = new Map<string, Kept>();
  readonly sent: Sent[] = [];
  readonly done = new Set<string>();
  /** By locator; default: done. */
  readonly manners = new Map<string, Manner>();
  priceOfNew = 10_000;
  /** Of every booking; an offer has `YOW`. */
  fare: string | undefined;
  /** Gone as soon as its terms were read once more. */
  goesAfter: string | undefined;
  /** Called before a message is carried out. */
  before: (sent: Sent) => void | Promise<void> = () => undefined;
  readonly parts: PlanParts;
  /** What readings prove; default: the truth. */
  proves: Verdict | undefined;
  /** Tools that are not offered. */
  readonly withheld = new Set<string>();
  readonly failures: unknown[] = [];
  readonly #endings = new Map<string, AbortController>();
  #ids = 0;
  #made = 0;

  constructor(state: State) {
    this.state = state;
    this.parts = this.process('p1');
  }

  static async open(): Promise<PlanHarness> {
    const clock = { now: () => 0 };
    const harness = new PlanHarness(await openSqliteState(':memory:', { now: () => clock.now() }));
    clock.now = () => harness.clock.now();
    return harness;
  }

  /** Another process on the same state. */
  process(owner: string): PlanParts {
    const { clock, state } = this;
    const ending = new AbortController();
    this.#endings.set(owner, ending);
    const random = { uuid: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}` };
    const reader = { read: async (locator: string) => this.shown(locator) };
    const plans = { leases: state.leases, owner, running: new Map<string, Promise<void>>(), ending: ending.signal };
    const own = {
      airline: reader,
      state,
      journal: this.#journal(owner, reader),
      clock,
      random,
      inFlight: new Set<never>(),
    };
    const harness = this;
    return {
      runtime: { ...own, plans } as PlanParts['runtime'],
      get settings() {
        return harness.settings;
      },
      actOf: (tool, args, how) => (this.withheld.has(tool) ? undefined : this.act(tool, args, how)),
      async each(items, done, work) {
        const all = await fanOut(items, { width: 4, done }, work);
        return all.flatMap((one) => (one === undefined ? [] : [one]));
      },
      failed: (failure) => void this.failures.push(failure),
    };
  }

  end(owner: string): void {
    this.#endings.get(owner)?.abort('over');
  }

  #journal(owner: string, reader: { read(locator: string): Promise<Booking> }): Journal {
    return createJournal({
      ...{ store: this.state.operations, chain: this.state.chain, clock: this.clock, reader, owner, settleMs: SETTLE },
      digest: (text) => `#${text}`,
      rules: {
        reply: () => 'done',
        reading: ({ id }) => this.proves ?? (this.done.has(id) ? 'done' : 'not_done'),
      },
    });
  }

  /** Bookings `B1`, `B2` …, paid by default. */
  make(count: number, kept: Partial<Kept> = {}): readonly string[] {
    return Array.from({ length: count }, () => {
      const locator = `B${++this.#made}`;
      this.bookings.set(locator, { version: 1, price: 10_000, paid: true, gone: false, ...kept });
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
  }

  shown(locator: string): Booking {
    this.kept(locator);
    const options = booking().options.map((one) => ({
      ...one,
      segments: one.segments.map((segment) => ({ ...segment, ...(this.fare && { fareBasis: this.fare }) })),
    }));
    return booking({ locator, options });
  }

  act(tool: string, args: Readonly<Record<string, unknown>>, { caller }: Asker): GuardedAct {
    const locator = String(args.locator ?? '');
    const preview = async () => this.#terms(tool, locator, args);
    return {
      ...{ tool, effect: tool === 'create_booking' ? 'hold' : 'commit', args, preview, previewAgain: preview },
      send: async (confirmed) => {
        if (!confirmed.dispatch.mayStart()) throw error('E_AIRLINE_DOWN');
        const sent = { tool, locator, operationId: confirmed.operationId };
        this.sent.push(sent);
        await this.before(sent);
        return this.#carryOut(sent);
      },
      show: async () => ({ text: `${tool} done for ${caller.id}`, fields: {} }),
      remember: async () => undefined,
    };
  }

  #terms(tool: string, locator: string, args: Readonly<Record<string, unknown>>): Terms {
    const common = { act: `${tool} ${locator}`, nature: 'change' as const, ask: true, send: {} };
    if (tool === 'create_booking') {
      const sections = [{ kind: 'act' as const, lines: ['Hold seats, unpaid.'] }];
      return { ...common, act: 'Hold', ask: false, sections, subject: this.#created(), facts: args.offer };
    }
    const { version, price, paid, gone } = { ...this.kept(locator) };
    if (locator === this.goesAfter) this.kept(locator).gone = true;
    if (gone) throw new ClerkError('E_NOT_PERMITTED', `${locator} is gone. Nothing was sent.`, { next: 'Read it.' });
    const sections = [
      { kind: 'act' as const, lines: [`${tool} of ${locator}, version ${version}`] },
      { kind: 'people' as const, lines: ['Amal Haddad'] },
    ];
    const terms = { ...common, locator, sections, facts: version };
    if (tool === 'pay_booking') {
      const money = { direction: 'payment' as const, amount: SAR(price) };
      const subject: ExpectedChange = { kind: 'pay', amount: SAR(price), coupons: 1 };
      return { ...terms, act: `Pay SAR ${price}`, nature: 'payment', money, subject, booking: this.shown(locator) };
    }
    if (tool !== 'cancel_booking') return { ...terms, subject: { kind: 'update_contact', details: [] } as never };
    const money: MoneyAtStake = { direction: 'refund', amount: SAR(price) };
    const base = { ...terms, nature: 'cancellation' as const, subject: { kind: 'cancel_booking' as const } };
    const estimate = { amount: SAR(price - 1_000), rule: 'a rule' };
    if (paid) return { ...base, money, estimate };
    return { ...base, act: `Release hold ${locator}`, booking: this.shown(locator) };
  }

  #created(): ExpectedChange {
    return { kind: 'create', ...(this.fare && { offer: { segments: [{ ref: '1', fare: 'YOW' }] } }) };
  }

  #carryOut({ tool, locator, operationId }: Sent): Evidence {
    const manner = this.manners.get(locator) ?? this.manners.get(tool) ?? 'done';
    if (manner === 'refused') throw error('E_NOT_PERMITTED', { airline: { status: 422, code: '1' } });
    if (manner === 'dropped') throw lost();
    this.done.add(operationId);
    const name = tool === 'create_booking' ? `N${++this.#made}` : locator;
    if (tool === 'create_booking')
      this.bookings.set(name, { version: 1, price: this.priceOfNew, paid: false, gone: false });
    if (tool === 'pay_booking') this.kept(name).paid = true;
    if (tool === 'cancel_booking') this.kept(name).gone = true;
    this.kept(name).version += 1;
    if (manner === 'lost') throw lost();
    return { booking: this.shown(name) };
  }

  propose(lines: readonly PlanLine[], how: Asker = { caller: ANN }): Promise<PlanView> {
    return propose(this.parts, how, lines, []);
  }

  /** A plan that cancels so many new bookings. */
  cancelling(count: number): Promise<PlanView> {
    return this.propose(this.make(count).map(cancelLine));
  }

  /** Calls run_plan, and moves the clock until it answers. */
  async run(
    id: string,
    how: Partial<Asker> = {},
    approvalId?: unknown,
    over: Partial<RunPlanArgs> = {},
  ): Promise<Answer> {
    return this.during(planCall(this.parts, { caller: ANN, ...how }, { plan_id: id, ...over }, approvalId));
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
  async ask(
    id: string,
    over: Partial<RunPlanArgs> = {},
  ): Promise<{ readonly question: Approval; readonly handle: string }> {
    const answer = (await this.run(id, {}, undefined, over)) as Result;
    const waiting = await this.state.approvals.waiting(this.clock.now());
    const question = waiting.find(({ part }) => part?.plan === id && part.line === 0);
    if (question === undefined) throw new Error(`nothing was asked: ${JSON.stringify(answer)}`);
    return { question, handle: (answer.structured.approval as { id: string }).id };
  }

  /** A yes on the page, which this process begins to carry out at once. */
  yes(question: Approval, ticked?: readonly number[], parts = this.parts) {
    return decidePlan(parts, question, { yes: true, assurance: 'page' }, ticked);
  }

  no(question: Approval) {
    return decidePlan(this.parts, question, { yes: false, assurance: 'page' });
  }

  /** Waits until no process carries the plan out any more. */
  async carriedOut(id: string, parts = this.parts): Promise<PlanView> {
    await this.during(parts.runtime.plans?.running.get(id) ?? Promise.resolve(), 60 * 60_000);
    return this.view(id);
  }

  async view(id: string): Promise<PlanView> {
    const view = await viewPlan(this.parts, { caller: ANN }, id);
    if (view === undefined) throw new Error(`no plan ${id}`);
    return view;
  }

  /** Proposes, asks once, says yes, and waits for the end. */
  async whole(lines: readonly PlanLine[], ticked?: readonly number[]): Promise<PlanView> {
    const { id } = await this.propose(lines);
    const { question } = await this.ask(id);
    await this.yes(question, ticked);
    return this.carriedOut(id);
  }
}

export function cancelLine(locator: string): PlanLine {
  return { title: 'Cancel booking', locator, steps: [{ tool: 'cancel_booking', args: { locator } }] };
}

const FACTS = boundFacts(activeSegments(booking()), []);

/** Hold a new booking, pay it, cancel the old one; or release the hold. */
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
        bound: { act: 'Pay SAR 10000', nature: 'payment', money, sections, facts: FACTS },
      },
      { tool: 'cancel_booking', args: { locator }, after: [1] },
      {
        ...{ tool: 'cancel_booking', args: {}, locatorOf: 0, insteadOf: 1 },
        bound: { act: `Release hold ${NEW_BOOKING}`, nature: 'cancellation', sections, facts: FACTS },
      },
    ],
  };
}

export function payLine(locator: string): PlanLine {
  return { title: 'Pay booking', locator, steps: [{ tool: 'pay_booking', args: { locator } }] };
}

export const statesOf = ({ lines }: PlanView) => lines.map(({ state }) => state);

export { quiet, SAR };
