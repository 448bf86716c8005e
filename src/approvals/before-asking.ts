/**
 * What refuses an act before anybody is asked: sending is stopped, a limit, another operation on the booking. The store
 * decides again when the operation is entered. And what a person is warned of: an earlier operation that was never settled.
 */
import { ClerkError } from '../core/errors.ts';
import { showDeadline } from '../core/times.ts';
import { whyNotSend } from '../journal/context.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { doubtSentence } from '../journal/outcome.ts';
import { type ActCall, type ConsentCall, patienceOf } from './call-types.ts';
import { APPROVAL_MS } from './expiry.ts';
import { QUESTIONS, tooManyOpen } from './fair-share.ts';
import { assertWithinDay, assertWithinLimits } from './limits.ts';
import { actWord } from './outcome-words.ts';
import { nearOf, type Terms } from './terms.ts';

/** Looks at all of it at once; of several refusals the first counts. */
export async function assertMayAsk(call: ConsentCall, terms: Terms): Promise<void> {
  const looks = await Promise.allSettled([
    assertMaySend(call),
    (async () => assertWithinLimits(call.settings.limits, terms.money))(),
    assertNotBusy(call, terms.locator),
    assertWithinDay(call, terms.money),
  ]);
  for (const look of looks) if (look.status === 'rejected') throw look.reason;
}

export async function assertMaySend({ runtime }: Pick<ConsentCall, 'runtime'>): Promise<void> {
  const status = await runtime.state.chain?.status();
  const why = status && whyNotSend(status);
  if (why !== undefined) throw why;
}

/** A plan is one question about many acts. */
export async function assertFewOpen({ runtime, asker }: ConsentCall): Promise<void> {
  const open = await runtime.state.approvals.openOf(asker.caller, runtime.clock.now());
  if (open >= QUESTIONS.open) throw tooManyOpen(APPROVAL_MS);
}

/** A reading that is due rarely takes longer. */
const SETTLING_MS = 2_000;

/** A booking takes one operation at a time. Tries to settle an open one by reading first. */
export async function assertNotBusy(call: ConsentCall, locator: string | undefined): Promise<void> {
  if (locator === undefined) return;
  const { journal, acts } = call.runtime;
  const { tenant } = call.asker.caller;
  const open = await journal.openOn(locator);
  if (open === undefined) return;
  if (open.tenant !== tenant) throw bookingBusy(call, open, locator);
  const now = await journal.follow(open.id, Math.min(patienceOf(call), SETTLING_MS), call.asker.signal);
  if (isActive(now.state)) throw bookingBusy(call, now, locator);
  throw new ClerkError(
    'E_BOOKING_BUSY',
    `An earlier ${actWord(acts, now.tool)} of ${locator} has just been settled (${now.state.replace('_', ' ')}). Nothing was sent now.`,
    { next: 'Call read_booking to see its state, then decide again.', retry: 'same_call' },
  );
}

/** Reveals only that another tenant's operation exists. */
export function bookingBusy(
  { asker, runtime }: Pick<ConsentCall, 'asker' | 'runtime'>,
  other: Pick<Operation, 'tenant' | 'tool'>,
  locator: string,
): ClerkError {
  if (other.tenant !== asker.caller.tenant) {
    return new ClerkError('E_BOOKING_BUSY', `Another operation on ${locator} is under way. Nothing was sent.`, {
      next: 'Try again later: wait, then call read_booking to see its state.',
      retry: 'after_s:30',
    });
  }
  return new ClerkError(
    'E_BOOKING_BUSY',
    `${locator} has an operation whose outcome is not known yet (${actWord(runtime.acts, other.tool)}). Nothing else is sent meanwhile.`,
    { next: 'Wait, then call read_booking; it shows the open operation.', retry: 'after_s:30' },
  );
}

/** How long a person is reminded of it. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;

export async function withCaution(call: ActCall, terms: Terms): Promise<Terms> {
  const doubt = await unsettled(call, terms);
  if (doubt === undefined) return terms;
  const [act, ...others] = terms.sections;
  const caution = { kind: 'caution' as const, lines: [doubt] };
  return { ...terms, sections: [...(act ? [act] : []), caution, ...others] };
}

/** A person who approves a second payment must know that the first may have succeeded. */
async function unsettled({ runtime, asker }: ActCall, terms: Terms): Promise<string | undefined> {
  const { locator } = terms;
  if (locator === undefined) return undefined;
  const filter = { tenant: asker.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [left] = await runtime.state.operations.list({ ...filter, from: runtime.clock.now() - REMEMBERED_MS });
  if (left === undefined) return undefined;
  const when = showDeadline(new Date(left.dispatchedAt ?? left.createdAt).toISOString(), nearOf(terms));
  const known = doubtSentence(runtime.acts, left);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${actWord(runtime.acts, left.tool)} of this booking (${when}) ${became}: ask the airline before saying yes.`;
}
