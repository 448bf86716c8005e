import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writtenNow } from '../../scripts/reference.ts';
import { CATALOG } from '../../src/tools/index.ts';

test('the reference of the tools and the conversations are as the tools are, every example called again', async () => {
  const pages = Object.entries(await writtenNow());
  const tools = readdirSync(new URL('../../docs/reference/tools', import.meta.url));
  expect(tools.toSorted()).toEqual(CATALOG.map(({ name }) => `${name}.md`).toSorted());
  expect(pages.length).toBe(5 + tools.length);
  for (const [file, page] of pages)
    expect(page, 'run: npm run write').toBe(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
});
