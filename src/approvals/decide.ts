/**
 * A yes or no given outside the call: the click on the page, or the locator typed in a terminal. It carries the
 * operation out, and whoever called the tool learns the outcome by calling again.
 */
import type { Caller } from '../domain/people/caller.ts';
import { ClerkError } from '../errors.ts';
import type { Assurance } from '../journal/operation.ts';
import type { Result } from '../server/answer.ts';
import { type ClerkOptions, type GuardedCall, type Runtime, toolContext } from '../server/context.ts';
import { type GuardedTool, isGuarded, type Tool } from '../tools/definition/define.ts';
import { carryOut, type Draft } from './carry-out.ts';
import type { Approval } from './ports.ts';
import { decide } from './request.ts';
import { failure, type PressOutcome, stale, standing, UNTOLD } from './status.ts';
import { tellingUnsent } from './unsent.ts';

export type { PressOutcome };

/** Who presses, and how sure it is that a person did. */
export interface Presser {
  /** Whose question it must be; absent where whoever reached the page may answer (the page's own gate decided). */
  readonly caller?: Caller;
  readonly assurance: Extract<Assurance, 'page' | 'caller_confirmed'>;
  /** Who signed in to press, as callers are named: kept with the approval and the operation. */
  readonly approver?: string;
}

export interface Press {
  readonly operationId: string;
  readonly yes: boolean;
  readonly by: Presser;
  readonly parts: Runtime;
  readonly options: ClerkOptions;
  tool(name: string): Tool | undefined;
}

const UNKNOWN: PressOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is not known, or it was answered already. Nothing was sent.'],
};

/** Decides, and on a yes carries out. Safe to call twice: the second press tells how it stands. A no sends nothing. */
export async function press(it: Press): Promise<PressOutcome> {
  const approval = await find(it);
  const tool = approval && it.tool(approval.tool);
  // A tool that this process does not offer (read-only, another toolset) is not decided here either.
  if (approval === undefined || tool === undefined || !isGuarded(tool)) return UNKNOWN;
  const { approvals, operations } = it.parts.state;
  const now = it.parts.clock.now();
  const stands = standing(approval, await operations.get(it.operationId), now);
  if (stands !== 'question' && !granted(approval, stands)) return stands;
  if (stands === 'question') await decide(approvals, approval, it.yes, it.by.assurance, now, it.by.approver);
  const decided = (await find(it)) ?? approval;
  if (decided.decision === 'granted' && it.yes) return carried(it, decided, tool);
  // A no never sends: a yes that was not carried out yet is taken back (carry-out.ts, recheck).
  if (decided.decision === 'granted') await approvals.revoke(decided.handleHash);
  if (decided.decision === 'declined') await approvals.erase(decided.handleHash);
  const after = standing((await find(it)) ?? decided, await operations.get(it.operationId), it.parts.clock.now());
  return after === 'question' ? UNKNOWN : after;
}

/** Granted, and nobody got as far as the journal: the yes is carried out now. A second press is the same operation. */
function granted(approval: Approval, stands: PressOutcome): boolean {
  return approval.decision === 'granted' && approval.carried !== undefined && stands.kind === 'pending';
}

async function find({ parts, operationId, by }: Press): Promise<Approval | undefined> {
  const approval = await parts.state.approvals.byOperation(operationId);
  const own = by.caller === undefined || (approval?.tenant === by.caller.tenant && approval.caller === by.caller.id);
  return own ? approval : undefined;
}

async function carried(it: Press, approval: Approval, tool: GuardedTool): Promise<PressOutcome> {
  const { args } = approval.carried as Draft;
  const caller = { tenant: approval.tenant, id: approval.caller };
  const context = toolContext(it.options, it.parts, { caller });
  const call = { tool, args, how: { caller }, context, parts: it.parts, options: it.options };
  const trail = { operationId: approval.operationId };
  try {
    const carry = (tracked: GuardedCall) => carryOut(tracked, approval, undefined);
    const result = (await tellingUnsent(call, trail, carry)) as Result;
    return outcomeOf(result) ?? pendingAs(it, approval);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    return error.code === 'E_APPROVAL_STALE' ? stale(error.terms ?? []) : failure(error);
  }
}

/** Being read again, sent, or in doubt: the journal tells. */
async function pendingAs({ parts, operationId }: Press, approval: Approval): Promise<PressOutcome> {
  const stands = standing(approval, await parts.state.operations.get(operationId), parts.clock.now());
  if (stands === 'question') return UNTOLD;
  if (stands.kind !== 'pending') return stands;
  return { ...stands, lines: [...stands.lines, 'This page may be closed; ask the assistant how it stands.'] };
}

/** Undefined while it is under way. */
function outcomeOf(result: Result): PressOutcome | undefined {
  const lines = result.text.split('\n');
  switch (result.structured.status) {
    case 'pending':
      return undefined;
    case 'needs_person':
      return { kind: 'failed', title: 'A person must check', lines };
    default:
      return { kind: 'done', title: 'Done', lines };
  }
}
