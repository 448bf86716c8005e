/** Every argument of every tool is in a call that tests make of this tool. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inputJsonSchema, type JsonSchema } from '../../src/clerk/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { argumentsInCalls } from './calls-of-tools.ts';

const TEST = fileURLToPath(new URL('../', import.meta.url));
/** Where tools are tried by calls. */
const FILES = globSync('{tools,clerk,plans}/**/*.test.ts', { cwd: TEST }).map((file) => TEST + file);

/** Every act has it, and no act reads it: `desk.say` gives the call that goes on with it. */
const OF_ALL_ACTS = 'approval_id';

/** The path of each field: `contact.phone.number`. The items of a list have the path of the list. */
function fieldsOf({ properties = {}, items }: JsonSchema, at = ''): readonly string[] {
  const below = Object.entries(properties).flatMap(([name, field]) => [at + name, ...fieldsOf(field, `${at}${name}.`)]);
  return items === undefined ? below : [...below, ...fieldsOf(items, at)];
}

/** Whether a call has the field, or hands its last names to a function which puts them in their place: `one({ gender: 'Male' })`. */
function isCalled(field: string, found: ReadonlySet<string> | undefined): boolean {
  const names = field.split('.');
  return names.some((_, i) => found?.has(names.slice(i).join('.')));
}

test('has a call of each tool with each of its arguments', () => {
  const fields = new Map(CATALOG.map((tool) => [tool.name, fieldsOf(inputJsonSchema(tool))]));
  const found = argumentsInCalls(FILES, fields);
  const missing = [...fields].flatMap(([tool, all]) =>
    all
      .filter((field) => field !== OF_ALL_ACTS && !isCalled(field, found.get(tool)))
      .map((field) => `${tool}: ${field}`),
  );
  expect(missing).toEqual([]);
});
