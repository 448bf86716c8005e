/** `fareclerk approve`: the approval page in a terminal, for single questions and for plans. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { styleText } from 'node:util';
import type { DecisionOutcome } from '../../approvals/approval-status.ts';
import { ticketLine } from '../../approvals/outcome-words.ts';
import { type Approval, isPlanQuestion } from '../../approvals/ports.ts';
import { shownLines } from '../../approvals/terms.ts';
import { type Config, UsageError } from '../../config/load.ts';
import type { LineView, PlanView } from '../../plans/plan.ts';
import { lineMoney, sumWords } from '../../plans/plan-money.ts';
import {
  lineOfPlan,
  lineText,
  planOutcome,
  rangeWords,
  reasonText,
  releaseLines,
  releaseWords,
} from '../../plans/plan-words.ts';
import type { State } from '../../store/state.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { readArguments } from '../terminal/arguments.ts';
import { printable, questionWidth, whoAndWhen, wrapped } from '../terminal/question-text.ts';
import { readSettingsToChange } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askLine, askTyped, isInteractive, isNo, numbersNamed, unanswered } from '../terminal/typed-yes.ts';
import { hint, print, windowWidth } from '../terminal/window.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

interface ApproveRun {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** `--yes` or `--no`: in the sandbox only. */
  readonly flag: boolean | undefined;
  /** `--lines`: of a plan, as typed. */
  readonly lines?: string | undefined;
}

export const approve: Command = {
  about: `usage: fareclerk approve [ID] [options]

Lists pending approvals. With an ID, shows what is asked: type the locator of
the booking for yes, no for no; for a plan the numbers of the lines that are to
be done, or all. Ctrl-C leaves the approval pending. Needs a terminal.

  fareclerk approve                 lists them; asks at once if it is only one
  fareclerk approve 1f2e3d4c        one of them (a beginning of its id)
  fareclerk approve 1f2e3d4c --lines 1,3-5
                                    only these lines of a plan
  fareclerk approve 1f2e3d4c --yes  answers without asking: in the sandbox only

Exit code: 0 the answer was accepted, 1 nothing was done, 2 bad usage.
`,
  async run(argv, terminal): Promise<ExitCode> {
    const args = readArguments(argv, COMMANDS.approve);
    const [id] = args.positionals;
    const config = readSettingsToChange(terminal, args);
    const flag = readFlag(args.flags, config, id);
    const { lines } = args.flags;
    if (lines !== undefined && id === undefined)
      throw new UsageError('approve: --lines needs the id of the operation.');
    const composed = composeClerk(config);
    const run: ApproveRun = { config, composed, terminal, json: args.flags.json === true, flag, lines };
    try {
      return id === undefined ? await listPending(run) : await approveNamed(run, id);
    } finally {
      await composed.close();
    }
  },
};

/** @param id a whole id, or a beginning that only one has */
async function approveNamed(run: ApproveRun, id: string): Promise<ExitCode> {
  if (run.flag === undefined && !isInteractive(run.terminal))
    throw new UsageError('approve: a person must answer, in a terminal. In the sandbox --yes or --no can.');
  const open = await pending(run);
  const [found, ...others] = open.filter(({ approval }) => approval.operationId.startsWith(id.toLowerCase()));
  if (found !== undefined && others.length === 0) return decidePending(run, found);
  hint(
    run,
    'fareclerk: no single pending approval begins with that id. It may be answered or expired. `fareclerk approve` lists them.\n',
  );
  await hintAtOthers(run);
  return 1;
}

async function listPending(run: ApproveRun): Promise<ExitCode> {
  const open = await pending(run);
  const rows = [TITLES, ...open.map(pendingRow)];
  const noApprovals = 'No approvals are pending.\n';
  print(
    run,
    open.map(pendingRecord),
    open.length === 0 ? noApprovals : table(rows, windowWidth(run.terminal.stdout), UNCUT_COLUMNS),
  );
  const [only, ...others] = open;
  if (only === undefined) await hintAtOthers(run);
  const isOnly = only !== undefined && others.length === 0;
  return isOnly && !run.json && isInteractive(run.terminal) ? decidePending(run, only) : 0;
}

function readFlag(
  flags: Readonly<Record<string, unknown>>,
  config: Config,
  id: string | undefined,
): boolean | undefined {
  const { yes, no } = flags;
  if (yes !== true && no !== true) return undefined;
  if (yes === true && no === true) throw new UsageError('approve: --yes and --no are opposites.');
  if (config.environment !== 'sandbox') {
    throw new UsageError(
      'approve: --yes and --no are for the sandbox only. With a real airline a person types the locator.',
    );
  }
  if (id === undefined) throw new UsageError('approve: --yes and --no need the id of the operation.');
  return yes === true;
}

/** Decides, and waits for a late reply of the airline: it is the best evidence. */
async function decideAndWait(
  { composed, terminal, flag }: ApproveRun,
  id: string,
  yes: boolean,
): Promise<DecisionOutcome> {
  const { clerk, caller } = composed;
  // A flag (sandbox only) does not prove that a person read the terms.
  const by = { caller, assurance: flag === undefined ? 'page' : 'caller_confirmed' } as const;
  const outcome = await clerk.decide(id, yes, by);
  if (outcome.kind !== 'pending') return outcome;
  terminal.stderr.write(`${outcome.title}. Waiting for the airline's answer…\n`);
  await clerk.idle();
  return clerk.decide(id, yes, by);
}

/** Outcomes after which the command exits with 0: the answer was accepted, even if the airline has not answered yet. */
const SUCCESSFUL: ReadonlySet<DecisionOutcome['kind'] | 'unanswered'> = new Set(['done', 'declined', 'pending']);

/** Asks here, carries the answer out, and prints what became of it. */
async function decidePending(run: ApproveRun, question: Pending): Promise<ExitCode> {
  const { approval, leftMs } = question;
  const { operationId } = approval;
  if (isPlanQuestion(approval)) return decidePlan(run, question, approval.part.plan);
  if (run.lines !== undefined)
    throw new UsageError('approve: --lines goes with a plan, and this is a single question.');
  const yes = run.flag ?? (await askTyped(run.terminal, approval, approval.expiresAt - leftMs));
  const outcome =
    yes === undefined
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await decideAndWait(run, operationId, yes);
  const { kind, title } = outcome;
  const tickets = 'tickets' in outcome ? (outcome.tickets ?? []).map(ticketLine) : [];
  const lines = [...outcome.lines, ...tickets];
  const width = windowWidth(run.terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const words = [title, ...lines.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
  print(run, { operation_id: operationId, outcome: kind, title, lines }, words);
  return SUCCESSFUL.has(kind) ? 0 : 1;
}

/** Pending approvals, each with the milliseconds that are left for its answer. */
async function pendingIn(state: State) {
  const now = state.clock?.now() ?? Date.now();
  const open = await state.approvals.waiting(now);
  return open.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}
type Pending = Awaited<ReturnType<typeof pendingIn>>[number];

/** The pending approvals of this OS user and state folder, oldest first: nobody may answer another caller's approvals. */
async function pending({ config, composed }: ApproveRun): Promise<readonly Pending[]> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return [];
  const { tenant, id } = composed.caller;
  const open = await pendingIn(await composed.state());
  return open.filter(({ approval }) => approval.tenant === tenant && approval.caller === id);
}

/** Mentions approvals under the other settings: often only the host that started the server knows its settings. */
async function hintAtOthers({ config, composed: { caller }, terminal }: ApproveRun): Promise<void> {
  const { directory, file, databaseUrl } = config.state;
  const folder = config.environment === 'sandbox' ? dirname(directory) : join(directory, 'sandbox');
  const otherFile = join(folder, basename(file));
  if (databaseUrl !== undefined || !existsSync(otherFile)) return;
  const { openSqliteState } = await import('../../store/sqlite/state.ts');
  const state = await openSqliteState(otherFile, { reads: true }).catch(() => undefined);
  const open = state === undefined ? [] : await pendingIn(state).finally(() => state.close());
  if (!open.some(({ approval }) => approval.caller === caller.id && approval.tenant !== caller.tenant)) return;
  terminal.stderr.write(
    'fareclerk: an approval is pending under other settings. Run this with the settings of the server that asked.\n',
  );
}

const TITLES = ['operation', 'booking', 'left', 'act'] as const;
/** Columns that are never cut. The beginning of an id is enough to name an operation. */
const UNCUT_COLUMNS = [1, 2, 3];

/** `9:58` */
function leftText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function pendingRow({ approval, leftMs }: Pending): readonly string[] {
  return [approval.operationId, approval.locator ?? '-', leftText(leftMs), actText(approval)].map(printable);
}

/** Says of a step of a plan that is asked by itself which plan it belongs to. */
function actText(approval: Approval): string {
  const planLine = lineOfPlan(approval);
  return planLine === undefined ? approval.act : `${planLine}: ${approval.act}`;
}

const pendingRecord = ({ approval: { operationId, act, locator, sections, client, expiresAt, part } }: Pending) => ({
  operation_id: operationId,
  act,
  locator,
  client,
  plan_id: part?.plan,
  line: part?.line || undefined,
  terms: shownLines(sections),
  expires_at: new Date(expiresAt).toISOString(),
});

/** Time between two looks at a plan that is carried out, milliseconds. */
const PLAN_POLL_MS = 500;

/** Asks here, waits until the plan is carried out, and prints what became of its lines. @param id of the plan */
async function decidePlan(run: ApproveRun, { approval, leftMs }: Pending, id: string): Promise<ExitCode> {
  const { clerk } = run.composed;
  const view = await clerk.plan(id);
  const asked = (view?.lines ?? []).filter(({ state }) => state === 'asked');
  const lines = run.lines === undefined ? undefined : numbersNamed(run.lines, lineNumbers(asked));
  if (run.lines !== undefined && lines === undefined) {
    throw new UsageError(
      `--lines: expected lines of the plan, such as 1,3-5. Asked are ${rangeWords(lineNumbers(asked))}.`,
    );
  }
  if (view === undefined) throw new UsageError('approve: this plan is no longer kept.');
  const now = approval.expiresAt - leftMs;
  const ticked =
    run.flag === undefined
      ? await askWhich(run, { approval, view, asked, lines, now, releases: await releasesByLine(run, id) })
      : tickedByFlag(run.flag, asked, lines);
  const { operationId } = approval;
  const outcome =
    ticked === undefined
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await carryOutPlan(run, operationId, id, ticked);
  const { kind, title, lines: words } = outcome;
  const width = windowWidth(run.terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const text = [title, ...words.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
  print(run, { operation_id: operationId, plan_id: id, outcome: kind, title, lines: words }, text);
  return kind === 'unanswered' || kind === 'unknown' ? 1 : 0;
}

/** The lines that `--yes` or `--no` ticks: those of `--lines`, else all that are asked, or none. */
function tickedByFlag(
  yes: boolean,
  asked: readonly LineView[],
  lines: readonly number[] | undefined,
): readonly number[] {
  return yes ? (lines ?? lineNumbers(asked)) : [];
}

const lineNumbers = (lines: readonly Pick<LineView, 'n'>[]) => lines.map(({ n }) => n);

interface PlanPrompt {
  readonly approval: Approval;
  readonly view: PlanView;
  readonly asked: readonly LineView[];
  /** Chosen with `--lines`. */
  readonly lines: readonly number[] | undefined;
  readonly now: number;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

async function releasesByLine({ composed }: ApproveRun, id: string): Promise<ReadonlyMap<number, string>> {
  const plan = await (await composed.state()).plans.get(id);
  return releaseWords(plan?.body?.lines ?? []);
}

/** Asks which lines the person ticks. Empty for a no; undefined without an answer. */
async function askWhich(run: ApproveRun, asking: PlanPrompt): Promise<readonly number[] | undefined> {
  const { terminal } = run;
  const { asked, lines } = asking;
  terminal.stderr.write(planText(asking, terminal.stderr));
  const width = questionWidth(terminal.stderr);
  if (lines === undefined) {
    const line = 'Which lines are to be done? Type their numbers, such as 1,3-5, or all; no for none:';
    const read = (answer: string) => (isNo(answer) ? [] : numbersNamed(answer, lineNumbers(asked)));
    return askLine(terminal, `${wrapped(line, width).join('\n')} `, read, 'neither lines of the plan nor no');
  }
  const line = `Carry out ${lines.length === 1 ? 'line' : 'lines'} ${rangeWords(lines)}, and no other? Type yes or no:`;
  const read = (answer: string) => {
    if (answer === 'yes') return lines;
    return isNo(answer) ? [] : undefined;
  };
  return askLine(terminal, `${wrapped(line, width).join('\n')} `, read, 'neither yes nor no');
}

/** Writes all that the page of the plan shows. */
function planText({ approval, view, asked, now, releases }: PlanPrompt, screen: NodeJS.WriteStream): string {
  const width = questionWidth(screen);
  const bold = (text: string): string => styleText('bold', text, { stream: screen });
  const lines = [
    '',
    ...(approval.nature === 'cancellation' ? [bold('CANNOT BE UNDONE')] : []),
    ...wrapped(approval.act, width).map(bold),
    ...view.sums.flatMap((sum) => wrapped(`All lines together: ${sumWords(sum)}.`, width, '  ')),
    ...asked.flatMap((line) => [
      '',
      ...linesForPlanLine(line, width, bold),
      ...releaseLines(line, releases).flatMap((words) => wrapped(words, width, '   ')),
    ]),
    ...view.leftOut.flatMap(({ title, why }) => wrapped(`Not in this plan: ${title}: ${why}`, width, '  ')),
    '',
    ...whoAndWhen(approval, width, now),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function linesForPlanLine(
  { n, title, reason, steps }: LineView,
  width: number,
  bold: (text: string) => string,
): readonly string[] {
  const money = lineMoney({ steps }).join('; ');
  const terms = steps.flatMap(({ act, sections }) => [
    ...wrapped(act, width, '   '),
    ...sections.flatMap(({ kind, lines }) =>
      lines.flatMap((line) =>
        kind === 'caution' ? wrapped(line, width, '   ! ').map(bold) : wrapped(line, width, '     '),
      ),
    ),
  ]);
  return [
    ...wrapped(`${n}. ${title}`, width).map(bold),
    ...(reason === undefined ? [] : wrapped(reasonText(reason), width, '   ')),
    ...(money === '' ? [] : wrapped(money, width, '   ').map(bold)),
    ...terms,
  ];
}

/** Decides, and prints each line as it ends. If this process ends before, another one goes on with the plan. */
async function carryOutPlan(
  { composed, terminal, flag }: ApproveRun,
  operationId: string,
  id: string,
  ticked: readonly number[],
) {
  const { clerk, caller } = composed;
  const by = { caller, assurance: flag === undefined ? 'page' : 'caller_confirmed' } as const;
  const outcome = await clerk.decide(operationId, ticked.length > 0, by, ticked);
  if (outcome.kind !== 'pending') return outcome;
  const reported = new Set<number>();
  for (;;) {
    const view = await clerk.plan(id);
    if (view === undefined) return outcome;
    for (const line of view.lines) {
      if (reported.has(line.n) || !ENDED_STATES.has(line.state)) continue;
      reported.add(line.n);
      terminal.stderr.write(`${wrapped(lineText(line), questionWidth(terminal.stderr)).join('\n')}\n`);
    }
    if (view.state !== 'running') return planOutcome(view);
    await new Promise((resolve) => setTimeout(resolve, PLAN_POLL_MS));
  }
}

/** States in which a line is printed while the plan goes on: it has ended, or waits for a question of its own. */
const ENDED_STATES: ReadonlySet<LineView['state']> = new Set(['done', 'skipped', 'needs_person', 'asks_again']);
