/** The syntax trees of sources. */
import { parseAst } from 'vitest/node';

export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const parse = (text: string): Node => parseAst(text, { lang: 'ts' }) as object as Node;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The node or the nodes that a field of a node has. */
export function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
}

export const childrenOf = (node: Node): readonly Node[] => Object.values(node).flatMap(nodesIn);

/** The node, and all nodes inside it. */
export const nodesOf = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(nodesOf)];

/** The name of an identifier, or the text of a literal; empty for any other node. */
export function nameOf(node: unknown): string {
  const [only] = nodesIn(node);
  return String(only?.name ?? only?.value ?? '');
}
