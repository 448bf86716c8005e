/**
 * The simulation from the command line, on two threads:
 *
 *   node test/campaigns/sim/run.ts [--schedules 100000] [--seed 1] [--mutant NAME]   runs schedules, exit 1 on a violation
 *   node test/campaigns/sim/run.ts --late [--schedules 20000]                        an airline that acts after the settle time
 *   node test/campaigns/sim/run.ts --mutants [--schedules 20000]                     how soon each mutant is seen
 *   node test/campaigns/sim/run.ts --plans [--mutants] [--schedules 20000]           the same of plans: one yes for many acts
 *
 * `--seed S --schedules 1` replays one schedule.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MUTANTS, worldOf } from './mutants.ts';
import { killPlanMutant, PLAN_MUTANTS } from './plans/plan-mutants.ts';
import { addPlans, emptyPlanTally, type PlanTally, runPlanSchedule } from './plans/plan-tally.ts';
import { add, emptyTally, kill, runSchedule, type Tally } from './tally.ts';

const THREADS = 2;

interface Share {
  readonly first: number;
  readonly count: number;
  readonly mutant: string | undefined;
  readonly late: boolean;
  readonly plans?: boolean;
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

async function runPlanShare({ first, count }: Share): Promise<PlanTally> {
  const tally = emptyPlanTally();
  for (let n = 0; n < count; n++) await runPlanSchedule(tally, first + n);
  return tally;
}

function inThread<T>(share: Share): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sharesOf(count: number, seed: number, wanted: Omit<Share, 'first' | 'count'>): readonly Share[] {
  const half = Math.ceil(count / THREADS);
  return Array.from({ length: THREADS }, (_, i) => ({
    first: seed + i * half,
    count: Math.max(0, Math.min(half, count - i * half)),
    ...wanted,
  }));
}

async function planSchedules(count: number, seed: number): Promise<void> {
  const begun = performance.now();
  const total = emptyPlanTally();
  const shares = sharesOf(count, seed, { mutant: undefined, late: false, plans: true });
  for (const tally of await Promise.all(shares.map((share) => inThread<PlanTally>(share)))) addPlans(total, tally);
  const seconds = (performance.now() - begun) / 1000;
  print(
    `${total.schedules} schedules of plans in ${seconds.toFixed(1)} s (${Math.round(total.schedules / seconds)}/s)`,
  );
  print(`${total.hours.toFixed(0)} simulated hours, ${total.crashes} crashes`);
  print(`${total.sent} messages sent, ${total.carriedOut} carried out`);
  print(`lines: ${JSON.stringify(total.lines)}`);
  conclude(total);
}

function conclude({ violating, examples }: Pick<Tally, 'violating' | 'examples'>): void {
  print(`violating schedules: ${violating}`);
  for (const { seed: at, bad } of examples) print(`  --seed ${at}: ${bad.join('; ')}`);
  if (violating > 0) process.exitCode = 1;
}

async function planMutants(most: number, seed: number): Promise<void> {
  for (const [name, mutant] of Object.entries(PLAN_MUTANTS)) {
    const killed = await killPlanMutant(mutant, seed, most);
    const when = killed === undefined ? 'SURVIVED' : `seen at ${killed.after}`.padEnd(13);
    print(`${name.padEnd(22)} ${when} ${mutant.what}: ${killed?.by ?? ''}`);
    if (killed === undefined) process.exitCode = 1;
  }
}

async function schedules(count: number, seed: number, wanted: Pick<Share, 'mutant' | 'late'>): Promise<void> {
  const begun = performance.now();
  const total = emptyTally();
  const shares = sharesOf(count, seed, wanted);
  for (const tally of await Promise.all(shares.map((share) => inThread<Tally>(share)))) add(total, tally);
  const seconds = (performance.now() - begun) / 1000;
  print(`${total.schedules} schedules in ${seconds.toFixed(1)} s (${Math.round(total.schedules / seconds)}/s)`);
  print(`${total.hours.toFixed(0)} simulated hours, ${total.crashes} crashes`);
  print(`${total.sent} messages sent, ${total.carriedOut} carried out`);
  print(`operations: ${JSON.stringify(total.operations)}`);
  if (wanted.late) print(`${total.noticed} carried out late, and noticed`);
  conclude(total);
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
      plans: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const { mutant, late } = values;
  if (values.plans)
    return await (values.mutants ? planMutants : planSchedules)(Number(values.schedules ?? 20_000), seed);
  if (values.mutants) return await mutants(Number(values.schedules ?? 20_000), seed);
  optionsOf(mutant, late);
  await schedules(Number(values.schedules ?? (late ? 20_000 : 100_000)), seed, { mutant, late });
}

if (isMainThread) await main();
else {
  const share = workerData as Share;
  parentPort?.postMessage(await (share.plans ? runPlanShare(share) : runShare(share)));
}
