/** Blank lines divide long bodies into paragraphs. */
import { expect, test } from 'vitest';
import { readSources } from '../support/sources.ts';
import { childrenOf, type Node, nameOf, nodesIn, nodesOf, parse } from './syntax.ts';

/** The body of a function with so many lines and statements has a blank line. */
const LONG_BODY = { lines: 20, statements: 6 };
/** A paragraph of so many statements has no more lines. */
const LONG_PARAGRAPH = { statements: 5, lines: 16 };

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

const isStatement = ({ type }: Node): boolean =>
  ['VariableDeclaration', 'FunctionDeclaration'].includes(type) ||
  (type !== 'BlockStatement' && /Statement$/.test(type));

/** The part of a text from one node to another. */
const textOf = (text: string, first: Node, last = first): string => text.slice(Number(first.start), Number(last.end));

const linesOf = (text: string): number => text.split('\n').length;

/** What stands one below the other in a node: statements of a block, cases of a switch, members of an object. */
const listsOf = (node: Node): (readonly Node[])[] => Object.values(node).filter(Array.isArray).map(nodesIn);

/** Divides a list at its blank lines. */
function paragraphsOf(text: string, list: readonly Node[]): (readonly Node[])[] {
  const starts = list.flatMap((node, i) => {
    const before = list[i - 1];
    const gap = before === undefined ? '\n\n' : text.slice(Number(before.end), Number(node.start));
    return /\n[ \t]*\n/.test(gap) ? [i] : [];
  });
  return starts.map((start, i) => list.slice(start, starts[i + 1]));
}

/** Whether a body is long and has no blank line, neither of its own nor in a block inside it. */
function isUndivided(text: string, body: Node): boolean {
  if (linesOf(textOf(text, body)) < LONG_BODY.lines) return false;

  const nodes = nodesOf(body);
  const isLong = nodes.filter(isStatement).length >= LONG_BODY.statements;
  return isLong && nodes.flatMap(listsOf).every((list) => paragraphsOf(text, list).length <= 1);
}

/** The paragraphs that are too long in the statements of a block or a case. */
function longParagraphs(text: string, node: Node): (readonly Node[])[] {
  const statements = nodesIn(node.type === 'SwitchCase' ? node.consequent : node.body);
  return paragraphsOf(text, statements).filter(([first, ...others]) => {
    const isLong = first !== undefined && 1 + others.length >= LONG_PARAGRAPH.statements;
    return isLong && linesOf(textOf(text, first, others.at(-1))) > LONG_PARAGRAPH.lines;
  });
}

/** `LINE FUNCTION: WHY` of each place without the blank lines that it needs. */
function undividedIn(text: string): readonly string[] {
  const found: string[] = [];
  const add = (node: Node | undefined, name: string, why: string): void => {
    found.push(`${linesOf(text.slice(0, Number(node?.start)))} ${name}: ${why}`);
  };

  const visit = (node: Node, outerName: string): void => {
    const name = nameOf(node.id) || nameOf(node.key) || outerName;
    const [body] = FUNCTIONS.includes(node.type) ? nodesIn(node.body) : [];
    if (body !== undefined && isUndivided(text, body)) add(node, name, 'a long body without a blank line');

    if (node.type === 'BlockStatement' || node.type === 'SwitchCase')
      for (const [first] of longParagraphs(text, node)) add(first, name, 'a long paragraph');

    for (const child of childrenOf(node)) visit(child, name);
  };

  visit(parse(text), '');
  return found;
}

/** A function whose body has these groups of statements, a blank line between each two. Each statement has some lines. */
function withGroups(groups: readonly number[], linesEach: number): string {
  const statement = ['  call(', ...Array(linesEach - 2).fill('    argument,'), '  );'].join('\n');
  const paragraphs = groups.map((count) => Array(count).fill(statement).join('\n'));
  return ['const before = 1;', '', 'function walls() {', paragraphs.join('\n\n'), '}'].join('\n');
}

test('sees a long body without a blank line, and a paragraph of many statements that is too long', () => {
  const body = '3 walls: a long body without a blank line';
  expect(undividedIn(withGroups([6], 3))).toEqual([body, '4 walls: a long paragraph']);
  expect(undividedIn(withGroups([3, 6], 3))).toEqual(['14 walls: a long paragraph']);
  expect(undividedIn(withGroups([4], 5).replace('call(', 'if (a) for (;;) call('))).toEqual([body]);
});

test('sees no fault in what has a blank line, few lines or few statements', () => {
  expect(undividedIn(withGroups([3, 3], 3))).toEqual([]);
  expect(undividedIn(withGroups([5, 5], 3))).toEqual([]);
  expect(undividedIn(withGroups([4, 4], 5))).toEqual([]);
  expect(undividedIn(withGroups([4], 5))).toEqual([]);
});

test('every long body of the program is divided into paragraphs that can be read at a glance', () => {
  const found = [...readSources()].flatMap(([file, text]) => undividedIn(text).map((place) => `${file}:${place}`));
  expect(found).toEqual([]);
});
