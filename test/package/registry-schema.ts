/**
 * What the MCP registry demands of a server.json, of the parts that ours has: written from the published schema
 * https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json (repository modelcontextprotocol/static,
 * commit 12022abc, read 2026-11-20). Stricter in one thing: an unknown field, there allowed, is a misspelling here.
 * `node scripts/check-registry-entry.ts` checks against the published text itself; a release does so.
 */
const WORDS = { type: 'string', minLength: 1 };
/** A version is one version: neither a range nor "latest". */
const VERSION = { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$' };

function object(properties: object, ...required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const VARIABLE = object(
  {
    name: { type: 'string', pattern: '^FARECLERK_[A-Z_]+$' },
    description: WORDS,
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    choices: { type: 'array', items: { type: 'string' }, minItems: 2 },
  },
  'name',
);

const PACKAGE = object(
  {
    registryType: { enum: ['npm', 'pypi', 'oci', 'nuget', 'mcpb'] },
    identifier: WORDS,
    version: VERSION,
    runtimeHint: { enum: ['npx', 'uvx', 'docker', 'dnx'] },
    transport: object({ type: { enum: ['stdio'] } }, 'type'),
    environmentVariables: { type: 'array', items: VARIABLE, minItems: 1 },
  },
  'registryType',
  'identifier',
  'transport',
);

export const REGISTRY_SCHEMA = object(
  {
    $schema: { enum: ['https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'] },
    // Reverse DNS, then exactly one slash.
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: VERSION,
    repository: object({ url: { type: 'string', format: 'uri' }, source: WORDS }, 'url', 'source'),
    packages: { type: 'array', items: PACKAGE, minItems: 1 },
  },
  'name',
  'description',
  'version',
);
