import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writtenNow } from '../../scripts/reference.ts';

test('the reference of the tools and the conversations are as the tools are, every example called again', async () => {
  const pages = Object.entries(await writtenNow());
  expect(pages.length).toBe(4);
  for (const [file, page] of pages)
    expect(page, 'run: node scripts/reference.ts').toBe(
      readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
    );
});
