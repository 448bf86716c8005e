/**
 * How many characters of a text from outside are read: one number for each entry of the program. Each entry looks at the length before
 * anything else reads the text, because the time that reading takes grows with it. Bytes of bodies and headers are limited before that,
 * in http/limits.ts and at the pages; docs/reference/errors.md has these numbers for people.
 */

export const MOST_CHARACTERS = {
  /** All texts and names in the arguments of one call. */
  arguments: 262_144,
  /** One text in them, or of a prompt; a list or an object that is written as JSON text may be as long as all arguments. */
  argument: 4_000,
  argumentName: 100,
  /** The name of a tool or a prompt. */
  name: 100,
  /** An address of a resource: a statement of 4,000, each character up to three characters long in an address. */
  address: 12_200,
  /** The variables of an address: a statement, and all others. */
  statementInAddress: 12_000,
  variable: 200,
  /** What a client sends back with its answer to a question. */
  requestState: 500,
  /** How a client names itself. */
  clientFact: 400,
  /** What the airline sends as one text that is shown. */
  shownText: 16_000,
} as const;

/** Levels of objects and lists inside one another, in arguments and bodies. */
export const MOST_LEVELS = 32;

/** Says that a text is too long: `has 5,000 characters; at most 4,000 can stand here.` */
export function tooLong(most: number): string {
  return `is too long: at most ${most} characters are read.`;
}

// How deep a JSON text nests, and how long its numbers are, measured before anything is parsed: a long text could be millions of
// levels deep, and a parsed number has lost the digits that it cannot hold.

/** ASCII codes of the characters that matter. */
const QUOTE = 34;
const POINT = 46;
const NOUGHT = 48;
const NINE = 57;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export interface JsonShape {
  readonly isTooDeep: boolean;
  /** Characters of the longest number: its digits, with a point among them. */
  readonly longestNumber: number;
}

/** Whether a JSON text nests deeper than `most` levels. */
export const nestsDeeper = (text: string, most: number): boolean => jsonShape(text, most).isTooDeep;

/** Looks at brackets and digits outside strings, up to the first bracket that is too deep. */
export function jsonShape(text: string, mostLevels: number): JsonShape {
  let depth = 0;
  let digits = 0;
  let longestNumber = 0;

  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if ((code >= NOUGHT && code <= NINE) || code === POINT) {
      digits += 1;
      if (digits > longestNumber) longestNumber = digits;
      continue;
    }

    digits = 0;
    if (code === QUOTE) {
      i = endOfString(text, i);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > mostLevels) return { isTooDeep: true, longestNumber };
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    }
  }

  return { isTooDeep: false, longestNumber };
}

/** The index of the quotation mark that closes a string, or the end of the text. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
