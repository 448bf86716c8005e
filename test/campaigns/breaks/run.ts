/**
 * Breaks the product in one way at a time, and runs the command that says that it sees it: the test or the campaign must fail with
 * the break, and pass without it.
 *
 * usage: node test/campaigns/breaks/run.ts [NAME …]                 these, or all
 *        node test/campaigns/breaks/run.ts --draw N [--seed S]      some, by the seed of the commit's files
 *        node test/campaigns/breaks/run.ts --list                   says what there is, and runs nothing
 *
 * A break counts once for each command that sees it. `--by WORDS`: only commands with these words, such as `chaos/kill`.
 * `--width N`: so many at once; by default as many as there are cores. `--said`: also what the commands wrote at their end.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Chance } from '../support/chance.ts';
import { inParallel } from '../support/pace.ts';
import { print, treeSeed } from '../support/report.ts';
import type { Break } from './break.ts';
import { type Ran, Scratch } from './scratch.ts';
import { BREAKS } from './table.ts';

/** A break, and one of the commands that see it. */
interface Trial {
  readonly name: string;
  readonly one: Break;
  readonly command: string;
}

const { values, positionals } = parseArgs({
  options: {
    draw: { type: 'string' },
    seed: { type: 'string' },
    by: { type: 'string' },
    width: { type: 'string' },
    list: { type: 'boolean' },
    said: { type: 'boolean' },
  },
  allowPositionals: true,
});

function chosen(): readonly Trial[] {
  const unknown = positionals.find((name) => !Object.hasOwn(BREAKS, name));
  if (unknown !== undefined) throw new RangeError(`There is no break ${unknown}; --list names them.`);
  const { by = '' } = values;
  const trials = Object.entries(BREAKS)
    .filter(([name]) => positionals.length === 0 || positionals.includes(name))
    .flatMap(([name, one]) => one.seenBy.map((command) => ({ name, one, command })))
    .filter(({ command }) => command.includes(by));
  if (values.draw === undefined) return trials;
  const seed = Number(values.seed ?? treeSeed());
  print(`seed ${seed}`);
  return new Chance(seed).shuffled(trials).slice(0, Number(values.draw));
}

/** How many are tried at once, each in a copy of its own. */
const width = Number(values.width ?? availableParallelism());
const copies: Scratch[] = [];
const free: Scratch[] = [];
process.once('exit', () => {
  for (const copy of copies) copy.remove();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Works in a copy that nobody else uses now. */
async function inCopy<T>(work: (copy: Scratch) => Promise<T>): Promise<T> {
  let copy = free.pop();
  if (copy === undefined) {
    copy = new Scratch();
    copies.push(copy);
  }
  const used = copy;
  return await work(used).finally(() => free.push(used));
}

const without = new Map<string, Promise<Ran>>();

/** How a command ends without a break. It is run once. */
function unbroken(copy: Scratch, command: string): Promise<Ran> {
  const ran = without.get(command) ?? copy.run(command);
  without.set(command, ran);
  return ran;
}

const WORDS = { failed: 'seen', passed: 'NOT SEEN', hung: 'HUNG', unloadable: 'CANNOT BE LOADED' } as const;

async function isSeen({ name, one, command }: Trial, copy: Scratch): Promise<boolean> {
  const { end, said, seconds } = await unbroken(copy, command);
  if (end !== 'passed') {
    print(`WRONG ${name}: ${end} without the break: ${command}\n${said}`);
    return false;
  }
  const ran = await copy.runBroken(one, command);
  print(`${WORDS[ran.end].padEnd(8)} ${name} (${one.promise}): ${command}, ${ran.seconds} s, without it ${seconds} s`);
  if (values.said === true || ran.end === 'unloadable') print(ran.said);
  return ran.end === 'failed';
}

const trials = chosen();
if (values.list === true) {
  for (const { name, one, command } of trials) print(`${name} (src/${one.file}): ${one.promise}; ${command}`);
  process.exit(0);
}
// Those of one command follow one another, so that its run without a break is known.
const inOrder = trials.toSorted((a, b) => a.command.localeCompare(b.command));
const seen = await inParallel(inOrder, width, (trial) => inCopy((copy) => isSeen(trial, copy)));
const count = seen.filter(Boolean).length;
print(`${count} of ${trials.length} breaks seen`);
process.exit(count === trials.length ? 0 : 1);
