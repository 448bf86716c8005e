/**
 * JSON Schemas of the tools, as listed, derived from the zod schemas. Every output is one object with the success fields
 * and `error`.
 */

import * as z from 'zod';
import { AFTER_STATUS, type ResultHead } from '../approvals/answer.ts';
import { own } from '../core/own.ts';
import { isDirect, type Tool } from '../tools/definition/define.ts';
import {
  type FieldsOf,
  noted,
  noteOf,
  optionalStrings,
  optionalTexts,
  strings,
} from '../tools/definition/field-notes.ts';
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
  const { status, ...asking } = askingFields();
  if (isDirect(tool)) return z.object({ ...head(), ...output.shape });
  return z.object({ status, ...head(), ...asking }).extend(output.partial().shape);
}

const head = () =>
  ({
    ...optionalStrings({
      summary: 'what happened or was found, in one sentence',
      next: 'what to do now, and what not; absent if the work is finished',
    }),
    warnings: optionalTexts('what a person must hear first'),
  }) satisfies FieldsOf<ResultHead>;

const error = () =>
  z.object({
    ...strings({ code: 'one of a closed list', message: 'what happened, and what did not', next: 'what to do now' }),
    effect: noted('whether anything changed at the airline', z.enum(['none', 'unknown'])),
    ...strings({ retry: 'whether the same call can succeed later' }),
    terms: optionalTexts('what a person must approve anew'),
    airline: noted('what the airline itself said', z.record(z.string(), z.unknown()).optional()),
  });

/** What an error has for models and programs. */
export type ErrorView = z.input<ReturnType<typeof error>>;

/** In every result and every error. */
export function commonFields() {
  return {
    environment: noted('whether the airline is real', z.enum(['sandbox', 'live', 'rehearsal'])),
    ...head(),
    error: noted('instead of all others; see [Errors](errors.md)', error().optional()),
  };
}

/** In the results of tools that ask, or make something. */
export function askingFields() {
  const approval = z.object({
    ...strings({ id: 'for `approval_id` of the same call' }),
    expires_at: noted('until when it can be answered', z.string()),
    terms: noted('what the person approves', z.array(z.string())),
    ...optionalStrings({ url: 'of its page' }),
  });
  return {
    status: noted('what became of the call: see [Outcomes](../guides/index.md#outcomes)', z.enum(AFTER_STATUS)),
    ...optionalStrings({
      operation_id:
        'the operation in the journal, until it is done; afterwards in `_meta`, as `io.github.fareclerk/operation_id`',
    }),
    approval: noted('while the question is open; while the outcome is not known, `id` alone', approval.optional()),
    booking: shortBookingSchema().optional(),
  };
}

export function inputJsonSchema(tool: Tool): JsonSchema {
  return strip(z.toJSONSchema(tool.input(), { io: 'input', unrepresentable: 'any' }));
}

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

/** Nested fields that repeat the shape of another field, by tool; the list only names them. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  search_fares: ['common', 'refund', 'segments', 'price_lines', 'sold_out'],
  get_seat_map: ['zone', 'seats'],
  read_booking: ['per_type', 'lines', 'refund', 'pending_operation', 'price', 'rules', 'references', 'not_allowed'],
  quote_cancellation: ['between', 'airline_says'],
  list_routes: ['stations'],
  list_bookings: ['next_deadline', 'not_listed'],
  report_activity: ['totals', 'measures'],
};

/** `made_by`: only a supervisor gets it, and the list is for everybody. The others are in few results, or in full ones. */
const UNLISTED: ReadonlySet<string> = new Set([
  ...[
    'made_by',
    'cancel_ends',
    'paid_for',
    'trips',
    'option_ref',
    'fare_rules',
    'last_departs',
    'status_code',
    'state_basis',
  ],
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
  const properties = listProperties(fullOutput(tool));
  const elsewhere = isDirect(tool) ? WRITTEN_OUT : WRITTEN_OUT_ASKING;
  const resultFields = Object.entries(open(properties, own(REPEATED, tool.name))).flatMap(
    ([name, field]): [string, JsonSchema][] => {
      if ((own(elsewhere, name) ?? tool.name) !== tool.name) return [];
      const isShort = !isDirect(tool) && (own(NAMED, name) ?? tool.name) !== tool.name;
      return [[name, isShort ? {} : field]];
    },
  );
  const { environment, error } = commonFields();
  const common = tool.name === COMMON_IN ? open(listProperties(z.object({ environment, error }))) : {};
  return { type: 'object', properties: { ...common, ...Object.fromEntries(resultFields) } };
}

function listProperties(schema: z.ZodObject): JsonSchema['properties'] {
  return strip(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })).properties;
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
function limitWords(schema: z.core.$ZodType, type: unknown): string | undefined {
  const outside = typeof type === 'string' ? own(OUTSIDE, type) : undefined;
  if (outside === undefined) return undefined;
  const message = z.safeParse(schema, outside).error?.issues[0]?.message ?? '';
  const [, limit] = /^expected (.*?)(?:; nearest.*|, found.*|, such as.*)?$/s.exec(message) ?? [];
  return limit;
}

/** The schema of an input for people: each field with its note, and with its limit in words. */
export function inputInWords(input: z.ZodObject): JsonSchema {
  return z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const limit = 'enum' in jsonSchema ? undefined : limitWords(zodSchema, jsonSchema.type);
      Object.assign(jsonSchema, noteOf(zodSchema), { limit });
    },
  }) as JsonSchema;
}
