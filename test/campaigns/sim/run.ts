/**
 * The simulation from the command line, on two threads:
 *
 *   node test/campaigns/sim/run.ts [--schedules 100000] [--seed S] [--mutant NAME]   runs schedules, exit 1 on a violation
 *   node test/campaigns/sim/run.ts --late [--schedules 20000]                        an airline that acts after the settle time
 *   node test/campaigns/sim/run.ts --twice [--schedules 60]                          the same seeds again must end alike
 *   node test/campaigns/sim/run.ts --mutants                                         each mutant in the schedule that shows it
 *   node test/campaigns/sim/run.ts --find [--schedules 20000]                        the first schedule that shows each mutant
 *   node test/campaigns/sim/run.ts --plans [--mutants|--find] [--schedules 20000]    the same of plans: one yes for many acts
 *
 * `--seed S --schedules 1` replays one schedule. Before the drawn schedules, the named ones are played (named-schedules.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inParallel } from '../support/pace.ts';
import { flags, print, treeSeed } from '../support/report.ts';
import { MUTANTS } from './mutants.ts';
import { type Mode, NAMED, type NamedSchedule } from './named-schedules.ts';
import { PLAN_MUTANTS } from './plans/plan-mutants.ts';
import { acts, add, emptyTally, plans, type Schedule, seenAt, type Tally, tallied } from './tally.ts';

const THREADS = 2;
/** Of fewer schedules, chance alone may bring too little. */
const FEWEST = 400;

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
  if (isPlans) return (seed) => plans(PLAN_MUTANTS[mutant]?.policy() ?? {})(seed);
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

const modeOf = ({ late, plans: isPlans }: Share): Mode => (isPlans ? 'plans' : late ? 'late' : 'acts');

/** The command that plays one schedule of this mode. */
function replayOf(share: Share, seed: number): string {
  const mode = modeOf(share);
  const options = [
    ...(mode === 'acts' ? [] : [`--${mode}`]),
    ...(share.mutant === '' ? [] : [`--mutant ${share.mutant}`]),
  ];
  return ['node test/campaigns/sim/run.ts', ...options, `--seed ${seed} --schedules 1`].join(' ');
}

/** Plays a schedule that once showed a fault, which it must not show again. */
async function playNamed(share: Share, { seed, what, ends }: NamedSchedule): Promise<void> {
  const seen = await tallied(scheduleOf(share), seed, 1);
  const ended = isDeepStrictEqual(seen.ends, ends) ? [] : [`ended otherwise: ${JSON.stringify(seen.ends)}`];
  const bad = [...seen.examples.flatMap((example) => example.bad), ...ended];
  print(`named ${seed}, ${what}: ${bad.length === 0 ? 'ok' : `${bad.join('; ')}; ${replayOf(share, seed)}`}`);
  if (bad.length > 0) process.exitCode = 1;
}

function conclude(share: Share, seen: Tally): void {
  const { schedules, hours, crashes, sent, carriedOut, ends, noticed, violating, examples } = seen;
  print(`${schedules} schedules: ${hours.toFixed(0)} simulated hours, ${crashes} crashes, ${sent} messages sent`);
  print(`${carriedOut} carried out, ${noticed} of them late, and noticed; ends: ${JSON.stringify(ends)}`);
  print(`violating schedules: ${violating}`);
  for (const { seed: at, bad } of examples) print(`  ${replayOf(share, at)}: ${bad.join('; ')}`);
  const dull = schedules >= FEWEST ? dullness(modeOf(share), seen) : [];
  for (const what of dull) print(`  too little to prove anything: ${what}`);
  if (violating + dull.length > 0) process.exitCode = 1;
}

/**
 * What a run of many schedules must contain. A journal that hands everything to a person would be safe, and of no use. Each bound is
 * a rate so far from the usual one that a run of {@link FEWEST} schedules does not miss it by chance.
 */
function dullness(mode: Mode, { schedules, crashes, sent, carriedOut, ends, noticed }: Tally): readonly string[] {
  const { succeeded = 0, needs_person = 0, not_executed, refused, done, skipped, not_ticked, not_begun } = ends;
  const some = mode === 'plans' ? { done, skipped, not_ticked, not_begun } : { not_executed, refused };
  const least = schedules / (mode === 'plans' ? 10 : 100);
  return [
    ...(crashes < schedules / 3 ? [`${crashes} crashes`] : []),
    ...(sent <= carriedOut || carriedOut < schedules / 2 ? [`${carriedOut} of ${sent} carried out`] : []),
    ...Object.entries(some).flatMap(([end, times = 0]) => (times < least ? [`${times} ${end}`] : [])),
    ...(mode === 'acts' && needs_person > 0.35 * succeeded ? [`${needs_person} with a person`] : []),
    ...(mode === 'late' && noticed < schedules / 50 ? [`${noticed} carried out late`] : []),
  ];
}

type Mutants = Readonly<Record<string, { readonly what: string; readonly seed: number }>>;
type Seen = Awaited<ReturnType<typeof seenAt>>;

/** Each mutant in the schedule that is stored with it, two at once. Without the mutant it must show nothing. */
async function mutants(all: Mutants, share: Share): Promise<void> {
  await inParallel(Object.entries(all), THREADS, async ([mutant, { what, seed }]) => {
    const stored = { ...share, first: seed, count: 1, untilSeen: true };
    const without = await inThread<Seen>(stored);
    const killed = await inThread<Seen>({ ...stored, mutant });
    const isKilled = killed !== undefined && without === undefined;
    const word = isKilled ? 'killed' : killed === undefined ? 'SURVIVED' : 'RED WITHOUT IT';
    print(`${mutant.padEnd(24)} ${word.padEnd(14)} --seed ${seed}: ${what}: ${(without ?? killed)?.by ?? ''}`);
    if (!isKilled) process.exitCode = 1;
  });
}

/** The first schedule from the seed on that shows each mutant, two at once. */
async function find(all: Mutants, share: Share): Promise<void> {
  await inParallel(Object.entries(all), THREADS, async ([mutant, { what }]) => {
    const seen = await inThread<Seen>({ ...share, mutant, untilSeen: true });
    const when = seen === undefined ? 'NOT SEEN' : `--seed ${share.first + seen.after - 1}`;
    print(`${mutant.padEnd(24)} ${when.padEnd(16)} ${what}: ${seen?.by ?? ''}`);
    if (seen === undefined) process.exitCode = 1;
  });
}

async function main(): Promise<void> {
  const modes = { late: false, twice: false, mutants: false, find: false, plans: false };
  const { schedules, seed, mutant, ...mode } = flags({ schedules: 0, seed: treeSeed, mutant: '', ...modes });
  const { late, twice, plans: isPlans } = mode;
  const count = schedules || (twice ? 60 : late || isPlans || mode.find ? 20_000 : 100_000);
  const share: Share = { first: seed, count, mutant, untilSeen: false, late, plans: isPlans };
  const all = isPlans ? PLAN_MUTANTS : MUTANTS;
  if (mode.mutants) return await mutants(all, share);
  if (mode.find) return await find(all, share);
  const half = Math.ceil(count / THREADS);
  const halves = [half, count - half].map((some, i) => ({ ...share, first: seed + i * half, count: some }));
  const played = async () => {
    const total = emptyTally();
    for (const tally of await Promise.all(halves.map(inThread<Tally>))) add(total, tally);
    return total;
  };
  if (mutant === '') for (const named of NAMED[modeOf(share)]) await playNamed(share, named);
  const total = await played();
  conclude(share, total);
  if (twice && JSON.stringify(total) !== JSON.stringify(await played()))
    throw new Error('the same seeds did not end alike');
}

if (isMainThread) await main();
else {
  const share = workerData as Share;
  const work = share.untilSeen ? seenAt : tallied;
  parentPort?.postMessage(await work(scheduleOf(share), share.first, share.count));
}
