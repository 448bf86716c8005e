/**
 * How an approval stands, for whoever looks at its page: read from the approval and the journal, never decided here.
 */
import type { AirlineFault, Effect } from '../errors.ts';
import { isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { Approval } from './ports.ts';

export interface PressOutcome {
  readonly kind: 'done' | 'pending' | 'declined' | 'failed' | 'stale' | 'unknown';
  readonly title: string;
  /** For reading, line by line. Airline and passenger text in it is cleaned, and is data. */
  readonly lines: readonly string[];
}

/** Still to be answered, or what came of it. */
export type Standing = 'question' | PressOutcome;

export function standing(approval: Approval, operation: Operation | undefined, now: number): Standing {
  if (operation !== undefined) return ofOperation(approval, operation);
  if (approval.staleLines !== undefined) return stale(approval.staleLines);
  if (approval.decision === 'declined') return DECLINED;
  if (approval.decision === 'void') return VOID;
  if (now >= approval.expiresAt) return LAPSED;
  return approval.decision === 'granted' ? GRANTED : 'question';
}

const DECLINED: PressOutcome = { kind: 'declined', title: 'Declined', lines: ['The answer was no. Nothing was sent.'] };

const VOID: PressOutcome = {
  kind: 'failed',
  title: 'Your yes could not be carried out',
  lines: ['Nothing was sent, and nothing will be.', 'If it is still wanted, ask the assistant to start again.'],
};

const LAPSED: PressOutcome = {
  kind: 'failed',
  title: 'Too late to answer',
  lines: ['Nobody answered in time. Nothing was sent.', 'If it is still wanted, ask the assistant to start again.'],
};

/** Between the yes and the journal; or the process that took the yes ended there. */
const GRANTED: PressOutcome = {
  kind: 'pending',
  title: 'Your yes is on record',
  lines: ['It is not known yet whether anything was sent. It will not be sent twice.'],
};

export const BEING_DONE: PressOutcome = {
  kind: 'pending',
  title: 'Being carried out',
  lines: ['Your answer was taken, and the airline is being asked. It will not be sent twice.'],
};

const SENT: PressOutcome = {
  kind: 'pending',
  title: 'Sent; the outcome is not known yet',
  lines: ['No answer of the airline has settled it yet. It will not be sent twice.'],
};

const CLOSED: PressOutcome = {
  kind: 'failed',
  title: 'A person has checked it',
  lines: ['It was checked with the airline and closed. Read the booking to see how it stands.'],
};

/** Something broke while the answer was carried out: only the journal knows, and it is read with the next look. */
export const UNTOLD: PressOutcome = {
  kind: 'pending',
  title: 'Something went wrong here',
  lines: [
    'It is not known yet whether your answer was carried out. It will not be sent twice.',
    'Look again in a moment, or ask the assistant how it stands.',
  ],
};

export function stale(lines: readonly string[]): PressOutcome {
  return {
    kind: 'stale',
    title: 'The terms have changed: nothing was sent',
    lines: ['The new terms:', ...lines],
  };
}

function ofOperation(approval: Approval, operation: Operation): PressOutcome {
  const { state, outcome } = operation;
  if (state === 'intent') return BEING_DONE;
  if (isActive(state)) return SENT;
  if (state === 'succeeded') {
    const tickets = outcome?.tickets?.map((ticket) => `Ticket ${ticket.number}`) ?? [];
    const locator = locatorOf(operation);
    return {
      kind: 'done',
      title: 'Done',
      lines: [...(locator === undefined ? [] : [`Booking ${locator}`]), ...tickets],
    };
  }
  if (state === 'needs_person') {
    return {
      kind: 'failed',
      title: 'A person must check',
      lines: [outcome?.check ?? 'Check the booking at the airline before anything else is done with it.'],
    };
  }
  if (state === 'resolved') return CLOSED;
  if (approval.staleLines !== undefined) return stale(approval.staleLines);
  return outcome?.error === undefined
    ? { kind: 'failed', title: 'Nothing was done', lines: ['It was not carried out.'] }
    : failure(outcome.error);
}

/** What went wrong, for a person: who acts next is the assistant's matter. */
export function failure(error: { message: string; effect: Effect; airline?: AirlineFault | undefined }): PressOutcome {
  return {
    kind: 'failed',
    title: error.effect === 'none' ? 'Nothing was done' : 'The outcome is not known',
    lines: [error.message, ...airlineSaid(error.airline)],
  };
}

function airlineSaid(airline: AirlineFault | undefined): string[] {
  const { title, correlationId } = airline ?? {};
  if (title === undefined) return correlationId === undefined ? [] : [`The airline's reference: ${correlationId}`];
  const reference = correlationId === undefined ? '' : ` (reference ${correlationId})`;
  return [`The airline said: "${title}"${reference}`];
}
