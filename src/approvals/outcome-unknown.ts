/** What is said while the outcome of an operation is not known: in a call's result, and on the approval's page. */
import type { ActiveState } from '../journal/operation.ts';

export interface PageText {
  readonly title: string;
  readonly lines: readonly string[];
}

interface Wording {
  readonly result: string;
  readonly page: PageText;
}

const SENT: PageText = {
  title: 'Sent; the outcome is not known yet',
  lines: [
    'It may or may not have been done. The booking is read again until that is known.',
    'It will not be sent twice: do not start it again.',
  ],
};

export const NOT_KNOWN_YET: Readonly<Record<ActiveState, Wording>> = {
  intent: {
    result: 'NOT SENT YET: the booking is being read again first. It may be sent at any moment.',
    page: {
      title: 'Being carried out',
      lines: ['Your yes was taken, and the booking is being read once more before anything is sent.'],
    },
  },
  dispatched: {
    result: 'OUTCOME NOT KNOWN YET: the airline has not answered. It may or may not have been done.',
    page: SENT,
  },
  in_doubt: {
    result: 'OUTCOME NOT KNOWN YET: no answer of the airline settles it. It may or may not have been done.',
    page: SENT,
  },
};

/** The yes is not in the journal yet, or the process that took it ended before it was. */
export const GRANTED: PageText = {
  title: 'Your yes is on record',
  lines: ['It is not known yet whether anything was sent. It will not be sent twice.'],
};

/** The journal shows what became of each line. */
export const PLAN_GRANTED: PageText = {
  title: 'Your yes is on record',
  lines: ['The lines that you ticked are carried out one after the other. None is sent twice.'],
};

/** Something broke while the answer was carried out. Only the journal knows more. */
export const DECISION_FAILED_TEXT: PageText = {
  title: 'Something went wrong here',
  lines: [
    'It is not known yet whether your answer was carried out. It will not be sent twice.',
    'Look again in a moment, or ask the assistant.',
  ],
};

/** For an operation that a person must check, where the journal says no more. */
export const CHECK_BOOKING = 'Check the booking at the airline before anything else is done with it.';
