/**
 * A clerk with plans in a process of its own, put together by the product's composition root from its environment. Orders come as
 * lines of JSON on stdin and are answered on stdout: IPC belongs to the crasher (crash-at.ts).
 */
import { createInterface } from 'node:readline';
import type { PlanView } from '../../../../src/approvals/plans/plan.ts';
import { composeClerk } from '../../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../../src/config/load.ts';
import { planParts, plansFor } from '../../../../src/server/plans.ts';

export type PlanOrder =
  /** Proposes a line for each act, and asks. */
  | { readonly ask: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[] }
  | { readonly yes: string }
  | { readonly view: string };

export type PlanReport =
  | { readonly up: true }
  | { readonly plan: string; readonly question: string; readonly questions: number }
  | { readonly outcome: string }
  | { readonly view: PlanView | undefined };

const composed = composeClerk(readConfig(process.env));
const { clerk, caller } = composed;
const ready = await clerk.parts();

async function obey(order: PlanOrder): Promise<PlanReport> {
  if ('ask' in order) {
    const plans = plansFor(planParts(clerk.options, ready), { caller });
    const lines = order.ask.map(({ tool, args }) => ({
      title: tool,
      locator: String(args.locator),
      steps: [{ tool, args }],
    }));
    const { id, leftOut } = await plans.propose(lines, [], async () => new Map());
    if (leftOut.length > 0) throw new Error(`left out: ${JSON.stringify(leftOut)}`);
    await clerk.call('run_plan', { plan_id: id }, { caller, canElicit: false, canOpenUrls: false });
    const waiting = await clerk.waiting();
    return { plan: id, question: waiting[0]?.operationId ?? '', questions: waiting.length };
  }
  if ('yes' in order) {
    const { kind } = await clerk.decide(order.yes, true, { caller, assurance: 'page' });
    return { outcome: kind };
  }
  return { view: await clerk.plan(order.view) };
}

const say = (report: PlanReport) => process.stdout.write(`${JSON.stringify(report)}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  obey(JSON.parse(line) as PlanOrder).then(say, (error) => {
    process.stderr.write(`${String(error).slice(0, 300)}\n`);
    process.exit(1);
  });
});
process.stdin.once('end', () => void composed.close().then(() => process.exit(0)));
say({ up: true });
