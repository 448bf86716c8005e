/**
 * A profile of V8 as shares of functions, each with the source file that it came from before it was bundled.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, type SourceMapMappings } from '@jridgewell/sourcemap-codec';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A function in its place in the tree of calls; `own`: microseconds, or bytes, without what it calls. */
export interface Node {
  readonly name: string;
  /** Path from the repository's root, `node:…`, or a name in brackets: `(garbage collector)`. */
  readonly file: string;
  readonly line: number;
  readonly own: number;
  readonly children: readonly Node[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What comes before the folders of a program that was built in another one. */
const ELSEWHERE = /^(?:\.\.\/)+(?:.*?(?=(?:src|node_modules)\/)|)/;

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface HeapNode {
  readonly callFrame: Frame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

export function cpuTree(text: string): Node {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as CpuProfile;
  const own = new Map<number, number>();
  samples.forEach((id, i) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0));
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sourceOf = sources();
  const tree = (id: number, parent: string): Node => {
    const node = byId.get(id);
    if (node === undefined) throw new Error(`the profile has no node ${id}`);
    const place = sourceOf(node.callFrame, parent);
    const children = (node.children ?? []).map((child) => tree(child, place.file));
    return { ...place, own: own.get(id) ?? 0, children };
  };
  return tree(nodes[0]?.id ?? 0, '');
}

export function heapTree(text: string): Node {
  const sourceOf = sources();
  const tree = ({ callFrame, selfSize, children }: HeapNode, parent: string): Node => {
    const place = sourceOf(callFrame, parent);
    return { ...place, own: selfSize, children: children.map((child) => tree(child, place.file)) };
  };
  return tree((JSON.parse(text) as { head: HeapNode }).head, '');
}

/** What is built into V8, such as JSON.parse, counts to the file that calls it. */
function sources(): (frame: Frame, parent: string) => Pick<Node, 'name' | 'file' | 'line'> {
  const maps = new Map<string, ReturnType<typeof mapOf>>();
  return ({ functionName: name, url, lineNumber, columnNumber }, parent) => {
    if (name.startsWith('(')) return { name, file: name, line: 0 };
    if (url === '') return { name, file: parent, line: 0 };
    if (url.startsWith('node:')) return { name, file: url, line: lineNumber + 1 };
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    const map = maps.get(path) ?? mapOf(path);
    maps.set(path, map);
    return { name, ...placeOf(map, lineNumber, columnNumber) };
  };
}

function mapOf(path: string): { sources: readonly string[]; mappings: SourceMapMappings } | undefined {
  try {
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[]; mappings: string };
    const from = dirname(path);
    const paths = map.sources.map((source) => relative(ROOT, resolve(from, source)).replace(ELSEWHERE, ''));
    return { sources: paths, mappings: decode(map.mappings) };
  } catch {
    return undefined;
  }
}

function placeOf(map: ReturnType<typeof mapOf>, line: number, column: number): Pick<Node, 'file' | 'line'> {
  const segments = map?.mappings[line]?.filter(([at]) => at <= column) ?? [];
  const [, source, sourceLine] = segments.at(-1) ?? [];
  if (source === undefined || sourceLine === undefined) return { file: 'bundle', line: 0 };
  return { file: map?.sources[source] ?? 'bundle', line: sourceLine + 1 };
}
