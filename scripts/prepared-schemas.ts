/**
 * Takes the place of src/cli/runtime/schemas.ts in the bundle: the tools' JSON Schemas, made once at build time.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The module's text. The sources are imported here, so a build always has the schemas of its own tools. */
async function moduleText(): Promise<string> {
  const [{ CATALOG }, { inputJsonSchema, outputJsonSchema }] = await Promise.all([
    import('../src/tools/index.ts'),
    import('../src/server/schemas.ts'),
  ]);
  const tools = CATALOG;
  const inputs = Object.fromEntries(tools.map((tool) => [tool.name, inputJsonSchema(tool)]));
  const outputs = Object.fromEntries(tools.map((tool) => [tool.name, outputJsonSchema(tool)]));
  // Text that is parsed when first needed costs less than an object literal of this size.
  const json = JSON.stringify(JSON.stringify({ inputs, outputs }));
  return `let made;
const all = () => (made ??= JSON.parse(${json}));
const schemas = { input: (tool) => all().inputs[tool.name], output: (tool) => all().outputs[tool.name] };
export const toolSchemas = () => schemas;`;
}

export function preparedSchemas(root: string): Plugin {
  return {
    name: 'prepared-schemas',
    setup(build) {
      build.onLoad({ filter: /schemas\.ts$/ }, async ({ path }) =>
        path === join(root, 'src', 'cli', 'runtime', 'schemas.ts')
          ? { contents: await moduleText(), loader: 'js' }
          : undefined,
      );
    },
  };
}
