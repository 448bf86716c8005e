/**
 * kill -9 of a real process at every step of plans of forty lines, on a real state and a sandbox airline: another process goes
 * on, every approved line is sent at most once, and the plan shows each as it is at the airline.
 *
 *   node test/campaigns/chaos/plan-kill.ts [--runs 300] [--seed 1] [--lines 40]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PlanView } from '../../../src/approvals/plans/plan.ts';
import { payArgs } from '../support/acts.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { withoutSettings } from '../support/child.ts';
import { newFolder } from '../support/folders.ts';
import { inParallel } from '../support/pace.ts';
import { command, type ProofOptions, type Proved, quantile } from '../support/report.ts';
import type { FromCrasher, Step, ToCrasher } from './support/crash-at.ts';
import type { PlanOrder, PlanReport } from './support/plan-process.ts';

const PROGRAM = fileURLToPath(new URL('./support/plan-process.ts', import.meta.url));
const CRASHER = new URL('./support/crash-at.ts', import.meta.url).href;
const LINES = 40;
/** Most of a run is waiting for the lease of the dead process. */
const LANES = 6;
const MOST_MS = 120_000;

class Program {
  readonly #child: ChildProcess;
  readonly #reports: PlanReport[] = [];
  #heard: (() => void) | undefined;
  gone = false;
  readonly exited: Promise<void>;

  constructor(env: Readonly<Record<string, string>>) {
    this.#child = fork(PROGRAM, {
      env: { ...withoutSettings(), FARECLERK_LOG_LEVEL: 'silent', NODE_NO_WARNINGS: '1', ...env },
      execArgv: ['--import', CRASHER],
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', () => {
        this.gone = true;
        this.#heard?.();
        resolve();
      });
    });
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout === null) throw new Error('no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#reports.push(JSON.parse(line) as PlanReport);
      this.#heard?.();
    });
  }

  /** Undefined: the process died. */
  async heard(): Promise<PlanReport | undefined> {
    for (;;) {
      const report = this.#reports.shift();
      if (report !== undefined || this.gone) return report;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  tell(order: PlanOrder): Promise<PlanReport | undefined> {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
    return this.heard();
  }

  crasher(message: ToCrasher): Promise<FromCrasher> {
    const answer = new Promise<FromCrasher>((resolve) =>
      this.#child.once('message', (one) => resolve(one as FromCrasher)),
    );
    this.#child.send(message);
    return answer;
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

interface Killed {
  readonly died: boolean;
  readonly ms: number;
  readonly states: readonly string[];
  readonly problems: readonly string[];
}

interface Ground extends OpenAirline {
  readonly lines: number;
}

/** Payments and releases in turn. */
async function actsOn({ stock, lines }: Ground) {
  const acts = [];
  for (let i = 0; i < lines; i++) {
    const { locator } = await stock.held();
    acts.push(
      i % 2 === 0 ? { tool: 'pay_booking', args: payArgs(locator) } : { tool: 'cancel_booking', args: { locator } },
    );
  }
  return acts;
}

function envOf({ settings }: Ground, folder: string) {
  const own = {
    FARECLERK_PLANS: 'true',
    FARECLERK_SETTLE_SECONDS: '3',
    FARECLERK_STATE_DIR: folder,
    XDG_STATE_HOME: folder,
  };
  return { ...settings, ...own };
}

/** A machine that is busy with other things may be too late for the identity provider before anything was asked. */
async function play(ground: Ground, at: Step | undefined): Promise<Killed & { readonly steps: readonly Step[] }> {
  for (let tried = 1; ; tried++) {
    try {
      return await played(ground, at);
    } catch (error) {
      if (!(error instanceof NotAsked) || tried === 5) throw error;
      await wait(2_000 * tried);
    }
  }
}

class NotAsked extends Error {}

/** Plays one plan; kills its process at a step, or lists the steps. */
async function played(ground: Ground, at: Step | undefined): Promise<Killed & { readonly steps: readonly Step[] }> {
  const folder = newFolder('plan-kill');
  const env = envOf(ground, folder);
  const acts = await actsOn(ground);
  const program = new Program(env);
  let other: Program | undefined;
  try {
    await program.heard();
    const asked = await program.tell({ ask: acts });
    if (asked === undefined || !('plan' in asked)) throw new NotAsked('nothing was asked');
    await program.crasher(at === undefined ? { trace: true } : { arm: at });
    await program.tell({ yes: asked.question });
    const first = await overIn(program, asked.plan, MOST_MS);
    const answer = at === undefined ? await program.crasher({ report: true }) : undefined;
    const died = program.gone;
    const from = performance.now();
    if (died) {
      other = new Program(env);
      await other.heard();
    }
    const view = other === undefined ? first : await overIn(other, asked.plan, MOST_MS);
    const many = asked.questions === 1 ? [] : [`${asked.questions} questions instead of 1`];
    const problems = [...many, ...problemsOf(view, ground, acts)];
    const states = view?.lines.map(({ state }) => state) ?? [];
    const steps = answer !== undefined && 'steps' in answer ? answer.steps : [];
    return { died, ms: performance.now() - from, states, problems, steps };
  } finally {
    program.kill();
    other?.kill();
    await Promise.all([program.exited, other?.exited]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined: the process died, or the time was over. */
async function overIn(program: Program, plan: string, ms: number): Promise<PlanView | undefined> {
  const until = performance.now() + ms;
  while (!program.gone && performance.now() < until) {
    const report = await program.tell({ view: plan });
    if (report !== undefined && 'view' in report && report.view !== undefined) {
      const open = report.view.lines.some(
        ({ state }) => state === 'waiting' || state === 'doing' || state === 'in_doubt',
      );
      if (!open && report.view.state !== 'asked') return report.view;
      // Killed before the yes was taken: nothing will come.
      if (report.view.state === 'asked') return report.view;
    }
    await wait(100);
  }
  return undefined;
}

function problemsOf(view: PlanView | undefined, ground: Ground, acts: Awaited<ReturnType<typeof actsOn>>): string[] {
  if (view === undefined) return ['the plan did not come to its end'];
  const wasAsked = view.state === 'asked';
  const left = view.lines.filter(({ state }) => state !== 'done').length;
  // What was begun and not sent when the process died needs a new yes.
  const problems =
    !wasAsked && left > 1 ? [`${left} lines were not done: ${view.lines.map(({ state }) => state).join()}`] : [];
  for (const [i, { tool, args }] of acts.entries()) {
    const event = tool === 'pay_booking' ? 'paid' : 'cancelled';
    const times = ground.times(event, args.locator);
    const { state = '' } = view.lines[i] ?? {};
    if (times > 1) problems.push(`${tool} of line ${i + 1} was done ${times} times`);
    if (wasAsked && times > 0) problems.push(`line ${i + 1} was sent without a yes`);
    if ((times === 1) !== (state === 'done')) problems.push(`line ${i + 1} is ${state}, and was done ${times} times`);
  }
  return problems;
}

/** Forty bookings a plan: one airline is sold out after some dozens of them. */
const RUNS_OF_AN_AIRLINE = 24;

async function onAirline<T>(lines: number, work: (ground: Ground) => Promise<T>): Promise<T> {
  const airline = await openAirline();
  try {
    return await work({ ...airline, lines });
  } finally {
    await airline.close();
  }
}

export async function provePlanKills({ runs, seed }: ProofOptions, lines = LINES): Promise<Proved> {
  const { steps, problems: plain } = await onAirline(lines, (ground) => play(ground, undefined));
  const due = new Chance(seed).shuffled(steps).slice(0, runs);
  const done: (Killed & { readonly step: Step })[] = [];
  for (let i = 0; i < due.length; i += RUNS_OF_AN_AIRLINE) {
    const some = due.slice(i, i + RUNS_OF_AN_AIRLINE);
    const killed = await onAirline(lines, (ground) =>
      inParallel(some, LANES, async (step) => ({ step, ...(await play(ground, step)) })),
    );
    done.push(...killed);
  }
  const died = done.filter((one) => one.died);
  const problems = [
    ...plain,
    ...done.flatMap(({ step, problems: own }) => own.map((one) => `${step.name} ${step.nth}: ${one}`)),
  ];
  const states = [
    ...Map.groupBy(
      done.flatMap((one) => one.states),
      (state) => state,
    ),
  ];
  const told = states.map(([state, of]) => `${state} ${of.length}`).join(', ');
  const times = died.map(({ ms }) => ms);
  return {
    seen: `${died.length} kills of plans of ${lines} lines (${done.length - died.length} steps not come to; a plan has ${steps.length} steps); lines: ${told}; over ${(quantile(times, 0.5) / 1000).toFixed(1)} s after the start (p50), longest ${(Math.max(0, ...times) / 1000).toFixed(1)} s`,
    problems,
  };
}

if (import.meta.main) await command('kill -9 of plans', { runs: 300, seed: 1 }, (options) => provePlanKills(options));
