/** Why nothing may be sent: the journal went backwards, or the operator paused sending. */
import { quoted } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { utcText } from '../core/times.ts';
import type { Hold, Pause, Stopped } from './ports.ts';

export function holdWords({ since, seen, head }: Hold): string {
  if (seen === undefined)
    return `Sending has been held since ${utcText(since)}: this machine, or another one, has no second records of the journal. They would show whether an older copy was put back.`;
  return `Sending has been held since ${utcText(since)}: the journal ends at number ${head.n}, and number ${seen.n} was seen before. An older copy was put back, or something was lost.`;
}

export function pauseWords({ since, by, why }: Pause): string {
  return `${quoted(by)} paused sending at ${utcText(since)}: ${quoted(why, 200)}.`;
}

const RESTORE =
  'Tell the operator to run `fareclerk journal restored`, which checks with the airline what was lost. Reading goes on.';
const RESUME = 'Tell the user. The operator allows sending again with `fareclerk resume`. Reading goes on.';

export function whyNotSend({ hold, pause }: Stopped): ClerkError | undefined {
  const refused = (why: string, next: string) =>
    new ClerkError('E_NOT_PERMITTED', `${why} Nothing was sent.`, { next });
  if (hold !== undefined) return refused(holdWords(hold), RESTORE);
  return pause && refused(pauseWords(pause), RESUME);
}
