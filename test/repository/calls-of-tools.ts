/**
 * Reads from the sources of tests which arguments their calls of tools have. A call names its tool first,
 * `read('get_tickets', { save: true })`, is one of `callsOf('get_tickets')`, or is of a function that makes such calls of one tool.
 * It follows a name to its value, and the name of a row to all rows of its table.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childrenOf, type Node, nameOf, nodesIn, nodesOf, parse } from './syntax.ts';

interface Source {
  readonly file: string;
  readonly program: Node;
  /** By name: the values, functions and imports that it has somewhere in the file. */
  readonly declared: ReadonlyMap<string, readonly Node[]>;
}

/** An expression, and where its names are declared. */
interface Placed {
  readonly node: Node;
  readonly source: Source;
}

/** As deep as arguments nest: a name that is its own value would nest for ever. */
const MOST_LEVELS = 4;

const isFunction = ({ type }: Node): boolean => /Function/.test(type);

/** What a node declares, as pairs of a name and its value. */
function declarationsOf(node: Node): readonly (readonly [string, Node])[] {
  const declare = (names: readonly Node[], values: unknown) =>
    nodesIn(values).flatMap((value) => names.map((name) => [nameOf(name), value] as const));
  switch (node.type) {
    case 'ImportDeclaration':
      return declare(
        nodesIn(node.specifiers).flatMap(({ local }) => nodesIn(local)),
        node,
      );
    case 'FunctionDeclaration':
      return declare(nodesIn(node.id), node);
    case 'VariableDeclarator':
      return declare(nodesIn(node.id), node.init);
    case 'ForOfStatement':
      return declare(nodesIn(node.left).flatMap(nodesOf), node.right);
    case 'CallExpression': {
      // test.each(table)('…', (row) => …)
      const [table] = nodesIn(node.callee).flatMap((callee) => nodesIn(callee.arguments));
      const callbacks = nodesIn(node.arguments).filter(isFunction);
      return declare(
        callbacks.flatMap(({ params }) => nodesIn(params)),
        table,
      );
    }
    default:
      return [];
  }
}

const SOURCES = new Map<string, Source>();

function readSource(file: string): Source {
  const known = SOURCES.get(file);
  if (known !== undefined) return known;
  const program = parse(readFileSync(file, 'utf8'));
  const declared = new Map<string, Node[]>();
  for (const [name, value] of nodesOf(program).flatMap(declarationsOf)) {
    declared.set(name, [...(declared.get(name) ?? []), value]);
  }
  const source = { file, program, declared };
  SOURCES.set(file, source);
  return source;
}

/** Finds the values of a name: in this file, or in the file of the tests that it is imported from. */
function meaningsOf(name: string, source: Source): readonly Placed[] {
  return (source.declared.get(name) ?? []).flatMap((node) => {
    if (node.type !== 'ImportDeclaration') return [{ node, source }];
    const path = nameOf(node.source);
    const file = join(dirname(source.file), path);
    return path.startsWith('.') && file.includes('/test/') ? meaningsOf(name, readSource(file)) : [];
  });
}

/** What a function returns, as expressions. */
function returnedBy({ body }: Node): readonly Node[] {
  return nodesIn(body).flatMap((inner) => {
    if (inner.type !== 'BlockStatement') return [inner];
    return nodesOf(inner).flatMap(({ type, argument }) => (type === 'ReturnStatement' ? nodesIn(argument) : []));
  });
}

/** Collects the path of each argument in the objects of an expression: `contact.phone.number`. An item has the path of its list. */
class Paths {
  readonly found = new Set<string>();
  readonly #names: ReadonlySet<string>;
  /** A name may be its own value, and many calls have the same values. */
  readonly #seen = new Map<Node, Set<string>>();

  /** @param fields the paths of all arguments of the tool */
  constructor(fields: readonly string[]) {
    this.#names = new Set(fields.flatMap((field) => field.split('.')));
  }

  add({ node, source }: Placed, at = ''): void {
    const seenAt = this.#seen.get(node) ?? new Set();
    if (seenAt.has(at) || at.split('.').length > MOST_LEVELS) return;
    this.#seen.set(node, seenAt.add(at));
    const inside = (value: unknown, path = at, from = source) => {
      for (const inner of nodesIn(value)) this.add({ node: inner, source: from }, path);
    };
    if (node.type === 'Property') {
      const name = nameOf(node.key);
      if (!this.#names.has(name)) return;
      const path = at === '' ? name : `${at}.${name}`;
      this.found.add(path);
      inside(node.value, path);
    } else if (node.type === 'Identifier') {
      for (const meaning of meaningsOf(nameOf(node), source))
        if (!isFunction(meaning.node)) inside(meaning.node, at, meaning.source);
    } else if (node.type === 'CallExpression') {
      for (const meaning of meaningsOf(nameOf(node.callee), source))
        if (isFunction(meaning.node)) inside(returnedBy(meaning.node), at, meaning.source);
      inside(node.arguments);
    } else if (isFunction(node)) {
      inside(returnedBy(node));
    } else if (node.type !== 'MemberExpression') {
      inside(childrenOf(node));
    }
  }
}

/** Finds the tool that an expression calls or is for; undefined for any other, or where it may be several. */
function toolFinder(tools: ReadonlySet<string>) {
  const known = new Map<Node, string | undefined>();

  function toolOf(place: Placed): string | undefined {
    // While it is looked for, a function that calls itself has none.
    if (!known.has(place.node)) known.set(place.node, undefined).set(place.node, look(place));
    return known.get(place.node);
  }

  function only(places: readonly Placed[]): string | undefined {
    const named = new Set(places.flatMap((place) => toolOf(place) ?? []));
    return named.size === 1 ? [...named][0] : undefined;
  }

  function look({ node, source }: Placed): string | undefined {
    const inside = (value: unknown) => only(nodesIn(value).map((inner) => ({ node: inner, source })));
    if (node.type === 'AwaitExpression') return inside(node.argument);
    if (node.type === 'MemberExpression') return inside(node.object);
    if (node.type === 'Identifier') return only(meaningsOf(nameOf(node), source));
    if (isFunction(node)) {
      const inBody = nodesIn(node.body).flatMap(nodesOf);
      return inside(inBody.filter(({ type }) => type === 'CallExpression'));
    }
    if (node.type !== 'CallExpression') return undefined;
    const named = nodesIn(node.arguments).map(nameOf);
    return named.find((name) => tools.has(name)) ?? inside(node.callee);
  }

  return toolOf;
}

/**
 * By tool: the paths of the arguments that its calls in these files have.
 * @param fields by tool: the paths of all its arguments
 */
export function argumentsInCalls(files: readonly string[], fields: ReadonlyMap<string, readonly string[]>) {
  const pathsOf = new Map([...fields].map(([tool, all]) => [tool, new Paths(all)]));
  const toolOf = toolFinder(new Set(fields.keys()));
  for (const source of files.map(readSource)) {
    for (const node of nodesOf(source.program).filter(({ type }) => type === 'CallExpression')) {
      const paths = pathsOf.get(toolOf({ node, source }) ?? '');
      for (const argument of nodesIn(node.arguments)) paths?.add({ node: argument, source });
    }
  }
  return new Map([...pathsOf].map(([tool, { found }]) => [tool, found]));
}
