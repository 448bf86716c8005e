/**
 * The simulation from the command line, on two threads:
 *
 *   node test/campaigns/sim/run.ts [--schedules 100000] [--seed S] [--mutant NAME]   runs schedules, exit 1 on a violation
 *   node test/campaigns/sim/run.ts --late [--schedules 20000]                        an airline that acts after the settle time
 *   node test/campaigns/sim/run.ts --twice [--schedules 60]                          the same seeds again must end alike
 *   node test/campaigns/sim/run.ts --mutants [--schedules 20000]                     how soon each mutant is seen
 *   node test/campaigns/sim/run.ts --plans [--mutants] [--schedules 20000]           the same of plans: one yes for many acts
 *
 * `--seed S --schedules 1` replays one schedule.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inParallel } from '../support/pace.ts';
import { flags, print, treeSeed } from '../support/report.ts';
import { MUTANTS } from './mutants.ts';
import { PLAN_MUTANTS } from './plans/plan-mutants.ts';
import { acts, add, emptyTally, plans, type Schedule, seenAt, type Tally, tallied } from './tally.ts';

const THREADS = 2;

/** One share of the work: so many schedules, or so many at most until the mutant is seen. */
interface Share {
  readonly first: number;
  readonly count: number;
  readonly mutant: string;
  readonly untilSeen: boolean;
  readonly late: boolean;
  readonly plans: boolean;
}

function scheduleOf({ mutant, late, plans: isPlans }: Share): Schedule {
  const known = isPlans ? PLAN_MUTANTS[mutant] : MUTANTS[mutant];
  if (known === undefined && mutant !== '') throw new Error(`no mutant ${mutant}`);
  if (isPlans) return plans(PLAN_MUTANTS[mutant]?.policy ?? {});
  const { policy = {}, late: isLate = late } = MUTANTS[mutant] ?? {};
  return acts({ policy, late: isLate });
}

function inThread<T>(share: Share): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function conclude(seen: Tally): void {
  const { schedules, hours, crashes, sent, carriedOut, ends, noticed, violating, examples } = seen;
  print(`${schedules} schedules: ${hours.toFixed(0)} simulated hours, ${crashes} crashes, ${sent} messages sent`);
  print(`${carriedOut} carried out, ${noticed} of them late, and noticed; ends: ${JSON.stringify(ends)}`);
  print(`violating schedules: ${violating}`);
  for (const { seed: at, bad } of examples) print(`  --seed ${at}: ${bad.join('; ')}`);
  const dull = schedules >= 1000 ? dullness(seen) : [];
  for (const what of dull) print(`  too little to prove anything: ${what}`);
  if (violating + dull.length > 0) process.exitCode = 1;
}

/** What a run of many schedules must contain. A journal that hands everything to a person would be safe, and of no use. */
function dullness({ schedules, crashes, sent, carriedOut, ends, noticed }: Tally): readonly string[] {
  const { succeeded = 0, needs_person = 0, not_executed, refused, done, skipped, not_ticked, not_begun } = ends;
  const isPlans = done !== undefined;
  const some = isPlans ? { done, skipped, not_ticked, not_begun } : { not_executed, refused };
  const least = schedules / (isPlans ? 10 : 100);
  return [
    ...(crashes < schedules / 3 ? [`${crashes} crashes`] : []),
    ...(sent <= carriedOut || carriedOut < schedules / 2 ? [`${carriedOut} of ${sent} carried out`] : []),
    ...Object.entries(some).flatMap(([end, times = 0]) => (times < least ? [`${times} ${end}`] : [])),
    ...(needs_person > 0.25 * succeeded && noticed === 0 && !isPlans ? [`${needs_person} with a person`] : []),
  ];
}

/** Each mutant until a schedule shows it, two at once. */
async function mutants(all: Readonly<Record<string, { readonly what: string }>>, share: Share): Promise<void> {
  await inParallel(Object.entries(all), THREADS, async ([mutant, { what }]) => {
    const killed = await inThread<Awaited<ReturnType<typeof seenAt>>>({ ...share, mutant, untilSeen: true });
    const when = killed === undefined ? 'SURVIVED' : `seen at ${killed.after}`;
    print(`${mutant.padEnd(24)} ${when.padEnd(13)} ${what}: ${killed?.by ?? ''}`);
    if (killed === undefined) process.exitCode = 1;
  });
}

async function main(): Promise<void> {
  const modes = { late: false, twice: false, mutants: false, plans: false };
  const { schedules, seed, mutant, ...mode } = flags({ schedules: 0, seed: treeSeed, mutant: '', ...modes });
  const { late, twice, plans: isPlans } = mode;
  const count = schedules || (twice ? 60 : late || isPlans || mode.mutants ? 20_000 : 100_000);
  const share: Share = { first: seed, count, mutant, untilSeen: false, late, plans: isPlans };
  if (mode.mutants) return await mutants(isPlans ? PLAN_MUTANTS : MUTANTS, share);
  const half = Math.ceil(count / THREADS);
  const halves = [half, count - half].map((some, i) => ({ ...share, first: seed + i * half, count: some }));
  const played = async () => {
    const total = emptyTally();
    for (const tally of await Promise.all(halves.map(inThread<Tally>))) add(total, tally);
    return total;
  };
  const total = await played();
  conclude(total);
  if (twice && JSON.stringify(total) !== JSON.stringify(await played()))
    throw new Error('the same seeds did not end alike');
}

if (isMainThread) await main();
else {
  const share = workerData as Share;
  const work = share.untilSeen ? seenAt : tallied;
  parentPort?.postMessage(await work(scheduleOf(share), share.first, share.count));
}
