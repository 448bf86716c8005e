/**
 * Checks server.json against the schema that the MCP registry publishes: `node scripts/check-registry-entry.ts [FILE]`.
 * Fetches the schema from the address in `$schema`, or reads it from FILE.
 */
import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

type Schema = Parameters<AjvJsonSchemaValidator['getValidator']>[0];

/** The validator's errors; undefined if there are none. */
function wrongWith(entry: unknown, schema: object): string | undefined {
  const result = new AjvJsonSchemaValidator().getValidator(schema as Schema)(entry);
  return result.valid ? undefined : result.errorMessage;
}

async function published(url: string): Promise<object> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as object;
}

if (import.meta.main) {
  const entry = JSON.parse(readFileSync(new URL('../server.json', import.meta.url), 'utf8'));
  const [file] = process.argv.slice(2);
  const schema = file === undefined ? await published(entry.$schema) : JSON.parse(readFileSync(file, 'utf8'));
  const wrong = wrongWith(entry, schema);
  process.stdout.write(`server.json: ${wrong ?? `as ${file ?? entry.$schema} wants it`}\n`);
  process.exitCode = wrong === undefined ? 0 : 1;
}
