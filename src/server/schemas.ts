/**
 * JSON Schemas of the tools, as listed, derived from the zod schemas. Every output is one object with the success fields
 * and `error`.
 */
import * as z from 'zod';
import { AFTER_STATUS } from '../approvals/answer.ts';
import { isDirect, optionalStrings, type Tool } from '../tools/definition/define.ts';
import { shortBookingSchema } from '../tools/views/booking-schema.ts';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

/** The output with the fields that every tool adds, and every one that asks. */
function fullOutput(tool: Tool): z.ZodObject {
  const output = tool.output();
  if (isDirect(tool)) return z.object({ ...head(), ...output.shape });
  const common = z.object({
    status: z.enum(AFTER_STATUS),
    ...head(),
    operation_id: z.string().optional(),
    approval: z
      .object({ id: z.string(), expires_at: z.string(), terms: z.array(z.string()), url: z.string().optional() })
      .optional(),
    booking: shortBookingSchema().optional(),
  });
  return common.extend(output.partial().shape);
}

const head = () => ({ ...optionalStrings('summary', 'next'), warnings: z.array(z.string()).optional() });

export function inputJsonSchema(tool: Tool): JsonSchema {
  return strip(z.toJSONSchema(tool.input(), { io: 'input', unrepresentable: 'any' }));
}

/** `structuredContent.error`. Its codes are the closed list of core/errors.ts. */
const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    next: { type: 'string' },
    effect: { enum: ['none', 'unknown'] },
    retry: { type: 'string' },
    terms: { type: 'array', items: { type: 'string' } },
    airline: { type: 'object' },
  },
};

/**
 * The tool whose schema has a common field; others do not repeat it. This keeps the list short: every conversation pays for it.
 * `booking` and `refund` are named in each, as their shapes differ.
 */
const COMMON_IN = 'search_fares';
const WRITTEN_OUT: Readonly<Record<string, string>> = { summary: COMMON_IN, next: COMMON_IN, warnings: COMMON_IN };
const WRITTEN_OUT_ASKING: Readonly<Record<string, string>> = {
  ...WRITTEN_OUT,
  status: 'create_booking',
  operation_id: 'create_booking',
  approval: 'create_booking',
};
const NAMED: Readonly<Record<string, string>> = { booking: 'pay_booking', refund: 'cancel_segment' };

/** What every result and every error has, in the schema of one tool. */
const COMMON: Readonly<Record<string, JsonSchema>> = { environment: { enum: ['sandbox', 'live'] }, error: ERROR };

/** Nested fields that repeat the shape of another field, by tool; the list only names them. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  search_fares: ['common', 'refund', 'segments', 'price_lines', 'sold_out'],
  get_seat_map: ['zone', 'seats'],
  read_booking: ['per_type', 'lines', 'refund', 'pending_operation', 'price', 'rules', 'references'],
  quote_cancellation: ['between', 'airline_says'],
  list_routes: ['stations'],
  list_bookings: ['next_deadline'],
  report_activity: ['totals', 'measures'],
};

/** `made_by`: only a supervisor gets it, and the list is for everybody. The others are in few results, or in full ones. */
const UNLISTED: ReadonlySet<string> = new Set([
  ...['made_by', 'cancel_ends', 'option_ref', 'fare_rules', 'status_code', 'state_basis'],
  ...[
    'special_services',
    'special_remarks',
    'emds',
    'gender',
    'birth_date',
    'quote_id',
    'created_at',
    'marketing',
    'action',
  ],
]);

/** Names the fields of a result; which of them it has depends on how the call ended. */
export function outputJsonSchema(tool: Tool): JsonSchema {
  const { properties } = strip(z.toJSONSchema(fullOutput(tool), { io: 'output', unrepresentable: 'any' }));
  const elsewhere = isDirect(tool) ? WRITTEN_OUT : WRITTEN_OUT_ASKING;
  const resultFields = Object.entries(open(properties, REPEATED[tool.name])).flatMap(
    ([name, field]): [string, JsonSchema][] => {
      if ((elsewhere[name] ?? tool.name) !== tool.name) return [];
      const isShort = !isDirect(tool) && (NAMED[name] ?? tool.name) !== tool.name;
      return [[name, isShort ? {} : field]];
    },
  );
  const common = tool.name === COMMON_IN ? COMMON : {};
  return { type: 'object', properties: { ...common, ...Object.fromEntries(resultFields) } };
}

/** Leaves out `additionalProperties`, `propertyNames` and `required`: results may gain fields, and the list stays short. */
function open(
  properties: JsonSchema['properties'],
  repeated: readonly string[] = [],
): Readonly<Record<string, JsonSchema>> {
  const left = (key: string, value: unknown) => {
    const isLimit = key === 'additionalProperties' || key === 'propertyNames';
    if (UNLISTED.has(key) || isLimit || (key === 'required' && Array.isArray(value))) return undefined;
    const { type, description } = (value ?? {}) as JsonSchema;
    // A field that says where its shape is written out need not repeat it.
    if (typeof description === 'string' && description.startsWith('as in ')) return { type, description };
    return repeated.includes(key) ? { type } : value;
  };
  return JSON.parse(JSON.stringify(properties ?? {}, left));
}

export interface ToolSchemas {
  input(tool: Tool): JsonSchema;
  output(tool: Tool): JsonSchema;
}

/** Schemas made from zod when first used, once per tool. */
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

/** Removes `$schema` and zod's limits of safe integers, which do not help a model. */
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

/** Fits no limit of its type. */
const OUTSIDE: Readonly<Record<string, unknown>> = { string: '', integer: -1_000_000_000, array: [] };

/** The limit of a field, as its own check words it: "1 to 9". */
function limitOf(schema: z.core.$ZodType, type: unknown): string | undefined {
  const outside = typeof type === 'string' ? OUTSIDE[type] : undefined;
  if (outside === undefined) return undefined;
  const message = z.safeParse(schema, outside).error?.issues[0]?.message ?? '';
  const [, limit] = /^expected (.*?)(?:; nearest.*|, found.*|, such as.*)?$/s.exec(message) ?? [];
  return limit;
}

/** The schema of a tool's input; fields with a limit carry it as `limit`, in words. */
export function inputWithLimits(tool: Tool): JsonSchema {
  return z.toJSONSchema(tool.input(), {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const limit = 'enum' in jsonSchema ? undefined : limitOf(zodSchema, jsonSchema.type);
      if (limit !== undefined) Object.assign(jsonSchema, { limit });
    },
  }) as JsonSchema;
}
