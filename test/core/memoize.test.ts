import { expect, test } from 'vitest';
import { memoizeByContent } from '../../src/core/memoize-by-content.ts';

test('a result is remembered for equal values, and all are forgotten once there are too many', () => {
  const made: number[] = [];
  const lettersOf = memoizeByContent(({ name }: { readonly name: string }) => {
    made.push(name.length);
    return name.length > 5 ? undefined : name.length;
  }, 2);
  expect([lettersOf({ name: 'Amal' }), lettersOf({ name: 'Amal' }), lettersOf({ name: 'Haddad' })]).toEqual([
    4,
    4,
    undefined,
  ]);
  expect(lettersOf({ name: 'Haddad' })).toBeUndefined();
  expect(made).toEqual([4, 6]);
  expect([lettersOf({ name: 'Omar' }), lettersOf({ name: 'Amal' })]).toEqual([4, 4]);
  expect(made).toEqual([4, 6, 4, 4]);
});
