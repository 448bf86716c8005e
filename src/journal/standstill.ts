/**
 * Why nothing may be sent: the journal went backwards, or the operator paused sending.
 */
import { quoted } from '../domain/time-and-text/clean-text.ts';
import { utcText } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
import type { ChainStatus, Hold, Pause } from './ports.ts';

export function holdWords({ since, seen, head }: Hold): string {
  return `Sending is held since ${utcText(since)}: the journal ends at number ${head.n}, and number ${seen.n} was seen before. An older copy was put back, or something was lost.`;
}

export function pauseWords({ since, by, why }: Pause): string {
  return `${quoted(by)} paused sending at ${utcText(since)}: ${quoted(why, 200)}.`;
}

export function heldError(hold: Hold): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', `${holdWords(hold)} Nothing was sent.`, {
    next: 'Tell the operator to run `fareclerk journal restored`, which checks with the airline what was lost. Reading goes on.',
  });
}

export function pausedError(pause: Pause): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', `${pauseWords(pause)} Nothing was sent.`, {
    next: 'Tell the user. The operator allows sending again with `fareclerk resume`. Reading goes on.',
  });
}

export function whyNotSend({ hold, pause }: ChainStatus): ClerkError | undefined {
  if (hold !== undefined) return heldError(hold);
  return pause && pausedError(pause);
}
