/** The code of a payment names few types, and the architecture has each of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../..', import.meta.url);
const MOST_TYPES = 25;

test('the steps of a payment name at most 25 exported types, and each has a line in the architecture', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/house.ts', '--list', 'nouns'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const named = [...stdout.matchAll(/^(\w+): /gm)].map(([, type]) => type);
  const page = readFileSync(new URL('docs/reference/architecture.md', ROOT), 'utf8');
  const [, section = ''] = page.split('\n## Types of a payment\n');
  const explained = [...section.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, type]) => type);
  expect(named.length).toBeGreaterThan(MOST_TYPES / 2);
  expect(named.length, stdout).toBeLessThanOrEqual(MOST_TYPES);
  // A line without a type of the code would explain nothing.
  expect(explained).toEqual(named);
});
