/**
 * Breaks the adapter in one way at a time and runs the tests that look at it through the independent sandbox: each broken
 * adapter must fail them.
 *
 * usage: node test/campaigns/mutation/adapter.ts [NAME …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inParallel } from '../chaos/support/proof.ts';
import { ADAPTER_MUTANTS, type AdapterMutant, mutated } from './adapter-mutants.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CONFIG = 'test/campaigns/mutation/adapter.config.ts';
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Whether these tests pass with this mutant, or without any. */
async function passes(tests: readonly string[], mutant?: AdapterMutant): Promise<boolean> {
  const files = tests.map((file) => `test/ota/against-sandbox/${file}`);
  const child = spawn(process.execPath, [VITEST, 'run', ...files, '--config', CONFIG, '--bail', '1'], {
    cwd: ROOT,
    env: { ...process.env, CI: '', ...(mutant && { ADAPTER_MUTANT: mutant.name }) },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

const names = process.argv.slice(2);
const chosen = names.length === 0 ? ADAPTER_MUTANTS : ADAPTER_MUTANTS.filter(({ name }) => names.includes(name));
for (const mutant of chosen) mutated(mutant, readFileSync(`${ROOT}/${mutant.file}`, 'utf8'));
if (!(await passes([...new Set(chosen.flatMap(({ tests }) => tests))]))) {
  process.stderr.write('the tests fail without any mutant\n');
  process.exit(1);
}
const survivors: string[] = [];
await inParallel(chosen, availableParallelism(), async (mutant) => {
  const survived = await passes(mutant.tests, mutant);
  process.stdout.write(`${survived ? 'SURVIVED' : 'killed  '} ${mutant.name}: ${mutant.what}\n`);
  if (survived) survivors.push(mutant.name);
});
process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} mutants of the adapter killed\n`);
process.exit(survivors.length === 0 ? 0 : 1);
