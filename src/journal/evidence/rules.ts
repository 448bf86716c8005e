/**
 * What a reply or a reading proves about an operation (docs/wire/interface.md, States; docs/wire/notes.md, Statuses): its act
 * judges, and this asks whose booking it is.
 */
import type { Booking } from '../../domain/booking/booking.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import type { Acts } from '../act.ts';
import type { Operation } from '../operation.ts';
import type { Evidence, Verdict } from './verdict.ts';

export interface EvidenceRules {
  /** Judges the airline's reply. Anything but `done` leaves the operation in doubt. */
  reply(operation: Operation, evidence: Evidence, digest: Digest): Verdict;
  reading(operation: Operation, booking: Booking, digest: Digest): Verdict;
}

export function evidenceRules(acts: Acts): EvidenceRules {
  return {
    reply(operation, evidence, digest) {
      const { subject, outcome } = operation;
      const act = acts.of(subject);
      const { booking, receipt, cancelled } = evidence;
      const named = booking ?? receipt ?? cancelled;
      const isSameBooking = named !== undefined && isOf(operation, named);
      const verdict = act.reply?.(subject, evidence, { digest, outcome, isSameBooking });
      if (verdict !== undefined) return verdict;
      if (isSameBooking && cancelled !== undefined)
        return cancelled.status?.toUpperCase() === 'CANCELLED' ? 'done' : 'void';
      return isSameBooking && booking !== undefined
        ? act.reading(subject, booking, { digest, outcome: undefined })
        : 'void';
    },
    reading(operation, booking, digest) {
      const { subject, outcome } = operation;
      return isOf(operation, booking) ? acts.of(subject).reading(subject, booking, { digest, outcome }) : 'void';
    },
  };
}

interface Named {
  readonly locator: string;
  readonly references?: readonly { readonly id: string }[];
}

/** Whether it names this operation's booking: a kept-alive connection can deliver somebody else's. */
function isOf(operation: Operation, named: Named): boolean {
  const locator = operation.locator?.toUpperCase();
  const names = [named.locator, ...(named.references ?? []).map((reference) => reference.id)];
  return locator !== undefined && names.some((name) => name.toUpperCase() === locator);
}
