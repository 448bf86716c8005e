/**
 * What may not be in a text of ours, whatever an airline wrote.
 */

/** Controls (a line end apart), direction, no ink, unassigned, private, lone surrogates. */
const FORBIDDEN = /[^\P{Cc}\n]|[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Ours: behind a quotation of letters from right to left, so that what follows is not shown before it. */
const AFTER_QUOTE = /(?<=”)\u200e/gu;
const forbidden = (text: string) => FORBIDDEN.exec(text.replace(AFTER_QUOTE, ''))?.[0];

const MARKS: readonly RegExp[] = [...'<>`*~#|\\[]{}'].map((mark) => new RegExp(`\\${mark}`, 'g'));
/** Underscores stand in codes and addresses; two, or one before a word, would be markup. */
const UNDERSCORES = /__|(?:^|[\s(“])_\w/g;
const LINK = /(?:https?|ftp|file|javascript|data|mailto|tel):\S|(?<![\w.])www\.\S/i;

/**
 * What is wrong with a text, if anything. `plain` is the same text with a harmless word in the payload's place.
 * `meant`: a payload may mean something in that place, and lines of our own come with it.
 */
export function wrongWith(text: string, plain: string, meant = false): string | undefined {
  const character = forbidden(text);
  if (character !== undefined) return `has U+${character.codePointAt(0)?.toString(16)}`;
  const [seen, due] = [settled(text), settled(plain)];
  const mark = [...MARKS, UNDERSCORES].find((one) => countOf(seen, one) > countOf(due, one));
  if (mark !== undefined) return `has a ${mark.source.replace('\\', '')} of its own`;
  if (LINK.test(seen) && !LINK.test(due)) return 'has a link';
  const lines = [text.split('\n').length, plain.split('\n').length] as const;
  return lines[0] > lines[1] && !meant ? `has ${lines[0]} lines, not ${lines[1]}` : undefined;
}

/** What {@link IMITATIONS} say, outside a quotation. */
export function imitates(text: string): string | undefined {
  return /nothing[ -]is[ -]paid|fully[ -]refundable|native code/i.test(text.replace(/“[^”]*”/g, ''))
    ? 'has a sentence like ours'
    : undefined;
}

/** Without what is ours (random handles, paths of arguments, masks of addresses), or the airline's and must be exact: codes and references. */
function settled(text: string): string {
  return text
    .replace(/ap_[\w-]{20,}/g, 'handle')
    .replace(/\S\*\*\*@[\w.-]+/g, 'address')
    .replace(/\b(?:legs|passengers|changes|seats|offer_ids)\[\d+\]/g, 'field')
    .replace(/(?:code|reference) (?:“[^”]*”|[\w.:/+=@ -]+)/g, 'word');
}

/** What a browser shows of a page: its text, and how many tags there are. */
export function pageText(html: string): string {
  const tags = html.match(/<[^>]*>/g)?.length ?? 0;
  const text = html.replace(/<style>[^<]*<\/style>/g, '').replace(/<[^>]*>/g, '');
  return `${tags} tags\n${decoded(text)}`;
}

function decoded(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** The lines of terms: our words stand before a stranger's, which stay within one pair of quotation marks. */
export function wrongWithTerms(text: string, plain: string, meant = false): string | undefined {
  const plainLines = plain.split('\n');
  for (const [i, line] of text.split('\n').entries()) {
    const due = plainLines[i] ?? '';
    const before = due.split('“')[0] ?? '';
    if (due.includes('“') && !line.startsWith(before)) return `line ${i + 1} does not begin with “${before}”`;
    if (!due.includes('“') && line.includes('“')) {
      // Names stand without quotes if they look like names: what stands beside the quoted ones is ours all the same.
      const ours = line.split(/“[^“”]*”\u200E?/);
      if (ours.some((part) => /[“”]/.test(part) || !due.includes(part))) return `line ${i + 1} breaks its quotes`;
      continue;
    }
    for (const quote of '“”') if (count(line, quote) !== count(due, quote)) return `line ${i + 1} breaks its quotes`;
  }
  return wrongWith(text, plain, meant);
}

export function forbiddenIn(text: string): string | undefined {
  const character = forbidden(text);
  return character && `has U+${character.codePointAt(0)?.toString(16)}`;
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function count(text: string, what: string): number {
  return text.split(what).length - 1;
}
