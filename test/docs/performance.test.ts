/** The figures of the performance page are those of this version: written by the run that made them, after the last release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const NAMES = /The measures: (?<names>[^.]*)\./;
const BLOCK = /<!-- figures of (?<name>[\w-]+) -->\n(?<text>[\s\S]*?)<!-- end -->/g;
/** As bench/figures.ts writes it. */
const MEASURED =
  /^`[\w-]+`, .* Measured (?<day>\d{4}-\d\d-\d\d) at [0-9a-f]{8}; .*\n\n(?:- .*\n)*- Targets met: \d+ of \d+\.\n$/;
const RELEASED = /^## \[\d+\.\d+\.\d+\] - (?<day>\d{4}-\d\d-\d\d)$/m;

const PAGE = read('docs/reference/performance.md');
const BLOCKS = [...PAGE.matchAll(BLOCK)].map(({ groups }) => groups as { name: string; text: string });

test('each measure that the page names has its place there', () => {
  const named = [...(PAGE.match(NAMES)?.groups?.names ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  expect(BLOCKS.map(({ name }) => name)).toEqual(named);
  expect(named.length).toBeGreaterThan(10);
});

test.each(BLOCKS)('the figures of $name are written by a run, and no older than the last release', ({ text }) => {
  const { day } = MEASURED.exec(text)?.groups ?? {};
  const released = RELEASED.exec(read('CHANGELOG.md'))?.groups?.day ?? '';
  expect(day, 'npm run bench -- --write NAME writes them').toBeDefined();
  expect(released).toMatch(/^\d/);
  // ISO dates compare as texts.
  expect(String(day) >= released, `measured ${day}, released ${released}`).toBe(true);
});
