/**
 * Terms as they are now: what the tool writes from a fresh reading, and what the journal knows of the booking besides.
 */
import { utcText } from '../domain/time-and-text/times.ts';
import { receiptWords } from '../journal/outcome.ts';
import type { GuardedCall } from '../server/context.ts';
import type { ToolContext } from '../tools/definition/define.ts';
import type { Terms } from './terms.ts';

/** How long a person is reminded of what could not be settled, milliseconds. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;

export async function termsNow(call: GuardedCall, context: ToolContext): Promise<Terms> {
  const terms = await call.tool.preview(call.args as never, context);
  const doubt = await unsettled(call, terms.locator);
  const [act = '', ...others] = terms.lines;
  return doubt === undefined ? terms : { ...terms, lines: [act, doubt, ...others] };
}

/** Whoever says yes to a second payment must know that the first may have gone through. */
async function unsettled({ parts, how }: GuardedCall, locator: string | undefined): Promise<string | undefined> {
  if (locator === undefined) return undefined;
  const filter = { tenant: how.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [left] = await parts.state.operations.list({ ...filter, from: parts.clock.now() - REMEMBERED_MS });
  if (left === undefined) return undefined;
  const when = utcText(left.dispatchedAt ?? left.createdAt);
  const known = receiptWords(left);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${left.tool} of this booking (${when}) ${became}: ask the airline before saying yes.`;
}
