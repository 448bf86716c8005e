/**
 * What must hold of every schedule, told from what really happened at the airline.
 */

import { termsOf } from './acts.ts';
import { LAG, type Version } from './airline.ts';
import { isActive, isReached } from './truth.ts';
import type { Asked, History } from './world.ts';

type Operation = Awaited<ReturnType<History['store']['list']>>[number];

/** A reading before the act is at most this old when the act arrives: 30 s for it, 5 s for the fence, and the way. */
const FRESH = 40_000;

export async function violations(history: History): Promise<string[]> {
  const operations = await history.store.list({});
  const bad: string[] = [];
  for (const operation of operations) {
    if (isActive(operation.state)) bad.push(`UNSETTLED ${operation.id} ${operation.state}`);
  }
  for (const [locator] of history.airline.bookings) bad.push(...doubles(history, locator));
  for (const asked of history.asked) bad.push(...ofApproval(history, asked, operations));
  return bad;
}

/**
 * Of an airline that acts later than is waited for: what was settled as not carried out and then was is handed to a
 * person, unless a later act of ours may have been it.
 */
export async function lateViolations(history: History): Promise<string[]> {
  const { airline, asked, store } = history;
  const operations = await store.list({});
  const bad: string[] = [];
  for (const operation of operations) {
    const { id, state, locator } = operation;
    if (isActive(state)) bad.push(`UNSETTLED ${id} ${state}`);
    const others = operations.filter((one) => one.locator === locator && one.createdAt >= operation.createdAt);
    const isExplained = others.some((one) => one.state !== 'refused' && one.state !== 'not_executed');
    const wasSeen = airline.commits.some((one) => one.operation === id && one.at <= lastLook(operation) - LAG);
    if (state === 'not_executed' && wasSeen && !isExplained) bad.push(`UNNOTICED ${id}`);
  }
  for (const one of asked) {
    const arrivals = airline.arrivals.filter((arrival) => arrival.operation === one.approval.operationId);
    if (arrivals.length > 1) bad.push(`SENT TWICE ${one.approval.operationId} x${arrivals.length}`);
    for (const { at } of arrivals) bad.push(...withoutYes(history, one, at));
  }
  return bad;
}

/** When it was, or should have been, looked at last. */
function lastLook({ updatedAt, outcome }: Operation): number {
  return updatedAt + ([60, 45][outcome?.looks ?? 0] ?? 0) * 60_000;
}

/** Two payments, or two refunds of the same thing, by our own hand. */
function doubles({ airline, asked }: History, locator: string): string[] {
  const ours = airline.commits.filter((commit) => commit.truth.locator === locator);
  const kindOf = (id: string) => asked.find((one) => one.approval.operationId === id)?.aim;
  const paid = ours.filter((commit) => kindOf(commit.operation)?.kind === 'pay');
  const bad = paid.length > 1 ? [`DOUBLE PAYMENT ${locator} x${paid.length}`] : [];
  const given = new Set<string>();
  for (const { operation, truth } of ours) {
    const aim = kindOf(operation);
    if (aim?.kind !== 'cancel_segments') continue;
    for (const ref of aim.refs) {
      if (given.has(ref) && !truth.segments.some((one) => one.ref === ref && one.active)) {
        bad.push(`DOUBLE REFUND ${locator} segment ${ref}`);
      }
      given.add(ref);
    }
  }
  return bad;
}

/** Whether an operation is that of an approval. A mutant makes several of one: `id/0`, `id/1` … */
const isOf = (id: string, operation: string) => operation === id || operation.startsWith(`${id}/`);

function ofApproval(history: History, asked: Asked, operations: readonly Operation[]): string[] {
  const { approval, answers } = asked;
  const id = approval.operationId;
  const ofCall = operations.filter((one) => isOf(id, one.id));
  const arrivals = history.airline.arrivals.filter((one) => isOf(id, one.operation));
  const commits = history.airline.commits.filter((one) => isOf(id, one.operation));
  const told = new Set([...answers, ...ofCall.map((one) => one.state)]);
  const bad: string[] = [];
  if (arrivals.length > 1) bad.push(`SENT TWICE ${id} x${arrivals.length}`);
  for (const { at } of arrivals) bad.push(...withoutYes(history, asked, at));
  if (commits.length > 0 && ofCall.length === 0) bad.push(`COMMIT WITHOUT JOURNAL ${id}`);
  // A first reading may lag behind the airline: the one after the settle time must notice.
  const isRefused = ofCall.some((one) => one.state === 'refused' && one.outcome?.provisional !== true);
  if (commits.length > 0 && isRefused) bad.push(`FALSE REFUSAL ${id}`);
  if (commits.length > 0 && told.has('not_executed')) bad.push(`LOST OUTCOME ${id}`);
  if (told.has('succeeded')) bad.push(...falseSuccess(history, asked));
  for (const { truth } of commits) {
    if (asked.aim.kind !== 'cancel_passengers') continue;
    const hit = truth.people.filter((one) => asked.aim.refs.includes(one.ref)).map((one) => one.who);
    if (hit.some((who) => !asked.aim.who.includes(who))) bad.push(`ANOTHER PERSON CANCELLED ${id}`);
  }
  return bad;
}

/** An act needs a yes that came before it, to terms that still stood when they were read again. */
function withoutYes({ airline }: History, { approval }: Asked, at: number): string[] {
  const { id, decision, decidedAt, message, shown } = approval;
  if (decision !== 'granted' || decidedAt === undefined || decidedAt > at) return [`ACT WITHOUT A YES ${id}`];
  if (message.kind === 'create') return [];
  const versions = airline.versions(message.locator);
  const stood = (version: Version, i: number) =>
    version.at <= at && (versions[i + 1]?.at ?? Infinity) >= at - FRESH && termsOf(version.booking) === shown;
  return versions.some(stood) ? [] : [`ACT ON OTHER TERMS ${id}`];
}

function falseSuccess({ airline }: History, { approval, aim }: Asked): string[] {
  const { operationId, message, amount } = approval;
  if (aim.kind === 'create') {
    return airline.commits.some((one) => one.operation === operationId) ? [] : [`FALSE SUCCESS ${operationId}`];
  }
  const versions = airline.versions(message.locator);
  if (!versions.some((version) => isReached(version.truth, aim))) return [`FALSE SUCCESS ${operationId}`];
  const paid = versions.at(-1)?.truth.paid ?? [];
  return aim.kind === 'pay' && !paid.includes(amount) ? [`FALSE SUCCESS ${operationId}: another amount`] : [];
}
