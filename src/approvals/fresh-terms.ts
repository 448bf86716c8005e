/** Fresh terms: what the tool writes from a new reading, and a caution where an earlier operation was never settled. */
import { showDeadline } from '../core/local-times.ts';
import { doubtOf } from '../journal/outcome.ts';
import type { GuardedCall } from './call-types.ts';
import { actWord } from './person-words.ts';
import { nearOf, type Terms } from './terms.ts';

/** How long a person is reminded of it. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;

export async function withCaution(call: GuardedCall, terms: Terms): Promise<Terms> {
  const doubt = await unsettled(call, terms);
  if (doubt === undefined) return terms;
  const [act, ...others] = terms.sections;
  const caution = { kind: 'caution' as const, lines: [doubt] };
  return { ...terms, sections: [...(act ? [act] : []), caution, ...others] };
}

/** A person who approves a second payment must know that the first may have succeeded. */
async function unsettled({ runtime, how }: GuardedCall, terms: Terms): Promise<string | undefined> {
  const { locator } = terms;
  if (locator === undefined) return undefined;
  const filter = { tenant: how.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [left] = await runtime.state.operations.list({ ...filter, from: runtime.clock.now() - REMEMBERED_MS });
  if (left === undefined) return undefined;
  const when = showDeadline(new Date(left.dispatchedAt ?? left.createdAt).toISOString(), nearOf(terms));
  const known = doubtOf(runtime.acts, left);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${actWord(runtime.acts, left.tool)} of this booking (${when}) ${became}: ask the airline before saying yes.`;
}
