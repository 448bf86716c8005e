/**
 * Leaves AJV out of the bundle: the SDK loads it at every start for validators that this server never asks for, since
 * it gives the SDK a validator of its own (src/mcp/server.ts). The SDK's client is in the demo, which asks our own server.
 */
import type { Plugin } from 'esbuild';

/** Exports what the `_shims` modules of the SDK's server and client export. */
const SHIM = `import process from 'node:process';
class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}
const CORS_IS_POSSIBLE = false;
export { CORS_IS_POSSIBLE, DefaultJsonSchemaValidator, process };`;

export const noAjv: Plugin = {
  name: 'no-ajv',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/(?:server|client)\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'no-ajv',
    }));
    build.onLoad({ filter: /.*/, namespace: 'no-ajv' }, () => ({ contents: SHIM, loader: 'js' }));
  },
};
