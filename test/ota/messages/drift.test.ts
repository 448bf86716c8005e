/**
 * The drifts that any reply can show (docs/wire/notes.md, tolerate on read), over every full reply: it still means the same.
 */
import { describe, expect, test } from 'vitest';
import { type Hear, hearerOf } from '../support/asked.ts';
import { fixture } from './fixture.ts';
import { PUBLISHED } from './support/reply-fixtures.ts';
import { isObject, renamed, rewrite } from './support/rewrite.ts';

async function heard(hear: Hear, wire: unknown): Promise<unknown> {
  const value = await hear(wire);
  if (!isObject(value) || !isObject(value.reading)) return value;
  const { source: _, ...rest } = value.reading;
  return rest;
}

const isDates = (key: string) => key === 'dates' || key === 'segments';
const ALIGNED = new Set(['couponInfos', 'couponProviderDetails', 'segments']);
const NOISE = { zzz: { a: [1, null] }, _id: 'x', tpa: null };
type Change = (value: unknown, key: string) => unknown;

const DRIFTS: [drift: string, change: (wire: unknown) => unknown][] = [
  [
    'tpaExtensions for tpaextensions and back',
    (wire) => renamed(wire, { tpaextensions: 'tpaExtensions', tpaExtensions: 'tpaextensions' }),
  ],
  ['TPA_Extensions for tpaextensions', (wire) => renamed(wire, { tpaextensions: 'TPA_Extensions' })],
  ['tpaextensions for TPA_Extensions', (wire) => renamed(wire, { TPA_Extensions: 'tpaextensions' })],
  ...Object.entries<Change>({
    'unknown fields everywhere': (value) => (isObject(value) ? { ...NOISE, ...value } : value),
    'numbers as strings': (value) => (typeof value === 'number' ? String(value) : value),
    'booleans as strings': (value) => (typeof value === 'boolean' ? String(value) : value),
    'an object instead of a list of one': (value, key) =>
      Array.isArray(value) && value.length === 1 && key !== '' ? value[0] : value,
    'null instead of empty lists': (value, key) =>
      Array.isArray(value) && value.length === 0 && !isDates(key) ? null : value,
    'null after the items of a list': (value, key) =>
      Array.isArray(value) && !ALIGNED.has(key) ? [...value, null] : value,
  }).map(([drift, change]): [string, (wire: unknown) => unknown] => [drift, (wire) => rewrite(wire, change)]),
];

describe.each(PUBLISHED)('%s in other spellings', (name) => {
  const wire = fixture(name);
  const hear = hearerOf(name, wire);

  test.each(DRIFTS)('reads the same with %s', async (_drift, change) =>
    expect(await heard(hear, change(wire))).toEqual(await heard(hear, wire)),
  );
});
