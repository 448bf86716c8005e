/** `fareclerk call`: one tool call from the shell, through the same pipeline as a call over MCP. */

import type { Result } from '../../approvals/answer.ts';
import { handleHash } from '../../approvals/digest.ts';
import { type Config, UsageError } from '../../config/load.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { readArguments, readOneShotConfig } from '../terminal/arguments.ts';
import { progressOn } from '../terminal/progress.ts';
import { askTyped, isInteractive, unanswered } from '../terminal/typed-yes.ts';
import { print } from '../terminal/window.ts';
import type { Command, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

/** Who approves: a person at this keyboard, `--yes` (sandbox only), or nobody here. */
type Approver = 'person' | 'yes' | 'nobody';

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

function parseCall([tool, json = '{}']: readonly string[]): Call {
  if (tool === undefined) throw new UsageError(`call: expected a tool and its arguments: fareclerk call TOOL '{…}'.`);
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch {
    throw new UsageError('call: the arguments are not JSON. Put them in single quotes.');
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new UsageError('call: expected the arguments as one JSON object.');
  }
  return { tool, args: { ...args } };
}

/** A person here answers as strictly as on the approval page. `--yes` is not recorded as a person's yes. */
function withApprover(config: Config, approver: Approver): Config {
  if (approver === 'nobody') return config;
  if (approver === 'person') return { ...config, approval: 'page' };
  const { pageAbove: _above, ...amounts } = config.amounts;
  return { ...config, approval: 'echo', amounts };
}

function waitingApproval({ structured }: Result): string | undefined {
  const { status, approval } = structured as { status?: unknown; approval?: { id?: unknown } };
  return status === 'approval_required' && typeof approval?.id === 'string' ? approval.id : undefined;
}

/** Shows the terms and decides as typed. Returns false if the person gave no answer; the approval stays pending. */
async function decideHere({ clerk, caller }: Composed, handle: string, terminal: Terminal): Promise<boolean> {
  const { state } = await clerk.parts();
  const approval = await state.approvals.get(handleHash(handle));
  if (approval === undefined) return true;
  const { operationId } = approval;
  const yes = await askTyped(terminal, approval);
  if (yes === undefined) {
    const { title, lines } = unanswered(operationId);
    terminal.stderr.write(`${title}. ${lines.join(' ')}\n`);
    return false;
  }
  const outcome = await clerk.decide(operationId, yes, { caller, assurance: 'page' });
  terminal.stderr.write(`${outcome.title}\n`);
  return true;
}

/** `left`: the person gave no answer here. */
async function carryOut(
  composed: Composed,
  call: Call,
  approver: Approver,
  terminal: Terminal,
): Promise<{ result: Result; left?: true }> {
  const { clerk, caller } = composed;
  const once = async (args: Call['args']): Promise<Result> => {
    const { show, end } = progressOn(terminal);
    const how = { caller, canElicit: false, canOpenUrls: false, progress: show };
    const answer = await clerk.call(call.tool, args, how).finally(end);
    if (answer.kind === 'result') return answer;
    throw new Error('the clerk asked a client that cannot show dialogs');
  };
  const first = await once(call.args);
  const handle = waitingApproval(first);
  if (handle === undefined || approver === 'nobody') return { result: first };
  if (approver === 'person' && !(await decideHere(composed, handle, terminal))) return { result: first, left: true };
  return { result: await once({ ...call.args, approval_id: handle }) };
}

export const call: Command = {
  about: `usage: fareclerk call TOOL [JSON] [options]

Calls one tool and prints its result as JSON on stdout. Exit 1 on a tool error.
If a person must approve, it shows the terms and asks for the locator. Ctrl-C is
no answer: the question stays, exit 1.

  fareclerk call list_routes
  fareclerk call search_fares '{"legs": [{"from": "QCA", "to": "XMD",
      "date": "2026-12-10"}], "passengers": {"adults": 1}}'
  fareclerk call pay_booking '{"locator": "ABC123",
      "payment": {"type": "invoice"}}' --yes
`,
  async run(argv, terminal) {
    const { own, positionals, settings } = readArguments(argv, COMMANDS.call);
    const request = parseCall(positionals);
    const config = readOneShotConfig(terminal, settings);
    if (own.yes && config.environment !== 'sandbox') {
      throw new UsageError('--yes: in the sandbox only. With a real airline a person types the locator.');
    }
    const approver = own.yes ? 'yes' : isInteractive(terminal) ? 'person' : 'nobody';
    const composed = composeClerk(withApprover(config, approver));
    try {
      const { result, left } = await carryOut(composed, request, approver, terminal);
      const { structured, text, isError } = result;
      print({ terminal, json: !own.text }, structured, `${text}\n`);
      // A late reply of the airline is the best evidence of what happened.
      await composed.clerk.idle();
      return isError || left ? 1 : 0;
    } finally {
      await composed.close();
    }
  },
};
