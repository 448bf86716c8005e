/**
 * Leaves AJV out of the bundle: the SDK loads it at every start for validators that this server never asks for, since
 * it gives the SDK a validator of its own (src/server/mcp/server.ts).
 */
import type { Plugin } from 'esbuild';

/** Exports what the SDK's `_shims` module exports. */
const SHIM = `import process from 'node:process';
class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}
export { DefaultJsonSchemaValidator, process };`;

export const noAjv: Plugin = {
  name: 'no-ajv',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'no-ajv',
    }));
    build.onLoad({ filter: /.*/, namespace: 'no-ajv' }, () => ({ contents: SHIM, loader: 'js' }));
  },
};
