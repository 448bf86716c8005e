/** A call of run_plan: asks once for all lines, carries out the ticked ones, and tells how far the plan is. */

import { type AfterStatus, type Answer, type Result, type ResultHead, result } from '../approvals/answer.ts';
import { type Approval, type AskedBy, type PlanApproval, RUN_PLAN } from '../approvals/approval.ts';
import { ask, channelFor, hasPage, replacedNotice } from '../approvals/channels.ts';
import { type Asker, longestWait, type Question, unsentError } from '../approvals/consent-call.ts';
import { areDialogsUnseen, hasDialogEnded } from '../approvals/dialog-answer.ts';
import { PROPOSE_AGAIN } from '../approvals/endings.ts';
import { airlinePauseWords } from '../approvals/may-ask.ts';
import { assertWithinDay, assertWithinLimits } from '../approvals/money-limits.ts';
import { continueQuestion } from '../approvals/question-states.ts';
import { withOthers } from '../approvals/request.ts';
import { namesakesOf } from '../approvals/same-trip.ts';
import { assertFewOpen } from '../approvals/shares-of-one-person.ts';
import { ClerkError } from '../core/errors.ts';
import { localMinute, utcText } from '../core/times.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import { decidingActs } from '../journal/act.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import { untraced } from '../journal/untraced.ts';
import { recordPlanAnswer, stopPlan } from './decide-plan.ts';
import {
  type LineState,
  type LineView,
  MOST_LINES_IN_DIALOG,
  PLAN_YES_MS,
  type PlanState,
  type PlanView,
  type StoredPlan,
} from './plan.ts';
import { lastQuestion, loadPlan, type PlanFacts } from './plan-facts.ts';
import { lineMoved } from './plan-money.ts';
import { planView } from './plan-view.ts';
import { nextText, planLines, stateText, stillAsked, TELL_WHY } from './plan-words.ts';
import { mustHave, planStore, stepCall } from './planner.ts';
import type { Planner } from './ports.ts';
import {
  approvalsFor,
  askedMeanwhile,
  besideNotice,
  isOfCaller,
  openBeside,
  type Prepared,
  planExpiry,
  prepare,
} from './propose.ts';
import { runPlan } from './run-plan.ts';

/** The arguments of run_plan, as its schema parsed them. */
type RunPlanArgs = {
  readonly plan_id: string;
  readonly stop?: boolean | undefined;
  /** Asks for what was not done of a plan that is over. Without it, only its state is read. */
  readonly again?: boolean | undefined;
};

interface PlanCall extends Question {
  readonly planner: Planner;
  /** The plan's id. */
  readonly id: string;
}

/** Time between two readings of a plan that is being carried out, milliseconds. */
const POLL_MS = 1_000;

const ENDED_STATES: ReadonlySet<PlanState> = new Set(['over', 'stopped', 'declined', 'replaced', 'withdrawn']);

/**
 * Asks about a plan, carries it out, stops it or tells its state. The first row that fits counts:
 *
 * | the call has            | the plan is | it                                                              |
 * | ----------------------- | ----------- | --------------------------------------------------------------- |
 * | `stop`                  | any         | stops the plan                                                  |
 * | neither id nor `again`  | over        | tells the state                                                 |
 * | no id                   | any         | asks about the lines, or goes on with what was asked            |
 * | an id, or a dialog's    | any         | continues that question; then carries out, or tells the state   |
 *
 * @param approvalId as the model gave it; a dialog's answer brings its own
 */
export async function planCall(
  planner: Planner,
  caller: Asker,
  args: Question['act']['args'],
  approvalId: unknown,
): Promise<Answer> {
  const { runtime, settings } = planner;
  const { plan_id: id, stop, again: isAgain = false } = args as RunPlanArgs;
  const facts = await findPlan(planner, caller, id);

  const isLong = facts.body.lines.length > MOST_LINES_IN_DIALOG;
  const asker: Asker = isLong ? { ...caller, canElicit: false } : caller;

  const handle = caller.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';

  const act = { tool: RUN_PLAN, args: { plan_id: id } };
  const record: Question['record'] = (_, asked, answer) => recordPlanAnswer(runtime, asked, answer);
  const call: PlanCall = { act, asker, runtime, settings, trail: { isNew }, record, planner, id };
  if (stop === true) return stopAndPresent(call);

  try {
    if (isNew && isOver(facts) && !isAgain) return await presentPlan(call, undefined, planView(facts));
    if (isNew) return await askAboutLines(call, facts);

    const next = await continueQuestion(call, handle);
    // An Answer has no approval. The end of a question has one.
    if (!('approval' in next)) return next;
    return await carryOutAndPresent(call, next.approval);
  } catch (error) {
    throw await unsentError(call, error);
  }
}

/** Whether a person answered or something was done, so that only a call with `again` asks for the rest. */
function isOver(facts: PlanFacts): boolean {
  const { state } = planView(facts);
  return ENDED_STATES.has(state) || (state === 'lapsed' && facts.operations.size > 0);
}

/** @param finalOperations operations that no longer change, by id: saves reading them again */
async function findPlan(
  planner: Planner,
  asker: Asker,
  id: string,
  finalOperations?: Map<string, Operation>,
): Promise<PlanFacts> {
  const facts = await loadPlan(planner.runtime, id, finalOperations);
  if (facts !== undefined && isOfCaller(facts, asker)) return facts;
  throw new ClerkError('E_NOT_FOUND', 'plan_id: there is no such plan of yours. Nothing was sent.', {
    next: 'Call propose_plan to make one.',
  });
}

/**
 * Asks about all lines that can be carried out now. Instead of asking: goes on with a plan that runs, waits for a question
 * that is on the page already, or tells why nothing can be asked.
 */
async function askAboutLines(call: PlanCall, facts: PlanFacts): Promise<Answer> {
  const { settings, asker, planner } = call;
  const view = planView(facts);
  if (view.state === 'running') return carryOutAndPresent(call);

  const lastAsked = lastQuestion(facts);
  if (view.state === 'asked' && lastAsked !== undefined && isOnPageOnly(call, lastAsked))
    return waitForPage(call, lastAsked);

  // The plan is too old to ask about, or its terms were erased. If something of it was done, its state says what.
  if (facts.plan.body === undefined || facts.plan.expiresAt <= facts.now) {
    if (facts.operations.size === 0) throw planLapsed(facts.plan, facts.now);
    return presentPlan(call, undefined, view);
  }

  const progress = (done: number, total: number) => asker.progress?.(done, total, 'terms read');
  const prepared = await prepare(planner, asker, facts, progress);
  if (prepared.lines.length === 0) return nothingToAsk(call, facts, prepared);

  assertWithinLimits({ perDay: settings.limits.perDay }, prepared.stake);
  await assertWithinDay(call, prepared.stake);
  await assertFewOpen(call);

  const unseen = areDialogsUnseen(call);
  const question = await enterQuestion(call, { facts, prepared }, channelFor(call, { money: prepared.stake }, unseen));
  return ask(call, question, { unseen });
}

/** Whether the page asks, and no dialog that this process knows of. */
function isOnPageOnly(call: PlanCall, question: PlanApproval): boolean {
  return question.askedBy === 'page' || (hasPage(call) && hasDialogEnded(call, question));
}

/**
 * Stores the question and its steps, and replaces what was open about its bookings.
 * @throws ClerkError if another question or answer came in between
 */
async function enterQuestion(
  { runtime, asker, planner, id }: PlanCall,
  { facts, prepared }: { readonly facts: PlanFacts; readonly prepared: Prepared },
  askedBy: AskedBy,
): Promise<Approval> {
  const { tracing = untraced } = runtime;
  const { caller, client } = asker;
  const { digestKey } = runtime.state;

  const { question, steps } = approvalsFor(facts, prepared, {
    digestKey,
    caller,
    client,
    askedBy,
    now: runtime.clock.now(),
    trace: tracing.current(),
    uuid: () => runtime.random.uuid(),
  });

  const plan = { id, question: question.operationId, expiresAt: planExpiry(facts), body: prepared.body };
  const deciding = decidingActs(runtime.acts);
  const asking = await planStore(planner).ask(plan, [question, ...steps], lastQuestion(facts), deciding);
  if (asking.kind === 'meanwhile') throw askedMeanwhile(id);

  tracing.mark({ 'fareclerk.approval.channel': askedBy }, 'approval asked');

  const locators = [...new Set(steps.flatMap(({ locator }) => locator ?? []))];
  const beside = (await openBeside(planner, asker, id, locators)).map(besideNotice);
  return withOthers(runtime.state, question, [...replacedNotice(asking.replaced, locators), ...beside]);
}

/** Answers if no line can be asked about: each is done, on its way, not approved, or refused now. */
function nothingToAsk(call: PlanCall, facts: PlanFacts, { body }: Prepared): Promise<Result> | Result {
  const view = planView({ ...facts, body });
  const refused = Object.entries(body.notAsked).map(([n, why]) => `${n}. cannot be done now: ${why}`);
  if (facts.operations.size === 0) throw nothingCanBeDone(refused);
  const isDone = view.lines.every(({ state }) => state === 'done');
  if (!isDone) return presentPlan(call, undefined, view, refused);
  const summary = `Nothing is left to ask for. Nothing was sent now. ${stateText(view)}`;
  return planResult(call, 'already_done', view, { head: { summary } });
}

function nothingCanBeDone(refused: readonly string[]): ClerkError {
  const what = `No line of the plan can be done now. ${refused.join(' ')} Nothing was asked or sent.`;
  return new ClerkError('E_NOT_PERMITTED', what, { next: TELL_WHY });
}

/** Waits for the answer on the page. Asking anew would replace the question that a person may be reading. */
async function waitForPage(call: PlanCall, question: PlanApproval): Promise<Result> {
  const { runtime, asker, settings, planner, id } = call;
  const { clock } = runtime;
  const shown = await settings.page?.open(question, 'opens_none');
  const until = clock.now() + longestWait(call);

  for (;;) {
    const facts = await findPlan(planner, asker, id);
    const view = planView(facts);
    if (view.state === 'running') return carryOutAndPresent(call);
    if (view.state !== 'asked') return presentPlan(call, undefined, view);
    if (clock.now() >= until || asker.signal?.aborted === true)
      return waitingForPage(call, question, view, shown?.publicUrl);
    await clock.sleep(POLL_MS, asker.signal);
  }
}

/** Carries the plan out, and tells its state. */
async function carryOutAndPresent(call: PlanCall, question?: Approval): Promise<Result> {
  return presentPlan(call, question, planView(await followPlan(call)));
}

/**
 * Carries the plan out in the background and reports its progress, until it rests or the call may last no longer. A plan that still runs
 * goes on after the call.
 */
async function followPlan(call: PlanCall): Promise<PlanFacts> {
  const { runtime, asker, settings, trail, planner, id } = call;
  const { clock } = runtime;

  trail.ran = true;
  let work: Promise<void> | undefined = runPlan(planner, id).then(() => {
    work = undefined;
  });

  const until = clock.now() + settings.answerMs;
  const finalOperations = new Map<string, Operation>();
  let reportedCount = -1;

  for (;;) {
    const facts = await findPlan(planner, asker, id, finalOperations);
    const view = planView(facts);
    const ended = view.lines.filter(({ state }) => state !== 'waiting' && state !== 'doing' && state !== 'in_doubt');
    if (ended.length !== reportedCount) asker.progress?.(ended.length, view.lines.length, progressWords(view));
    reportedCount = ended.length;

    const goesOn = view.state === 'running' && clock.now() < until && asker.signal?.aborted !== true;
    if (!goesOn) return facts;

    const later = clock.sleep(POLL_MS, asker.signal);
    // Another process may carry it out: this one takes over if that one has died.
    await (work === undefined ? later.then(() => void runPlan(planner, id)) : Promise.race([later, work]));
  }
}

function progressWords({ lines }: PlanView): string {
  return lines.find(({ state }) => state === 'doing' || state === 'in_doubt')?.title ?? 'lines carried out';
}

async function stopAndPresent(call: PlanCall): Promise<Result> {
  const { asker, planner, id } = call;
  await stopPlan(planner, { id });
  return presentPlan(call, undefined, planView(await findPlan(planner, asker, id)));
}

/** The plan expired or its terms were erased, and nothing of it was begun. */
function planLapsed({ expiresAt }: StoredPlan, now: number): ClerkError {
  const why =
    expiresAt > now
      ? 'The terms of this plan are not kept any more: an upgrade of the server, newer plans or a request to forget a person ended it.'
      : 'The plan was proposed too long ago.';
  return new ClerkError('E_APPROVAL_EXPIRED', `${why} Nothing was sent of it.`, { next: PROPOSE_AGAIN });
}

async function presentPlan(
  call: PlanCall,
  question: Approval | undefined,
  view: PlanView,
  refused: readonly string[] = [],
): Promise<Result> {
  const { approvals } = call.runtime.state;
  const isAtRest = view.state !== 'running';
  if (isAtRest && question !== undefined) await approvals.markTold(question.handleHash, call.runtime.clock.now());

  const next = nextText(view, refused.length > 0);
  const changes = isAtRest ? await changesMeanwhile(call, view) : undefined;
  const paused = await pauseLines(call, view);
  const ofDone = isAtRest ? await warningsOfDone(call, view) : [];
  const warnings = [...paused, ...refused, ...ofDone, ...(changes?.lines ?? [])];
  const head = { summary: stateText(view), next, warnings };
  return planResult(call, resultStatus(view), view, { head, fields: { airline_changes: changes?.changes.all } });
}

/** Says until when the airline pauses, and until when the yes counts, if the next step waits for the end of the pause. */
async function pauseLines({ planner, asker, runtime }: PlanCall, view: PlanView): Promise<readonly string[]> {
  const step = view.lines.flatMap(({ steps }) => steps).find(({ state }) => state === 'waiting');
  if (view.state !== 'running' || step === undefined) return [];

  const { act } = stepCall(planner, { tool: step.tool, args: {} }, asker);
  const waitMs = await act.pausedMs();
  if (waitMs === 0) return [];

  const now = runtime.clock.now();
  const until = mustHave(view.decidedAt, 'yes to the plan') + PLAN_YES_MS;
  const counts = `What was approved is sent after it by itself, if that is before ${showClock(utcText(until), step.departs)}.`;
  return [`${airlinePauseWords(waitMs, step.departs, now)} Nothing of the lines that wait was sent. ${counts}`];
}

/**
 * Says what a person must know of the acts that are done, and names the bookings of others who have the names of those whom the plan
 * booked.
 */
async function warningsOfDone({ planner, asker, runtime }: PlanCall, { lines }: PlanView): Promise<readonly string[]> {
  const { acts, state: store } = runtime;
  const done = lines.flatMap(({ steps }) => steps).filter(({ state }) => state === 'done');
  const ids = done.map(({ operationId }) => String(operationId));
  const operations = await store.operations.getAll(ids);

  // In the order of the lines.
  const inOrder = operations.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const sentences = inOrder.map(async (operation) => {
    const { tool, subject } = operation;
    const warning = acts.of(subject).warning?.(operation);
    const ownWarning = warning === undefined ? [] : [`Booking ${locatorOf(operation)}: ${warning}`];
    if (acts.named(tool)?.countedAs !== 'hold') return ownWarning;
    return [...ownWarning, ...(await namesakesOf(stepCall(planner, { tool, args: {} }, asker), operation))];
  });
  return (await Promise.all(sentences)).flat();
}

/** What the airline changed of the plan's bookings since its yes. The plan is carried out, whether or not that can be read. */
async function changesMeanwhile({ planner, asker }: PlanCall, { decidedAt, lines }: PlanView) {
  const locators = lines
    .flatMap(({ locator, newLocator }) => [locator, newLocator])
    .filter((each) => each !== undefined);
  if (decidedAt === undefined || locators.length === 0) return undefined;
  return await planner.changesSince?.([...new Set(locators)], decidedAt, asker).catch(() => undefined);
}

/** The status of the result. The gravest state of a line counts, even while other lines go on. */
function resultStatus({ state: planState, lines }: PlanView): AfterStatus {
  const has = (wanted: LineState) => lines.some(({ state }) => state === wanted);
  if (planState === 'running') return 'pending';
  return has('needs_person') ? 'needs_person' : 'done';
}

function whereAnswered({ operationId }: Pick<PlanApproval, 'operationId'>, url: string | undefined): string {
  return url === undefined ? `on the page that was opened, or with \`fareclerk approve ${operationId}\`` : `at ${url}`;
}

function waitingForPage(call: Question, question: PlanApproval, view: PlanView, url: string | undefined): Result {
  const { operationId: operation_id, expiresAt, near } = question;

  const head = {
    summary: `APPROVAL REQUIRED. Nothing more is sent before a person answers. ${stateText(view)}`,
    next: `Tell the person to answer ${whereAnswered(question, url)}. Then call run_plan with plan_id ${view.id} again. Without an answer nothing happens.`,
  };
  const approval = { expires_at: localMinute(utcText(expiresAt), near), url };
  const body = 'Its lines are those that were asked before.';
  return planResult(call, 'approval_required', view, { head, fields: { operation_id, approval }, body });
}

/** What a result of a plan has beside it, and its text in place of all lines. */
interface PlanTexts {
  readonly head: ResultHead;
  readonly fields?: object;
  readonly body?: string;
}

/** `meta`, which programs read, names the operations and the digest of the yes, as the journal has them. */
function planResult(
  call: Question,
  status: AfterStatus,
  view: PlanView,
  { head, fields: more, body = planLines(view).join('\n') }: PlanTexts,
): Result {
  const operations = view.lines.flatMap(({ n, steps }) =>
    steps.flatMap(({ tool, operationId: operation_id }) =>
      operation_id === undefined ? [] : [{ line: n, tool, operation_id }],
    ),
  );

  const fields = { ...more, plan: planOutline(view) };
  const meta = operations.length > 0 ? { operations, digest: view.digest } : undefined;
  return result(call, status, { head, fields, body: () => body, meta });
}

/** `plan` of a result. */
export type PlanOutline = ReturnType<typeof planOutline>;

/** The plan without its terms: those are in the question. */
function planOutline({ id, state, lines, leftOut }: PlanView) {
  return {
    id,
    state,
    lines: lines.map(lineOutline),
    left_out: leftOut.length > 0 ? [...leftOut] : undefined,
  };
}

/** Lists the acts of a line only while it is not done. Where the line made a booking, only `new_locator` names it. */
function lineOutline(line: LineView) {
  const { n, title, locator, newLocator, state, why, steps } = line;
  const sums = lineMoved(line);
  const listsActs = steps.length > 1 && steps.some((step) => step.state !== 'done');

  return {
    n,
    title,
    state,
    locator,
    why: state === 'done' && newLocator !== undefined ? undefined : why,
    money: stillAsked(line),
    sums: sums.length > 0 ? [...sums] : undefined,
    new_locator: newLocator,
    steps: listsActs ? steps.map(({ tool, state: stepState }) => ({ tool, state: stepState })) : undefined,
  };
}
