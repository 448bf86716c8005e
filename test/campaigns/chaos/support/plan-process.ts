/**
 * A clerk with plans in a process of its own, put together by the product's composition root from its environment. Orders come as
 * lines of JSON on stdin and are answered on stdout: IPC belongs to the crasher (crash-at.ts).
 */
import { createInterface } from 'node:readline';
import { composeClerk } from '../../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../../src/config/load.ts';
import { withWaits } from '../../support/waits.ts';

const composed = composeClerk(withWaits(readConfig(process.env)));
const { clerk, caller } = composed;
const HOW = { caller, canElicit: false, canOpenUrls: false };
await clerk.runtime();

export type Orders = typeof ORDERS;

const ORDERS = {
  up: async () => true,
  /** Proposes a line for each act, and asks. */
  async ask(acts: readonly { tool: string; args: Readonly<Record<string, unknown>> }[]) {
    const steps = acts.map(({ tool, args }) => ({ tool, arguments: args }));
    const proposed = await clerk.call('propose_plan', { steps }, HOW);
    const id = proposed.kind === 'result' ? String(proposed.structured.plan_id) : '';
    const view = await clerk.plan(id);
    if (view?.lines.length !== acts.length) throw new Error(`left out: ${JSON.stringify(view?.leftOut)}`);
    await clerk.call('run_plan', { plan_id: id }, HOW);
    const waiting = await clerk.waiting();
    return { plan: id, question: waiting[0]?.operationId ?? '', questions: waiting.length };
  },
  /** Calls a tool; its question, if it asks on the page. */
  async call({ tool, args }: { readonly tool: string; readonly args: object }) {
    const answer = await clerk.call(tool, args, HOW);
    const structured = answer.kind === 'result' ? answer.structured : {};
    return { structured, question: (await clerk.waiting())[0]?.operationId };
  },
  yes: (question: string) => clerk.decide(question, true, { caller, assurance: 'page' }),
  view: (plan: string) => clerk.plan(plan),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as { id: number; method: keyof Orders; params: never };
  ORDERS[method](params).then(
    (result) => process.stdout.write(`${JSON.stringify({ id, result })}\n`),
    (error) => {
      process.stderr.write(`${String(error).slice(0, 300)}\n`);
      process.exit(1);
    },
  );
});
process.stdin.once('end', () => void composed.close().then(() => process.exit(0)));
