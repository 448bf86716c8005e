/**
 * No text of an airline's reply holds the server up, whatever its length: each field of each published reply is read and shown with
 * 100,000 hostile characters. `HOSTILE=all` plays every kind in every field (test/support/hostile.ts).
 */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutCredentials } from '../../src/ota/transport/credentials.ts';
import { LONG, slowEntries } from '../support/hostile.ts';
import { fixture } from './messages/fixture.ts';
import { put } from './messages/support/rewrite.ts';
import { hearerOf } from './support/asked.ts';
import { shown } from './support/shown.ts';

type Path = readonly (string | number)[];

/** The paths of all texts in a reply, once for each name with the one above it: items of a list are read alike. */
function textPaths(tree: unknown): readonly Path[] {
  const paths = new Map<string, Path>();
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === 'string') {
      const key = path.filter((part) => typeof part === 'string').slice(-2);
      paths.set(key.join('.'), path);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      walk(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  walk(tree, []);
  return [...paths.values()];
}

const READ = fixture('read-reply');

const REPLIES = readdirSync(new URL('messages/fixtures/', import.meta.url))
  .map((file) => file.replace('.json', ''))
  .filter((name) => name.endsWith('-reply'));

test.each(REPLIES)('%s: any text of any field', async (name) => {
  const whole = fixture(name);
  const hear = hearerOf(name, whole);
  const paths = new Map(textPaths(whole).map((path) => [path.join('.'), path]));
  expect(paths.size).toBeGreaterThan(1);
  const send = async (entry: string, text: string) => {
    const heard = await hear(put(whole, paths.get(entry) ?? [], text));
    if (name === 'read-reply') shown(heard as Parameters<typeof shown>[0]);
  };
  expect(await slowEntries([...paths.keys()], send)).toEqual([]);
});

test('texts that are no JSON, errors, and our own credentials in any of them', async () => {
  const secrets = { headers: { 'x-api-key': '12345678' }, token: 'a-token-of-many-letters', secrets: ['secret7'] };
  const texts: Readonly<Record<string, (text: string) => unknown>> = {
    plain: (text) => withoutCredentials({ status: 500, text }, secrets),
    'with a secret': (text) => withoutCredentials({ status: 500, text: `${text} 12345678 \\u0061` }, secrets),
    'JSON that ends early': (text) => withoutCredentials({ status: 500, text: `{"a":"${text}\\u0031` }, secrets),
    'escaped quotes': (text) =>
      withoutCredentials({ status: 500, text: `{"a":${'"\\'.repeat(LONG / 2)}${text}` }, secrets),
    'an error': (text) => {
      const error = [{ code: text, shortText: text, type: text }];
      return hearerOf('read-reply', READ)({ status: 500, text: JSON.stringify({ errors: { error } }) });
    },
  };
  expect(await slowEntries(Object.keys(texts), (entry, text) => texts[entry]?.(text))).toEqual([]);
});
