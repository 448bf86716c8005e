import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writtenNow } from '../../scripts/reference.ts';

test('the reference of the tools is as the tools are, every example called again', async () => {
  const page = readFileSync(new URL('../../docs/reference/tools.md', import.meta.url), 'utf8');
  expect(await writtenNow(), 'run: node scripts/reference.ts').toBe(page);
});
