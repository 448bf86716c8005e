/**
 * Each mutant must still match the text of the adapter: one that matches nothing breaks nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADAPTER_MUTANTS, mutated } from './adapter-mutants.ts';

const root = new URL('../../../', import.meta.url);

test.each(ADAPTER_MUTANTS)('applies mutant $name to the adapter: $what', (mutant) => {
  const code = readFileSync(new URL(mutant.file, root), 'utf8');
  expect(mutated(mutant, code)).not.toBe(code);
  for (const file of mutant.tests) expect(existsSync(new URL(`test/ota/against-sandbox/${file}`, root))).toBe(true);
});
