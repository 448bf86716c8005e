import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Lock, lacking, unchecked } from '../../scripts/complete-lock.ts';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock;

it('package-lock.json has an entry for every optional package it names, else `npm ci` refuses it', () => {
  // `node scripts/complete-lock.ts` adds missing ones.
  expect(lacking(lock)).toEqual([]);
});

it('has the hash of every package, of every platform', () => {
  expect(unchecked(lock).map(([path]) => path)).toEqual([]);
});

it('names no address of a package but the registry', () => {
  for (const { resolved = '' } of Object.values(lock.packages) as { resolved?: string }[])
    if (resolved !== '') expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
});
