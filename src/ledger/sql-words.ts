/** How a statement is written: its words, what stands beside a mark, and what it compares with texts. For hints (hints.ts). */

import { own } from '../core/own.ts';

/** A word, a quoted text, or a mark. A number counts as a word, and so does a quoted name. */
interface SqlToken {
  readonly kind: 'word' | 'text' | 'mark';
  readonly text: string;
  /** Where it begins in the statement, and where it is over. */
  readonly from: number;
  readonly to: number;
}

/** Comments, quoted texts, quoted names, words and marks, in this order. */
const TOKEN =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'([^']*(?:''[^']*)*)'?|"([^"]*)"?|`([^`]*)`?|\[([^\]]*)\]?|([\p{L}_\d.]+)|([<>=!|]+|\S)/gu;

function sqlTokens(sql: string): readonly SqlToken[] {
  return [...sql.matchAll(TOKEN)].flatMap(({ 0: { length }, index: from, ...groups }): SqlToken[] => {
    const at = { from, to: from + length };
    if (groups[1] !== undefined) return [{ kind: 'text', text: groups[1].replaceAll("''", "'"), ...at }];
    if (groups[6] !== undefined) return [{ kind: 'mark', text: groups[6], ...at }];
    const word = groups[2] ?? groups[3] ?? groups[4] ?? groups[5];
    return word === undefined ? [] : [{ kind: 'word', text: word, ...at }];
  });
}

/** All quoted texts of a statement. */
export function quotedTexts(sql: string): readonly string[] {
  return sqlTokens(sql).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
}

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The first and the last token of an expression. */
export interface Expression {
  readonly first: number;
  readonly last: number;
}

/** Puts a text in the place of an expression. */
export interface Edit extends Expression {
  readonly by: string;
}

/** An expression that is compared with a quoted text. `between` gives two of them. */
export interface SqlComparison {
  readonly subject: Expression;
  readonly operator: '=' | '<' | '>' | '<=' | '>=' | 'like' | 'glob';
  /** Which token the text is. */
  readonly at: number;
}

/** What an operator means. `not` is left out: a word that a column never has is as wrong there. */
const OPERATORS: Readonly<Record<string, SqlComparison['operator']>> = {
  '=': '=',
  '==': '=',
  '<>': '=',
  '!=': '=',
  is: '=',
  in: '=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  like: 'like',
  glob: 'glob',
};
const TURNED = { '=': '=', '<': '>', '>': '<', '<=': '>=', '>=': '<=', like: 'like', glob: 'glob' } as const;

/** Where one side of a comparison ends. */
const ENDS =
  /^(?:and|or|not|where|having|on|when|then|else|end|case|select|from|group|order|by|limit|as|is|in|between|like|glob|union|except|intersect|[,;<>=!]+)$/;

/** A name without its table. */
const bare = (name: string): string => (/^\d/.test(name) ? name : (name.split('.').at(-1) ?? ''));

/** The words of a statement, by their places. */
export class SqlWords {
  readonly #sql: string;
  readonly #tokens: readonly SqlToken[];

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = sqlTokens(sql);
  }

  /** A word or a mark in small letters; empty for a text, and where there is nothing. */
  word(at: number): string {
    const token = this.#tokens[at];
    return token === undefined || token.kind === 'text' ? '' : token.text.toLowerCase();
  }

  /** A quoted text. Undefined if something else is there. */
  text(at: number): string | undefined {
    const token = this.#tokens[at];
    return token?.kind === 'text' ? token.text : undefined;
  }

  /** The name that stands here alone, without its table; empty if none does. */
  name(at: number): string {
    const isName = this.#tokens[at]?.kind === 'word' && !ENDS.test(this.word(at)) && this.word(at + 1) !== '(';
    return isName ? bare(this.word(at)) : '';
  }

  /** Where these words are. */
  placesOf(...words: readonly string[]): readonly number[] {
    return [...this.#tokens.keys()].filter((at) => words.includes(this.word(at)));
  }

  /** The other bracket of a pair. */
  partner(at: number): number {
    const step = this.word(at) === '(' ? 1 : -1;
    let depth = 0;

    for (let i = at; i in this.#tokens; i += step) {
      if (this.word(i) === '(') depth += 1;
      if (this.word(i) === ')') depth -= 1;
      if (depth === 0) return i;
    }

    return at;
  }

  /** One side of a comparison, from the token beside its operator. `step` 1: on the right. */
  side(at: number, step: 1 | -1): Expression {
    const [opens, closes] = step === 1 ? ['(', ')'] : [')', '('];
    let end = at;
    while (end in this.#tokens && this.word(end) !== closes && !ENDS.test(this.word(end)))
      end = (this.word(end) === opens ? this.partner(end) : end) + step;
    return step === 1 ? { first: at, last: end - 1 } : { first: end + 1, last: at };
  }

  /** An expression as it is written, or as it can stand over one table: without the names of tables. */
  written({ first, last }: Expression, over?: 'one table'): string {
    if (over === undefined) return this.#sql.slice(this.#tokens[first]?.from, this.#tokens[last]?.to);
    const words = this.#tokens
      .slice(first, last + 1)
      .map(({ kind, text }) => (kind === 'text' ? quoted(text) : bare(text)));
    return words.join(' ').trim();
  }

  /** The statement with other texts in the places of some expressions, which do not overlap. */
  edited(edits: readonly Edit[]): string {
    let sql = this.#sql;
    for (const { first, last, by } of edits.toSorted((a, b) => b.first - a.first))
      sql = `${sql.slice(0, this.#tokens[first]?.from)} ${by} ${sql.slice(this.#tokens[last]?.to)}`;
    return sql;
  }

  /** The comparisons with quoted texts: `act = 'hold'`, `lower(act) not in ('a', 'b')`, `case act when 'a'`, `at between 'a' and 'b'`. */
  comparisons(): readonly SqlComparison[] {
    return [...this.#tokens.keys()].flatMap((at) => {
      const word = this.word(at);
      const subject = this.side(this.word(at - 1) === 'not' ? at - 2 : at - 1, -1);
      const next = this.word(at + 1) === 'not' ? at + 2 : at + 1;
      if (word === 'case') return this.#compared(this.side(at + 1, 1), this.#cases(at));
      if (word === 'in') return this.#compared(subject, this.#listed(next));

      if (word === 'between') {
        const upper = this.#compared(subject, [this.side(next, 1).last + 2], '<=');
        return [...this.#compared(subject, [next], '>='), ...upper];
      }

      const operator = own(OPERATORS, word);
      if (operator === undefined) return [];

      const turned = this.#compared(this.side(next, 1), [at - 1], TURNED[operator]);
      return [...this.#compared(subject, [next], operator), ...turned];
    });
  }

  /** Those places that have a text, if the subject is an expression. */
  #compared(
    subject: Expression,
    places: readonly number[],
    operator: SqlComparison['operator'] = '=',
  ): SqlComparison[] {
    if (subject.first > subject.last) return [];
    const texts = places.filter((at) => this.text(at) !== undefined);
    return texts.map((at) => ({ subject, operator, at }));
  }

  /** Where the texts of a list are. */
  #listed(opens: number): readonly number[] {
    return [...this.#tokens.keys()].slice(opens + 1, this.partner(opens));
  }

  /** What follows each `when` of a `case`, as far as another one. */
  #cases(begins: number): readonly number[] {
    const ends = this.placesOf('case', 'end').find((at) => at > begins) ?? Infinity;
    const whens = this.placesOf('when').filter((at) => at > begins && at < ends);
    return whens.map((at) => at + 1);
  }
}
