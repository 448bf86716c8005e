/** What the docs say of types is what the sources say. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { commentsIn } from '../repository/imports.ts';
import { declaredIn, readSources } from '../support/sources.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the nouns of AGENTS.md are at most 25, and each type is where it says', () => {
  const sources = readSources();
  const nouns = [...read('AGENTS.md').matchAll(/^\| `(\w+)` +\| `(src\/[^`]+)` +\| \S/gm)];
  const missing = nouns.filter(([, type, file = '']) => {
    const types = declaredIn(sources.get(file) ?? '').filter(({ kind }) => /^(?:interface|type|class)$/.test(kind));
    return !types.some(({ name, exported }) => exported && name === type);
  });
  expect(nouns.length).toBeGreaterThan(20);
  expect(nouns.length).toBeLessThanOrEqual(25);
  expect(missing.map(([row]) => row)).toEqual([]);
});

test('every .ts file that a comment of src names is there', () => {
  const named = [...readSources()].flatMap(([file, code]) =>
    commentsIn(code).flatMap((comment) => (comment.match(/[\w./-]+\.ts\b/g) ?? []).map((path) => ({ file, path }))),
  );
  const missing = named.filter(({ file, path }) => {
    const folders = ['.', 'src', dirname(file), dirname(dirname(file))];
    return !folders.some((folder) => existsSync(new URL(`../../${folder}/${path}`, import.meta.url)));
  });
  expect(named.length).toBeGreaterThan(30);
  expect(missing.map(({ file, path }) => `${file}: ${path}`)).toEqual([]);
});
