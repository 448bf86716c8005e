/**
 * Text from the airline or a passenger, made fit to stand in our output. It is data: it must not break lines, hide,
 * run backwards, link anywhere or read as our own words.
 */

/** Visible ASCII with single spaces: nearly every text, and nothing in it is to be mended. */
const SOUND = /^(?:[!-~]+(?: [!-~]+)*)?$/;
/** Nothing that could be markup or a link. */
const BARE = /^[A-Za-z0-9 ,;'"()+%/!?=&$@^-]*$/;
const CODE = /^(?:[A-Za-z0-9./+-]+(?:_[A-Za-z0-9./+-]+)*)?$/;

/** One line, NFC, visible characters only, at most `max` characters (an ellipsis takes the last). */
export function cleanText(text: string, max = 120): string {
  const line = SOUND.test(text) ? text : mended(text);
  if (line.length <= max) return line;
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** The classes of characters are built here, when first needed: building them takes longer than most calls. */
function mended(text: string): string {
  return (
    text
      .normalize('NFC')
      // Unassigned, private and lone-surrogate code points, and whatever takes no ink (zero width, bidi, tags).
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
      .replace(/[\p{Cc}\p{Z}\s]+/gu, ' ')
      // More marks on one letter than any script needs.
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}

const ASCII = /^[ -~]*$/;

/** As it stands, without what takes no ink, turns the direction or controls a terminal. */
export function visibleText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Also without markup: no tags, markdown or anything a dialog would turn into a link. */
export function plainText(text: string, max = 120): string {
  if (BARE.test(text)) return cleanText(text, max);
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

/**
 * All that a quotation may hold. Whatever else a font draws may look like the end of the quotation or like nothing: marks
 * of inches and ditto, ornaments, blank Braille, modifier letters (Unicode category Lm).
 */
const NOT_QUOTABLE = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}\p{Nd}\p{Sc} .,;:!?%()/+&@#='…‹›<>[\]{}*_`~|\\-]/gu;
const QUOTE = /[\p{Pi}\p{Pf}"„‚]/gu;
const DASH = /\p{Pd}/gu;

/** Plain text in quotation marks of its own, which it cannot close: for sentences that people approve. */
export function quoted(text: string, max = 120): string {
  const plain = text.normalize('NFC').replace(QUOTE, "'").replace(DASH, '-').replace(NOT_QUOTABLE, ' ');
  return `“${plainText(plain, max)}”`;
}

/** A dot that would make a name of a host. */
const HOST_DOT = /\.(?=\p{L}{2})|(?<=\bwww)\./giu;

/**
 * A short code from the airline (booking class, status, flight number): letters, digits and `_-./+` only, and no name of
 * a host.
 */
export function cleanCode(text: string, max = 24): string {
  if (text.length <= max && CODE.test(text) && !text.includes('.')) return text;
  return cleanText(text, max * 2)
    .replace(/[^\p{L}\p{N}_./+ -]/gu, '')
    .replace(HOST_DOT, ' ')
    .replace(/_{2,}/g, '_')
    .replace(/^[_ ]+|[_ ]+$/g, '')
    .trim()
    .slice(0, max);
}
