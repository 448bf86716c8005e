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
