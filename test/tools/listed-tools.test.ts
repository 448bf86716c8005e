/**
 * Each tool as it is listed, kept in listed-tools/<tool>.json: a change of what models read shows in a diff. After a
 * change that is meant: `UPDATE_DEFINITIONS=1 npx vitest run test/tools/listed-tools.test.ts`, then
 * `npx biome check --write test/tools/listed-tools`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { inputJsonSchema, outputJsonSchema } from '../../src/server/schemas.ts';
import { annotations, isAssumed, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';

const FOLDER = new URL('./listed-tools/', import.meta.url);

/** In the order in which the server sends it. */
function definition(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputJsonSchema(tool),
    annotations: annotations(tool),
    outputSchema: outputJsonSchema(tool),
  };
}

const tokens = (value: unknown): number => encode(JSON.stringify(value)).length;

/** The parts of a tool that every model reads. */
function read(tool: Tool) {
  const { name, description, inputSchema } = definition(tool);
  return { name, description, inputSchema };
}

/** The tools offered with a real airline: none that sends an assumed request, and no plans. */
const DEFAULT = CATALOG.filter((tool) => !isAssumed(tool.assumed) && tool.toolset !== 'plans');

describe('definitions', () => {
  test.each(CATALOG.map((tool) => [tool.name, tool] as const))('lists %s as in its definition file', (name, tool) => {
    const file = new URL(`${name}.json`, FOLDER);
    const found = `${JSON.stringify(definition(tool), undefined, 2)}\n`;
    if (process.env.UPDATE_DEFINITIONS === '1') writeFileSync(file, found);
    expect(JSON.parse(found)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  test('keeps no definition file of a removed tool', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(CATALOG.map(({ name }) => `${name}.json`).sort());
  });
});

describe('size of the tool list in tokens (o200k)', () => {
  test('keeps names, descriptions and input schemas within their token limits', () => {
    expect(tokens(DEFAULT.map(read))).toBeLessThanOrEqual(2_950);
    expect(tokens(DEFAULT.map(read)) / DEFAULT.length).toBeLessThanOrEqual(180);
    expect(tokens(DEFAULT.filter(({ toolset }) => toolset === 'core').map(read))).toBeLessThanOrEqual(2_000);
  });

  test('keeps the whole tool list, with output schemas, within its token limit', () => {
    expect(tokens(DEFAULT.map(definition))).toBeLessThanOrEqual(8_000);
  });

  test('writes each shared part of output schemas out only once', () => {
    const whole = (field: string) =>
      CATALOG.filter((tool) => 'properties' in (outputJsonSchema(tool).properties?.[field] ?? {})).map(
        ({ name }) => name,
      );
    expect(whole('error')).toEqual(['search_fares']);
    expect(whole('approval')).toEqual(['create_booking']);
    expect(whole('booking').sort()).toEqual(['pay_booking', 'read_booking']);
  });
});
