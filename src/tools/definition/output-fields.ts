/** Fields of results: many are text. */
import * as z from 'zod';

export function strings<K extends string>(...names: readonly K[]): Record<K, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()])) as Record<K, z.ZodString>;
}

export function optionalStrings<K extends string>(...names: readonly K[]): Record<K, z.ZodOptional<z.ZodString>> {
  const fields = names.map((name) => [name, z.string().optional()]);
  return Object.fromEntries(fields) as Record<K, z.ZodOptional<z.ZodString>>;
}
