/**
 * Changes a symbol of the sources by its syntax tree: where its file is and how it is formatted makes no difference.
 */
import { parseAst } from 'vitest/node';
import { declaredIn, type Sources } from '../../support/sources.ts';

export interface SymbolChange {
  /** Declared at the top level of one source, exported or not. */
  readonly symbol: string;
  /** Code that occurs once in the symbol: an expression, a property or a statement. `$name` stands for any expression. */
  readonly from: string;
  /** What takes its place. `$name` is the text of that expression. */
  readonly to: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Throws unless the symbol is declared once, has the code once, and can still be parsed. */
export function changed(sources: Sources, { symbol, from, to }: SymbolChange) {
  const homes = [...sources].filter(([, code]) => declaredIn(code).some(({ name }) => name === symbol));
  const [home, ...others] = homes;
  if (home === undefined) throw new Error(`no source declares ${symbol}`);
  if (others.length > 0) throw new Error(`${symbol} is ambiguous: ${homes.map(([file]) => file).join(', ')}`);
  const [file, code] = home;
  const wanted = patternOf(from);
  const found = nodesOf(declarationOf(code, symbol)).flatMap((node) => {
    const holes = new Map<string, Node>();
    return matches(wanted, node, holes) ? [{ node, holes }] : [];
  });
  const [place] = found;
  if (place === undefined || found.length > 1) throw new Error(`${symbol} has ${found.length} times: ${from}`);
  const { node, holes } = place;
  const written = to.replaceAll(/\$\w+/g, (hole) => {
    const { start, end } = holes.get(hole) ?? node;
    return code.slice(start, end);
  });
  const result = code.slice(0, node.start) + written + code.slice(node.end);
  parse(result);
  return { file, code: result };
}

const parse = (code: string): readonly Node[] => parseAst(code, { lang: 'ts' }).body as readonly Node[];

function declarationOf(code: string, symbol: string): Node | undefined {
  const declarations = parse(code).flatMap((statement) => {
    const declaration = at(statement, 'declaration') ?? statement;
    return declaration.type === 'VariableDeclaration' ? nodesIn(declaration) : [declaration];
  });
  return declarations.find((declaration) => Reflect.get(at(declaration, 'id') ?? {}, 'name') === symbol);
}

function patternOf(text: string): Node | undefined {
  if (text.endsWith(';')) return at(parse(`async () => {${text}}`)[0], 'expression', 'body', 'body', '0');
  if (/^\w+: /.test(text)) return at(parse(`[{${text}}]`)[0], 'expression', 'elements', '0', 'properties', '0');
  return at(parse(`[${text}]`)[0], 'expression', 'elements', '0');
}

function at(node: unknown, ...path: readonly string[]): Node | undefined {
  const found = path.reduce((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], node);
  return isNode(found) ? found : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

const nodesIn = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

function nodesOf(node: Node | undefined): readonly Node[] {
  return node === undefined ? [] : [node, ...nodesIn(node).flatMap(nodesOf)];
}

/** Where something is, and how a literal is quoted. */
const LAYOUT = new Set(['start', 'end', 'range', 'loc', 'raw']);

function matches(wanted: unknown, found: unknown, holes: Map<string, Node>): boolean {
  if (typeof wanted !== 'object' || wanted === null) return wanted === found;
  if (typeof found !== 'object' || found === null) return false;
  const hole: unknown = isNode(wanted) && wanted.type === 'Identifier' ? Reflect.get(wanted, 'name') : undefined;
  if (typeof hole === 'string' && hole.startsWith('$') && isNode(found)) {
    holes.set(hole, found);
    return true;
  }
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].filter((key) => !LAYOUT.has(key));
  return keys.every((key) => matches(Reflect.get(wanted, key), Reflect.get(found, key), holes));
}
