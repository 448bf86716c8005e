/** What is declared for all of the program, and nothing uses: settings, fields of the configuration, and codes of errors. */
import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { ERROR_CODES } from '../../src/core/errors.ts';
import { readSources } from '../support/sources.ts';
import { childrenOf, type Node, nameOf, nodesIn, nodesOf, parse } from './syntax.ts';

const TREES = [...readSources()].map(([file, text]) => ({ file, nodes: nodesOf(parse(text)) }));
const LOAD = 'src/config/load.ts';
/** Reads the setting that names the file of the others. */
const SOURCES_OF_SETTINGS = 'src/config/sources.ts';

const nodesOfType = (nodes: readonly Node[], type: string): readonly Node[] =>
  nodes.filter((node) => node.type === type);

/** The names that sources read: of `values.name`, and of `const { name } = values`. */
function namesRead(nodes: readonly Node[]): readonly string[] {
  const members = nodesOfType(nodes, 'MemberExpression').map(({ property }) => nameOf(property));
  const patterns = nodesOfType(nodes, 'ObjectPattern').flatMap(({ properties }) => nodesIn(properties));
  return [...members, ...patterns.map(({ key }) => nameOf(key))];
}

/** The names of the fields of the objects that `freeze` makes. */
function frozenFields(nodes: readonly Node[]): readonly string[] {
  const calls = nodesOfType(nodes, 'CallExpression').filter(({ callee }) =>
    nodesIn(callee).some((called) => nameOf(called) === 'freeze' || nameOf(called.property) === 'freeze'),
  );
  const objects = calls.flatMap((call) => nodesOfType(nodesIn(call.arguments), 'ObjectExpression'));
  return objects.flatMap(({ properties }) =>
    nodesOfType(nodesIn(properties), 'Property').map(({ key }) => nameOf(key)),
  );
}

test('reads every setting', () => {
  const readers = TREES.filter(({ file }) => file === LOAD || file === SOURCES_OF_SETTINGS);
  const read = new Set(readers.flatMap(({ nodes }) => namesRead(nodes)));
  expect(SETTING_NAMES.filter((name) => !read.has(name))).toEqual([]);
});

test('reads every field of the configuration somewhere in the program', () => {
  const fields = TREES.filter(({ file }) => file === LOAD).flatMap(({ nodes }) => frozenFields(nodes));
  const others = TREES.filter(({ file }) => !file.startsWith('src/config/'));
  const read = new Set(others.flatMap(({ nodes }) => namesRead(nodes)));
  expect(fields).toContain('recordFile');
  expect(fields.filter((name) => !read.has(name))).toEqual([]);
});

/** Asks whether a code is one of some, and makes no error. */
const ASKS = ['includes', 'has', 'get'];

/** What makes something of a value: the arguments of calls, and the values of fields such as `code`. */
function madeOf(node: Node): readonly Node[] {
  if (node.type === 'NewExpression') return nodesIn(node.arguments);
  if (node.type === 'Property') return /^code$|Code$/.test(nameOf(node.key)) ? nodesIn(node.value) : [];
  if (node.type !== 'CallExpression') return [];
  const isQuestion = nodesIn(node.callee).some(({ property }) => ASKS.includes(nameOf(property)));
  return isQuestion ? [] : nodesIn(node.arguments);
}

/** The codes that an expression may be: either side of `a ? b : c`, and not what it compares. */
function codesIn(node: Node): readonly string[] {
  if (node.type === 'Literal') return [nameOf(node)];
  if (node.type === 'ConditionalExpression')
    return [...nodesIn(node.consequent), ...nodesIn(node.alternate)].flatMap(codesIn);
  return node.type === 'LogicalExpression' ? childrenOf(node).flatMap(codesIn) : [];
}

test('makes an error of every code somewhere in the program', () => {
  const made = new Set(TREES.flatMap(({ nodes }) => nodes.flatMap(madeOf).flatMap(codesIn)));
  expect(ERROR_CODES.filter((code) => !made.has(code))).toEqual([]);
});
