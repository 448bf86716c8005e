/**
 * A call of run_plan: asks once for all lines, carries out the ticked ones, and tells how far it is; or a decision about a plan
 * outside of it.
 */
import type { AfterStatus, Answer, Result, ResultHead } from '../approvals/answer.ts';
import type { DecisionOutcome } from '../approvals/approval-status.ts';
import { ask, channelFor } from '../approvals/ask.ts';
import { type Asker, longestWait, type Question, unsentError } from '../approvals/consent-call.ts';
import { type DecisionRequest, decide, NOTHING_TO_DECIDE, questionFor } from '../approvals/decide.ts';
import { lastUnseen } from '../approvals/dialog.ts';
import { assertFewOpen, assertWithinDay, assertWithinLimits } from '../approvals/limits.ts';
import { type Approval, type GivenAnswer, isInTime, isPlanQuestion, type PlanApproval } from '../approvals/ports.ts';
import { result } from '../approvals/present.ts';
import { continueQuestion } from '../approvals/question.ts';
import { recordAnswer } from '../approvals/request.ts';
import { ClerkError } from '../core/errors.ts';
import { formatMoney, showAmount } from '../core/money.ts';
import { localMinute, utcText } from '../core/times.ts';
import type { Operation } from '../journal/operation.ts';
import { untraced } from '../journal/ports.ts';
import { type LineState, type LineView, MOST_LINES_IN_DIALOG, type PlanState, type PlanView } from './plan.ts';
import { lineMoney, NOT_STATED, sumsMoved } from './plan-money.ts';
import { lastQuestion, loadPlan, type PlanFacts } from './plan-status.ts';
import { planView } from './plan-view.ts';
import { lineTitle, nextText, planOutcome, STATE_WORDS, stateText } from './plan-words.ts';
import { mustHave, type Planner, type PlanRuntime, planStore } from './ports.ts';
import { approvalsFor, askedMeanwhile, isOfCaller, type Prepared, planExpiry, prepare, RUN_PLAN } from './propose.ts';
import { runPlan } from './run-plan.ts';

/** As run_plan's schema parsed them. */
type RunPlanArgs = {
  readonly plan_id: string;
  readonly stop?: boolean | undefined;
  /** Asks for what was not done of a plan that is over. Without it, only its state is read. */
  readonly again?: boolean | undefined;
};

interface PlanCall extends Question {
  readonly planner: Planner;
  /** Of the plan. */
  readonly id: string;
}

/** Between two looks at a plan that is being carried out. */
const POLL_MS = 1_000;

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function planCall(
  planner: Planner,
  asking: Asker,
  args: Question['act']['args'],
  approvalId: unknown,
): Promise<Answer> {
  const { plan_id: id, stop, again: isAgain = false } = args as RunPlanArgs;
  const facts = await findPlan(planner, asking, id);
  const { runtime, settings } = planner;
  const isLong = facts.body.lines.length > MOST_LINES_IN_DIALOG;
  const asker: Asker = isLong ? { ...asking, canElicit: false } : asking;
  const handle = asking.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  const act = { tool: RUN_PLAN, args: { plan_id: id } };
  const call: PlanCall = { act, asker, runtime, settings, trail: { isNew }, record: recordPlanAnswer, planner, id };
  if (stop === true) return stopped(call);
  try {
    if (isNew && isOver(facts) && !isAgain) return await present(call, undefined, planView(facts));
    if (isNew) return await first(call, facts);
    const next = await continueQuestion(call, handle);
    if (!('approval' in next)) return next;
    return await goOn(call, next.approval);
  } catch (error) {
    throw await unsentError(call, error);
  }
}

/** A person answered, or something was done: it is asked for anew only on purpose. */
function isOver(facts: PlanFacts): boolean {
  const { state } = planView(facts);
  return ENDED.has(state) || (state === 'lapsed' && facts.operations.size > 0);
}

const ENDED: ReadonlySet<PlanState> = new Set(['over', 'stopped', 'declined']);

async function findPlan(
  planner: Planner,
  asker: Asker,
  id: string,
  ended?: Map<string, Operation>,
): Promise<PlanFacts> {
  const facts = await loadPlan(planner.runtime, id, ended);
  if (facts !== undefined && isOfCaller(facts, asker)) return facts;
  throw new ClerkError('E_NOT_FOUND', 'plan_id: there is no such plan of yours. Nothing was sent.', {
    next: 'Call propose_plan to make one.',
  });
}

async function first(call: PlanCall, facts: PlanFacts): Promise<Answer> {
  const { runtime, settings, asker, planner, id } = call;
  const view = planView(facts);
  if (view.state === 'running') return goOn(call);
  const before = lastQuestion(facts);
  if (view.state === 'asked' && before?.askedBy === 'page') return waitForPage(call, before);
  if (facts.plan.body === undefined || facts.plan.expiresAt <= facts.now) {
    if (facts.operations.size === 0) throw lapsed();
    return present(call, undefined, view);
  }
  const progress = (done: number, total: number) => asker.progress?.(done, total, 'terms read');
  const prepared = await prepare(planner, asker, facts, progress);
  if (prepared.lines.length === 0) return nothingToAsk(call, facts, prepared);
  assertWithinLimits({ perDay: settings.limits.perDay }, prepared.stake);
  await assertWithinDay(call, prepared.stake);
  await assertFewOpen(call);
  const unseen = await lastUnseen(call);
  const askedBy = channelFor(call, prepared.stake, unseen);
  const { tracing = untraced } = runtime;
  const { caller, client } = asker;
  const asking = { caller, askedBy, now: runtime.clock.now(), uuid: () => runtime.random.uuid() };
  const optional = { client, trace: tracing.current() };
  const { question, steps } = approvalsFor(facts, prepared, { ...asking, ...optional });
  const asked = { id, question: question.operationId, expiresAt: planExpiry(facts), body: prepared.body };
  if (!(await planStore(planner).ask(asked, [question, ...steps], before))) throw askedMeanwhile(id);
  tracing.mark({ 'fareclerk.approval.channel': askedBy }, 'approval asked');
  return ask(call, question, { unseen });
}

/** Everything is done, on its way, left out by the person, or refused now. */
function nothingToAsk(call: Question, facts: PlanFacts, { body }: Prepared): Promise<Result> | Result {
  const view = planView({ ...facts, body });
  const refused = Object.entries(body.notAsked).map(([n, why]) => `${n}. cannot be done now: ${why}`);
  if (facts.operations.size === 0) throw nothingCanBeDone(refused);
  const isDone = view.lines.every(({ state }) => state === 'done');
  if (!isDone) return present(call, undefined, view, refused);
  const summary = `Nothing is left to ask for. Nothing was sent now. ${stateText(view)}`;
  return planResult(call, 'already_done', view, { summary });
}

function nothingCanBeDone(refused: readonly string[]): ClerkError {
  const what = `No line of the plan can be done now. ${refused.join(' ')} Nothing was asked or sent.`;
  return new ClerkError('E_NOT_PERMITTED', what, {
    next: 'Tell the user why, and propose another plan if one is wanted.',
  });
}

/** The question is on the page already: asking anew would take it from the person who reads it. */
async function waitForPage(call: PlanCall, question: PlanApproval): Promise<Result> {
  const { runtime, asker, settings, planner, id } = call;
  const { clock } = runtime;
  const shown = await settings.page?.open(question, false);
  const until = clock.now() + longestWait(call);
  for (;;) {
    const facts = await findPlan(planner, asker, id);
    const view = planView(facts);
    if (view.state === 'running') return goOn(call);
    if (view.state !== 'asked') return present(call, undefined, view);
    if (clock.now() >= until || asker.signal?.aborted === true) return waiting(call, question, view, shown?.publicUrl);
    await clock.sleep(POLL_MS, asker.signal);
  }
}

async function goOn(call: PlanCall, question?: Approval): Promise<Result> {
  const { runtime, asker, settings, trail, planner, id } = call;
  const { clock } = runtime;
  trail.ran = true;
  void runPlan(planner, id);
  const until = clock.now() + settings.answerMs;
  const known = new Map<string, Operation>();
  let reported = -1;
  for (;;) {
    const facts = await findPlan(planner, asker, id, known);
    const view = planView(facts);
    const ended = view.lines.filter(({ state }) => state !== 'waiting' && state !== 'doing' && state !== 'in_doubt');
    if (ended.length !== reported) asker.progress?.(ended.length, view.lines.length, lastWords(view));
    reported = ended.length;
    if (view.state === 'running' && clock.now() < until && asker.signal?.aborted !== true) {
      await clock.sleep(POLL_MS, asker.signal);
      // Nobody else carries it out.
      void runPlan(planner, id);
      continue;
    }
    return present(call, question, view);
  }
}

function lastWords({ lines }: PlanView): string {
  return lines.find(({ state }) => state === 'doing' || state === 'in_doubt')?.title ?? 'lines carried out';
}

async function stopped(call: PlanCall): Promise<Result> {
  const { asker, planner, id } = call;
  await stopPlan(planner, { id });
  return present(call, undefined, planView(await findPlan(planner, asker, id)));
}

function lapsed(): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', 'The plan was proposed too long ago. Nothing was sent of it.', {
    next: 'Call propose_plan again: it reads the terms anew.',
  });
}

async function present(
  call: Question,
  question: Approval | undefined,
  view: PlanView,
  warnings: readonly string[] = [],
): Promise<Result> {
  const { approvals } = call.runtime.state;
  const isOver = view.state !== 'running';
  if (isOver && question !== undefined) await approvals.markTold(question.handleHash, call.runtime.clock.now());
  const next = [...(await pageOfStep(call, view)), nextText(view) ?? ''].join(' ').trim() || undefined;
  return planResult(call, resultStatus(view, isOver), view, { summary: stateText(view), next, warnings });
}

/** The gravest first: a person must hear of it while the other lines go on. */
function resultStatus({ lines }: PlanView, isOver: boolean): AfterStatus {
  const has = (wanted: LineState) => lines.some(({ state }) => state === wanted);
  if (has('asks_again')) return 'approval_required';
  if (!isOver) return 'pending';
  return has('needs_person') ? 'needs_person' : 'done';
}

/** Where to answer a line's own question: an address that asks for sign-in, or a command. */
async function pageOfStep({ settings, runtime }: Question, { lines }: PlanView): Promise<readonly string[]> {
  const step = lines.flatMap(({ steps }) => steps).find(({ state }) => state === 'asks_again');
  const { operationId } = step ?? {};
  const approval = operationId === undefined ? undefined : await runtime.state.approvals.byOperation(operationId);
  const shown = approval && (await settings.page?.open(approval, false));
  return approval === undefined ? [] : [`A person answers ${whereAnswered(approval, shown?.publicUrl)}.`];
}

function whereAnswered({ operationId }: Pick<PlanApproval, 'operationId'>, url: string | undefined): string {
  return url === undefined ? `on the page that was opened, or with \`fareclerk approve ${operationId}\`` : `at ${url}`;
}

function waiting(call: Question, question: PlanApproval, view: PlanView, url: string | undefined): Result {
  const { operationId: operation_id, expiresAt, near } = question;
  const head = {
    summary: `APPROVAL REQUIRED. Nothing more is sent before a person answers. ${stateText(view)}`,
    next: `A person must answer ${whereAnswered(question, url)}. Then call run_plan with plan_id ${view.id} again. Without an answer nothing happens.`,
  };
  const approval = { expires_at: localMinute(utcText(expiresAt), near), url };
  return planResult(call, 'approval_required', view, head, { operation_id, approval });
}

/** Operations and the digest of the yes are beside it, for programs: each is in the journal. */
function planResult(call: Question, status: AfterStatus, view: PlanView, head: ResultHead, more: object = {}): Result {
  const operations = view.lines.flatMap(({ n, steps }) =>
    steps.flatMap(({ tool, operationId: operation_id }) =>
      operation_id === undefined ? [] : [{ line: n, tool, operation_id }],
    ),
  );
  const fields = { ...more, plan: planOutline(view) };
  const meta = operations.length > 0 ? { operations, digest: view.digest } : undefined;
  return result(call, status, { head, fields, body: outlineText, meta });
}

/** `plan` of a result. */
export type PlanOutline = ReturnType<typeof planOutline>;

/** `3. Cancel booking ABC123: done, SAR 86.25 came back` for each line, and what is not in the plan. */
function outlineText({ plan }: { plan: PlanOutline }): string {
  const left = (plan.left_out ?? []).map(({ title, why }) => `Left out: ${title}: ${why}`);
  return [...plan.lines.map(outlineLine), ...left].join('\n');
}

function outlineLine(line: PlanOutline['lines'][number]): string {
  const { n, title, locator, state, why, money, sums = [], not_stated: unstated = [], new_locator: made } = line;
  const parts = [
    STATE_WORDS[state],
    ...sums.flatMap(({ currency, paid, came_back: back }) => [
      ...(paid === undefined ? [] : [`${showAmount(paid, currency)} was paid`]),
      ...(back === undefined ? [] : [`${showAmount(back, currency)} came back`]),
    ]),
    ...unstated.map((what) => NOT_STATED[what]),
    ...(money === undefined ? [] : [`as asked: ${money}`]),
  ];
  const what = `${n}. ${lineTitle({ title, locator })}: ${parts.join(', ')}`;
  const note = why ?? (made && `Booked as ${made}.`);
  return note === undefined ? what : `${what}. ${note}`;
}

/** Lines in these states can still move what was asked. */
const OPEN: ReadonlySet<LineState> = new Set(['proposed', 'asked', 'waiting', 'doing', 'in_doubt', 'asks_again']);

/** As results show it; the terms are in the question. */
function planOutline({ id, state, lines, leftOut }: PlanView) {
  return {
    id,
    state,
    lines: lines.map(lineOutline),
    left_out: leftOut.length > 0 ? [...leftOut] : undefined,
  };
}

/** Names the booking that the line made once. Lists the acts of a line only while it is not done. */
function lineOutline({ n, title, locator, newLocator, state, why, steps }: LineView) {
  const unstated = [...new Set(steps.flatMap(({ moved }) => moved?.unstated ?? []))];
  const left = steps.filter((step) => step.state !== 'done');
  const sums = sumsMoved(steps).map(({ currency, paid, refunded }) => ({
    currency,
    paid: paid && formatMoney(paid),
    came_back: refunded && formatMoney(refunded),
  }));
  const isApart = steps.length > 1 && left.length > 0;
  return {
    n,
    title,
    state,
    locator,
    why: state === 'done' && newLocator !== undefined ? undefined : why,
    money: OPEN.has(state) ? lineMoney({ steps: left }).join(', ') || undefined : undefined,
    sums: sums.length > 0 ? sums : undefined,
    not_stated: unstated.length > 0 ? unstated : undefined,
    new_locator: newLocator,
    steps: isApart ? steps.map(({ tool, state: stepState }) => ({ tool, state: stepState })) : undefined,
  };
}

const UNKNOWN: DecisionOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is not known, or the plan was asked anew. Nothing was sent.'],
};

interface AnyDecision extends DecisionRequest {
  /** Lines of a plan, from 1, that the person ticked. Default: all. */
  readonly ticked?: readonly number[] | undefined;
  /** Absent: plans are not offered here. */
  readonly plans?: Planner | undefined;
}

/** Decides whatever the question is about: one act, or the lines of a plan. Safe to call twice. */
export async function decideAny({ plans, ticked, ...it }: AnyDecision): Promise<DecisionOutcome> {
  const [approval, operation] = await Promise.all([questionFor(it), it.runtime.state.operations.get(it.operationId)]);
  if (approval === undefined) return NOTHING_TO_DECIDE;
  const { tracing = untraced } = it.runtime;
  tracing.about(approval.operationId);
  if (!isPlanQuestion(approval)) return decide(it, approval, operation);
  if (plans === undefined) return NOTHING_TO_DECIDE;
  return decidePlan(plans, approval, { ...it.by, yes: it.yes }, ticked);
}

/** Safe to call twice: the second call gives the status. @param ticked lines, from 1; default: all */
async function decidePlan(
  planner: Planner,
  question: PlanApproval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<DecisionOutcome> {
  const id = question.part.plan;
  const plan = await planStore(planner).get(id);
  if (plan?.question !== question.operationId) return UNKNOWN;
  const open = question.decision === 'pending' && isInTime(question, planner.runtime.clock.now());
  if (open || (question.decision === 'granted' && !answer.yes)) {
    const decided = await recordPlanAnswer(planner.runtime, question, answer, ticked);
    if (decided?.decision === 'granted' && answer.yes) void runPlan(planner, id);
  }
  return planOutcome(planView(mustHave(await loadPlan(planner.runtime, id), `plan ${id}`)));
}

/** The act that is being sent is finished, and nothing more begins. False: it was stopped before, or is unknown. */
export function stopPlan(planner: Planner, { id }: Pick<PlanView, 'id'>): Promise<boolean> {
  return planStore(planner).stop(id, planner.runtime.clock.now());
}

/**
 * Grants the ticked lines and declines the others, together, unless another answer came first. A no after the yes stops the plan.
 * @param ticked lines, from 1; default: all
 */
async function recordPlanAnswer(
  runtime: PlanRuntime,
  question: Approval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<Approval | undefined> {
  const plans = planStore({ runtime });
  const { operationId, part } = question as PlanApproval;
  const id = part.plan;
  return recordAnswer(runtime, question, answer, {
    async decide(now) {
      const granted = answer.yes ? await tickedSteps(runtime, id, operationId, ticked) : [];
      const { assurance, approver } = answer;
      return plans.decide(id, operationId, { assurance, approver, granted }, now);
    },
    takeBack: () => plans.stop(id, runtime.clock.now()),
  });
}

/** Operation ids of the steps of the ticked lines. */
async function tickedSteps(
  runtime: PlanRuntime,
  id: string,
  question: string,
  ticked: readonly number[] | undefined,
): Promise<readonly string[]> {
  const approvals = await planStore({ runtime }).approvals(id);
  const isMeant = ({ part }: PlanApproval) =>
    part.question === question && part.line > 0 && !part.alone && (ticked === undefined || ticked.includes(part.line));
  return approvals.filter(isMeant).map(({ operationId }) => operationId);
}
