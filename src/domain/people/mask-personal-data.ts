/** Masks phone numbers, e-mail addresses and documents, which are shown in full only with `reveal_personal`. */
import { cleanText, plainText } from '../../core/clean-text.ts';

/**
 * Replaces all but the last three characters: `•••••678`. Also for phone numbers. Anything but a number may be
 * quoted.
 */
export function maskNumber(number: string): string {
  const text = number.replace(/[\s\u201C\u201D\u200E]/g, '');
  return text.length <= 3 ? '•••' : `${'•'.repeat(Math.min(text.length - 3, 8))}${text.slice(-3)}`;
}

/** An address with only valid characters; other text becomes plain text. */
export function emailText(email: string): string {
  const address = cleanText(email.replace(/[^\p{L}\p{N}.!&'+_@-]/gu, ''), 120);
  return address.lastIndexOf('@') > 0 ? address : plainText(email);
}

/** `a***@example.com`. */
export function maskEmail(email: string): string {
  const shown = emailText(email);
  const at = shown.lastIndexOf('@');
  return at < 1 ? '***' : `${[...shown][0] ?? ''}***${shown.slice(at)}`;
}

/** A document in a special service, `PP 000111222`: keeps the kind (docs/wire/notes.md, Special services). */
export function maskIdentity(text: string): string {
  const [, kind = '', number = text] = /^\s*([A-Za-z]{2})[\s/-]+(.*)$/s.exec(text) ?? [];
  return `${kind === '' ? '' : `${kind} `}${maskNumber(number)}`;
}

const ADDRESS = /[^\s@]+@[^\s@]+/gu;
/** Digits with usual separators and adjacent letters, or a run of letters and digits. */
const NUMBER = /\+?[\p{L}\p{N}]*\p{N}(?:[ ()./_-]{0,2}\p{N}){4,}[\p{L}\p{N}]*|[\p{L}\p{N}]{5,}/gu;

/** Masks documents, telephones and addresses in free text. */
export function maskRemark(text: string): string {
  const masked = (found: string) => (/\p{N}/u.test(found) ? maskNumber(found.replace(/[^\p{L}\p{N}]/gu, '')) : found);
  return text.replace(ADDRESS, '•••').replace(NUMBER, masked);
}
