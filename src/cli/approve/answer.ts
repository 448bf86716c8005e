/** Answers one question in the terminal, and shows what became of it. */
import { ticketLine } from '../../approvals/outcome-words.ts';
import { isPlanQuestion } from '../../approvals/ports.ts';
import type { DecisionOutcome } from '../../approvals/status.ts';
import { UsageError } from '../../config/problem.ts';
import type { ExitCode } from '../commands/command.ts';
import { wrapped } from '../terminal/question-text.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askTyped, unanswered } from '../terminal/typed-yes.ts';
import { print, windowOf } from '../terminal/window.ts';
import type { Pending, Run } from './pending.ts';

/** Decides, and waits for a late reply of the airline: it is the best evidence. */
async function press({ composed, terminal, flag }: Run, id: string, yes: boolean): Promise<DecisionOutcome> {
  const { clerk, caller } = composed;
  // A flag (sandbox only) does not prove that a person read the terms.
  const by = { caller, assurance: flag === undefined ? 'page' : 'caller_confirmed' } as const;
  const outcome = await clerk.decide(id, yes, by);
  if (outcome.kind !== 'pending') return outcome;
  terminal.stderr.write(`${outcome.title}. Waiting for the airline's answer…\n`);
  await clerk.idle();
  return clerk.decide(id, yes, by);
}

const GOOD: ReadonlySet<DecisionOutcome['kind'] | 'unanswered'> = new Set(['done', 'declined', 'pending']);

/** Asks here, carries the answer out, and prints what became of it. */
export async function decidePending(run: Run, pending: Pending): Promise<ExitCode> {
  const { approval, leftMs } = pending;
  const { operationId } = approval;
  if (isPlanQuestion(approval)) return (await import('./plan.ts')).decidePlan(run, pending, approval.part.plan);
  if (run.lines !== undefined)
    throw new UsageError('approve: --lines goes with a plan, and this is a single question.');
  const yes = run.flag ?? (await askTyped(run.terminal, approval, approval.expiresAt - leftMs));
  const outcome =
    yes === undefined
      ? unanswered(operationId, typedCommands(run.terminal, run.config))
      : await press(run, operationId, yes);
  const { kind, title } = outcome;
  const tickets = 'tickets' in outcome ? outcome.tickets.map(ticketLine) : [];
  const lines = [...outcome.lines, ...tickets];
  const width = windowOf(run.terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const words = [title, ...lines.flatMap((line) => wrapped(line, width, '  ')), ''].join('\n');
  print(run, { operation_id: operationId, outcome: kind, title, lines }, words);
  return GOOD.has(kind) ? 0 : 1;
}
