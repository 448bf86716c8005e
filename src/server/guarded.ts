/**
 * One call of a guarded tool, as its steps pass it on.
 */
import type { GuardedTool, ToolContext } from '../tools/define.ts';
import type { CallHow, ClerkOptions, Parts } from './clerk.ts';

/** Default of `ClerkOptions.waitMs`. */
export const WAIT_MS = 25_000;

export interface GuardedCall {
  readonly tool: GuardedTool;
  /** The tool's arguments without `approval_id`: what approvals are bound to. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly how: Pick<CallHow, 'caller'> & Partial<CallHow>;
  readonly context: ToolContext;
  readonly parts: Parts;
  readonly options: ClerkOptions;
}
