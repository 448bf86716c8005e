/** Writes words, lists and rows of text, for people and for spreadsheets. */

const ASCII = /^[ -~]*$/;
/** From 0. */
const NUMBER_WORDS = /* @__PURE__ */ 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Writes our own words as the beginning of a sentence: `Cancel segment` for `cancel segment`. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Ends words with a full stop, unless a sentence ends with them already. */
export function withFullStop(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** Writes our own words as they are within a sentence: `cancel segment` for `Cancel segment`. A code stays: `SAR 20.00`. */
export function uncapitalized(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

/** Writes a list: `A`, `A and B`, `A, B and C`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `and 2 more (flight 1203)`: how many a list leaves out, and what they are about. Empty if it leaves out none. */
export function andMore(subjects: readonly string[]): readonly string[] {
  return subjects.length === 0 ? [] : [`and ${subjects.length} more (${[...new Set(subjects)].join(', ')})`];
}

/** A part of a line. Absent, empty and `false`: it is left out. */
export type LinePart = string | false | 0 | undefined;

/** The parts that are there. */
export const present = (parts: readonly LinePart[]): string[] => parts.filter(Boolean) as string[];

/** Writes the parts that are there in one line. */
export const joined = (parts: readonly LinePart[], between = ', '): string => parts.filter(Boolean).join(between);

/** Lines below their title; none without lines. */
export function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/**
 * Aligns rows of text as columns, two spaces apart, without spaces at line ends.
 * @param widthOf how many columns a text takes where it is read
 */
export function alignColumns(rows: readonly (readonly string[])[], widthOf: (text: string) => number): string[] {
  const widths = columnWidths(rows, widthOf);
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

function columnWidths(rows: readonly (readonly string[])[], widthOf: (text: string) => number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return widths;
}

/** Names things by their refs: `segment 2`, `segments 1, 2`. */
export function nounWithRefs(noun: string, refs: readonly string[]): string {
  return `${noun}${refs.length === 1 ? '' : 's'} ${refs.join(', ')}`;
}

/** A text without this character at its end, however often it stands there. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Counts things: `1 passenger`, `2 passengers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As {@link counted}, with a word for a number up to twelve: `ten minutes`, `15 minutes`. */
export function countedInWords(count: number, noun: string): string {
  return counted(count, noun).replace(String(count), NUMBER_WORDS[count] ?? String(count));
}

/** Counts characters, not code units. */
function characterCount(cell: string): number {
  return ASCII.test(cell) ? cell.length : [...cell].length;
}

/** Aligns rows in columns and drops empty columns. */
export function table(rows: readonly (readonly LinePart[])[], indent = '  '): string[] {
  const cells = rows.map((row) => row.map((cell) => cell || ''));
  const widths = columnWidths(cells, characterCount);
  const filledColumns = cells.map((row) => row.filter((_, column) => widths[column] !== 0));
  return alignColumns(filledColumns, characterCount).map((line) => indent + line);
}

/** One row as RFC 4180 writes it: commas between cells, quotation marks doubled, CRLF at its end. A value that is absent is an empty cell. */
export function csvRow(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;
}

/** A cell that a spreadsheet would take for a formula is made text. */
function csvCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
