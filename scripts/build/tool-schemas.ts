/**
 * Puts the tools' JSON Schemas into the bundle, made at build time: making them takes a fifth of a cold start
 * (docs/reference/performance.md).
 */
import type { Plugin } from 'esbuild';
import { inputJsonSchema, outputJsonSchema } from '../../src/clerk/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { replaceModule } from './replace-module.ts';

export function toolSchemas(root: string): Plugin {
  return replaceModule(root, 'src/cli/runtime/schemas.ts', moduleText);
}

/** The schemas as text, parsed when first needed: an object literal of this size costs more at every start. */
function moduleText(): string {
  const inputs = Object.fromEntries(CATALOG.map((tool) => [tool.name, inputJsonSchema(tool)]));
  const outputs = Object.fromEntries(CATALOG.map((tool) => [tool.name, outputJsonSchema(tool)]));
  const json = JSON.stringify(JSON.stringify({ inputs, outputs }));
  return `let made;
const all = () => (made ??= JSON.parse(${json}));
const schemas = { input: (tool) => all().inputs[tool.name], output: (tool) => all().outputs[tool.name] };
export const toolSchemas = () => schemas;`;
}
