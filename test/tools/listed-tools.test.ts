/** What the list of tools costs every conversation. docs/reference/tools.md has each tool as it is listed. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { inputJsonSchema, outputJsonSchema } from '../../src/server/schemas.ts';
import { annotations, isAssumed, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';

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
