/**
 * Calls of one act: a state in memory, and a clock, an airline and a tool that the test controls.
 */

import { vi } from 'vitest';
import { actCall } from '../../src/approvals/act-call.ts';
import { noDialogs } from '../../src/approvals/consent-call.ts';
import { ClerkError } from '../../src/core/errors.ts';
import { decideActOrPlan } from '../../src/plans/decide-plan.ts';
import {
  type Booking,
  booking,
  type Evidence,
  Harness,
  memoryState,
  type Operation,
  paidBooking,
  quiet,
  receipt,
  Spans,
  type State,
  TestClock,
} from '../journal/harness.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import { asSent } from '../support/halves.ts';
import { ACTS, RULES } from '../support/rules.ts';

type Call = Parameters<typeof actCall>[0];
export type Act = Call['act'];
export type Asker = Call['asker'];
export type Settings = Call['settings'];
export type Terms = Awaited<ReturnType<Act['preview']>>;
export type Answer = Awaited<ReturnType<typeof actCall>>;
type Result = Answer & { kind: 'result' };
type Ask = Answer & { kind: 'ask' };
type Decision = Parameters<typeof decideActOrPlan>[0];

export const ANN = { tenant: 't', id: 'ann' };
export const PAGE = { assurance: 'page' } as const;
export const accept = (decision: string) => ({ action: 'accept', content: { decision } });
export const YES = accept('Pay SAR 172.50');

export function payTerms(over: Partial<Terms> = {}): Terms {
  return {
    locator: 'ABC123',
    sections: [
      { kind: 'act', lines: ['Pay SAR 172.50 for booking ABC123'] },
      { kind: 'trip', lines: ['RUH-JED'] },
    ],
    nature: 'payment',
    act: { verb: 'Pay', sum: { moves: 'paid', exactly: SAR(17250) } },
    ask: true,
    money: { direction: 'payment', amount: SAR(17250) },
    subject: { kind: 'pay', amount: SAR(17250), coupons: 2 },
    send: { order: 1 },
    ...over,
  };
}

/** Where nothing else is said: a live airline, a person who answers at once, and no page. */
export const SETTINGS: Settings = {
  ...{ environment: 'live', approval: 'auto', limits: {}, dialogFloorMs: 0, answerMs: 30_000, waitMs: 1_000 },
  canUseTerminal: false,
};

/** A page that opens on this machine. */
export function page(over: object = {}, canOpen = true): NonNullable<Settings['page']> {
  return { canOpen: () => canOpen, open: async () => ({ opened: true, ...over }) };
}

export class CallHarness extends Harness {
  readonly runtime: Call['runtime'];
  readonly tracing: Spans;
  settings = SETTINGS;
  /** What the tool previews; a function may fail or change. */
  terms: Terms | (() => Promise<Terms>) = payTerms();
  /** The airline's reply to a send. */
  reply: () => Promise<Evidence> = async () => receipt();
  /** What a reply proves; default: as the journal judges it. */
  verdict: ReturnType<typeof RULES.reply> | undefined;
  tool: Partial<Act> = {};
  /** That the next calls bring. */
  detailsId: string | undefined;
  #bookings = 0;
  /** When each question was shown last, by handle, as a client is told. */
  readonly #shownAt = new Map<string, number | undefined>();
  readonly done: Parameters<Act['show']>[0][] = [];
  readonly remembered: Booking[] = [];

  constructor(state: State, clock: TestClock) {
    const tracing = new Spans();
    const reply: typeof RULES.reply = (...given) => this.verdict ?? RULES.reply(...given);
    super(state, clock, { tracing, chain: state.chain, rules: { ...RULES, reply } });
    let ids = 0;
    const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` };
    this.tracing = tracing;
    const shared = { acts: ACTS, clock, random, tracing, inFlight: new Set<Promise<unknown>>() };
    const dialogs = noDialogs();
    this.runtime = { state, journal: this.journal, dialogs, ...shared };
  }

  static override async open(): Promise<CallHarness> {
    const clock = new TestClock();
    return new CallHarness(await memoryState(clock), clock);
  }

  /** While a question waits, what is asked from now on is about another booking: a caller has one open for a booking and an act. */
  async nextBooking(): Promise<void> {
    if ((await this.waiting()) === undefined) return;
    this.#bookings += 1;
    const locator = `BOOK${String(this.#bookings).padStart(2, '0')}`;
    this.terms = typeof this.terms === 'function' ? this.terms : { ...this.terms, locator };
    this.reply = async () => receipt(undefined, locator);
  }

  set(over: Partial<Settings>): void {
    this.settings = { ...this.settings, ...over };
  }

  bound(over: Partial<Act> = {}): Act {
    const preview = () => (typeof this.terms === 'function' ? this.terms() : Promise.resolve(this.terms));
    const sent = this.act(() => this.reply());
    return {
      tool: 'pay_booking',
      effect: 'commit',
      args: { locator: 'ABC123' },
      preview,
      previewAgain: preview,
      sendContext: undefined,
      commit: (confirmed) => sent.sendConfirmed(confirmed.dispatch),
      read: () => this.read(),
      show: async (done) => {
        this.done.push(done);
        const { booking: after } = done;
        return { text: 'Paid.', fields: { tickets: [] }, ...(after && { booking: { locator: after.locator } }) };
      },
      remember: async (after) => void this.remembered.push(after),
      pausedMs: async () => 0,
      readers: { vehicle: 'train' },
      ...this.tool,
      ...over,
    };
  }

  call(how: Partial<Asker> = {}, approvalId?: unknown, over: Partial<Act> = {}): Promise<Answer> {
    const { runtime, settings } = this;
    const act = this.bound(over);
    const brought = this.detailsId === undefined ? {} : { detailsId: this.detailsId };
    const answer = actCall({ act, asker: { caller: ANN, ...how }, runtime, settings, ...brought }, approvalId);
    return answer.then((one) => {
      if (one.kind === 'ask' || one.kind === 'ask_url') this.#shownAt.set(one.handle, one.askedAt);
      return one.kind === 'result' ? sameInBothHalves(asSent(one)) : one;
    });
  }

  async result(how: Partial<Asker> = {}, approvalId?: unknown, over: Partial<Act> = {}): Promise<Result> {
    const answer = await this.call(how, approvalId, over);
    if (answer.kind !== 'result') throw new Error(`a question: ${answer.kind}`);
    return answer;
  }

  /** Asks in the dialog. */
  async ask(how: Partial<Asker> = {}): Promise<Ask> {
    const answer = await this.call({ canElicit: true, ...how });
    if (answer.kind !== 'ask') throw new Error(`no question: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Answers in the dialog. */
  answer(handle: string, raw: unknown = YES, how: Partial<Asker> = {}): Promise<Answer> {
    const askedAt = this.#shownAt.get(handle);
    return this.call({ canElicit: true, ...how, dialog: { handle, raw, ...(askedAt && { askedAt }) } });
  }

  /** Answers on the page, the question that waits unless another is named. */
  async decide(yes: boolean, over: Partial<Decision> = {}, by: Decision['by'] = PAGE) {
    const { runtime, settings } = this;
    const operationId = over.operationId ?? (await this.waiting())?.operationId ?? 'none';
    return decideActOrPlan({ yes, by, runtime, settings, actOf: () => this.bound(), ...over, operationId });
  }

  async waiting() {
    return (await this.state.approvals.waiting(this.clock.now()))[0];
  }

  /** Records a yes that nobody carries out. Gives its operation. */
  async granted(): Promise<string> {
    const approval = await this.waiting();
    await this.state.approvals.decide(
      approval?.handleHash ?? '',
      { decision: 'granted', assurance: 'page' },
      this.clock.now(),
    );
    return approval?.operationId ?? '';
  }

  /** Waits for the work while the clock moves. */
  async during<T>(ms: number, work: Promise<T>): Promise<T> {
    void work.catch(() => undefined);
    await quiet();
    await this.clock.pass(ms);
    return await work;
  }

  /** An operation that somebody entered, moved to a state. */
  async operation(
    id: string,
    to: Operation['state'],
    over: Partial<Operation> = {},
    patch: object = {},
  ): Promise<Operation> {
    const { operations } = this.state;
    const now = this.clock.now();
    await operations.insert(newOperation(id, over), { now, owner: 'other', leaseUntil: now + 60_000 });
    if (to !== 'intent') await this.move('intent', to, patch, id);
    return await this.entry(id);
  }

  /** The newest operation. */
  async newest(): Promise<Operation | undefined> {
    return (await this.state.operations.list({}))[0];
  }
}

/** Some hosts show a model the text alone, others the fields alone: each has what happened, what now, and where. */
function sameInBothHalves(result: Result): Result {
  const { structured, text } = result;
  const {
    status,
    summary,
    next,
    warnings = [],
    approval,
  } = structured as Record<string, never> & { warnings?: string[] };
  const { id, url, terms = [] } = (approval ?? {}) as { id?: string; url?: string; terms?: string[] };
  const isAnew = String(next).includes('without approval_id');
  const said = [summary, next, ...warnings, ...(isAnew ? [] : [id]), url, ...terms].filter(
    (part) => part !== undefined,
  );
  const missing = said.filter((part) => !text.includes(part));
  const isOver = status === 'done' || status === 'already_done';
  if (missing.length > 0 || !(summary || isOver) || !(next || isOver))
    throw new Error(`the halves differ: ${JSON.stringify({ missing, structured })}\n${text}`);
  if (isOver && ('approval' in structured || 'operation_id' in structured)) throw new Error(JSON.stringify(structured));
  return result;
}

export function statusOf(answer: Answer): unknown {
  return answer.kind === 'result' ? answer.structured.status : answer.kind;
}

export const textOf = (answer: Answer) => (answer.kind === 'result' ? answer.text : '');

/** The approval_id that a result names. */
export function idOf(answer: Answer): string {
  if (answer.kind === 'ask_details') throw new Error('a page asks for details');
  if (answer.kind !== 'result') return answer.handle;
  const { structured, meta } = answer;
  return (structured.approval as { id: string } | undefined)?.id ?? String(meta?.approval_id);
}

export async function refusal(promise: Promise<unknown>): Promise<ClerkError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error instanceof ClerkError) return error;
  throw new Error(`expected a refusal, got ${error}`);
}

/** An error as a model reads it. */
export const errorText = ({ code, message, next, retry, changed }: ClerkError) =>
  [`${code}, retry ${retry}`, message, next, ...(changed ?? [])].join('\n');

/** For a golden file: what is read in each of many cases, one after the other. */
export const listed = (cases: Readonly<Record<string, string>>) =>
  Object.entries(cases)
    .map(([title, text]) => `${title}: ${text.replaceAll('\n', '\n  ')}`)
    .join('\n');

/** Replaces a method of the state for one test. */
export const replacing = vi.spyOn;

export { type Booking, booking, type Operation, paidBooking, quiet, receipt, SAR };
