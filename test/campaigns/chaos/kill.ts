/**
 * kill -9 of the real process at every step of every act: the next start reports the true outcome within five
 * seconds, with nothing done twice and nothing lost. A step that takes longer is tried again: the machine may be busy.
 *
 *   node test/campaigns/chaos/kill.ts [--runs 600] [--seed 1]     needs dist/ (npm run build)
 *
 * Each step of each act comes once in some 540 runs; those beyond go round again with another kind of client. A process dies at every
 * commit to its file, at every sign of the wire and at every line to its client, by its own hand (support/crash-at.ts) or
 * by ours, in view of what the airline has got.
 */
import { ACTS } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { command, type ProofOptions, type Proved, quantile } from '../support/report.ts';
import { CREATE, type Killed, Lane, type Victim } from './support/kill-lane.ts';
import type { Kill } from './support/kill-steps.ts';
import { KINDS, type Kind } from './support/program.ts';

const BULKHEADS = 2;

export const VICTIMS: readonly Victim[] = [CREATE, ...ACTS.map((act) => ({ ...act, act }))];

interface Due {
  readonly victim: Victim;
  readonly kind: Kind;
  readonly kill: Kill;
}

/** `only`: the kills that are wanted, where not all are; `names`: the victims, where not all are. */
export async function proveKills(
  { runs, seed }: ProofOptions,
  only: (victim: Victim, kill: Kill) => boolean = () => true,
  names: readonly string[] = VICTIMS.map((victim) => victim.name),
): Promise<Proved> {
  const victims = VICTIMS.filter((victim) => names.includes(victim.name));
  const airline = await openAirline();
  const lanes = await Promise.all(Array.from({ length: BULKHEADS }, () => Lane.open(airline)));
  const done: Killed[] = [];
  const problems: string[] = [];
  let steps = 0;
  try {
    const chance = new Chance(seed);
    for (let round = 0; done.length < runs; round++) {
      const due = await plan(lanes, victims, round, only);
      steps ||= due.length;
      const chosen = chance.shuffled(due).slice(0, runs - done.length);
      if (chosen.length === 0) break;
      await Promise.all(lanes.map((lane, i) => work(lane, shareOf(chosen, i), done)));
    }
  } finally {
    for (const lane of lanes) problems.push(...(await lane.close()));
    await airline.close();
  }
  problems.push(
    ...done.flatMap((one) => one.problems.map((problem) => `${one.victim}, ${one.kind}, ${one.at}: ${problem}`)),
  );
  return { seen: `${summary(done)} (${victims.length} acts have ${steps} steps)`, problems };
}

/** Every step of every act, each with the kind of client whose turn it is. */
async function plan(
  lanes: readonly Lane[],
  victims: readonly Victim[],
  round: number,
  only: (victim: Victim, kill: Kill) => boolean,
): Promise<Due[]> {
  const traced = await Promise.all(
    lanes.map(async (lane, i) => {
      const due: Due[] = [];
      for (const [n, victim] of victims.entries()) {
        if (n % lanes.length !== i) continue;
        const kind = KINDS[(n + round) % KINDS.length] as Kind;
        const kills = await lane.killsOf(victim, kind);
        due.push(...kills.filter((kill) => only(victim, kill)).map((kill) => ({ victim, kind, kill })));
      }
      return due;
    }),
  );
  return traced.flat();
}

/** Every other one; those of one kind of client together, since a process serves one kind. */
function shareOf(due: readonly Due[], lane: number): Due[] {
  const own = due.filter((_, i) => i % BULKHEADS === lane);
  return own.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

async function work(lane: Lane, due: readonly Due[], done: Killed[]): Promise<void> {
  for (const one of due) done.push(await taken(lane, one));
}

/** A machine that is busy with other things may be late; a program that is late is so every time. */
const TRIES = 3;

async function taken(lane: Lane, { victim, kind, kill }: Due): Promise<Killed> {
  for (let tries = 1; ; tries++) {
    const killed = { ...(await lane.kill(victim, kind, kill)), tries };
    if (tries === TRIES || !killed.onlyLate) return killed;
  }
}

function summary(done: readonly Killed[]): string {
  const died = done.filter((one) => one.died);
  const states = [...Map.groupBy(died, (one) => one.state)].map(([state, of]) => `${state} ${of.length}`).join(', ');
  const told = died.map((one) => one.toldMs);
  const twice = died.filter((one) => one.acts > 1).length;
  const lost = died.filter((one) => one.problems.length > 0).length;
  const again = done.reduce((sum, one) => sum + (one.tries ?? 1) - 1, 0);
  const times = `p50 ${Math.round(quantile(told, 0.5))} ms, longest ${Math.round(Math.max(0, ...told))} ms`;
  return `${died.length} kills (${done.length - died.length} steps not come to), ${twice} done twice, ${lost} not truthfully told; journal: ${states}; told ${times} after the start, ${again} tried again for being late`;
}

if (import.meta.main) await command('kill -9', { runs: 600, seed: 1 }, (options) => proveKills(options));
