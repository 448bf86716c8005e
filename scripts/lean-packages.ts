/**
 * What of two packages goes into the bundle: less than their own entries would bring.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * undici: its Agent alone, as a named export. The package's own entry loads fetch, web sockets and caches too, and a
 * CommonJS entry has no named exports once it is a chunk.
 */
function undici(root: string): Plugin {
  const agent = join(root, 'node_modules', 'undici', 'lib', 'dispatcher', 'agent.js');
  return {
    name: 'lean-undici',
    setup(build) {
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'lean-undici' }));
      build.onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => ({
        contents: `import Agent from ${JSON.stringify(agent)};\nexport { Agent };`,
        resolveDir: root,
        loader: 'js',
      }));
    },
  };
}

/** zod: its messages in English; the other fifty languages come along wherever `z` is imported by name. */
const zod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
      loader: 'js',
    }));
  },
};

export function leanPackages(root: string): Plugin[] {
  return [undici(root), zod];
}
