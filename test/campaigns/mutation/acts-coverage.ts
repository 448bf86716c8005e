/**
 * Every branch of what judges the evidence of an act is taken, where its file has a tool too: measured by the lines of its
 * symbols, and of the functions and constants of the file that they use.
 */
import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/** How often the tests ran what, as istanbul counts it. */
export interface FileReport {
  readonly statementMap: Readonly<Record<string, Place>>;
  readonly s: Readonly<Record<string, number>>;
  readonly fnMap: Readonly<Record<string, { readonly loc: Place }>>;
  readonly f: Readonly<Record<string, number>>;
  readonly branchMap: Readonly<Record<string, { readonly locations: readonly Place[] }>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

/** Lines, from 1, that the symbols or what they use have, and that no test ran. Throws for a symbol that is not declared. */
export function untaken(code: string, symbols: readonly string[], report: FileReport): readonly number[] {
  const lines = linesOf(code, symbols);
  const places = [
    ...Object.entries(report.statementMap).flatMap(([id, place]) => (report.s[id] === 0 ? [place] : [])),
    ...Object.entries(report.fnMap).flatMap(([id, { loc }]) => (report.f[id] === 0 ? [loc] : [])),
    ...Object.entries(report.branchMap).flatMap(([id, { locations }]) =>
      locations.filter((_, arm) => report.b[id]?.[arm] === 0),
    ),
  ];
  const left = places
    .map(({ start }) => start.line)
    .filter((line) => lines.some(([from, to]) => from <= line && line <= to));
  return [...new Set(left)].sort((a, b) => a - b);
}

/** First and last line of each symbol, and of each function and constant of the file that one of them uses. */
function linesOf(code: string, symbols: readonly string[]): readonly (readonly [from: number, to: number])[] {
  const declared = new Map((parseAst(code, { lang: 'ts' }).body as readonly Node[]).flatMap(declarations));
  const wanted = [...symbols];
  const missing = wanted.filter((name) => !declared.has(name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: not declared`);
  for (const name of wanted) {
    const used = names(declared.get(name)).filter((other) => declared.has(other) && !wanted.includes(other));
    wanted.push(...new Set(used));
  }
  const lineAt = (index: number) => code.slice(0, index).split('\n').length;
  return wanted.flatMap((name) => {
    const node = declared.get(name);
    return node === undefined ? [] : [[lineAt(node.start), lineAt(node.end)] as const];
  });
}

/** What a statement declares: its name and its node. */
function declarations(statement: Node): readonly (readonly [name: string, node: Node])[] {
  const declaration = (Reflect.get(statement, 'declaration') ?? statement) as Node;
  const each: readonly Node[] =
    declaration.type === 'VariableDeclaration' ? Reflect.get(declaration, 'declarations') : [declaration];
  return each.flatMap((node) => {
    const name: unknown = Reflect.get((Reflect.get(node, 'id') as object | null | undefined) ?? {}, 'name');
    return typeof name === 'string' ? [[name, node] as const] : [];
  });
}

/** Every name in the code below a node. */
function names(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own: unknown = Reflect.get(node, 'type') === 'Identifier' ? Reflect.get(node, 'name') : undefined;
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(node).flatMap(names)];
}
