/**
 * kill -9 of a real process at every step of plans of forty lines, on a real state and a sandbox airline: another process goes
 * on, every approved line is sent at most once, and the plan shows each as it is at the airline.
 *
 *   node test/campaigns/chaos/plan-kill.ts [--runs 300] [--seed S]
 */
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { payArgs } from '../support/acts.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { inParallel, retried } from '../support/pace.ts';
import { command, counted, type ProofOptions, type Proved, quantile } from '../support/report.ts';
import { Gone } from '../support/stdio-client.ts';
import { arm, type Step, traced } from './support/crasher.ts';
import type { Orders } from './support/plan-process.ts';
import { PlanProgram } from './support/plan-program.ts';

const LINES = 40;
/** Most of a run is waiting for the lease of the dead process. */
const LANES = 6;
const MOST_MS = 120_000;
/** Forty bookings a plan: one airline is sold out after some dozens of them. */
const RUNS_OF_AN_AIRLINE = 24;

type View = Awaited<ReturnType<Orders['view']>>;

class Program extends PlanProgram {
  /** Undefined: the process died, or the time was over. */
  async over(plan: string): Promise<View> {
    const until = performance.now() + MOST_MS;
    while (performance.now() < until) {
      const view = await this.tell('view', plan).catch(() => undefined);
      if (this.gone) return undefined;
      const isOpen = view?.lines.some(({ state }) => ['waiting', 'doing', 'in_doubt'].includes(state));
      // Killed before the yes was taken: nothing will come.
      if (view !== undefined && (!isOpen || view.state === 'asked')) return view;
      await wait(100);
    }
    return undefined;
  }
}

class NotAsked extends Error {}
const isNotAsked = (error: unknown) => error instanceof NotAsked;

/** A machine that is busy with other things may be too late for the identity provider before anything was asked. */
const play = (airline: OpenAirline, at?: Step) => retried(5, 5_000, () => played(airline, at), isNotAsked);

/** Plays one plan; kills its process at a step, or lists the steps. */
async function played(airline: OpenAirline, at?: Step) {
  const folder = newFolder('plan-kill');
  const env = {
    ...{ ...airline.settings, TEST_SETTLE_SECONDS: '3' },
    ...{ FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder },
  };
  const acts: { tool: string; args: { locator: string } }[] = [];
  while (acts.length < LINES) {
    const { locator } = await airline.stock.held();
    const pays = acts.length % 2 === 0;
    acts.push(pays ? { tool: 'pay_booking', args: payArgs(locator) } : { tool: 'cancel_booking', args: { locator } });
  }
  const program = new Program(env);
  const all = [program];
  try {
    const asked = await program.tell('ask', acts).catch((error) => {
      throw error instanceof Gone ? new NotAsked('nothing was asked') : error;
    });
    const goOn = async () => {
      await program.tell('yes', asked.question).catch(() => undefined);
      return program.over(asked.plan);
    };
    if (at !== undefined) await arm(program.child, at);
    const [steps, first] = at === undefined ? await traced(program.child, goOn) : [[], await goOn()];
    const died = program.gone;
    const from = performance.now();
    if (died) all.push(new Program(env));
    const view = died ? await all[1]?.over(asked.plan) : first;
    const many = asked.questions === 1 ? [] : [`${asked.questions} questions instead of 1`];
    const states = view?.lines.map(({ state }) => state) ?? [];
    const problems = [...many, ...problemsOf(view, airline, acts)];
    return { died, ms: performance.now() - from, states, problems, steps };
  } finally {
    for (const one of all) {
      one.kill();
      await one.exited;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function problemsOf(view: View, airline: OpenAirline, acts: readonly { tool: string; args: { locator: string } }[]) {
  if (view === undefined) return ['the plan did not come to its end'];
  const wasAsked = view.state === 'asked';
  const states = view.lines.map(({ state }) => state);
  const left = states.filter((state) => state !== 'done').length;
  // What was begun and not sent when the process died needs a new yes.
  const problems = !wasAsked && left > 1 ? [`${left} lines were not done: ${states.join()}`] : [];
  for (const [i, { tool, args }] of acts.entries()) {
    const times = airline.times(tool === 'pay_booking' ? 'paid' : 'cancelled', args.locator);
    if (times > 1) problems.push(`${tool} of line ${i + 1} was done ${times} times`);
    if (wasAsked && times > 0) problems.push(`line ${i + 1} was sent without a yes`);
    if ((times === 1) !== (states[i] === 'done'))
      problems.push(`line ${i + 1} is ${states[i]}, and was done ${times} times`);
  }
  return problems;
}

async function onAirline<T>(work: (airline: OpenAirline) => Promise<T>): Promise<T> {
  const airline = await openAirline();
  try {
    return await work(airline);
  } finally {
    await airline.close();
  }
}

async function provePlanKills({ runs, seed }: ProofOptions): Promise<Proved> {
  const { steps, problems: plain } = await onAirline(play);
  const due = new Chance(seed).shuffled(steps).slice(0, runs);
  const done = [];
  for (let i = 0; i < due.length; i += RUNS_OF_AN_AIRLINE) {
    const some = due.slice(i, i + RUNS_OF_AN_AIRLINE);
    const kills = (airline: OpenAirline) =>
      inParallel(some, LANES, async (step) => ({ step, ...(await play(airline, step)) }));
    done.push(...(await onAirline(kills)));
  }
  const died = done.filter((one) => one.died);
  const seconds = died.map(({ ms }) => ms / 1000);
  const seen = [
    `${died.length} kills of plans of ${LINES} lines (${done.length - died.length} steps not come to; a plan has ${steps.length} steps)`,
    `lines: ${counted(done.flatMap((one) => one.states))}`,
    `over ${quantile(seconds, 0.5).toFixed(1)} s after the start (p50), longest ${Math.max(0, ...seconds).toFixed(1)} s`,
  ].join('; ');
  const problems = done.flatMap(({ step, problems: own }) => own.map((one) => `${step.name} ${step.nth}: ${one}`));
  return { seen, problems: [...plain, ...problems] };
}

await command('kill -9 of plans', 300, provePlanKills);
