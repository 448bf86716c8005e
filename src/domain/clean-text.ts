/**
 * Text from the airline or a passenger, made fit to stand in our output. It is data: it must not break lines, hide,
 * run backwards, link anywhere or read as our own words.
 */

/** Unassigned, private and lone-surrogate code points, and whatever takes no ink (zero width, bidi, variation, tags). */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;
const BREAKS = /[\p{Cc}\p{Z}\s]+/gu;
/** More marks on one letter than any script needs. */
const MARK_PILES = /(\p{M}{3})\p{M}+/gu;

/** One line, NFC, visible characters only, at most `max` characters (an ellipsis takes the last). */
export function cleanText(text: string, max = 120): string {
  const line = text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(BREAKS, ' ')
    .replace(MARK_PILES, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** Also without markup: no tags, markdown or anything a dialog would turn into a link. */
export function plainText(text: string, max = 120): string {
  const bare = cleanText(text, max * 2)
    .replace(/\b[a-z][a-z0-9+.-]{0,15}:\/\/\S*/gi, '(link)')
    .replace(/\b(?:mailto|javascript|data|tel):\S*/gi, '(link)')
    .replace(/(\p{L}|\d)\.(?=\p{L}{2})/gu, '$1. ')
    .replace(/[[\]{}]/g, (c) => (c === '[' || c === '{' ? '(' : ')'))
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/[*_`~#|\\]+/g, ' ');
  return cleanText(bare, max);
}

/** Plain text in quotation marks of its own, which it cannot close: for sentences that people approve. */
export function quoted(text: string, max = 120): string {
  return `“${plainText(text.replace(/["“”„‟«»]/g, "'"), max)}”`;
}

/** A short code from the airline (booking class, status, flight number): letters, digits and `_-./+` only. */
export function cleanCode(text: string, max = 24): string {
  return cleanText(text, max * 2)
    .replace(/[^\p{L}\p{N}_./+ -]/gu, '')
    .trim()
    .slice(0, max);
}
