/** Writes numbers and e-mail addresses so that they can be recognised by those who know them, and not used by others. */
import { cleanText, plainText } from '../../core/clean-text.ts';
import { bareAddress } from './traveler.ts';

/** What airlines leave around and inside numbers: white space, curly quotation marks, the left-to-right mark. */
const AROUND_NUMBERS = /[\s\u201C\u201D\u200E]/g;
/** Stands for a number of which nothing is shown. */
export const HIDDEN = '•••';

/** Replaces all but the last three characters: `•••••678`. Also for phone numbers. */
export function maskNumber(number: string): string {
  const text = number.replace(AROUND_NUMBERS, '');
  return text.length <= 3 ? HIDDEN : `${'•'.repeat(Math.min(text.length - 3, 8))}${text.slice(-3)}`;
}

/** An address with only valid characters; other text becomes plain text. */
export function emailText(email: string): string {
  const address = cleanText(bareAddress(email).replace(/[^\p{L}\p{N}.!&'+_@-]/gu, ''), 120);
  return address.lastIndexOf('@') > 0 ? address : plainText(email);
}

/** `a***@example.com`. */
export function maskEmail(email: string): string {
  const address = emailText(email);
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${[...address][0] ?? ''}***${address.slice(at)}`;
}

/** The end of a number for a caller who may read its booking: the last four signs of twelve or more, else the last two: `…4417`. */
export function numberEnd(number: string): string {
  const text = number.replace(AROUND_NUMBERS, '');
  const shown = text.length >= 12 ? 4 : 2;
  return text.length <= shown ? HIDDEN : `…${text.slice(-shown)}`;
}
