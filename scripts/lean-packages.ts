/**
 * What of some packages goes into the bundle: less than their own entries would bring.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** As in Node's own build of undici: without its experimental second HTTP parser. */
export const DEFINED = { esbuildDetection: 'true' };

/**
 * undici: its Agent alone, as a named export. The package's own entry loads fetch, web sockets and caches too, and a
 * CommonJS entry has no named exports once it is a chunk. Without HTTP/2, which is off everywhere (ota/transport/agents.ts):
 * `node:http2` alone takes as long to load as the rest.
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
      build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
        contents: `module.exports = () => { throw new Error('HTTP/2 is not part of this program'); };`,
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

const CRYPTO = ['createHash', 'createHmac', 'hash', 'randomBytes', 'randomInt', 'randomUUID', 'timingSafeEqual'];

/** node:crypto, as our sources use it, loaded with the first use of a function: most calls need none. */
const crypto: Plugin = {
  name: 'lean-crypto',
  setup(build) {
    build.onResolve({ filter: /^node:crypto$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]/.test(importer) ? undefined : { path: 'crypto', namespace: 'lean-crypto' },
    );
    build.onLoad({ filter: /.*/, namespace: 'lean-crypto' }, () => ({
      contents: CRYPTO.map(
        (name) => `export const ${name} = (...given) => process.getBuiltinModule('node:crypto').${name}(...given);`,
      ).join('\n'),
      loader: 'js',
    }));
  },
};

export function leanPackages(root: string): Plugin[] {
  return [undici(root), zod, crypto];
}
