import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ClerkError } from '../../src/errors.ts';
import { parseInput } from '../../src/server/parse.ts';
import type { JsonSchema } from '../../src/server/schemas.ts';
import { birthDate, date } from '../../src/tools/definition/input-fields.ts';

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
  [{ payment: { type: 'cash' }, people: { number: '1' } }, 'people: expected a list.'],
  [{ payment: { type: 'cash' }, people: { phone: '+966' } }, 'people[0].phone: expected an object with number.'],
])('names the expected fields of an object: %j', (given, said) => {
  expect(refusal(given)).toBe(`${said} Nothing was sent.`);
});

test('accepts one object where a list of such objects is expected', () => {
  const one = { payment: { type: 'cash' }, people: { phone: { number: 966 } } };
  expect(parseInput(schema, shape, one).people).toEqual([{ phone: { number: '966' } }]);
  const asText = { ...one, people: JSON.stringify(one.people) };
  expect(parseInput(schema, shape, asText).people).toEqual([{ phone: { number: '966' } }]);
});

describe('an invalid date', () => {
  const dates = z.strictObject({ on: date(), born: birthDate().optional() });
  const dateShape = z.toJSONSchema(dates, { io: 'input' }) as JsonSchema;
  const refused = (given: object) => {
    try {
      return parseInput(dates, dateShape, given, '2026-11-20');
    } catch (error) {
      if (error instanceof ClerkError) return [error.message, error.next];
      throw error;
    }
  };

  test.each([
    ['10.12.2026', '; nearest valid: 2026-12-10'],
    ['12/10/2026', '; nearest valid: 2026-10-12 or 2026-12-10'],
    ['next week', ', such as 2026-12-20'],
    ['Tomorrow', '; nearest valid: 2026-11-21'],
    ['today', '; nearest valid: 2026-11-20'],
  ])('suggests valid dates for %s', (on, told) => {
    expect(refused({ on })).toEqual([
      `on: expected a date as YYYY-MM-DD${told}. Nothing was sent.`,
      'Call the tool again with a valid value for on.',
    ]);
  });

  test('suggests only the form for an invalid birth date', () => {
    const [message] = refused({ on: '2026-12-01', born: 'long ago' }) as string[];
    expect(message).toBe('born: expected a date as YYYY-MM-DD, such as 1990-12-31. Nothing was sent.');
  });
});
