/** `fareclerk approve` lists pending approvals, and asks in the terminal what the approval page asks. It opens the page of a plan. */

import { type Approval, isPlanQuestion, type PlanApproval } from '../../approvals/approval.ts';
import { actSentence } from '../../approvals/asked-act.ts';
import type { DecisionOutcome } from '../../approvals/outcome-words.ts';
import { ticketLine } from '../../approvals/outcome-words.ts';
import { termsLines } from '../../approvals/question-document.ts';
import { type Config, UsageError } from '../../config/load.ts';
import type { State } from '../../store/state.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { storeNow } from '../runtime/open-state.ts';
import { hasState } from '../runtime/program.ts';
import { onlyBeginning, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { answerPlanOnPage } from '../terminal/plan-page.ts';
import { printable, wrapped } from '../terminal/question-text.ts';
import { readSettings } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askTyped, isInteractive, unanswered } from '../terminal/typed-yes.ts';
import { hint, print, windowWidth } from '../terminal/window.ts';

/** Outcomes after which the command exits with 0: the answer was accepted, even if the airline has not answered yet. */
const SUCCESSFUL: ReadonlySet<DecisionOutcome['kind'] | 'unanswered'> = new Set(['done', 'declined', 'pending']);

const TITLES = ['operation', 'booking', 'left', 'act'] as const;

/** One call of `fareclerk approve`. */
interface ApproveRun {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
}

/** A pending approval, and the milliseconds that are left for its answer. */
interface PendingApproval {
  readonly approval: Approval;
  readonly leftMs: number;
}

export const approve: Command = {
  about: `usage: fareclerk approve [ID] [options]

Lists pending approvals. With an ID, shows what is asked. To approve, type the
locator of the booking. To decline, type no. Ctrl-C leaves the approval pending.
Needs a terminal. The page of a plan opens in the browser.

  fareclerk approve           lists them; asks at once if it is only one
  fareclerk approve 1f2e3d4c  one of them (a beginning of its id)

Exit code: 0 the answer was accepted, 1 nothing was done, 2 bad usage.
`,
  async run(argv, terminal): Promise<ExitCode> {
    const args = readArguments(argv, COMMANDS.approve);
    const [id] = args.positionals;
    const config = readSettings(terminal, args);
    const composed = composeClerk(config);
    const run: ApproveRun = { config, composed, terminal, json: args.flags.json === true };

    try {
      return id === undefined ? await listPending(run) : await approveNamed(run, id);
    } finally {
      await composed.close();
    }
  },
};

/** @param id a whole id, or a beginning that only one has */
async function approveNamed(run: ApproveRun, id: string): Promise<ExitCode> {
  if (!isInteractive(run.terminal)) throw new UsageError('approve: you must answer in a terminal.');

  const pending = await callersPending(run);
  const named = onlyBeginning(pending, ({ approval }) => approval.operationId, id);
  if (named !== undefined) return decidePending(run, named);

  hint(
    run,
    'fareclerk: no single pending approval begins with that id. It may be answered or expired. `fareclerk approve` lists them.\n',
  );

  return 1;
}

/** Lists the pending approvals. Asks at once if there is only one, and a person is at the keyboard. */
async function listPending(run: ApproveRun): Promise<ExitCode> {
  const pending = await callersPending(run);
  const rows = [TITLES, ...pending.map(pendingRow)];
  const words = pending.length === 0 ? 'No approvals are pending.\n' : table(rows);
  print(run, pending.map(pendingRecord), words);
  const [first] = pending;
  const asksAtOnce = pending.length === 1 && !run.json && isInteractive(run.terminal);
  return first !== undefined && asksAtOnce ? decidePending(run, first) : 0;
}

/** The pending approvals of this OS user and state folder, oldest first: nobody may answer another caller's approvals. */
async function callersPending({ config, composed }: ApproveRun): Promise<readonly PendingApproval[]> {
  if (!hasState(config)) return [];
  const { tenant, id } = composed.caller;
  const pending = await readPending(await composed.state());
  return pending.filter(({ approval }) => approval.tenant === tenant && approval.caller === id);
}

async function readPending(state: State): Promise<readonly PendingApproval[]> {
  const now = storeNow(state);
  const approvals = await state.approvals.waiting(now);
  return approvals.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}

function pendingRow({ approval, leftMs }: PendingApproval): readonly string[] {
  return [approval.operationId, approval.locator ?? '-', leftText(leftMs), String(actSentence(approval.act))].map(
    printable,
  );
}

/** `9:58` */
function leftText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function pendingRecord({ approval }: PendingApproval) {
  const { operationId, act, locator, client, expiresAt, part } = approval;
  return {
    operation_id: operationId,
    act: actSentence(act),
    locator,
    client,
    plan_id: part?.plan,
    terms: termsLines(approval),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/** Asks here, carries the answer out, and prints the outcome. */
async function decidePending(run: ApproveRun, pending: PendingApproval): Promise<ExitCode> {
  const { approval, leftMs } = pending;
  const { operationId } = approval;
  if (isPlanQuestion(approval)) return decidePlan(run, approval);

  const answer = await askTyped(run.terminal, approval, approval.expiresAt - leftMs);
  const outcome = answer === 'none' ? unanswered(operationId) : await decideAndWait(run, operationId, answer);
  const { kind, title } = outcome;

  const tickets = 'tickets' in outcome ? (outcome.tickets ?? []).map(ticketLine) : [];
  const lines = [...outcome.lines, ...tickets];
  const typedLines = lines.map(typedCommands(run.terminal, run.config));
  print(run, { operation_id: operationId, outcome: kind, title, lines: typedLines }, outcomeText(run, title, lines));

  return SUCCESSFUL.has(kind) ? 0 : 1;
}

/** Decides, and waits for a late reply of the airline: it is the best evidence. */
async function decideAndWait(run: ApproveRun, operationId: string, answer: 'yes' | 'no'): Promise<DecisionOutcome> {
  const isYes = answer === 'yes';
  const { clerk, caller } = run.composed;
  const decider = { caller, assurance: 'page' } as const;
  const outcome = await clerk.decide(operationId, isYes, decider);
  if (outcome.kind !== 'pending') return outcome;

  run.terminal.stderr.write(`${outcome.title}. Waiting for the airline's answer…\n`);
  await clerk.idle();

  return clerk.decide(operationId, isYes, decider);
}

function outcomeText({ terminal }: ApproveRun, title: string, lines: readonly string[]): string {
  const width = windowWidth(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  return [title, ...lines.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
}

/** Opens the page of a plan, and prints the outcome of each line. */
async function decidePlan(run: ApproveRun, approval: PlanApproval): Promise<ExitCode> {
  const { kind, title, lines } = await answerPlanOnPage(run.composed.clerk, approval, run.terminal);
  const record = { operation_id: approval.operationId, plan_id: approval.part.plan, outcome: kind, title, lines };
  print(run, record, outcomeText(run, title, lines));
  return kind === 'unknown' ? 1 : 0;
}
