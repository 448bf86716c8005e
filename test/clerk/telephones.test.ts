/** Telephones as people write them, in the arguments of a tool. */
import { expect, test } from 'vitest';
import { parseInput } from '../../src/clerk/parse-arguments.ts';
import { inputJsonSchema } from '../../src/clerk/schemas.ts';
import { TOOLS } from '../../src/tools/index.ts';

const tool = TOOLS.update_contact;
const shape = inputJsonSchema(tool);
const phoneOf = (phone: unknown) =>
  (parseInput(tool.input(), shape, { locator: 'ABC123', phone }) as { phone: unknown }).phone;
const both = (country_code: string, number: string) => ({ country_code, number });

test.each<[unknown, object]>([
  [both('+1', '(415) 555-2671'), both('1', '4155552671')],
  [both('00966', '0501234567'), both('966', '0501234567')],
  [both('7', '495 123-45-67'), both('7', '4951234567')],
])('%j is one country code and one number', (written, sent) => {
  expect(phoneOf(written)).toEqual(sent);
});

test.each<[unknown, string]>([
  [both('966', '+971 50 123 4567'), 'phone.number: expected 4 to 15 digits without the country code'],
  [both('966', '00966 50 123 4567'), 'phone.number: expected 4 to 15 digits without the country code'],
  [both('39', '(0)6 6982'), 'phone.number: expected 4 to 15 digits without the country code'],
  ['+966 50 123 4567', 'phone: expected an object'],
])('%j is refused, because whose number it is must be guessed', (written, problem) => {
  expect(() => phoneOf(written)).toThrow(problem);
});
