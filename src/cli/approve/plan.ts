/** A plan in the terminal: all of its lines, which ones are to be done, and what becomes of them. */
import { styleText } from 'node:util';
import { lineMoney, rangeWords, reasonText, sumWords } from '../../approvals/plans/line-words.ts';
import type { LineView, PlanView } from '../../approvals/plans/plan.ts';
import { releaseOf, releaseWords } from '../../approvals/plans/release-words.ts';
import { lineText, planOutcome } from '../../approvals/plans/words.ts';
import type { Approval } from '../../approvals/ports.ts';
import { UsageError } from '../../config/problem.ts';
import type { ExitCode } from '../commands/command.ts';
import { whoAndWhen, widthOf, wrapped } from '../terminal/question-text.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askLine, isNo, unanswered } from '../terminal/typed-yes.ts';
import { print, windowOf } from '../terminal/window.ts';
import type { Pending, Run } from './pending.ts';

const LOOK_MS = 500;

/** Asks here, waits until the plan is carried out, and prints what became of its lines. @param id of the plan */
export async function decidePlan(run: Run, { approval, leftMs }: Pending, id: string): Promise<ExitCode> {
  const { clerk } = run.composed;
  const view = await clerk.plan(id);
  const asked = (view?.lines ?? []).filter(({ state }) => state === 'asked');
  const lines = run.lines === undefined ? undefined : linesNamed(run.lines, asked);
  if (run.lines !== undefined && lines === undefined) {
    throw new UsageError(
      `--lines: expected lines of the plan, such as 1,3-5. Asked are ${rangeWords(asked.map(({ n }) => n))}.`,
    );
  }
  if (view === undefined) throw new UsageError('approve: this plan is no longer kept.');
  const now = approval.expiresAt - leftMs;
  const ticked =
    run.flag === undefined
      ? await askWhich(run, { approval, view, asked, lines, now, releases: await releasesOf(run, id) })
      : byFlag(run.flag, asked, lines);
  const { operationId } = approval;
  const outcome =
    ticked === undefined
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await carriedOut(run, operationId, id, ticked);
  const { kind, title, lines: words } = outcome;
  const width = windowOf(run.terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const text = [title, ...words.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
  print(run, { operation_id: operationId, plan_id: id, outcome: kind, title, lines: words }, text);
  return kind === 'unanswered' || kind === 'unknown' ? 1 : 0;
}

function byFlag(yes: boolean, asked: readonly LineView[], lines: readonly number[] | undefined): readonly number[] {
  return yes ? (lines ?? asked.map(({ n }) => n)) : [];
}

/** `1,3-5` or `all`; undefined for anything else, or a line that is not asked. In order, each once. */
export function linesNamed(text: string, asked: readonly Pick<LineView, 'n'>[]): readonly number[] | undefined {
  const open = asked.map(({ n }) => n);
  if (text.trim() === 'all') return open;
  const named = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,2})(?:\s*-\s*(\d{1,2}))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from)) return undefined;
    for (let n = Number(from); n <= Number(to); n++) named.add(n);
  }
  return [...named].every((n) => open.includes(n)) ? open.filter((n) => named.has(n)) : undefined;
}

interface Asking {
  readonly approval: Approval;
  readonly view: PlanView;
  readonly asked: readonly LineView[];
  /** Chosen with `--lines`. */
  readonly lines: readonly number[] | undefined;
  readonly now: number;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

async function releasesOf({ composed }: Run, id: string): Promise<ReadonlyMap<number, string>> {
  const plan = await (await composed.state()).plans.get(id);
  return releaseWords(plan?.body?.lines ?? []);
}

/** Empty for a no; undefined without an answer. */
async function askWhich(run: Run, asking: Asking): Promise<readonly number[] | undefined> {
  const { terminal } = run;
  const { asked, lines } = asking;
  terminal.stderr.write(planText(asking, terminal.stderr));
  const width = widthOf(terminal.stderr);
  if (lines === undefined) {
    const line = 'Which lines are to be done? Type their numbers, such as 1,3-5, or all; no for none:';
    const read = (answer: string) => (isNo(answer) ? [] : linesNamed(answer, asked));
    return askLine(terminal, `${wrapped(line, width).join('\n')} `, read, 'neither lines of the plan nor no');
  }
  const line = `Carry out ${lines.length === 1 ? 'line' : 'lines'} ${rangeWords(lines)}, and no other? Type yes or no:`;
  const read = (answer: string) => (answer === 'yes' ? lines : isNo(answer) ? [] : undefined);
  return askLine(terminal, `${wrapped(line, width).join('\n')} `, read, 'neither yes nor no');
}

/** All that the page shows. */
function planText({ approval, view, asked, now, releases }: Asking, screen: NodeJS.WriteStream): string {
  const width = widthOf(screen);
  const bold = (text: string): string => styleText('bold', text, { stream: screen });
  const lines = [
    '',
    ...(approval.nature === 'cancellation' ? [bold('CANNOT BE UNDONE')] : []),
    ...wrapped(approval.act, width).map(bold),
    ...view.sums.flatMap((sum) => wrapped(`All lines together: ${sumWords(sum)}.`, width, '  ')),
    ...asked.flatMap((line) => [
      '',
      ...lineLines(line, width, bold),
      ...releaseOf(line, releases).flatMap((words) => wrapped(words, width, '   ')),
    ]),
    ...view.leftOut.flatMap(({ title, why }) => wrapped(`Not in this plan: ${title}: ${why}`, width, '  ')),
    '',
    ...whoAndWhen(approval, width, now),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function lineLines(
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

/** Tells each line as it ends. If this process ends before, another one goes on with the plan. */
async function carriedOut(
  { composed, terminal, flag }: Run,
  operationId: string,
  id: string,
  ticked: readonly number[],
) {
  const { clerk, caller } = composed;
  const by = { caller, assurance: flag === undefined ? 'page' : 'caller_confirmed' } as const;
  const outcome = await clerk.decide(operationId, ticked.length > 0, by, ticked);
  if (outcome.kind !== 'pending') return outcome;
  const told = new Set<number>();
  for (;;) {
    const view = await clerk.plan(id);
    if (view === undefined) return outcome;
    for (const line of view.lines) {
      if (told.has(line.n) || !ENDS.has(line.state)) continue;
      told.add(line.n);
      terminal.stderr.write(`${wrapped(lineText(line), widthOf(terminal.stderr)).join('\n')}\n`);
    }
    if (view.state !== 'running') return planOutcome(view);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const ENDS: ReadonlySet<LineView['state']> = new Set(['done', 'skipped', 'needs_person', 'asks_again']);
