/** Finds the regular expressions of source files: literals with their flags, and the text of what `RegExp` is called with. */
import { parseAst } from 'vitest/node';

export interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export interface Found {
  readonly literals: readonly Pattern[];
  /** `file: argument`, as the source writes the argument, with single spaces and backslashes. */
  readonly constructed: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly pattern: string; readonly flags: string } | null;
  readonly callee?: Node & { readonly name?: string };
  readonly arguments?: readonly Node[];
}

const CALLS: ReadonlySet<string> = new Set(['NewExpression', 'CallExpression']);

export function patternsIn(file: string, text: string): Found {
  const literals: Pattern[] = [];
  const constructed: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) look(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'Literal' && node.regex) {
      literals.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    }
    if (CALLS.has(node.type) && node.callee?.name === 'RegExp') {
      const argument = node.arguments?.[0];
      const written = argument === undefined ? '' : text.slice(argument.start, argument.end);
      constructed.push(`${file}: ${written.replace(/\s+/g, ' ').replaceAll('\\\\', '\\')}`);
    }
    for (const inner of Object.values(node)) look(inner);
  };
  look(parseAst(text, { lang: 'ts' }));
  return { literals, constructed };
}
