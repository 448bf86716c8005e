/**
 * `fareclerk approve` lists pending approvals, and asks in the terminal what the approval page asks. The functions for
 * single questions come first, then those for plans.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { styleText } from 'node:util';
import { type Approval, isPlanQuestion } from '../../approvals/approval.ts';
import type { DecisionOutcome } from '../../approvals/approval-status.ts';
import type { Decider } from '../../approvals/decide.ts';
import { ticketLine } from '../../approvals/outcome-words.ts';
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
import { storeNow } from '../runtime/open-state.ts';
import { readArguments } from '../terminal/arguments.ts';
import { printable, questionWidth, whoAndWhen, wrapped } from '../terminal/question-text.ts';
import { readSettings } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askLine, askTyped, isInteractive, isNo, numbersNamed, unanswered } from '../terminal/typed-yes.ts';
import { hint, print, windowWidth } from '../terminal/window.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

/** Time between two looks at a plan that is carried out, milliseconds. */
const PLAN_POLL_MS = 500;

/** Outcomes after which the command exits with 0: the answer was accepted, even if the airline has not answered yet. */
const SUCCESSFUL: ReadonlySet<DecisionOutcome['kind'] | 'unanswered'> = new Set(['done', 'declined', 'pending']);

/** States in which a line is printed while the plan goes on: it has ended, or waits for a question of its own. */
const ENDED_STATES: ReadonlySet<LineView['state']> = new Set(['done', 'skipped', 'needs_person', 'asks_again']);

const TITLES = ['operation', 'booking', 'left', 'act'] as const;
/** Columns that are never cut. The beginning of an id is enough to name an operation. */
const UNCUT_COLUMNS = [1, 2, 3];

/** One call of `fareclerk approve`. */
interface ApproveRun {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** The answer of `--yes` or `--no`, in the sandbox only; or that a person is asked. */
  readonly answerBy: 'yes' | 'no' | 'person';
  /** `--lines`: the lines of a plan, as typed. */
  readonly typedLines?: string | undefined;
}

/** A pending approval, and the milliseconds that are left for its answer. */
interface PendingApproval {
  readonly approval: Approval;
  readonly leftMs: number;
}

export const approve: Command = {
  about: `usage: fareclerk approve [ID] [options]

Lists pending approvals. With an ID, shows what is asked. To approve, type the
locator of the booking, or for a plan the numbers of its lines, or all. To
decline, type no. Ctrl-C leaves the approval pending. Needs a terminal.

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
    const config = readSettings(terminal, args);
    const answerBy = readAnswerFlags(args.flags, config, id);
    const { lines: typedLines, json } = args.flags;
    if (typedLines !== undefined && id === undefined)
      throw new UsageError('approve: --lines needs the id of the operation.');
    const composed = composeClerk(config);
    const run: ApproveRun = { config, composed, terminal, json: json === true, answerBy, typedLines };
    try {
      return id === undefined ? await listPending(run) : await approveNamed(run, id);
    } finally {
      await composed.close();
    }
  },
};

/** @throws UsageError */
function readAnswerFlags(
  flags: Readonly<Record<string, unknown>>,
  config: Config,
  id: string | undefined,
): ApproveRun['answerBy'] {
  const { yes, no } = flags;
  if (yes !== true && no !== true) return 'person';
  if (yes === true && no === true) throw new UsageError('approve: --yes and --no are opposites.');
  if (config.environment !== 'sandbox') {
    throw new UsageError('approve: --yes and --no are for the sandbox only. With a real airline you type the locator.');
  }
  if (id === undefined) throw new UsageError('approve: --yes and --no need the id of the operation.');
  return yes === true ? 'yes' : 'no';
}

/** @param id a whole id, or a beginning that only one has */
async function approveNamed(run: ApproveRun, id: string): Promise<ExitCode> {
  if (run.answerBy === 'person' && !isInteractive(run.terminal))
    throw new UsageError('approve: you must answer in a terminal. In the sandbox, --yes or --no can answer.');
  const pending = await callersPending(run);
  const [named, ...others] = pending.filter(({ approval }) => approval.operationId.startsWith(id.toLowerCase()));
  if (named !== undefined && others.length === 0) return decidePending(run, named);
  hint(
    run,
    'fareclerk: no single pending approval begins with that id. It may be answered or expired. `fareclerk approve` lists them.\n',
  );
  await hintAtOtherSettings(run);
  return 1;
}

/** Lists the pending approvals. Asks at once if there is only one, and a person is at the keyboard. */
async function listPending(run: ApproveRun): Promise<ExitCode> {
  const pending = await callersPending(run);
  const rows = [TITLES, ...pending.map(pendingRow)];
  const words =
    pending.length === 0 ? 'No approvals are pending.\n' : table(rows, windowWidth(run.terminal.stdout), UNCUT_COLUMNS);
  print(run, pending.map(pendingRecord), words);
  const [first] = pending;
  if (first === undefined) await hintAtOtherSettings(run);
  const asksAtOnce = pending.length === 1 && !run.json && isInteractive(run.terminal);
  return first !== undefined && asksAtOnce ? decidePending(run, first) : 0;
}

/** The pending approvals of this OS user and state folder, oldest first: nobody may answer another caller's approvals. */
async function callersPending({ config, composed }: ApproveRun): Promise<readonly PendingApproval[]> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return [];
  const { tenant, id } = composed.caller;
  const pending = await readPending(await composed.state());
  return pending.filter(({ approval }) => approval.tenant === tenant && approval.caller === id);
}

async function readPending(state: State): Promise<readonly PendingApproval[]> {
  const now = storeNow(state);
  const approvals = await state.approvals.waiting(now);
  return approvals.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}

/** Mentions approvals under other settings: often only the host that started the server knows its settings. */
async function hintAtOtherSettings({ config, composed: { caller }, terminal }: ApproveRun): Promise<void> {
  const { directory, file, databaseUrl } = config.state;
  const otherFolder = config.environment === 'sandbox' ? dirname(directory) : join(directory, 'sandbox');
  const otherFile = join(otherFolder, basename(file));
  if (databaseUrl !== undefined || !existsSync(otherFile)) return;
  const { openSqliteState } = await import('../../store/sqlite/state.ts');
  const state = await openSqliteState(otherFile, { reads: true }).catch(() => undefined);
  const pending = state === undefined ? [] : await readPending(state).finally(() => state.close());
  if (!pending.some(({ approval }) => approval.caller === caller.id && approval.tenant !== caller.tenant)) return;
  terminal.stderr.write(
    'fareclerk: an approval is pending under other settings. Run this with the settings of the server that asked.\n',
  );
}

function pendingRow({ approval, leftMs }: PendingApproval): readonly string[] {
  return [approval.operationId, approval.locator ?? '-', leftText(leftMs), actText(approval)].map(printable);
}

/** `9:58` */
function leftText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Names the plan of a step that is asked by itself. */
function actText(approval: Approval): string {
  const planLine = lineOfPlan(approval);
  return planLine === undefined ? approval.act : `${planLine}: ${approval.act}`;
}

function pendingRecord({ approval }: PendingApproval) {
  const { operationId, act, locator, sections, client, expiresAt, part } = approval;
  return {
    operation_id: operationId,
    act,
    locator,
    client,
    plan_id: part?.plan,
    line: part?.line || undefined,
    terms: shownLines(sections),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/** Asks here, carries the answer out, and prints the outcome. */
async function decidePending(run: ApproveRun, pending: PendingApproval): Promise<ExitCode> {
  const { approval, leftMs } = pending;
  const { operationId } = approval;
  if (isPlanQuestion(approval)) return decidePlan(run, pending, approval.part.plan);
  if (run.typedLines !== undefined)
    throw new UsageError('approve: --lines goes with a plan, and this is a single question.');
  const answer =
    run.answerBy === 'person' ? await askTyped(run.terminal, approval, approval.expiresAt - leftMs) : run.answerBy;
  const outcome =
    answer === 'none'
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await decideAndWait(run, operationId, answer);
  const { kind, title } = outcome;
  const tickets = 'tickets' in outcome ? (outcome.tickets ?? []).map(ticketLine) : [];
  const lines = [...outcome.lines, ...tickets];
  print(run, { operation_id: operationId, outcome: kind, title, lines }, outcomeText(run, title, lines));
  return SUCCESSFUL.has(kind) ? 0 : 1;
}

/** Decides, and waits for a late reply of the airline: it is the best evidence. */
async function decideAndWait(run: ApproveRun, operationId: string, answer: 'yes' | 'no'): Promise<DecisionOutcome> {
  const isYes = answer === 'yes';
  const { clerk } = run.composed;
  const outcome = await clerk.decide(operationId, isYes, decider(run));
  if (outcome.kind !== 'pending') return outcome;
  run.terminal.stderr.write(`${outcome.title}. Waiting for the airline's answer…\n`);
  await clerk.idle();
  return clerk.decide(operationId, isYes, decider(run));
}

/** Who decides. A flag (sandbox only) does not prove that a person read the terms. */
function decider({ composed, answerBy }: ApproveRun): Decider {
  return { caller: composed.caller, assurance: answerBy === 'person' ? 'page' : 'caller_confirmed' };
}

function outcomeText({ terminal }: ApproveRun, title: string, lines: readonly string[]): string {
  const width = windowWidth(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  return [title, ...lines.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
}

/** Asks which lines of the plan are to be done, waits until they are carried out, and prints their outcome. */
async function decidePlan(run: ApproveRun, { approval, leftMs }: PendingApproval, planId: string): Promise<ExitCode> {
  const view = await run.composed.clerk.plan(planId);
  const askedLines = (view?.lines ?? []).filter(({ state }) => state === 'asked');
  const flagLines = readLinesFlag(run.typedLines, askedLines);
  if (view === undefined) throw new UsageError('approve: this plan is no longer kept.');
  const { operationId } = approval;
  const question = { approval, view, askedLines, now: approval.expiresAt - leftMs };
  const ticked = await chooseTicks(run, planId, question, flagLines);
  const outcome =
    ticked === 'none'
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await carryOutPlan(run, operationId, planId, ticked);
  const { kind, title, lines } = outcome;
  const record = { operation_id: operationId, plan_id: planId, outcome: kind, title, lines };
  print(run, record, outcomeText(run, title, lines));
  return kind === 'unanswered' || kind === 'unknown' ? 1 : 0;
}

/** The lines that are ticked, by a flag or by the person. An empty list is a no; `none` is no answer. */
async function chooseTicks(
  run: ApproveRun,
  planId: string,
  question: Omit<PlanQuestion, 'releases'>,
  flagLines: readonly number[] | undefined,
): Promise<readonly number[] | 'none'> {
  if (run.answerBy !== 'person') return tickedByFlag(run.answerBy, question.askedLines, flagLines);
  const releases = await releasesByLine(run, planId);
  return askForTicks(run, flagLines, { ...question, releases });
}

/** The numbers of the lines that `--lines` names; undefined without it. @throws UsageError */
function readLinesFlag(typedLines: string | undefined, askedLines: readonly LineView[]): readonly number[] | undefined {
  if (typedLines === undefined) return undefined;
  const numbers = numbersNamed(typedLines, lineNumbers(askedLines));
  if (numbers !== undefined) return numbers;
  throw new UsageError(
    `--lines: expected lines of the plan, such as 1,3-5. Asked are ${rangeWords(lineNumbers(askedLines))}.`,
  );
}

/** The lines that `--yes` or `--no` ticks: those of `--lines`, else all that are asked, or none. */
function tickedByFlag(
  flag: 'yes' | 'no',
  askedLines: readonly LineView[],
  flagLines: readonly number[] | undefined,
): readonly number[] {
  return flag === 'yes' ? (flagLines ?? lineNumbers(askedLines)) : [];
}

const lineNumbers = (lines: readonly LineView[]): readonly number[] => lines.map(({ n }) => n);

/** What a person reads before they tick lines. */
interface PlanQuestion {
  readonly approval: Approval;
  readonly view: PlanView;
  readonly askedLines: readonly LineView[];
  readonly now: number;
  /** By line, from 1: what it does if its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

async function releasesByLine({ composed }: ApproveRun, planId: string): Promise<ReadonlyMap<number, string>> {
  const plan = await (await composed.state()).plans.get(planId);
  return releaseWords(plan?.body?.lines ?? []);
}

/**
 * Asks which lines the person ticks. An empty list is a no; `none` is no answer.
 * @param flagLines the lines that `--lines` names: then it asks only for a yes to them
 */
async function askForTicks(
  { terminal }: ApproveRun,
  flagLines: readonly number[] | undefined,
  question: PlanQuestion,
): Promise<readonly number[] | 'none'> {
  const width = questionWidth(terminal.stderr);
  const promptText = (words: string): string => `${wrapped(words, width).join('\n')} `;
  terminal.stderr.write(planText(question, terminal.stderr));
  if (flagLines === undefined) {
    const prompt = promptText('Which lines do you approve? Type their numbers such as 1,3-5, or all, or no for none:');
    const read = (answer: string) => (isNo(answer) ? [] : numbersNamed(answer, lineNumbers(question.askedLines)));
    return (await askLine(terminal, prompt, read, 'neither lines of the plan nor no')) ?? 'none';
  }
  const noun = flagLines.length === 1 ? 'line' : 'lines';
  const prompt = promptText(`Carry out ${noun} ${rangeWords(flagLines)}, and no other? Type yes or no:`);
  const read = (answer: string) => {
    if (answer === 'yes') return flagLines;
    return isNo(answer) ? [] : undefined;
  };
  return (await askLine(terminal, prompt, read, 'neither yes nor no')) ?? 'none';
}

/** Writes all that the page of the plan shows. */
function planText({ approval, view, askedLines, now, releases }: PlanQuestion, screen: NodeJS.WriteStream): string {
  const width = questionWidth(screen);
  const bold = (text: string): string => styleText('bold', text, { stream: screen });
  const lines = [
    '',
    ...(approval.nature === 'cancellation' ? [bold('CANNOT BE UNDONE')] : []),
    ...wrapped(approval.act, width).map(bold),
    ...view.sums.flatMap((sum) => wrapped(`All lines together: ${sumWords(sum)}.`, width, '  ')),
    ...askedLines.flatMap((line) => [
      '',
      ...planLineText(line, width, bold),
      ...releaseLines(line, releases).flatMap((words) => wrapped(words, width, '   ')),
    ]),
    ...view.leftOut.flatMap(({ title, why }) => wrapped(`Not in this plan: ${title}: ${why}`, width, '  ')),
    '',
    ...whoAndWhen(approval, width, now),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function planLineText(
  { n, title, reason, steps }: LineView,
  width: number,
  bold: (text: string) => string,
): readonly string[] {
  const money = lineMoney({ steps }).join('; ');
  return [
    ...wrapped(`${n}. ${title}`, width).map(bold),
    ...(reason === undefined ? [] : wrapped(reasonText(reason), width, '   ')),
    ...(money === '' ? [] : wrapped(money, width, '   ').map(bold)),
    ...steps.flatMap((step) => stepTerms(step, width, bold)),
  ];
}

/** The act of a step, and its terms below it. */
function stepTerms(
  { act, sections }: LineView['steps'][number],
  width: number,
  bold: (text: string) => string,
): readonly string[] {
  const terms = sections.flatMap(({ kind, lines }) => lines.map((line) => ({ line, isCaution: kind === 'caution' })));
  return [
    ...wrapped(act, width, '   '),
    ...terms.flatMap(({ line, isCaution }) =>
      isCaution ? wrapped(line, width, '   ! ').map(bold) : wrapped(line, width, '     '),
    ),
  ];
}

/** Decides, and prints each line as it ends. If this process ends before, another one goes on with the plan. */
async function carryOutPlan(
  run: ApproveRun,
  operationId: string,
  planId: string,
  ticked: readonly number[],
): Promise<DecisionOutcome> {
  const { clerk } = run.composed;
  const { stderr } = run.terminal;
  const outcome = await clerk.decide(operationId, ticked.length > 0, decider(run), ticked);
  if (outcome.kind !== 'pending') return outcome;
  const printed = new Set<number>();
  for (;;) {
    const view = await clerk.plan(planId);
    if (view === undefined) return outcome;
    for (const line of view.lines) {
      if (printed.has(line.n) || !ENDED_STATES.has(line.state)) continue;
      printed.add(line.n);
      stderr.write(`${wrapped(lineText(line), questionWidth(stderr)).join('\n')}\n`);
    }
    if (view.state !== 'running') return planOutcome(view);
    await new Promise((resolve) => setTimeout(resolve, PLAN_POLL_MS));
  }
}
