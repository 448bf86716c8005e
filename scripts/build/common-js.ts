/**
 * Writes the bundle's chunks as CommonJS. esbuild splits only ES modules, and Node starts CommonJS faster: it needs no
 * second loader and no facade for each built-in module (docs/reference/performance.md).
 */
import { basename } from 'node:path';
import { type Metafile, type OutputFile, type Plugin, transform } from 'esbuild';
import { type Packs, packed, type Script } from './packs.ts';

/**
 * Turns exports from getters into plain values: every call from another chunk would go through one. Safe because chunks
 * never import each other in a circle, which is checked, and no export is assigned again.
 */
const PLAIN_EXPORTS = 'module.exports=Object.defineProperty({...module.exports},"__esModule",{value:true});\n';

/**
 * Needs `write: false`: replaces `outputFiles` by the CommonJS files and their source maps.
 * @param mapOf makes of a complete source map what is published
 * @param packs which chunks go into one file
 */
export const commonJs = (mapOf: (complete: string) => string | undefined, packs: Packs = {}): Plugin => ({
  name: 'common-js',
  setup(build) {
    Object.assign(build.initialOptions, {
      format: 'esm',
      splitting: true,
      chunkNames: 'chunk-[name]-[hash]',
      sourcemap: 'inline',
      sourcesContent: false,
    });
    build.onEnd(async (result) => {
      const outputs = result.metafile?.outputs ?? {};
      const circle = circleIn(outputs);
      if (circle !== undefined) return { errors: [{ text: `chunks import each other in a circle at ${circle}` }] };
      const scripts = await Promise.all((result.outputFiles ?? []).map(converted));
      const all = Object.keys(packs).length === 0 ? scripts : await packed(scripts, outputs, packs);
      result.outputFiles = all.flatMap((script) => published(script, mapOf));
      return undefined;
    });
  },
});

async function converted({ path, text }: OutputFile): Promise<Script> {
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    // Turns `import()` into `require` in a promise, so that the ES module loader is never started.
    supported: { 'dynamic-import': false },
  });
  return { path, code: code + PLAIN_EXPORTS, map };
}

function published(
  { path, code, map: complete }: Script,
  mapOf: (complete: string) => string | undefined,
): OutputFile[] {
  const map = mapOf(complete);
  if (map === undefined) return [file(path, code)];
  return [file(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`), file(`${path}.map`, map)];
}

function file(path: string, text: string): OutputFile {
  return { path, text, contents: Buffer.from(text), hash: '' };
}

/** A chunk that imports itself through others; undefined if there is none. */
function circleIn(outputs: Metafile['outputs']): string | undefined {
  const seen = new Map<string, 'open' | 'done'>();
  const visit = (path: string): string | undefined => {
    if (seen.has(path)) return seen.get(path) === 'open' ? path : undefined;
    seen.set(path, 'open');
    const imports = (outputs[path]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
    const circle = imports.map((next) => visit(next.path)).find((found) => found !== undefined);
    seen.set(path, 'done');
    return circle;
  };
  return Object.keys(outputs)
    .map(visit)
    .find((found) => found !== undefined);
}
