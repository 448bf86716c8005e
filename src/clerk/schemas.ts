/** Makes JSON Schemas of inputs and results, as the list of tools shows them, from the tools' zod schemas. */

import * as z from 'zod';
import { isAct, isDirect, type Tool } from '../tools/definition/define.ts';
import { type Listing, listingOf } from '../tools/definition/field-notes.ts';
import { askingFields, commonFields } from './common-fields.ts';

/** Fields of arguments that only the details page takes where FARECLERK_DETAILS=page. */
export const PAGE_FIELDS: readonly string[] = ['gender', 'birth_date', 'document'];

// The tools that list the fields which many results have. The others leave them out, because every conversation pays for the list.
const COMMON_IN = 'search_fares';
const QUESTION_IN = 'create_booking';
const BOOKING_IN = 'pay_booking';

/** By how much the list shows of a field: whether it shows a keyword of JSON Schema. */
const IS_SHOWN: Readonly<Record<Listing | 'whole', (keyword: string) => boolean>> = {
  whole: (keyword) => !['required', 'additionalProperties', 'propertyNames'].includes(keyword),
  without_shape: (keyword) => ['type', 'description'].includes(keyword),
  nothing: () => false,
};

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

export interface ToolSchemas {
  input(tool: Tool): JsonSchema;
  output(tool: Tool): JsonSchema;
}

/** Makes each schema from zod when it is first used, once per tool. */
export function liveSchemas(): ToolSchemas {
  return { input: oncePerTool(inputJsonSchema), output: oncePerTool(outputJsonSchema) };
}

function oncePerTool(make: (tool: Tool) => JsonSchema): (tool: Tool) => JsonSchema {
  const schemas = new Map<string, JsonSchema>();
  return (tool) => {
    const schema = schemas.get(tool.name) ?? make(tool);
    schemas.set(tool.name, schema);
    return schema;
  };
}

/** Removes from the inputs of tools with `details` what travellers enter on the page. */
export function withoutDetails({ input, output }: ToolSchemas): ToolSchemas {
  const pageOnly = oncePerTool((tool) => withoutFields(input(tool)));
  return { input: (tool) => (isAct(tool) && tool.detailsForm !== undefined ? pageOnly(tool) : input(tool)), output };
}

/** Removes {@link PAGE_FIELDS} at every depth. */
function withoutFields(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  const otherFields = Object.entries(properties ?? {}).filter(([name]) => !PAGE_FIELDS.includes(name));
  const shortened = Object.fromEntries(otherFields.map(([name, field]) => [name, withoutFields(field)]));

  return {
    ...schema,
    ...(properties && { properties: shortened }),
    ...(items && { items: withoutFields(items) }),
  };
}

export function inputJsonSchema(tool: Tool): JsonSchema {
  return withoutNoise(z.toJSONSchema(tool.input(), { io: 'input', unrepresentable: 'any' }));
}

/**
 * Names the fields that a result may have; how the call ends decides which it has. The schema requires and forbids no field, because
 * results may gain some. A note on each field says how much of it is listed (tools/definition/field-notes.ts).
 */
export function outputJsonSchema(tool: Tool): JsonSchema {
  const fields = z.object(isDirect(tool) ? directFields(tool) : askedFields(tool));
  const listed = z.toJSONSchema(fields, { io: 'output', unrepresentable: 'any', override: shorten });
  return { type: 'object', properties: withoutNoise(listed).properties };
}

/** The fields of the result of a tool that answers at once. */
function directFields(tool: Tool): z.core.$ZodShape {
  const { environment, error, ...head } = commonFields();
  return { ...(tool.name === COMMON_IN && { environment, error, ...head }), ...tool.output().shape };
}

/** The fields of the result of a tool that asks a person. */
function askedFields(tool: Tool): z.core.$ZodShape {
  const { booking, ...question } = askingFields();
  const fields = { ...(tool.name === QUESTION_IN && question), booking, ...tool.output().partial().shape };
  // An unknown shape lists the name alone.
  return tool.name === BOOKING_IN ? fields : { ...fields, booking: z.unknown() };
}

/** A field's schema in both forms, as zod hands it to an override. */
interface FieldSchemas {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Removes from a field's JSON Schema what the list does not show. */
function shorten({ zodSchema, jsonSchema }: FieldSchemas): void {
  if (zodSchema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(zodSchema.shape))
      if (listingOf(field) === 'nothing') delete jsonSchema.properties?.[name];
  }
  const isShown = IS_SHOWN[listingOf(zodSchema) ?? 'whole'];
  for (const keyword of Object.keys(jsonSchema)) if (!isShown(keyword)) delete jsonSchema[keyword];
}

/** Removes `$schema` and zod's limits of safe integers, which do not help a model. */
function withoutNoise(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (isNoise(key, value) ? undefined : value)));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  return key === '$schema';
}
