/** What a statement compares its columns with, as it is written: for hints at words that a column never has. */

/** A word, a quoted text, or a mark. A number counts as a word. */
interface SqlToken {
  readonly kind: 'word' | 'text' | 'mark';
  readonly text: string;
}

/** Comments, quoted texts, quoted names, words and marks, in this order. */
const TOKEN =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'([^']*(?:''[^']*)*)'?|"([^"]*)"?|`([^`]*)`?|\[([^\]]*)\]?|([\p{L}_\d.]+)|([<>=!|]+|\S)/gu;

function sqlTokens(sql: string): readonly SqlToken[] {
  return [...sql.matchAll(TOKEN)].flatMap(([, text, ...rest]): SqlToken[] => {
    if (text !== undefined) return [{ kind: 'text', text: text.replaceAll("''", "'") }];
    const mark = rest.pop();
    if (mark !== undefined) return [{ kind: 'mark', text: mark }];
    const word = rest.find((each) => each !== undefined);
    return word === undefined ? [] : [{ kind: 'word', text: word }];
  });
}

/** All quoted texts of a statement. */
export function quotedTexts(sql: string): readonly string[] {
  return sqlTokens(sql).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
}

/** A column that is compared with a text. `is`: also `<>`, `in`, and `like` without a pattern. */
export interface SqlComparison {
  /** Without the name of its table, in small letters. */
  readonly column: string;
  readonly how: 'is' | '<' | '>' | '<=' | '>=';
  readonly text: string;
}

const IS: ReadonlySet<string> = new Set(['=', '==', '<>', '!=']);
const ORDER = ['<', '>', '<=', '>='] as const;
const TURNED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', is: 'is' } as const;

/** The comparisons of columns with quoted texts: `act = 'payment'`, `'payment' = act`, `act not in ('a', 'b')`, `at between 'a' and 'b'`. */
export function sqlComparisons(sql: string): readonly SqlComparison[] {
  const tokens = sqlTokens(sql);
  const textAt = (i: number) => (tokens[i]?.kind === 'text' ? tokens[i].text : undefined);
  const wordAt = (i: number) => (tokens[i]?.kind === 'word' ? tokens[i].text.toLowerCase() : undefined);
  const markAt = (i: number) => (tokens[i]?.kind === 'mark' ? tokens[i].text : undefined);
  const howAt = (i: number): SqlComparison['how'] | undefined => {
    const mark = markAt(i) ?? '';
    return IS.has(mark) ? 'is' : ORDER.find((each) => each === mark);
  };
  const found: SqlComparison[] = [];
  for (const [i, { kind, text }] of tokens.entries()) {
    const column = text.toLowerCase().split('.').at(-1) ?? '';
    if (kind !== 'word' || column === 'not') continue;
    const add = (how: SqlComparison['how'], value: string | undefined) =>
      value !== undefined && found.push({ column, how, text: value });
    const how = howAt(i + 1);
    if (how !== undefined) add(how, textAt(i + 2));
    const turned = howAt(i - 1);
    if (turned !== undefined) add(TURNED[turned], textAt(i - 2));
    const next = wordAt(i + 1) === 'not' ? i + 2 : i + 1;
    if (wordAt(next) === 'is') add('is', textAt(wordAt(next + 1) === 'not' ? next + 2 : next + 1));
    if (wordAt(next) === 'like' && !/[%_]/.test(textAt(next + 1) ?? '')) add('is', textAt(next + 1));
    if (wordAt(next) === 'between') {
      add('>=', textAt(next + 1));
      if (wordAt(next + 2) === 'and') add('<=', textAt(next + 3));
    }
    if (wordAt(next) !== 'in' || markAt(next + 1) !== '(') continue;
    for (let at = next + 2; textAt(at) !== undefined; at += 2) add('is', textAt(at));
  }
  return found;
}

const COMPARED: ReadonlySet<string> = new Set([...IS, ...ORDER]);
/** Where one side of a comparison ends. */
const ENDS =
  /^(?:and|or|not|where|having|on|when|then|else|end|case|select|from|group|order|by|limit|as|is|in|between|like|union|except|intersect)$/;
/** What comes out of these is rounded, or no amount. */
const ROUNDS: ReadonlySet<string> = new Set(['round', 'sum', 'total', 'avg', 'count', 'iif']);

/**
 * The sign of the first comparison with a side that adds, takes away or multiplies amounts, in binary fractions: `paid - refunded = 0.3`.
 * Undefined if there is none. The difference of two amounts is compared with 0 exactly.
 * @param others columns that are no amounts
 */
export function comparesSums(sql: string, others: ReadonlySet<string>): string | undefined {
  const tokens = sqlTokens(sql);
  /** What is on one side, within calls that do not round too. `step` 1: on the right. */
  const sideAt = (at: number, step: 1 | -1): readonly SqlToken[] => {
    const [opens, closes] = step === 1 ? ['(', ')'] : [')', '('];
    const side: SqlToken[] = [];
    let depth = 0;
    for (let i = at; tokens[i] !== undefined; i += step) {
      const token = tokens[i] as SqlToken;
      const isMark = token.kind === 'mark';
      if (isMark && token.text === closes && depth === 0) break;
      const ends = isMark
        ? [',', ';'].includes(token.text) || COMPARED.has(token.text)
        : ENDS.test(token.text.toLowerCase());
      if (depth === 0 && ends && token.kind !== 'text') break;
      if (isMark && token.text === opens) depth += 1;
      if (isMark && token.text === closes) depth -= 1;
      side.push(token);
    }
    return withoutRounded(step === 1 ? side : side.reverse());
  };
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== 'mark' || !COMPARED.has(text)) continue;
    const [left, right] = [sideAt(i - 1, -1), sideAt(i + 1, 1)];
    const isZero = (side: readonly SqlToken[]) => side.length === 1 && Number(side[0]?.text) === 0;
    const signs = (side: readonly SqlToken[]) =>
      side.filter((each) => each.kind === 'mark' && /^[-+*/]$/.test(each.text));
    const isWorked = (side: readonly SqlToken[], other: readonly SqlToken[]) =>
      signs(side).length > (isZero(other) ? 1 : 0) &&
      side.some((each, n) => side[n + 1]?.text !== '(' && mayBeAmount(each, others)) &&
      side.length > 2;
    if (isWorked(left, right) || isWorked(right, left)) return text;
  }
  return undefined;
}

/** The calls that round as one word each. */
function withoutRounded(side: readonly SqlToken[]): readonly SqlToken[] {
  const kept: SqlToken[] = [];
  let depth = 0;
  let roundedAt: number | undefined;
  for (const [i, token] of side.entries()) {
    const isOpening = token.kind === 'mark' && token.text === '(';
    if (isOpening) {
      if (roundedAt === undefined && ROUNDS.has(side[i - 1]?.text.toLowerCase() ?? '')) roundedAt = depth;
      depth += 1;
    }
    if (roundedAt === undefined) kept.push(token);
    if (token.kind === 'mark' && token.text === ')') {
      depth -= 1;
      if (roundedAt === depth) roundedAt = undefined;
    }
  }
  return kept;
}

/** A word that is no number, no name of a column that is no amount, and not `round` alone. */
function mayBeAmount({ kind, text }: SqlToken, others: ReadonlySet<string>): boolean {
  const name = text.toLowerCase().split('.').at(-1) ?? '';
  return kind === 'word' && /^[^\d.]/.test(text) && !others.has(name) && name !== 'count';
}
