/**
 * Leaves out of undici what this program never runs: all but `Agent`, HTTP/2, which no agent allows (src/ota/transport/http.ts), and its
 * second parser, which a variable would choose.
 */
import type { Plugin } from 'esbuild';

export const UNDICI_VARIABLES = {
  'process.env.UNDICI_USE_MILO': 'undefined',
  'process.env.JEST_WORKER_ID': 'undefined',
};

export function onlyAgent(root: string): Plugin {
  return {
    name: 'only-agent',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'only-agent' }));
      onLoad({ filter: /^undici$/, namespace: 'only-agent' }, () => ({
        contents: `export { default as Agent } from 'undici/lib/dispatcher/agent.js';`,
        resolveDir: root,
      }));
      onLoad({ filter: /undici[\\/]lib[\\/](?:dispatcher[\\/]client-h2|milo[\\/][\w-]+)\.js$/ }, () => ({
        contents: 'module.exports = undefined;',
      }));
    },
  };
}
