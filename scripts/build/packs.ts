/**
 * Puts chunks that are needed together into one file, a pack: opening a file and looking up its compiled code costs
 * more than running a small chunk. Each chunk stays a function of its own, which part-loader.ts runs when it is needed.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Metafile, transform } from 'esbuild';
import { joinedMap } from './line-map.ts';

/** A file of the bundle, with its complete source map. */
export interface Script {
  readonly path: string;
  readonly code: string;
  readonly map: string;
}

/** The packs by name: the sources whose chunks they hold, with all that those import at once. */
export type Packs = Readonly<Record<string, readonly string[]>>;

/** What runs the parts of a pack. A running program has it in memory, so its name stays. */
export const LOADER = 'parts.js';

type Outputs = Metafile['outputs'];

const SOURCE = new URL('part-loader.ts', import.meta.url);

/** The scripts that are in no pack, the packs, and what loads them. */
export async function packed(scripts: readonly Script[], outputs: Outputs, packs: Packs): Promise<Script[]> {
  const folder = dirname(scripts[0]?.path ?? '');
  const packOf: Record<string, string> = {};
  const files = Object.entries(packs).map(([name, sources]) => {
    const own = new Set(sources.flatMap((source) => loadedWith(source, outputs)));
    const parts = scripts.filter(({ path }) => own.has(basename(path)) && packOf[nameOf(path)] === undefined);
    const { code, map } = packOfAll(parts);
    const file = `pack-${name}-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`;
    for (const { path } of parts) packOf[nameOf(path)] = file;
    return { path: join(folder, file), code, map };
  });
  const others = scripts.filter(({ path }) => packOf[nameOf(path)] === undefined).map(requiringParts);
  return [...others, ...files, await loader(folder, packOf)];
}

/** How a chunk is required: `./chunk-serve-ABCDEFGH.js`. */
const nameOf = (path: string) => `./${basename(path)}`;

/** Code in no pack requires through the loader, by a line of its own: what is behind it keeps its columns. */
function requiringParts({ path, code, map }: Script): Script {
  const line = `require=require("./${LOADER}").part;\n`;
  return { path, code: line + code, map: joinedMap([{ map, line: 1 }]) };
}

/** The chunks that a source and all that it imports at once are in; the entry of the bundle is none. */
function loadedWith(source: string, outputs: Outputs): string[] {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  if (entry === undefined) throw new Error(`${source} is not loaded by itself, so no pack can begin with it`);
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const next of outputs[path]?.imports ?? [])
      if (next.kind === 'import-statement' && !next.external) visit(next.path);
  };
  visit(entry);
  return [...seen].map((path) => basename(path)).filter((name) => name.startsWith('chunk-'));
}

/** An object with a function for each chunk. In parentheses, V8 compiles a function at once instead of looking at it twice. */
function packOfAll(parts: readonly Script[]): { code: string; map: string } {
  let code = '({\n';
  let lines = 1;
  const placed = parts.map((part) => {
    assertAscii(part);
    const begin = `${JSON.stringify(nameOf(part.path))}:(function(exports,module,require,__dirname){\n`;
    const text = `${begin}${part.code}\n}),\n`;
    const line = lines + 1;
    code += text;
    lines += text.split('\n').length - 1;
    return { map: part.map, line };
  });
  return { code: `${code}})\n`, map: joinedMap(placed) };
}

/**
 * The loader reads packs as bytes, which is quicker. esbuild escapes all but what is in regular expressions.
 * @throws Error that shows the character
 */
function assertAscii({ path, code }: Script): void {
  const at = code.search(/[^\0-\x7F]/);
  if (at < 0) return;
  const near = JSON.stringify(code.slice(Math.max(0, at - 30), at + 10));
  throw new Error(
    `${basename(path)}: a regular expression has a character that is not ASCII; write it as an escape: ${near}`,
  );
}

async function loader(folder: string, packOf: Readonly<Record<string, string>>): Promise<Script> {
  const { code, map } = await transform(readFileSync(SOURCE, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    minify: true,
    define: { PACK_OF: JSON.stringify(packOf) },
    sourcemap: 'external',
    sourcefile: 'part-loader.ts',
    sourcesContent: false,
  });
  return { path: join(folder, LOADER), code, map };
}
