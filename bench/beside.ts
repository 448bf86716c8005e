/**
 * Calls of this tree's program beside those of the program of another commit: both get the same replies, in turns within one run.
 * Once with replies that are the same each time, once with a time stamp and a remark that differ, so that what is remembered of a
 * reply shows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '../test/campaigns/support/report.ts';
import { type Program, programIn } from '../test/support/published-program.ts';
import { AT_ONCE, type Call, mixOf, sampled } from './calls.ts';
import { type Bench, type Measure, type Row, ratio } from './measure.ts';
import { differingRead, differingSearch } from './support/replies.ts';
import { median, roundsOf } from './support/rounds.ts';
import { Speaker, toolsOf } from './support/speaker.ts';
import { NOW } from './support/upstream.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Of the other program's processor time. */
const MOST_CPU = 1.1;

/** Processes of each program, one after the other. */
const PROCESSES = 4;

/** Rounds of each call that no row counts. */
const WARMING = 15;

/** By one call of a round, milliseconds: until it is answered, and of a processor. */
type Taken = Readonly<Record<'ms' | 'cpu', number>>;
type Pair<T> = Readonly<Record<'ours' | 'theirs', T>>;

/** @param revision of git, or `release` for the last release, see `lastRelease` */
export function callsBeside(revision: string): Measure {
  const commit =
    revision === 'release' ? lastRelease(ROOT) : git(ROOT, 'rev-parse', '--verify', `${revision}^{commit}`);
  return {
    name: 'calls',
    about: `a call, as a multiple of the program of ${commit.slice(0, 8)}; in brackets the middle half of the rounds`,
    why: 'A call that became slower from one release to the next is seen here, whatever the machine.',
    run: async (bench) => rowsBeside(bench, await buildCommit(commit, bench.folder('beside'))),
  };
}

/** The last commit that set a version; while nothing is unreleased, this tree is that version, and the one before it counts. */
export function lastRelease(root: string): string {
  const isRelease = /^## \[Unreleased\]\s+## /m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const set = git(root, 'log', '-2', '--format=%H', '-G^  "version":', '--', 'package.json').split('\n');
  const commit = set[isRelease ? 1 : 0];
  if (!commit) throw new Error('no commit set an earlier version: is this a clone without its history?');
  return commit;
}

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Builds it with its own script. */
export async function buildCommit(commit: string, folder: string): Promise<Program> {
  git(ROOT, 'archive', '--output', join(folder, 'tree.tar'), commit);
  execFileSync('tar', ['-xf', 'tree.tar'], { cwd: folder });
  if (hasPackagesOf(folder)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return programIn(folder);
}

/** Whether all packages of that tree are installed here, in the same versions. */
function hasPackagesOf(folder: string): boolean {
  const [ours, theirs] = [ROOT, folder].map((tree) => {
    const { packages } = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8'));
    return packages as Record<string, { readonly version?: string }>;
  });
  return Object.entries(theirs ?? {}).every(
    ([place, { version }]) => place === '' || ours?.[place]?.version === version,
  );
}

async function rowsBeside(bench: Bench, other: Program): Promise<Row[]> {
  const all = new Map<string, Pair<Taken>[]>();
  // What the compiler makes of the same program differs by some percent from process to process.
  for (let n = 0; n < PROCESSES; n++) {
    const hosts = { ours: await opened(bench, bench.program), theirs: await opened(bench, other) };
    // The compiler needs hundreds of calls. Without these, the first row would compare how soon each program is compiled.
    await takeTurns(bench, hosts, WARMING, () => undefined);
    await takeTurns(bench, hosts, bench.short ? 8 : 20, (name, rounds) => {
      all.set(name, [...(all.get(name) ?? []), ...rounds]);
    });
    await Promise.all([hosts.ours.end(), hosts.theirs.end()]);
  }
  return [...all].flatMap(([name, rounds]) => [
    ratioOfRounds(`${name}, p50`, rounds, 'ms'),
    ratioOfRounds('… CPU', rounds, 'cpu', MOST_CPU),
  ]);
}

async function opened({ upstream, folder }: Bench, program: Program): Promise<Speaker> {
  const command = program.start(folder('home'), upstream.settings);
  // As with most starts, an earlier one has compiled the code.
  await toolsOf(command);
  return Speaker.open(command);
}

async function takeTurns(
  { upstream, replies }: Bench,
  hosts: Pair<Speaker>,
  rounds: number,
  keep: (name: string, rounds: Pair<Taken>[]) => void,
) {
  const compare = async (name: string, call: Call, batch: number, atOnce = 1) => {
    const take = async (host: Speaker): Promise<Taken> => {
      const { ms, cpu } = await sampled(call, batch, atOnce)(host);
      return { ms: median(ms), cpu };
    };
    const turns = { ours: () => take(hosts.ours), theirs: () => take(hosts.theirs) };
    keep(name, await roundsOf(rounds, turns, 1));
  };
  const [read, search, routes] = mixOf(replies);
  const reading = differingRead(replies.read);
  const [small, large] = [differingSearch(replies.oneWaySearch), differingSearch(replies.largeSearch)];
  for (const [kind, sent] of Object.entries({ same: sameEachTime, differing: (text: string) => text })) {
    await upstream.answer({ read: sent(reading), search: sent(small) });
    await compare(`${kind} replies: read_booking`, read, 10);
    await compare(`${kind} replies: ${AT_ONCE} of them in flight`, read, AT_ONCE, AT_ONCE);
    await compare(`${kind} replies: search_fares`, search, 10);
    await upstream.answer({ search: sent(large) });
    await compare(`${kind} replies: search_fares, 226 KB`, search, 5);
  }
  // Which asks the airline once.
  await compare('list_routes', routes, 40);
}

const sameEachTime = (text: string): string => text.replaceAll(NOW, new Date().toISOString());

/**
 * One median of another, with the ratios of the middle half of the rounds. Fails the run where it is over `atMost` and that half is above
 * 1 as well: else it may be noise.
 */
export function ratioOfRounds(what: string, rounds: readonly Pair<Taken>[], figure: keyof Taken, atMost?: number): Row {
  const [ours, theirs] = [rounds.map((seen) => seen.ours[figure]), rounds.map((seen) => seen.theirs[figure])];
  const each = rounds.map((seen) => seen.ours[figure] / seen.theirs[figure]);
  const [low, high] = [quantile(each, 0.25), quantile(each, 0.75)];
  const row = ratio(what, [median(ours), median(theirs)], 'ms', atMost);
  return { ...row, from: `[${low.toFixed(2)}–${high.toFixed(2)}]  ${row.from}`, mustMeet: low > 1 };
}
