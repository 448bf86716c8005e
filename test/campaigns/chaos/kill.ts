/**
 * kill -9 of the real process at every step of every act: the next start reports the true outcome within five
 * seconds, with nothing done twice and nothing lost. A step that takes longer is tried again: the machine may be busy. If a
 * command's start takes long as well, the seconds are more.
 *
 *   node test/campaigns/chaos/kill.ts [--runs 600] [--seed S]     needs dist/ (npm run build)
 *
 * Each step of each act comes once in some 540 runs; those beyond go round again with another kind of client. A process dies at every
 * commit to its file, at every sign of the wire and at every line to its client, by its own hand (support/crash-at.ts) or
 * by ours, in view of what the airline has got.
 */
import { CATALOG } from '../../../src/tools/index.ts';
import { ACTS } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { command, counted, type ProofOptions, type Proved, quantile } from '../support/report.ts';
import { CREATE, type Killed, Lane, type Victim } from './support/kill-lane.ts';
import { type Kill, refusedKills } from './support/kill-steps.ts';
import { KINDS, type Kind } from './support/program.ts';

/** A lane often waits: more of them than cores. */
const LANES = 4;
/** A machine that is busy with other things may be late; a program that is late is so every time. */
const TRIES = 3;
const VICTIMS: readonly Victim[] = [CREATE, ...ACTS.map((act) => ({ ...act, act }))];

interface Due {
  readonly victim: Victim;
  readonly kind: Kind;
  readonly kill: Kill;
}

async function proveKills({ runs, seed }: ProofOptions): Promise<Proved> {
  const airline = await openAirline();
  const lanes = await Promise.all(Array.from({ length: LANES }, () => Lane.open(airline)));
  const done: Killed[] = [];
  const chance = new Chance(seed);
  let [steps, again] = [0, 0];
  for (let round = 0; done.length < runs; round++) {
    const due = await plan(lanes, round, chance);
    steps ||= due.length;
    const chosen = chance.shuffled(due).slice(0, runs - done.length);
    const work = lanes.map(async (lane, i) => {
      // Every other one; those of one kind of client together, since a process serves one kind.
      const ofLane = chosen.filter((_, n) => n % LANES === i);
      for (const { victim, kind, kill } of ofLane.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))) {
        let killed = await lane.kill(victim, kind, kill);
        for (let tries = 1; killed.onlyLate && tries < TRIES; tries++, again++)
          killed = await lane.kill(victim, kind, kill);
        done.push(killed);
      }
    });
    await Promise.all(work);
  }
  const chains = await Promise.all(lanes.map((lane) => lane.close()));
  await airline.close();
  const died = done.filter((one) => one.died);
  // Who asks for what stays in doubt waits until the call ends.
  const told = died.filter(({ state }) => state !== 'in_doubt').map(({ toldMs }) => toldMs);
  const missing = CATALOG.filter(({ effect, toolset, name }) => {
    return effect === 'commit' && toolset !== 'plans' && !ACTS.some(({ tool }) => tool === name);
  });
  const seen = [
    `${died.length} kills (${done.length - died.length} steps not come to)`,
    `${died.filter((one) => one.acts > 1).length} done twice; journal: ${counted(died.map(({ state }) => state))}`,
    `told p50 ${Math.round(quantile(told, 0.5))} ms, longest ${Math.round(Math.max(0, ...told))} ms after the start`,
    `${again} tried again for being late (${VICTIMS.length} acts have ${steps} steps)`,
  ].join('; ');
  const problems = [
    ...missing.map(({ name }) => `${name} is not among the acts`),
    ...chains.flat(),
    ...done.flatMap(({ name, problems: own }) => own.map((problem) => `${name}: ${problem}`)),
  ];
  return { seen, problems };
}

/** Every step of every act, each with the kind of client whose turn it is, and for each act refusals that prove nothing. */
async function plan(lanes: readonly Lane[], round: number, chance: Chance): Promise<Due[]> {
  const refused = VICTIMS.map(({ message }) => refusedKills(message, chance));
  const traced = lanes.map(async (lane, i) => {
    const due: Due[] = [];
    for (const [n, victim] of VICTIMS.entries()) {
      if (n % lanes.length !== i) continue;
      const kind = KINDS[(n + round) % KINDS.length] as Kind;
      const kills = [...(await lane.killsOf(victim, kind)), ...(refused[n] ?? [])];
      due.push(...kills.map((kill) => ({ victim, kind, kill })));
    }
    return due;
  });
  return (await Promise.all(traced)).flat();
}

await command('kill -9', 600, proveKills);
