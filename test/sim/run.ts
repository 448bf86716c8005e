/**
 * The simulation from the command line, on two threads:
 *
 *   node test/sim/run.ts [--schedules 100000] [--seed 1] [--mutant NAME]   runs schedules, exit 1 on a violation
 *   node test/sim/run.ts --mutants [--schedules 20000]                     how soon each mutant is seen
 *
 * `--seed S --schedules 1` replays one schedule.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MUTANTS } from './mutants.ts';
import { add, emptyTally, kill, runSchedule, type Tally } from './tally.ts';

const THREADS = 2;

interface Share {
  readonly first: number;
  readonly count: number;
  readonly mutant: string | undefined;
}

type MutantName = keyof typeof MUTANTS;

function optionsOf(mutant: string | undefined) {
  if (mutant === undefined) return {};
  if (!(mutant in MUTANTS)) throw new Error(`no mutant ${mutant}; there are ${Object.keys(MUTANTS).join(', ')}`);
  return { policy: MUTANTS[mutant as MutantName].policy };
}

async function runShare({ first, count, mutant }: Share): Promise<Tally> {
  const tally = emptyTally();
  for (let n = 0; n < count; n++) await runSchedule(tally, first + n, optionsOf(mutant));
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

async function schedules(count: number, seed: number, mutant: string | undefined): Promise<void> {
  const begun = performance.now();
  const half = Math.ceil(count / THREADS);
  const shares = Array.from({ length: THREADS }, (_, i) => ({
    first: seed + i * half,
    count: Math.max(0, Math.min(half, count - i * half)),
    mutant,
  }));
  const total = emptyTally();
  for (const tally of await Promise.all(shares.map(inThread))) add(total, tally);
  const seconds = (performance.now() - begun) / 1000;
  print(`${total.schedules} schedules in ${seconds.toFixed(1)} s (${Math.round(total.schedules / seconds)}/s)`);
  print(`${total.hours.toFixed(0)} simulated hours, ${total.crashes} crashes`);
  print(`${total.sent} messages sent, ${total.carriedOut} carried out`);
  print(`operations: ${JSON.stringify(total.operations)}`);
  print(`violating schedules: ${total.violating}`);
  for (const { seed: at, bad } of total.examples) print(`  --seed ${at}: ${bad.join('; ')}`);
  if (total.violating > 0) process.exitCode = 1;
}

async function mutants(most: number, seed: number): Promise<void> {
  for (const [name, { what, policy }] of Object.entries(MUTANTS)) {
    const { after, by } = await kill({ policy }, seed, most);
    print(
      `${name.padEnd(22)} ${after === undefined ? 'SURVIVED' : `seen at ${after}`.padEnd(13)} ${what}: ${by ?? ''}`,
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
      mutants: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.mutants) return await mutants(Number(values.schedules ?? 20_000), seed);
  optionsOf(values.mutant);
  await schedules(Number(values.schedules ?? 100_000), seed, values.mutant);
}

if (isMainThread) await main();
else parentPort?.postMessage(await runShare(workerData as Share));
