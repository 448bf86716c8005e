/** Why a customer has a booking cancelled, in their words: kept beside its operation until it is erased, and never sent. */
import { quoted } from '../core/clean-text.ts';

/** Characters of a reason. */
export const MOST_REASON = 140;

/** `reason given: “I am ill”`. */
export function reasonGiven(reason: string): string {
  return `reason given: ${quoted(reason, MOST_REASON)}`;
}
