/**
 * A refusal that another part of the program must recognise has a code and fields: its message is for people, and may change. So nothing
 * looks into a message.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Node, nameOf, nodesIn, nodesOf, parse } from './syntax.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** The files that look into a message all the same, how often, and why. */
const KNOWN: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'cli/demo/stage.ts': [1, 'breaks a dialog into its lines'],
  'ledger/statement.ts': [7, 'SQLite has one code for everything that it finds in a statement'],
};

const LOOKS = /^(?:includes|startsWith|endsWith|indexOf|search|match|matchAll|replace|replaceAll|split)$/;
const TAKES = /^(?:test|exec|includes|has)$/;

/** `message`, or the message of anything: `error.message`, `error?.message`. */
function isMessage(value: unknown): boolean {
  const [node] = nodesIn(value);
  if (node?.type === 'ChainExpression') return isMessage(node.expression);
  return nameOf(node?.type === 'MemberExpression' ? node.property : node) === 'message';
}

function looksIntoMessage({
  type,
  callee,
  arguments: [given] = [],
  operator,
  left,
  right,
}: Node & { arguments?: readonly unknown[] }): boolean {
  if (type === 'BinaryExpression')
    return /^[!=]==?$/.test(String(operator)) && [left, right].some(isMessage) && [left, right].some(isText);
  const [member] = nodesIn(callee);
  if (type !== 'CallExpression' || member?.type !== 'MemberExpression') return false;
  const method = nameOf(member.property);
  return (LOOKS.test(method) && isMessage(member.object)) || (TAKES.test(method) && isMessage(given));
}

const isText = (value: unknown): boolean => nodesIn(value).some((node) => typeof node.value === 'string');

test('compares codes, and never looks into the message of an error', () => {
  const found = globSync('**/*.ts', { cwd: SRC }).flatMap((file) => {
    const looks = nodesOf(parse(readFileSync(SRC + file, 'utf8'))).filter(looksIntoMessage);
    return looks.length === 0 ? [] : [[file, looks.length] as const];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(KNOWN).map(([file, [times]]) => [file, times])),
  );
});
