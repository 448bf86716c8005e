/**
 * A yes or no given outside the call: the click on the page, or the locator typed in a terminal. It carries the
 * operation out, and whoever called the tool learns the outcome by calling again.
 */
import { ClerkError } from '../errors.ts';
import { assertAnswerable, decide } from '../guard/approvals.ts';
import type { Approval } from '../guard/ports.ts';
import { isActive } from '../journal/operation.ts';
import { isGuarded, type Tool } from '../tools/define.ts';
import { errorResult, type Result } from './answer.ts';
import { carryOut, type Draft } from './carry-out.ts';
import { type ClerkOptions, type Parts, toolContext } from './clerk.ts';

export interface PressOutcome {
  readonly kind: 'done' | 'pending' | 'declined' | 'failed' | 'stale' | 'unknown';
  readonly title: string;
  /** For reading, line by line. Airline and passenger text in it is cleaned, and is data. */
  readonly lines: readonly string[];
}

export interface Press {
  readonly operationId: string;
  readonly yes: boolean;
  readonly parts: Parts;
  readonly options: ClerkOptions;
  tool(name: string): Tool | undefined;
}

const UNKNOWN: PressOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is not known, or it was answered already. Nothing was sent.'],
};

/** Decides, and on a yes carries out. Safe to call twice: the second press tells how it stands. */
export async function press(it: Press): Promise<PressOutcome> {
  const approval = await it.parts.state.approvals.byOperation(it.operationId);
  if (approval === undefined) return UNKNOWN;
  const operation = await it.parts.state.operations.get(it.operationId);
  if (operation !== undefined) return isActive(operation.state) ? PENDING : told(operation.state);
  try {
    assertAnswerable(approval, it.parts.clock.now());
  } catch (error) {
    return failed(error);
  }
  const won = await decide(it.parts.state.approvals, approval, it.yes, 'page', it.parts.clock.now());
  if (!won) return press(it);
  if (it.yes) return carried(it, { ...approval, decision: 'granted', assurance: 'page' });
  await it.parts.state.approvals.erase(approval.handleHash);
  return { kind: 'declined', title: 'Declined', lines: ['You said no. Nothing was sent.'] };
}

async function carried(it: Press, approval: Approval): Promise<PressOutcome> {
  const tool = it.tool(approval.tool);
  const draft = approval.carried as Draft | undefined;
  if (tool === undefined || !isGuarded(tool) || draft === undefined) return UNKNOWN;
  const caller = { tenant: approval.tenant, id: approval.caller };
  const context = toolContext(it.options, it.parts, { caller });
  const call = { tool, args: draft.args, how: { caller }, context, parts: it.parts, options: it.options };
  try {
    const answer = await carryOut(call, approval, undefined);
    return outcomeOf(answer as Result);
  } catch (error) {
    return failed(error, await it.parts.state.approvals.byOperation(it.operationId));
  }
}

const PENDING: PressOutcome = {
  kind: 'pending',
  title: 'Sent; the outcome is not known yet',
  lines: ['The airline has not answered. It will not be sent twice. This page may be closed; ask the assistant again.'],
};

function told(state: string): PressOutcome {
  const done = state === 'succeeded';
  return {
    kind: done ? 'done' : 'failed',
    title: done ? 'Done already' : `Settled already: ${state.replace('_', ' ')}`,
    lines: ['This was decided before. Nothing was sent now.'],
  };
}

function outcomeOf(result: Result): PressOutcome {
  const { status } = result.structured;
  if (status === 'pending') return PENDING;
  const lines = result.text.split('\n');
  if (status === 'needs_person') return { kind: 'failed', title: 'A person must check', lines };
  return { kind: 'done', title: 'Done', lines };
}

function failed(error: unknown, approval?: Approval): PressOutcome {
  if (!(error instanceof ClerkError)) throw error;
  if (error.code === 'E_APPROVAL_STALE') {
    const lines = error.terms ?? approval?.staleLines ?? [];
    return { kind: 'stale', title: 'The terms have changed: nothing was sent', lines: ['The new terms:', ...lines] };
  }
  return { kind: 'failed', title: 'Nothing was done', lines: errorResult(error, 'live').text.split('\n') };
}
