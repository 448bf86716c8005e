/**
 * Keeps a second act from a booking whose first one has no known outcome: refuses it while the first is open, and
 * warns of it in the terms once it was handed to a person.
 */

import { ClerkError } from '../core/errors.ts';
import { DAY_MS, HOUR_MS } from '../core/times.ts';
import { uncapitalized } from '../core/words.ts';
import { doneHereText } from '../domain/booking/as-known.ts';
import { peopleChanged } from '../domain/booking/booking-identity.ts';
import { showDeadline } from '../domain/booking/deadlines.ts';
import type { PartsLeftOut } from '../domain/facts/left-out.ts';
import { actWord } from '../journal/act.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { doubtSentence } from '../journal/outcome.ts';
import { longestWait, type Question } from './consent-call.ts';
import { type Terms, termsDeparture } from './terms.ts';

/** How long a call waits for an open operation, milliseconds: a reading that is due rarely takes longer. */
const SETTLING_MS = 2_000;

/** How long questions warn of an earlier act that was never settled, milliseconds. */
const CAUTION_MS = 30 * DAY_MS;

/** Throws E_BOOKING_BUSY if the booking has an open operation, after an attempt to settle that one by reading. */
export async function assertNotBusy(call: Question, locator: string | undefined): Promise<void> {
  if (locator === undefined) return;

  const { journal, acts } = call.runtime;
  const { tenant } = call.asker.caller;
  const open = await journal.openOn(locator);
  if (open === undefined) return;
  if (open.tenant !== tenant) throw bookingBusy(call, open, locator);

  const now = await journal.follow(open.id, Math.min(longestWait(call), SETTLING_MS), call.asker.signal);
  if (isActive(now.state)) throw bookingBusy(call, now, locator);

  throw new ClerkError(
    'E_BOOKING_BUSY',
    `An earlier ${actWord(acts, now.tool)} of ${locator} has just been settled (${now.state.replace('_', ' ')}). Nothing was sent now.`,
    { next: 'Call read_booking to see its state, then decide again.', retry: 'same_call' },
  );
}

/** Reveals only that another tenant's operation exists. */
export function bookingBusy(
  { asker, runtime }: Pick<Question, 'asker' | 'runtime'>,
  other: Pick<Operation, 'tenant' | 'tool'>,
  locator: string,
): ClerkError {
  if (other.tenant !== asker.caller.tenant) {
    return new ClerkError('E_BOOKING_BUSY', `Another operation on ${locator} is under way. Nothing was sent.`, {
      next: 'Wait, then call read_booking to see its state.',
      retry: 'after_s:30',
    });
  }

  return new ClerkError(
    'E_BOOKING_BUSY',
    `${locator} has an operation whose outcome is not known yet (${actWord(runtime.acts, other.tool)}). Nothing else is sent meanwhile.`,
    { next: 'Wait, then call read_booking; it shows the open operation.', retry: 'after_s:30' },
  );
}

/** Adds a caution to the terms if an earlier act on the booking was never settled, or if its people are others now. */
export async function withCaution(call: Question, terms: Terms): Promise<Terms> {
  const lines = (await Promise.all([unsettledAct(call, terms), otherPeople(call, terms)])).flatMap(
    (line) => line ?? [],
  );
  // A question that begins with what was done here says all of it.
  const unseen = terms.booking === undefined || terms.pageOnly ? '' : doneHereText(terms.booking);
  if (lines.length === 0 && unseen === '') return terms;

  const [act, ...others] = terms.sections;
  // Once the airline's reading shows it, that needs no new yes.
  const shown = unseen === '' ? lines : [...lines, `Caution: ${uncapitalized(unseen)}`];
  const caution = { kind: 'caution' as const, lines: shown, said: [...lines.map(() => null), []] };
  return { ...terms, sections: [...(act ? [act] : []), caution, ...others] };
}

/** How long after its end a yes is remembered of which a reading left something out, milliseconds. */
const LEFT_OUT_MS = HOUR_MS;

/** What the reading left out before the last send of this act, which was not sent for that. */
export async function leftOutBefore(
  { act, runtime, asker }: Question,
  { locator }: Terms,
): Promise<PartsLeftOut | undefined> {
  if (locator === undefined) return undefined;
  const { caller } = asker;
  const asked = { tenant: caller.tenant, caller: caller.id, tool: act.tool };
  return (await runtime.state.approvals.lastStale(asked, locator, runtime.clock.now() - LEFT_OUT_MS))?.leftOut;
}

/** Warns of a booking that the caller claimed when it had other people. */
async function otherPeople({ runtime, asker }: Question, { locator }: Terms): Promise<string | undefined> {
  const name = locator === undefined ? undefined : peopleChanged(locator.toUpperCase());
  if (name === undefined || !(await runtime.state.claims?.times(asker.caller, [name]))?.has(name)) return undefined;
  return 'Caution: all travellers of this booking are others than when you first opened it: check that it is the one you mean.';
}

/** Warns of an unsettled act: who approves a second payment must know that the first may have succeeded. */
async function unsettledAct({ runtime, asker }: Question, terms: Terms): Promise<string | undefined> {
  const { locator } = terms;
  if (locator === undefined) return undefined;

  const filter = { tenant: asker.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [open] = await runtime.state.operations.list({ ...filter, from: runtime.clock.now() - CAUTION_MS });
  if (open === undefined) return undefined;

  const when = showDeadline(new Date(open.dispatchedAt ?? open.createdAt).toISOString(), termsDeparture(terms));
  const known = doubtSentence(runtime.acts, open);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${actWord(runtime.acts, open.tool)} of this booking (${when}) ${became}: ask the airline before saying yes.`;
}
