/**
 * JSON Schemas of the tools, as listed. Derived from the zod schemas; every output has one root object with the success
 * fields and `error`.
 */
import * as z from 'zod';
import { isGuarded, type Tool } from '../tools/define.ts';
import { bookingSchema, shortBookingSchema } from '../tools/params.ts';
import { AFTER_STATUS } from './answer.ts';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

/** Fields that every guarded tool answers with besides its own. */
export function guardedOutput(tool: Tool): z.ZodObject {
  const own = tool.output();
  if (!isGuarded(tool)) return own;
  const common = z.object({
    status: z.enum(AFTER_STATUS),
    operation_id: z.string().optional(),
    approval: z
      .object({ id: z.string(), expires_at: z.string(), terms: z.array(z.string()), url: z.string().optional() })
      .optional(),
    warnings: z.array(z.string()).optional(),
    booking: (tool.wholeBooking ? bookingSchema() : shortBookingSchema()).optional(),
  });
  return common.extend(own.partial().shape);
}

export function inputJsonSchema(tool: Tool): JsonSchema {
  return strip(z.toJSONSchema(tool.input(), { io: 'input', unrepresentable: 'any' }));
}

/**
 * `structuredContent.error`, as short as it can be said once per tool. Its codes are the closed list of errors.ts.
 */
const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    next: { type: 'string' },
    effect: { enum: ['none', 'unknown'] },
    retry: { type: 'string' },
    airline: { type: 'object' },
  },
  required: ['code', 'message', 'next', 'effect', 'retry'],
};

export function outputJsonSchema(tool: Tool): JsonSchema {
  const schema = strip(z.toJSONSchema(guardedOutput(tool), { io: 'output', unrepresentable: 'any' }));
  const { required = [], properties, ...rest } = open(schema);
  return {
    ...rest,
    properties: { environment: { enum: ['sandbox', 'live'] }, ...properties, error: ERROR },
    required: ['environment'],
    anyOf: [{ required }, { required: ['error'] }],
  };
}

/** Results may gain fields: a reader must not refuse them. It also saves the words on every object. */
function open(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'additionalProperties' ? undefined : value)));
}

export interface ToolSchemas {
  input(tool: Tool): JsonSchema;
  output(tool: Tool): JsonSchema;
}

/** Schemas made from zod when first asked for, once per tool. */
export function liveSchemas(): ToolSchemas {
  const inputs = new Map<string, JsonSchema>();
  const outputs = new Map<string, JsonSchema>();
  const once = (cache: Map<string, JsonSchema>, make: (tool: Tool) => JsonSchema) => (tool: Tool) => {
    const known = cache.get(tool.name) ?? make(tool);
    cache.set(tool.name, known);
    return known;
  };
  return { input: once(inputs, inputJsonSchema), output: once(outputs, outputJsonSchema) };
}

/** `$schema` and zod's limits of safe integers say nothing to a model. */
function strip(schema: unknown): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$schema' ||
      (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
      (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
        ? undefined
        : value,
    ),
  );
}
