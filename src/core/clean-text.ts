/**
 * Cleans text from the airline or a passenger for our output. Such text is data: it must not break lines, hide, run
 * backwards, contain links or look like our own words.
 *
 * - `cleanText` for a structured field: one line of visible characters.
 * - `plainText` for text that a dialog or terminal renders: no markup and no links either.
 * - `quoted` inside a sentence of ours; `airlineWords` and `quotedWords` for an airline's rules, cut at a sentence.
 * - `cleanCode`, `cleanRef`, `cleanName` inside a sentence of ours, quoted only if it is more than a code, a ref or a name.
 * - `visibleText` for text that must keep everything but invisible characters.
 */

import { MOST_CHARACTERS } from './text-limits.ts';

/** Visible ASCII with single spaces: most texts. They need no cleaning. */
const NEEDS_NO_CLEANING = /^(?:[!-~]+(?: [!-~]+)*)?$/;
/** Text without characters of markup or links. */
const WITHOUT_MARKUP = /^[A-Za-z0-9 ,;'"()+%/!?=&$@^-]*$/;
/**
 * One word, `Y-1.5/B`, or numbers in groups, `55 123 456`. Letters of other scripts can be a sentence without any
 * space.
 */
const CODE = /^(?:[A-Za-z0-9/+-]+(?:_[A-Za-z0-9/+-]+|\.\d[A-Za-z0-9/+-]*)*|\d+[A-Za-z]?(?: \d+[A-Za-z]?| [A-Za-z])*)?$/;
/** Three words in a row are a sentence, whatever joins them: `nothing-is-paid`. */
const WORDS_IN_CODE = /[A-Za-z]{2}[/+_.-][A-Za-z]{2,}[/+_.-][A-Za-z]{2}/;
const isCode = (text: string): boolean => CODE.test(text) && !WORDS_IN_CODE.test(text);
/**
 * Up to four words of letters, each with a capital letter or of a script without them, or joined to one by a hyphen or
 * an apostrophe: `Al-Ula`, `Xi'an Bei`, `مكة المكرمة`.
 */
const NAME =
  /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}]*(?:[-'\u2019 ][\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}]*|[-'\u2019][\p{L}\p{M}]+){0,3}$/u;
/** Characters of a name that is shown without quotation marks. */
const LONGEST_NAME = 30;
/** Characters: long enough for every ref that airlines number with, too short for a sentence. */
const LONGEST_REF = 8;

const ASCII = /^[ -~]*$/;
/** Latin and Arabic letters with signs of Latin-1, all of them visible: nearly every text that is sent. */
const VISIBLE_LETTERS = /^[ -~\u00A1-\u00AC\u00AE-\u024F\u0621-\u064A\u0660-\u0669]*$/;
/** Beginnings of the words that people look for in an airline's rule. */
const WORDS_OF_REFUNDS = 'refund cancel chang reissue no.?show penalt استرداد إلغاء الغاء تغيير'.split(' ');
// Not a literal: it would be the only string of the bundle beyond ASCII, and double the bundle's size in memory.
const ABOUT_REFUNDS = new RegExp(WORDS_OF_REFUNDS.join('|'), 'iu');
const SENTENCE_END = /[.!?\u061F;](?=\s|$)/gu;
/** How many characters of an airline's own words are usually shown. */
const USUAL_LENGTH = 160;
/** The most characters of an airline's own words that are shown. */
export const MOST_WORDS = 1_000;
const WHERE_WHOLE = ' (shortened; a full reading of the booking quotes up to 1,000 characters)';
/** The longest name of a person, characters. */
const MOST_NAME = 60;
/** Keeps a number behind the quotation from being shown before it (UAX 9, N1). */
const TO_RIGHT = '\u200E';

const MOST_MARKS = 30;
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Makes one line, NFC, of visible characters only, at most `max` of them (an ellipsis is the last of a cut text). */
export function cleanText(text: string, max = 120): string {
  const isCut = text.length > MOST_CHARACTERS.shownText;
  const part = isCut ? text.slice(0, MOST_CHARACTERS.shownText) : text;
  const cleaned = NEEDS_NO_CLEANING.test(part) ? part : cleanCharacters(part);
  const line = isCut ? `${cleaned}…` : cleaned;
  if (line.length <= max) return line;
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/**
 * Normalizes a text in a time that grows with its length: sorting the marks of one letter takes the square of their number, so that
 * only {@link MOST_MARKS} of them stay (UAX 15, Stream-Safe Text Format). No script puts more on one.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length <= MOST_MARKS || ASCII.test(text)) return text.normalize(form);
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}

/** Does the work of {@link cleanText}. Its regular expressions are literals here: building them is slow and rarely needed. */
function cleanCharacters(text: string): string {
  return (
    normalized(text, 'NFC')
      // Unassigned, private and lone-surrogate code points, and invisible ones (zero width, bidi, tags).
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
      // Characters without ink count as spaces: blank Braille, the null notehead.
      .replace(/[\p{Cc}\p{Z}\s\u2800\u{1D159}]+/gu, ' ')
      // Marks without a letter, which draw signs of their own, and more marks on a letter than any script needs.
      .replace(/(?<![\p{L}\p{N}\p{M}])\p{M}+/gu, '')
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}

/** Removes only characters that are invisible, turn the direction or control a terminal. */
export function visibleText(text: string): string {
  if (VISIBLE_LETTERS.test(text)) return text;
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Cleans as {@link cleanText}, and removes markup: tags, markdown, and everything that a dialog would make a link. */
export function plainText(text: string, max = 120): string {
  if (WITHOUT_MARKUP.test(text)) return cleanText(text, max);

  // The replacements can shorten the text.
  const withoutMarkup = cleanText(text, max * 2)
    .replace(/\b[a-z][a-z0-9+.-]{0,15}:\/\/\S*/gi, '(link)')
    .replace(/\b(?:mailto|javascript|data|tel):\S*/gi, '(link)')
    .replace(/(\p{L}|\d)\.(?=\p{L}{2})/gu, '$1. ')
    .replace(/[[\]{}]/g, (bracket) => (bracket === '[' || bracket === '{' ? '(' : ')'))
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/[*_`~#|\\]+/g, ' ');
  return cleanText(withoutMarkup, max);
}

/** Puts plain text in quotation marks that it cannot close, for sentences that people approve. */
export function quoted(text: string, max = 120): string {
  if (ASCII.test(text)) return `“${plainText(text.replace(/"|''+/g, "'"), max)}”`;
  const plain = plainText(withoutQuoteLookalikes(text.slice(0, MOST_CHARACTERS.shownText)), max);
  const isRightToLeft = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Thaa}]/u.test(plain);
  return isRightToLeft ? `“${plain}”${TO_RIGHT}` : `“${plain}”`;
}

declare const SHOWN_NAME: unique symbol;
/** A person's name that may stand in our own sentences. Only {@link shownName} makes one. */
export type ShownName = string & { readonly [SHOWN_NAME]: true };

/** The name of a person as a sign-in gives it: as it is where it is one word, `ann` or `a.b@c`, and else quoted. */
export function shownName(name: string): ShownName {
  const isWord = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._@+-]*[\p{L}\p{M}\p{N}])?$/u.test(name.slice(0, MOST_NAME));
  return (isWord ? plainText(name, MOST_NAME) : quoted(name, MOST_NAME)) as ShownName;
}

/**
 * Cuts the airline's own words at the end of a sentence; an ellipsis is then the last. Never cuts off a sentence about refunds,
 * cancelling or changes.
 */
export function airlineWords(text: string): string {
  const plain = plainText(text, MOST_WORDS);
  if (plain.length <= USUAL_LENGTH) return plain;

  const ends = [...plain.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const sentences = [...ends, plain.length].map((end, i) => ({ end, words: plain.slice(ends[i - 1] ?? 0, end) }));
  const endOfRefundSentences = sentences.findLast(({ words }) => ABOUT_REFUNDS.test(words))?.end ?? 0;
  const endOfUsualLength = ends.findLast((end) => end <= USUAL_LENGTH) ?? 0;
  const end = Math.max(endOfRefundSentences, endOfUsualLength);
  if (end === 0) return cleanText(plain, USUAL_LENGTH);

  return end === plain.length ? plain : `${plain.slice(0, end)} …`;
}

/** Writes {@link airlineWords} in quotation marks. If they are cut, says where the whole is. */
export function quotedWords(text: string): string {
  const words = airlineWords(text);
  return `${quoted(words, MOST_WORDS)}${words.endsWith('…') ? WHERE_WHOLE : ''}`;
}

/**
 * Replaces characters that can look like the end of a quotation or like nothing (inch and ditto marks, ornaments, blank
 * Braille, modifier letters). The regular expressions take 5 ms to build, so they are literals here and not constants.
 */
function withoutQuoteLookalikes(text: string): string {
  return (
    normalized(text, 'NFC')
      // The saltillo is a letter that looks like an apostrophe.
      .replace(/[\p{Pi}\p{Pf}"\u201E\u201A\uA78B\uA78C]/gu, "'")
      .replace(/''+/g, "'")
      .replace(/\p{Pd}/gu, '-')
      .replace(
        /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}\p{Nd}\p{Sc} .,;:!?%()/+&@#='\u2022\u2026\u2039\u203A<>[\]{}*_`~|\\-]/gu,
        ' ',
      )
      // Letters outside the scripts that names are written in today (UAX 31, table 5): some look like quotation marks.
      .replace(
        /[\p{L}--[\p{scx=Arab}\p{scx=Armn}\p{scx=Beng}\p{scx=Bopo}\p{scx=Cyrl}\p{scx=Deva}\p{scx=Ethi}\p{scx=Geor}\p{scx=Grek}\p{scx=Gujr}\p{scx=Guru}\p{scx=Hang}\p{scx=Hani}\p{scx=Hebr}\p{scx=Hira}\p{scx=Kana}\p{scx=Khmr}\p{scx=Knda}\p{scx=Laoo}\p{scx=Latn}\p{scx=Mlym}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}\p{scx=Thaa}\p{scx=Thai}\p{scx=Tibt}]]/gv,
        ' ',
      )
  );
}

/**
 * Cleans a short code from the airline (class, status, flight number) for our own sentences: quotes anything that is not a
 * code.
 */
export function cleanCode(text: string, max = 24): string {
  if (text.length <= max && isCode(text)) return text;
  const line = cleanText(text, max);
  return line === '' || isCode(line) ? line : quoted(text, max);
}

/** Cleans an airline's ref for our own sentences: keeps one that is as short as a number, quotes any other. */
export function cleanRef(ref: string): string {
  return ref.length <= LONGEST_REF && isCode(ref) ? ref : quoted(ref, 40);
}

/** Cleans the name of a place from the airline for our own sentences: quotes one that could be words of a sentence. */
export function cleanName(text: string, max = 40): string {
  const line = cleanText(text, max);
  return line === '' || (line.length <= LONGEST_NAME && NAME.test(line)) ? line : quoted(text, max);
}

/** Decodes the percent signs in a part of an address. Returns it as it is if they escape nothing. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces the digits of every script by those of ASCII: people type them, and airlines and models repeat them. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, asciiDigit);
}

/** Unicode digits come in blocks of ten: counts back to the zero of the block. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
