/**
 * The drifts that any reply can show (docs/wire/notes.md, tolerate on read), over every full reply: it still means the same.
 */
import { describe, expect, test } from 'vitest';
import { decoderOf, PUBLISHED } from './decoders.ts';
import { fixture } from './fixture.ts';
import { isObject, renamed, rewrite } from './rewrite.ts';

function decoded(decode: (wire: unknown) => unknown, wire: unknown): unknown {
  const value = decode(wire);
  if (!isObject(value)) return value;
  const { source: _, ...rest } = value;
  return rest;
}

describe.each(PUBLISHED)('%s in other spellings', (name) => {
  const decode = decoderOf(name);
  const wire = fixture(name);
  const meaning = decoded(decode, wire);
  const same = (other: unknown) => expect(decoded(decode, other)).toEqual(meaning);

  test('reads the same with tpaExtensions for tpaextensions and back', () => {
    same(renamed(wire, { tpaextensions: 'tpaExtensions', tpaExtensions: 'tpaextensions' }));
  });
  test('reads the same with TPA_Extensions for tpaextensions', () =>
    same(renamed(wire, { tpaextensions: 'TPA_Extensions' })));
  test('reads the same with tpaextensions for TPA_Extensions', () =>
    same(renamed(wire, { TPA_Extensions: 'tpaextensions' })));

  test('reads the same with unknown fields everywhere', () => {
    const noise = { zzz: { a: [1, null] }, _id: 'x', tpa: null };
    same(rewrite(wire, (value) => (isObject(value) ? { ...noise, ...value } : value)));
  });
  test('reads the same with numbers as strings', () =>
    same(rewrite(wire, (value) => (typeof value === 'number' ? String(value) : value))));
  test('reads the same with booleans as strings', () =>
    same(rewrite(wire, (value) => (typeof value === 'boolean' ? String(value) : value))));
  test('reads the same with an object instead of a list of one', () => {
    same(rewrite(wire, (value, key) => (Array.isArray(value) && value.length === 1 && key !== '' ? value[0] : value)));
  });
  test('reads the same with null instead of empty lists', () => {
    const isDates = (key: string) => key === 'dates' || key === 'segments';
    const emptied = (value: unknown, key: string) =>
      Array.isArray(value) && value.length === 0 && !isDates(key) ? null : value;
    same(rewrite(wire, emptied));
  });
  test('reads the same with null after the items of a list', () => {
    const aligned = new Set(['couponInfos', 'couponProviderDetails', 'segments']);
    same(rewrite(wire, (value, key) => (Array.isArray(value) && !aligned.has(key) ? [...value, null] : value)));
  });
});
