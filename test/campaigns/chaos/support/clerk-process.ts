/**
 * A clerk in a process of its own, put together by the product's composition root from its environment, and told over
 * IPC what to call: for proofs in which several processes share one state folder.
 */

import type { Answer } from '../../../../src/approvals/answer.ts';
import { composeClerk } from '../../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../../src/config/load.ts';
import { codeOf, yesTo } from '../../support/office.ts';
import { inParallel } from '../../support/pace.ts';

/** The same yes to the same question, again and again. */
export interface Presenting {
  readonly present: {
    readonly tool: string;
    readonly args: object;
    readonly handle: string;
    readonly raw: unknown;
    readonly times: number;
    readonly width: number;
  };
}

/** A question for each, answered yes. */
export interface Acting {
  readonly act: { readonly tool: string; readonly args: readonly object[]; readonly width: number };
}

/** A question, for another process to answer. */
export interface Asking {
  readonly ask: { readonly tool: string; readonly args: object };
}

export type Order = Presenting | Acting | Asking;

export interface Heard {
  readonly code: string;
  readonly operationId?: string;
  readonly text: string;
}

export type Report =
  | { readonly up: true }
  | { readonly heard: readonly Heard[] }
  | { readonly handle: string; readonly raw: unknown };

const composed = composeClerk(readConfig(process.env));
const how = { caller: composed.caller, canElicit: true, canOpenUrls: false };

function heard(answer: Answer): Heard {
  const code = codeOf(answer);
  if (answer.kind !== 'result') return { code, text: '' };
  const { operation_id: operationId } = answer.structured as { operation_id?: string };
  return { code, text: answer.text, ...(operationId !== undefined && { operationId }) };
}

async function question(tool: string, args: object) {
  const answer = await composed.clerk.call(tool, args, how);
  return answer.kind === 'ask' ? { handle: answer.handle, raw: yesTo(answer) } : answer;
}

async function obey(order: Order): Promise<Report> {
  if ('ask' in order) {
    const asked = await question(order.ask.tool, order.ask.args);
    if ('kind' in asked) throw new Error(`did not ask: ${codeOf(asked)}`);
    return asked;
  }
  if ('present' in order) {
    const { tool, args, handle, raw, times, width } = order.present;
    const turns = Array.from({ length: times }, (_, i) => i);
    const call = () => composed.clerk.call(tool, args, { ...how, dialog: { handle, raw } });
    return { heard: await inParallel(turns, width, async () => heard(await call())) };
  }
  const { tool, args, width } = order.act;
  const each = async (one: object) => {
    const asked = await question(tool, one);
    if ('kind' in asked) return heard(asked);
    return heard(await composed.clerk.call(tool, one, { ...how, dialog: asked }));
  };
  return { heard: await inParallel(args, width, each) };
}

process.on('message', (order: Order) => {
  obey(order).then(
    (report) => process.send?.(report),
    (error) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => void composed.clerk.idle().then(() => composed.close()));
await composed.clerk.parts();
process.send?.({ up: true } satisfies Report);
