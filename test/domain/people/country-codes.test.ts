import { expect, test } from 'vitest';
import { twoLetterCountry } from '../../../src/domain/people/country-codes.ts';

test('converts three-letter codes to the two-letter codes of the same country', () => {
  const pairs = { SAU: 'SA', AUT: 'AT', AUS: 'AU', DEU: 'DE', CHE: 'CH', GBR: 'GB', AND: 'AD', ZWE: 'ZW', ARE: 'AE' };
  for (const [three, two] of Object.entries(pairs)) expect(twoLetterCountry(three)).toBe(two);
  for (const none of ['XYZ', 'SA', 'sau', 'ADA', 'D A', '', 'SAUD']) expect(twoLetterCountry(none)).toBeUndefined();
});

test('returns each two-letter code once, and only of known regions', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const threes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const found = threes.flatMap((three) => twoLetterCountry(three) ?? []);
  expect(found).toHaveLength(249);
  expect(new Set(found).size).toBe(249);
  expect(found.filter((two) => names.of(two) === undefined)).toEqual([]);
});
