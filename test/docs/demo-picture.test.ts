/** The committed pictures of the demo are drawn from what it says today. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoPictures } from '../../scripts/demo-picture.ts';

test.each(Object.entries(demoPictures()))('%s says what the demo says today', (file, picture) => {
  const committed = readFileSync(new URL(`../../docs/images/${file}`, import.meta.url), 'utf8');
  expect(committed === picture, 'run: node scripts/demo-picture.ts').toBe(true);
});
