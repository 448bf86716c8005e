/** What must hold of every schedule of plans, told from what really happened at the airline. */
import { loadPlan } from '../../../../src/plans/plan-facts.ts';
import { planView } from '../../../../src/plans/plan-view.ts';
import { termsOf } from '../acts.ts';
import type { Version } from '../airline.ts';
import { DIGEST_KEY } from '../desk.ts';
import { aimOf, isActive, isReached, type Message } from '../truth.ts';
import { NEW_TOTAL } from './plan-desk.ts';
import type { PlanHistory } from './plan-world.ts';

/** From the reading before an act until it arrives: 30 s for it, 5 s for the fence, and the way. */
const FRESH = 40_000;
/** How long a yes to a plan holds. */
const PLAN_YES_MS = 30 * 60_000;

type Approval = PlanHistory['approvals'][number];
type PlanPart = Approval['part'];
type Arrival = PlanHistory['airline']['arrivals'][number];

export async function planViolations(history: PlanHistory): Promise<string[]> {
  const { stored, airline } = history;
  const bad: string[] = [];
  for (const { id, state } of await stored.operations.list({}))
    if (isActive(state)) bad.push(`UNSETTLED ${id} ${state}`);
  const places = new Map<string, number>();
  for (const arrival of airline.arrivals) {
    // A mutant makes several operations of one approval: `id/0`, `id/1` …
    const id = arrival.operation.split('/')[0] ?? '';
    places.set(id, (places.get(id) ?? 0) + 1);
    const approval = history.approvals.find((one) => one.operationId === id);
    if (approval === undefined) bad.push(`ACT WITHOUT A QUESTION ${id}`);
    else bad.push(...ofArrival(history, arrival, approval, approval.part));
    const barred = history.barred.get(id);
    if (barred !== undefined) bad.push(`ACT IN SPITE OF ${barred.toUpperCase()} ${id}`);
  }
  for (const [id, times] of places) if (times > 1) bad.push(`SENT TWICE ${id} x${times}`);
  return [...bad, ...doubles(history), ...unbegun(history), ...(await told(history))];
}

function ofArrival(history: PlanHistory, arrival: Arrival, approval: Approval, part: PlanPart): string[] {
  const what = `${approval.operationId} (${part.line}.${part.step} ${arrival.message.kind})`;
  return [
    ...withoutYes(history, arrival, part).map((why) => `${why} ${what}`),
    ...(stood(history, arrival, approval) ? [] : [`ACT ON OTHER TERMS ${what}`]),
    ...(restStood(history, arrival, part) ? [] : [`PAID ALTHOUGH THE REST CHANGED ${what}`]),
    ...besideDoubt(history, arrival, part).map((why) => `${why} ${what}`),
    ...outOfTurn(history, arrival, part).map((why) => `${why} ${what}`),
  ];
}

/** The person ticked the line, not long ago, and did not stop the plan since. */
function withoutYes({ clicks, stops, approvals }: PlanHistory, { at }: Arrival, part: PlanPart): string[] {
  const { question, line } = part;
  const click = clicks.find((one) => one.question === question && one.yes && one.ticked.includes(line) && one.at <= at);
  if (click === undefined) return ['ACT WITHOUT A YES'];
  const decidedAt = approvals.find((one) => one.operationId === question)?.decidedAt ?? 0;
  if (at > decidedAt + PLAN_YES_MS + FRESH) return ['ACT ON AN OLD YES'];
  const stopped = stops.some((stop) => stop.plan === part.plan && stop.at > decidedAt && stop.at < at - FRESH);
  const later = approvals.find(
    (one) =>
      one.part.line === 0 && one.part.plan === part.plan && one.operationId !== question && one.createdAt > decidedAt,
  );
  if (later !== undefined && later.createdAt < at - FRESH) return ['ACT ON A YES THAT WAS ASKED ANEW'];
  return stopped ? ['ACT AFTER THE STOP'] : [];
}

/** The terms that the person read still stood shortly before. */
function stood(
  { airline }: PlanHistory,
  { at, message }: Pick<Arrival, 'at' | 'message'>,
  { sections, locator }: Approval,
): boolean {
  if (message.kind === 'create') return true;
  const versions = airline.versions(message.locator);
  const shown = sections[0]?.lines[0];
  const fits = ({ truth, booking }: Version) =>
    locator !== undefined
      ? termsOf(booking) === shown
      : truth.paid.length === 0 && (message.kind !== 'pay' || truth.total === NEW_TOTAL);
  return versions.some((one, i) => one.at <= at && (versions[i + 1]?.at ?? Infinity) >= at - FRESH && fits(one));
}

/** Shortly before a payment, the terms of what comes after it in its line still stood: else both bookings would stay. */
function restStood(history: PlanHistory, { at, message }: Arrival, part: PlanPart): boolean {
  if (message.kind !== 'pay') return true;
  const later = history.approvals.find(({ part: of, locator }) => {
    return of.question === part.question && of.line === part.line && of.step > part.step && locator !== undefined;
  });
  if (later?.locator === undefined) return true;
  return stood(history, { at, message: { kind: 'cancel_segments', locator: later.locator, refs: [] } }, later);
}

/** Nothing begins while another act of the same yes is not settled, or waits for a person. */
function besideDoubt({ airline, approvals, moves }: PlanHistory, arrival: Arrival, part: PlanPart): string[] {
  const own = begun(moves, arrival.operation);
  const others = approvals.filter(
    (one) => one.part.question === part.question && one.part.line > 0 && one.operationId !== arrival.operation,
  );
  for (const other of others) {
    const sent = airline.arrivals.find((one) => one.operation === other.operationId);
    if (sent === undefined || own === undefined || begun(moves, other.operationId) === undefined) continue;
    if ((begun(moves, other.operationId) ?? 0) >= own) continue;
    const state = stateAt(moves, other.operationId, own);
    if (state === 'in_doubt' || state === 'dispatched' || state === 'needs_person')
      return [`BESIDE ${state.toUpperCase()}`];
  }
  return [];
}

type Moves = PlanHistory['moves'];

const begun = (moves: Moves, id: string) => moves.find((one) => one.id === id && one.to === 'dispatched')?.at;

function stateAt(moves: Moves, id: string, at: number): string | undefined {
  return moves.findLast((one) => one.id === id && one.at < at)?.to;
}

/** In a move: hold, pay what was held, then cancel the old. */
function outOfTurn(history: PlanHistory, arrival: Arrival, part: PlanPart): string[] {
  const steps = history.lines[part.line - 1]?.steps ?? [];
  const spec = steps[part.step];
  if (spec === undefined || steps.length === 1) return [];
  const before = begun(history.moves, arrival.operation) ?? arrival.at;
  const committed = (step: number) =>
    history.approvals.some(
      ({ part: of, operationId }) =>
        of.line === part.line &&
        of.step === step &&
        history.airline.commits.some((one) => one.operation === operationId),
    );
  const succeeded = (step: number) =>
    history.approvals.some(
      ({ part: of, operationId }) =>
        of.line === part.line && of.step === step && stateAt(history.moves, operationId, before + 1) === 'succeeded',
    );
  const bad = (spec.after ?? []).filter((step) => !succeeded(step)).map((step) => `BEFORE STEP ${step}`);
  if (spec.locatorOf !== undefined && !committed(spec.locatorOf)) bad.push('ON NO BOOKING');
  return bad;
}

function doubles({ airline }: PlanHistory): string[] {
  return [...airline.bookings.keys()].flatMap((locator) => {
    const { paid } = airline.truth(locator);
    return paid.length > 1 ? [`DOUBLE PAYMENT ${locator} x${paid.length}`] : [];
  });
}

/** Where nobody died and nothing was left in doubt for long, each single act that was ticked was begun. */
function unbegun({ isCalm, stops, approvals, moves, lines }: PlanHistory): string[] {
  if (!isCalm || stops.length > 0 || moves.some(({ to }) => to === 'needs_person' || to === 'in_doubt')) return [];
  const due = approvals.filter(
    ({ part, decision }) => decision === 'granted' && lines[part.line - 1]?.steps.length === 1,
  );
  return due
    .filter(({ operationId }) => !moves.some(({ id }) => id === operationId))
    .map((one) => `NOT BEGUN ${one.operationId}`);
}

/** The plan as it is shown in the end; undefined where none was made, or it was lost. */
async function viewIn({ stored, plan, endedAt }: PlanHistory) {
  const state = { ...stored, digestKey: DIGEST_KEY };
  const runtime = { state, clock: { now: () => endedAt, sleep: async () => undefined } };
  const facts = plan === undefined ? undefined : await loadPlan(runtime as never, plan);
  return facts && planView(facts);
}

export async function endsOf(history: PlanHistory): Promise<readonly string[]> {
  return (await viewIn(history))?.lines.map(({ state }) => state) ?? [];
}

/** Every line has its end, and it is the true one. */
async function told(history: PlanHistory): Promise<string[]> {
  const { plan, airline } = history;
  const view = await viewIn(history);
  if (view === undefined) return plan === undefined ? [] : [`LOST PLAN ${plan}`];
  const bad = view.state === 'running' ? [`UNFINISHED PLAN ${plan}`] : [];
  for (const { n, steps, state: of } of view.lines) {
    if (of === 'waiting' || of === 'doing' || of === 'in_doubt') bad.push(`UNFINISHED LINE ${n} ${of}`);
    for (const [i, { state: own, operationId }] of steps.entries()) {
      const done = airline.commits.some((one) => one.operation === operationId);
      // A first reading after a refusal may lag behind the airline: the one after the settle time must notice.
      const operation = operationId === undefined ? undefined : await history.stored.operations.get(operationId);
      const isFinal = operation?.outcome?.provisional !== true;
      if (done && isFinal && (own === 'skipped' || own === 'not_begun' || own === 'not_ticked'))
        bad.push(`LOST OUTCOME ${n}.${i} ${own}`);
      const sent = airline.arrivals.some((one) => one.operation === operationId);
      if (own === 'done' && !sent && !isSoAnyway(history, n, i)) bad.push(`FALSE SUCCESS ${n}.${i}`);
    }
  }
  return bad;
}

/** A reading shows what was wanted, whoever did it. */
function isSoAnyway({ lines, airline }: PlanHistory, line: number, step: number): boolean {
  const { tool, args } = lines[line - 1]?.steps[step] ?? { tool: '', args: {} };
  const message = { ...args, kind: tool } as unknown as Message;
  const versions = airline.versions(message.locator);
  const first = versions[0]?.truth;
  return first !== undefined && versions.some(({ truth }) => isReached(truth, aimOf(first, message)));
}
