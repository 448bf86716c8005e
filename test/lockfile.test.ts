import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { completed, type Lock, lacking, unchecked } from '../scripts/complete-lock.ts';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock;

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

it('is completed with the platform that a name says, and with nothing it has already', () => {
  const short: Lock = {
    packages: {
      'node_modules/tool': { version: '1.2.3', dev: true, optionalDependencies: { 'tool-linux-x64-musl': '1.2.3' } },
      'node_modules/a': { optionalDependencies: { 'a-darwin-arm64': '4.0.0' } },
      'node_modules/a/node_modules/a-darwin-arm64': { version: '4.0.0' },
    },
  };
  expect(completed(short).packages['node_modules/tool-linux-x64-musl']).toEqual({
    version: '1.2.3',
    dev: true,
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  });
  expect(Object.keys(completed(short).packages).length).toBe(4);
  expect(() => completed({ packages: { x: { optionalDependencies: { 'x-native': '1.0.0' } } } })).toThrow(/x-native/);
});
