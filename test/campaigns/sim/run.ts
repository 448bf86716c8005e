/**
 * The simulation from the command line, on two threads:
 *
 *   node test/campaigns/sim/run.ts [--schedules 100000] [--seed 1] [--mutant NAME]   runs schedules, exit 1 on a violation
 *   node test/campaigns/sim/run.ts --late [--schedules 20000]                        an airline that acts after the settle time
 *   node test/campaigns/sim/run.ts --mutants [--schedules 20000]                     how soon each mutant is seen
 *
 * `--seed S --schedules 1` replays one schedule.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MUTANTS, worldOf } from './mutants.ts';
import { add, emptyTally, kill, runSchedule, type Tally } from './tally.ts';

const THREADS = 2;

interface Share {
  readonly first: number;
  readonly count: number;
  readonly mutant: string | undefined;
  readonly late: boolean;
}

type MutantName = keyof typeof MUTANTS;

function optionsOf(mutant: string | undefined, late: boolean) {
  if (mutant === undefined) return { late };
  if (!(mutant in MUTANTS)) throw new Error(`no mutant ${mutant}; there are ${Object.keys(MUTANTS).join(', ')}`);
  return worldOf(MUTANTS[mutant as MutantName]);
}

async function runShare({ first, count, mutant, late }: Share): Promise<Tally> {
  const tally = emptyTally();
  for (let n = 0; n < count; n++) await runSchedule(tally, first + n, optionsOf(mutant, late));
  return tally;
}

function inThread(share: Share): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function schedules(count: number, seed: number, wanted: Pick<Share, 'mutant' | 'late'>): Promise<void> {
  const begun = performance.now();
  const half = Math.ceil(count / THREADS);
  const shares = Array.from({ length: THREADS }, (_, i) => ({
    first: seed + i * half,
    count: Math.max(0, Math.min(half, count - i * half)),
    ...wanted,
  }));
  const total = emptyTally();
  for (const tally of await Promise.all(shares.map(inThread))) add(total, tally);
  const seconds = (performance.now() - begun) / 1000;
  print(`${total.schedules} schedules in ${seconds.toFixed(1)} s (${Math.round(total.schedules / seconds)}/s)`);
  print(`${total.hours.toFixed(0)} simulated hours, ${total.crashes} crashes`);
  print(`${total.sent} messages sent, ${total.carriedOut} carried out`);
  print(`operations: ${JSON.stringify(total.operations)}`);
  if (wanted.late) print(`${total.noticed} carried out late, and noticed`);
  print(`violating schedules: ${total.violating}`);
  for (const { seed: at, bad } of total.examples) print(`  --seed ${at}: ${bad.join('; ')}`);
  if (total.violating > 0) process.exitCode = 1;
}

async function mutants(most: number, seed: number): Promise<void> {
  for (const [name, mutant] of Object.entries(MUTANTS)) {
    const { after, by } = await kill(worldOf(mutant), seed, most);
    print(
      `${name.padEnd(22)} ${after === undefined ? 'SURVIVED' : `seen at ${after}`.padEnd(13)} ${mutant.what}: ${by ?? ''}`,
    );
    if (after === undefined) process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string' },
      seed: { type: 'string', default: '1' },
      mutant: { type: 'string' },
      late: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const { mutant, late } = values;
  if (values.mutants) return await mutants(Number(values.schedules ?? 20_000), seed);
  optionsOf(mutant, late);
  await schedules(Number(values.schedules ?? (late ? 20_000 : 100_000)), seed, { mutant, late });
}

if (isMainThread) await main();
else parentPort?.postMessage(await runShare(workerData as Share));
