/**
 * Breaks the adapter in one way at a time and runs the tests that look at it through the independent sandbox: each broken
 * adapter must fail them.
 *
 * usage: node test/campaigns/mutation/adapter.ts [NAME …]         these, or all
 *        node test/campaigns/mutation/adapter.ts --draw N [--seed S]   some, by the seed of the commit's files
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { readSources } from '../../support/sources.ts';
import { runVitest, type VitestRun } from '../../support/vitest-run.ts';
import { Chance } from '../support/chance.ts';
import { inParallel } from '../support/pace.ts';
import { treeSeed } from '../support/report.ts';
import { ADAPTER_MUTANTS } from './adapter-mutants.ts';
import { changed } from './change-symbol.ts';

const CONFIG = 'test/campaigns/mutation/adapter.config.ts';

function play(tests: readonly string[], mutant?: string): Promise<VitestRun> {
  const files = tests.map((file) => `test/ota/against-sandbox/${file}`);
  return runVitest([...files, '--config', CONFIG, '--bail', '1'], { CI: '', ADAPTER_MUTANT: mutant ?? '' });
}

const drawn = (count: number, seed: number) => new Chance(seed).shuffled(Object.keys(ADAPTER_MUTANTS)).slice(0, count);

const { values, positionals } = parseArgs({
  options: { draw: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const names = values.draw === undefined ? positionals : drawn(Number(values.draw), Number(values.seed ?? treeSeed()));
const unknown = names.find((name) => !Object.hasOwn(ADAPTER_MUTANTS, name));
if (unknown !== undefined) {
  process.stderr.write(`There is no mutant ${unknown}. There are ${Object.keys(ADAPTER_MUTANTS).join(', ')}.\n`);
  process.exit(1);
}
const chosen = Object.entries(ADAPTER_MUTANTS).filter(([name]) => names.length === 0 || names.includes(name));
process.stdout.write(`${chosen.map(([name]) => name).join(' ')}\n`);
const sources = readSources();
for (const [, mutant] of chosen) changed(sources, mutant);
const without = await play([...new Set(chosen.flatMap(([, { tests }]) => tests))]);
if (!without.ok) {
  process.stderr.write(`the tests fail without any mutant:\n${without.failures.join('\n') || without.said}\n`);
  process.exit(1);
}
const survivors: string[] = [];
await inParallel(chosen, availableParallelism(), async ([name, { what, tests }]) => {
  const { ok: survived } = await play(tests, name);
  process.stdout.write(`${survived ? 'SURVIVED' : 'killed  '} ${name}: ${what}\n`);
  if (survived) survivors.push(name);
});
process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} mutants of the adapter killed\n`);
process.exit(survivors.length === 0 ? 0 : 1);
