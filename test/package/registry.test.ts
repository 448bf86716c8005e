import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wrongWith } from '../../scripts/check-registry-entry.ts';
import { REGISTRY_SCHEMA } from './registry-schema.ts';

const entry = () => JSON.parse(readFileSync(new URL('../../server.json', import.meta.url), 'utf8'));

test('server.json matches the schema of the registry', () => {
  expect(wrongWith(entry(), REGISTRY_SCHEMA)).toBeUndefined();
});

test.each<[string, (it: ReturnType<typeof entry>) => void]>([
  ['a name without its slash', (it) => Object.assign(it, { name: 'fareclerk' })],
  ['a description of 101 letters', (it) => Object.assign(it, { description: 'x'.repeat(101) })],
  ['a range of versions', (it) => Object.assign(it.packages[0], { version: '^0.1.0' })],
  ['no transport', (it) => delete it.packages[0].transport],
  ['a repository that is no address', (it) => Object.assign(it.repository, { url: 'fareclerk' })],
  ['a misspelt field', (it) => Object.assign(it.packages[0].environmentVariables[0], { secret: true })],
  ['a variable without a name', (it) => delete it.packages[0].environmentVariables[0].name],
])('%s is found out', (_, spoil) => {
  const spoilt = entry();
  spoil(spoilt);
  expect(wrongWith(spoilt, REGISTRY_SCHEMA)).toBeDefined();
});
