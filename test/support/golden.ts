/**
 * What people and models read, word for word, in files of test/golden: one a surface. `npm run goldens` writes them anew;
 * the change is then read like any other text.
 */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/**
 * @param name of the file below test/golden, without its ending
 * @param scenes what is read in each, by a title that says when
 */
export async function expectGolden(name: string, scenes: Readonly<Record<string, string>>): Promise<void> {
  const parts = Object.entries(scenes).map(([title, text]) => `## ${title}\n\n${text.trimEnd()}\n`);
  const file = fileURLToPath(new URL(`../golden/${name}.md`, import.meta.url));
  await expect(parts.join('\n')).toMatchFileSnapshot(file);
}
