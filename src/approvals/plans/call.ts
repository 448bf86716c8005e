/** A call of run_plan: asks once for all lines, carries out the ticked ones, and tells how far it is. */
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../../errors.ts';
import type { Operation } from '../../journal/operation.ts';
import { untraced } from '../../journal/tracing.ts';
import type { Answer, Result } from '../answer.ts';
import { ask, channelFor } from '../ask.ts';
import { assertFewOpen, assertWithinDay } from '../before-asking.ts';
import type { Asker, GuardedAct, GuardedCall, Presented, WholePlan } from '../call-types.ts';
import { again } from '../guarded-call.ts';
import { assertWithinLimits } from '../limits.ts';
import type { PlanApproval } from '../ports.ts';
import { approvalField, result } from '../present.ts';
import { lastUnseen } from '../unseen-dialogs.ts';
import { markingUnsent } from '../unsent.ts';
import { approvalsFor, askedMeanwhile, expiryOf, type Prepared, prepare, RUN_PLAN } from './ask-plan.ts';
import { stopPlan } from './decide-plan.ts';
import { type PlanParts, storeOf } from './parts.ts';
import { MOST_LINES_IN_DIALOG, type PlanView } from './plan.ts';
import { isOwn } from './propose.ts';
import { recordPlanAnswer } from './record.ts';
import { runPlan } from './run.ts';
import { type PlanFacts, questionOf } from './status.ts';
import { loadPlan, viewOf } from './view.ts';
import { countsOf, nextText, planText } from './words.ts';

export interface RunPlanArgs {
  readonly plan_id: string;
  readonly stop?: boolean | undefined;
}

/** `done` of `total` lines have their end. */
export type PlanProgress = (done: number, total: number, message: string) => void;

type PlanAsker = Asker & { readonly progress?: PlanProgress };

/** Between two looks at a plan that is being carried out. */
const POLL_MS = 1_000;

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function planCall(
  parts: PlanParts,
  how: PlanAsker,
  { plan_id: id, stop }: RunPlanArgs,
  approvalId: unknown,
): Promise<Answer> {
  const facts = await ownPlan(parts, how, id);
  const { runtime, settings } = parts;
  const isLong = facts.body.lines.length > MOST_LINES_IN_DIALOG;
  const asker: Asker = isLong ? { ...how, canElicit: false } : how;
  const act = actOfPlan(id);
  const call = { act, how: asker, runtime, settings, whole: wholePlan(parts, how, id) };
  if (stop === true) return stopped(parts, how, { ...call, trail: {} }, id);
  const handle = how.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  return markingUnsent(call, { isNew }, (bound) => (isNew ? first(parts, how, bound, facts) : again(bound, handle)));
}

/** The call's own act: a plan has no terms of its own, and sends nothing itself. */
function actOfPlan(id: string): GuardedAct {
  const act: Pick<GuardedAct, 'tool' | 'effect' | 'args'> = { tool: RUN_PLAN, effect: 'commit', args: { plan_id: id } };
  // The other methods are those of its lines.
  return act as GuardedAct;
}

async function ownPlan(parts: PlanParts, how: Asker, id: string, ended?: Map<string, Operation>): Promise<PlanFacts> {
  const facts = await loadPlan(parts.runtime, id, ended);
  if (facts !== undefined && isOwn(facts, how)) return facts;
  throw new ClerkError('E_NOT_FOUND', 'plan_id: there is no such plan of yours. Nothing was sent.', {
    next: 'Call propose_plan to make one.',
  });
}

function wholePlan(parts: PlanParts, how: PlanAsker, id: string): WholePlan {
  return {
    record: (asked, answer) => recordPlanAnswer(parts.runtime, asked as PlanApproval, answer),
    goOn: (call, presented) => goOn(parts, how, call, id, presented),
  };
}

async function first(parts: PlanParts, how: PlanAsker, call: GuardedCall, facts: PlanFacts): Promise<Answer> {
  const { runtime, settings } = parts;
  const { state } = viewOf(facts);
  if (state === 'running') return goOn(parts, how, call, facts.plan.id);
  if (facts.plan.body === undefined || facts.plan.expiresAt <= facts.now) throw lapsed();
  const progress = (done: number, total: number) => how.progress?.(done, total, 'terms read');
  const prepared = await prepare(parts, how, facts, progress);
  if (prepared.lines.length === 0) return nothingToAsk(call, facts, prepared);
  assertWithinLimits(omitUndefined({ perDay: settings.limits.perDay }), prepared.stake);
  await assertWithinDay(call, prepared.stake);
  await assertFewOpen(call);
  const unseen = await lastUnseen(call);
  const askedBy = channelFor(call, prepared.stake, unseen);
  const { tracing = untraced } = runtime;
  const { caller, client } = how;
  const asking = { caller, askedBy, now: runtime.clock.now(), uuid: () => runtime.random.uuid() };
  const optional = omitUndefined({ client, trace: tracing.current() });
  const { handle, question, steps } = approvalsFor(facts, prepared, { ...asking, ...optional });
  const asked = { id: facts.plan.id, question: question.operationId, expiresAt: expiryOf(facts), body: prepared.body };
  const before = questionOf(facts);
  if (!(await storeOf(parts).ask(asked, [question, ...steps], before))) throw askedMeanwhile(facts.plan.id);
  tracing.mark({ 'fareclerk.approval.channel': askedBy }, 'approval asked');
  return ask(call, question, handle, unseen);
}

/** Everything is done, on its way, left out by the person, or refused now. */
function nothingToAsk(call: GuardedCall, facts: PlanFacts, { body }: Prepared): Result {
  const view = viewOf({ ...facts, body });
  const refused = Object.entries(body.notAsked).map(([n, why]) => `${n}. cannot be done now: ${why}`);
  const text = ['Nothing is left to ask for. Nothing was sent now.', ...planText(view), ...refused];
  return result(call, 'already_done', text.join('\n'), { plan: planOutline(view) });
}

async function goOn(
  parts: PlanParts,
  how: PlanAsker,
  call: GuardedCall,
  id: string,
  presented?: Presented,
): Promise<Result> {
  const { clock } = parts.runtime;
  call.trail.ran = true;
  void runPlan(parts, id);
  const until = clock.now() + call.settings.answerMs;
  const known = new Map<string, Operation>();
  let told = -1;
  for (;;) {
    const facts = await ownPlan(parts, how, id, known);
    const view = viewOf(facts);
    const ended = view.lines.filter(({ state }) => state !== 'waiting' && state !== 'doing' && state !== 'in_doubt');
    if (ended.length !== told) how.progress?.(ended.length, view.lines.length, lastWords(view));
    told = ended.length;
    if (view.state === 'running' && clock.now() < until && how.signal?.aborted !== true) {
      await clock.sleep(POLL_MS, how.signal);
      // Nobody else carries it out.
      void runPlan(parts, id);
      continue;
    }
    return present(call, presented, view);
  }
}

function lastWords({ lines }: PlanView): string {
  return lines.find(({ state }) => state === 'doing' || state === 'in_doubt')?.title ?? 'lines carried out';
}

async function present(call: GuardedCall, presented: Presented | undefined, view: PlanView): Promise<Result> {
  const question = presented?.approval;
  const { approvals } = call.runtime.state;
  const isOver = view.state !== 'running';
  if (isOver && question !== undefined) await approvals.tell(question.handleHash, call.runtime.clock.now());
  const calls = view.lines.some(({ state }) => state === 'needs_person');
  const status = !isOver ? 'pending' : calls ? 'needs_person' : 'done';
  const text = [...planText(view), nextText(view)].join('\n');
  return result(call, status, text, { ...approvalField(presented), plan: planOutline(view) });
}

async function stopped(parts: PlanParts, how: Asker, call: GuardedCall, id: string): Promise<Result> {
  await stopPlan(parts, { id });
  return present(call, undefined, viewOf(await ownPlan(parts, how, id)));
}

/** As results show it; the terms are in the question. */
export function planOutline(view: PlanView) {
  return {
    id: view.id,
    state: view.state,
    counts: Object.fromEntries(countsOf(view)),
    lines: view.lines.map(({ n, title, locator, state, why, steps }) => ({
      n,
      title,
      state,
      ...omitUndefined({ locator, why }),
      operation_ids: steps.flatMap(({ operationId }) => operationId ?? []),
    })),
    ...omitUndefined({ digest: view.digest }),
  };
}

function lapsed(): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', 'The plan was proposed too long ago. Nothing was sent.', {
    next: 'Call propose_plan again: it reads the terms anew.',
  });
}
