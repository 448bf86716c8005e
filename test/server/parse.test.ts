import { expect, test } from 'vitest';
import * as z from 'zod';
import { ClerkError } from '../../src/errors.ts';
import { parseInput } from '../../src/server/parse.ts';
import type { JsonSchema } from '../../src/server/schemas.ts';

const schema = z.strictObject({
  payment: z.strictObject({ type: z.string(), holder: z.string().optional() }),
  people: z.array(z.strictObject({ phone: z.strictObject({ number: z.string() }).optional() })),
});
const shape = z.toJSONSchema(schema) as JsonSchema;

function refusal(given: unknown): string {
  try {
    parseInput(schema, shape, given);
  } catch (error) {
    if (error instanceof ClerkError) return error.message;
    throw error;
  }
  return 'taken';
}

test.each([
  [{ payment: 'cash', people: [] }, 'payment: expected an object with type, holder.'],
  [{ payment: { type: 'cash' }, people: [{ phone: '+966' }] }, 'people[0].phone: expected an object with number.'],
  [{ payment: { type: 'cash' }, people: {} }, 'people: expected a list.'],
])('where an object is due its fields are named: %j', (given, said) => {
  expect(refusal(given)).toBe(`${said} Nothing was sent.`);
});
