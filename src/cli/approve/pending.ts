/** The questions that wait for this OS user, and how a terminal lists them. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lineOfPlan } from '../../approvals/plans/line-words.ts';
import type { Approval } from '../../approvals/ports.ts';
import { linesOf } from '../../approvals/terms.ts';
import type { Config } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import type { State } from '../../store/state.ts';
import type { Terminal } from '../commands/command.ts';
import type { Composed } from '../runtime/compose.ts';
import { printable } from '../terminal/question-text.ts';

export interface Run {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** `--yes` or `--no`: in the sandbox only. */
  readonly flag: boolean | undefined;
  /** `--lines`: of a plan, as typed. */
  readonly lines?: string | undefined;
}

/** Pending approvals, each with the milliseconds that are left for its answer. */
async function pendingIn(state: State) {
  const now = state.clock?.now() ?? Date.now();
  const open = await state.approvals.waiting(now);
  return open.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}
export type Pending = Awaited<ReturnType<typeof pendingIn>>[number];

/** Those of this OS user and state folder, oldest first: nobody may answer another caller's approvals. */
export async function pending({ config, composed }: Run): Promise<readonly Pending[]> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return [];
  const { tenant, id } = composed.caller;
  const open = await pendingIn(await composed.state());
  return open.filter(({ approval }) => approval.tenant === tenant && approval.caller === id);
}

/** Mentions approvals under the other settings: often only the host that started the server knows its settings. */
export async function hintAtOthers({ config, composed: { caller }, terminal }: Run): Promise<void> {
  const { directory, file, databaseUrl } = config.state;
  const folder = config.environment === 'sandbox' ? dirname(directory) : join(directory, 'sandbox');
  const other = join(folder, basename(file));
  if (databaseUrl !== undefined || !existsSync(other)) return;
  const { openSqliteState } = await import('../../store/sqlite/state.ts');
  const state = await openSqliteState(other);
  const open = await pendingIn(state).finally(() => state.close());
  if (!open.some(({ approval }) => approval.caller === caller.id && approval.tenant !== caller.tenant)) return;
  terminal.stderr.write(
    'fareclerk: an approval is pending under other settings. Run this with the settings of the server that asked.\n',
  );
}

export const TITLES = ['operation', 'booking', 'left', 'act'] as const;
/** Columns that are never cut. The beginning of an id is enough to name an operation. */
export const WHOLE = [1, 2, 3];

/** `9:58` */
function leftText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function row({ approval, leftMs }: Pending): readonly string[] {
  return [approval.operationId, approval.locator ?? '-', leftText(leftMs), actOf(approval)].map(printable);
}

/** Says of a step of a plan that is asked by itself which plan it belongs to. */
function actOf(approval: Approval): string {
  const ofPlan = lineOfPlan(approval);
  return ofPlan === undefined ? approval.act : `${ofPlan}: ${approval.act}`;
}

export const record = ({ approval: { operationId, act, locator, sections, client, expiresAt, part } }: Pending) => ({
  operation_id: operationId,
  act,
  ...omitUndefined({ locator, client, plan_id: part?.plan, line: part?.line || undefined }),
  terms: linesOf(sections),
  expires_at: new Date(expiresAt).toISOString(),
});
