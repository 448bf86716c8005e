/** JSON Schemas of inputs with the limits that the listed ones leave out, for help in a terminal. */
import * as z from 'zod';
import type { Tool } from '../tools/definition/define.ts';
import type { JsonSchema } from './schemas.ts';

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
