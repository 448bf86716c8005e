/**
 * Bundles undici's Agent as a named export, without HTTP/2.
 *
 * The package's own entry is CommonJS: as a chunk it has no named exports, so that every call would fail, and it also
 * brings fetch, web sockets and caches. HTTP/2 is off everywhere (ota/transport/http-agents.ts); loading `node:http2`
 * would make the first call slower (docs/reference/performance.md).
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

export function undiciAgent(root: string): Plugin {
  const folder = join(root, 'node_modules', 'undici', 'lib', 'dispatcher');
  return {
    name: 'undici-agent',
    setup(build) {
      let replaced = 0;
      build.onStart(() => {
        replaced = 0;
      });
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'undici-agent' }));
      build.onLoad({ filter: /.*/, namespace: 'undici-agent' }, () => ({
        contents: `export { default as Agent } from ${JSON.stringify(join(folder, 'agent.js'))};`,
        resolveDir: root,
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => {
        replaced += 1;
        return {
          contents: `module.exports = () => { throw new Error('HTTP/2 is not part of this program'); };`,
          loader: 'js',
        };
      });
      build.onEnd(() =>
        replaced === 1 ? undefined : { errors: [{ text: 'undici no longer has its HTTP/2 client in client-h2.js' }] },
      );
    },
  };
}
