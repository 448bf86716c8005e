/**
 * Every schema of the tool list compiles where hosts compile it: with ajv in its strict mode, which knows no format, and after what
 * clients of models make of it. OpenAI's Agents SDK makes each object closed and each field required; Google's client writes types in
 * capitals and knows no formats, no open objects and no lists of anything.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  inputJsonSchema,
  type JsonSchema,
  liveSchemas,
  outputJsonSchema,
  withoutDetails,
} from '../../src/clerk/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';

const ajv = new Ajv2020({ strict: true });
const compile = (schema: object) => ajv.compile(schema);
const page = withoutDetails(liveSchemas());

/** A schema with all schemas inside it, each changed, from the inside out. */
function changed(schema: JsonSchema, change: (schema: JsonSchema) => object): JsonSchema {
  const { properties, items } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, changed(field, change)]);
  return change({
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: changed(items, change) }),
  }) as JsonSchema;
}

/** As OpenAI's Agents SDK: an open object cannot be made strict, and the tool is passed on as it is. */
const closed = (schema: JsonSchema) =>
  schema.type === 'object' && schema.properties
    ? { ...schema, additionalProperties: false, required: Object.keys(schema.properties) }
    : schema;

/** What Google's `Schema` of a function declaration has. */
const GOOGLE = ['type', 'title', 'description', 'enum', 'items', 'minItems', 'maxItems', 'properties', 'required'];
const FOR_GOOGLE = [
  ...GOOGLE,
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'default',
  'example',
];
const openApi = ({ type, ...schema }: JsonSchema) => ({
  ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => FOR_GOOGLE.includes(keyword))),
  type: String(type).toUpperCase(),
});

describe.each(CATALOG.map((tool) => [tool.name, tool] as const))('of %s', (_, tool) => {
  it.each([
    ['input', inputJsonSchema(tool)],
    ['input without details', page.input(tool)],
    ['result', outputJsonSchema(tool)],
  ])('the %s', (what, schema) => {
    expect(() => compile(schema)).not.toThrow();
    if (what === 'result') return;
    expect(() => compile(changed(schema, closed))).not.toThrow();
    const problems: string[] = [];
    const visit = (part: JsonSchema, where: string) => {
      if (!/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/.test(String(part.type)))
        problems.push(`${where}: ${part.type}`);
      if (part.type === 'ARRAY' && part.items === undefined) problems.push(`${where}: a list of anything`);
      if (Array.isArray(part.enum) && part.type !== 'STRING') problems.push(`${where}: an enum of ${part.type}`);
      for (const name of part.required ?? [])
        if (part.properties?.[name] === undefined) problems.push(`${where}.${name}`);
      for (const [name, field] of Object.entries(part.properties ?? {})) visit(field, `${where}.${name}`);
      if (part.items) visit(part.items, `${where}[]`);
    };
    visit(changed(schema, openApi), tool.name);
    expect(problems).toEqual([]);
  });
});

it('a format that nobody defines is refused by a strict validator', () => {
  expect(() => compile({ type: 'string', format: 'money' })).toThrow(/unknown format/);
});
