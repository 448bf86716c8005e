/** `fareclerk call`: one tool call from the shell, through the same pipeline as a call over MCP. */

import type { Result } from '../../approvals/answer.ts';
import { isPlanQuestion } from '../../approvals/approval.ts';
import { handleHash } from '../../approvals/digest.ts';
import { type Config, UsageError } from '../../config/load.ts';
import { nearest } from '../../core/nearest-word.ts';
import { isObject } from '../../core/own.ts';
import { utcDay } from '../../core/times.ts';
import { VERSION } from '../../core/version.ts';
import { CATALOG } from '../../tools/index.ts';
import { plainTracer } from '../../tracing/tracer.ts';
import { readKeyValues, type ToolArguments } from '../call/key-values.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { toolSchemas } from '../runtime/schemas.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import type { Command, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { answerPlanOnPage } from '../terminal/plan-page.ts';
import { readSettings } from '../terminal/settings.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { askTyped, isInteractive, unanswered } from '../terminal/typed-yes.ts';
import { print } from '../terminal/window.ts';

/** Who approves: a person at this keyboard, `--yes` (sandbox only), or nobody here. */
type Approver = 'person' | 'yes' | 'nobody';

/** A tool and its arguments, as typed in the shell. */
interface ShellCall {
  readonly tool: string;
  readonly args: ToolArguments;
}

// Arguments.

function parseCall([tool, ...words]: readonly string[]): ShellCall {
  if (tool === undefined) {
    throw new UsageError(
      'call: expected a tool and its inputs: `fareclerk call TOOL key=value`. `fareclerk call --list` lists them.',
    );
  }

  const isJson = (word: string): boolean => /^\s*[[{"]/.test(word) || !word.includes('=');
  const json = words.find(isJson);
  if (json === undefined) return { tool, args: keyValues(tool, words) };

  if (words.length > 1) {
    throw new UsageError('call: expected inputs as key=value, or one JSON object alone, not both.');
  }

  return { tool, args: jsonObject(json) };
}

function keyValues(name: string, words: readonly string[]): ToolArguments {
  if (words.length === 0) return {};

  const tool = CATALOG.find((candidate) => candidate.name === name);
  if (tool !== undefined) return readKeyValues(words, toolSchemas().input(tool));

  const names = CATALOG.map((known) => known.name);
  const nearestName = nearest(name, names);
  throw new UsageError(
    `call: there is no such tool.${nearestName === undefined ? ' `fareclerk call --list` lists them.' : ` Nearest: ${nearestName}.`}`,
  );
}

function jsonObject(json: string): ToolArguments {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch {
    throw new UsageError('call: the inputs are not JSON. Put JSON in single quotes, or write key=value.');
  }

  if (isObject(args)) return args;

  throw new UsageError('call: expected the inputs as one JSON object, or as key=value.');
}

/** A person reads text, and a program reads JSON. The flags `--json` and `--text` override this. */
function wantsJson({ json, text }: Arguments<typeof COMMANDS.call.options>['flags'], { stdout }: Terminal): boolean {
  if (json && text) throw new UsageError('call: --json and --text are opposites.');
  return json === true || (text !== true && stdout.isTTY !== true);
}

// Calls, and who approves them.

function chooseApprover(yesFlag: boolean, terminal: Terminal): Approver {
  if (yesFlag) return 'yes';
  return isInteractive(terminal) ? 'person' : 'nobody';
}

/** A person here answers as strictly as on the approval page. `--yes` is not recorded as a person's yes. */
function withApprover(config: Config, approver: Approver): Config {
  if (approver === 'nobody') return config;
  if (approver === 'person') return { ...config, approval: 'page' };
  return { ...config, approval: 'echo', amounts: { ...config.amounts, pageAbove: undefined } };
}

interface ApprovedCall {
  readonly result: Result;
  /** The person gave no answer, so the approval stays pending. */
  readonly isUnanswered?: true;
}

/** Calls the tool, and once more with the approval if it is given here. */
async function callAndApprove(
  composed: Composed,
  request: ShellCall,
  approver: Approver,
  terminal: Terminal,
): Promise<ApprovedCall> {
  const { result, args } = await callWithDetails(composed, request, terminal);
  const handle = pendingHandle(result);
  if (handle === undefined || approver === 'nobody') return { result };
  if (approver === 'person' && !(await decideHere(composed, handle, terminal))) return { result, isUnanswered: true };
  const approvedCall = { ...request, args: { ...args, approval_id: handle } };
  return { result: await callTool(composed, approvedCall) };
}

interface OpenPage {
  readonly id: string;
  readonly url?: string;
}

/**
 * Calls the tool. Travellers may have to enter their details on a page that this process serves: then prints its address, and
 * calls again until all is entered or the page has expired.
 */
async function callWithDetails(composed: Composed, request: ShellCall, terminal: Terminal) {
  let { args } = request;
  let printedId: string | undefined;

  for (;;) {
    const result = await callTool(composed, { ...request, args });
    const { status, details } = result.structured as { status?: unknown; details?: OpenPage };
    if (status !== 'details_required' || details === undefined) return { result, args };
    if (printedId !== details.id) terminal.stderr.write(`${pageText(details)}\n`);
    printedId = details.id;
    args = { ...args, details: details.id };
  }
}

function pageText({ url }: OpenPage): string {
  return `Enter names and documents on this page: ${url}\nThis command waits, and then goes on. Ctrl-C: nothing is sent.`;
}

async function callTool({ clerk, caller }: Composed, { tool, args }: ShellCall): Promise<Result> {
  const client = { name: 'fareclerk call', version: VERSION };
  const callOptions = { caller, client, canElicit: false, canOpenUrls: false };
  const answer = await clerk.call(tool, args, callOptions);
  if (answer.kind === 'result') return answer;
  throw new Error('the clerk asked a client that cannot show dialogs');
}

/** The handle of the approval that the result waits for; undefined if it waits for none. */
function pendingHandle({ structured }: Result): string | undefined {
  const { status, approval } = structured as { status?: unknown; approval?: { id?: unknown } };
  return status === 'approval_required' && typeof approval?.id === 'string' ? approval.id : undefined;
}

/** Shows the terms, and decides as the person types; opens the page of a plan. Returns false if they gave no answer: the approval stays pending. */
async function decideHere({ clerk, caller }: Composed, handle: string, terminal: Terminal): Promise<boolean> {
  const { state, clock } = await clerk.runtime();
  const approval = await state.approvals.get(handleHash(handle));
  if (approval === undefined) return true;

  if (isPlanQuestion(approval)) {
    const { title } = await answerPlanOnPage(clerk, approval, terminal);
    terminal.stderr.write(`${title}\n`);
    return true;
  }

  const { operationId } = approval;
  const typedAnswer = await askTyped(terminal, approval, clock.now());
  if (typedAnswer === 'none') {
    const { title, lines } = unanswered(operationId);
    const { typed = String } = clerk.options;
    terminal.stderr.write(typed(`${title}. ${lines.join(' ')}\n`));
    return false;
  }

  const outcome = await clerk.decide(operationId, typedAnswer === 'yes', { caller, assurance: 'page' });
  terminal.stderr.write(`${outcome.title}\n`);

  return true;
}

// The list of tools, and the command.

async function listTools(config: Config, terminal: Terminal, json: boolean): Promise<0> {
  const { toolList, toolRecord } = await import('../call/tool-help.ts');
  const composed = composeClerk(config);
  const { tools } = composed.clerk;
  print({ terminal, json }, tools.map(toolRecord), toolList(tools));
  await composed.close();
  return 0;
}

export const call: Command = {
  about: `usage: fareclerk call TOOL [key=value … | JSON] [options]
       fareclerk call --list

Calls one tool and prints its result: text in a terminal, JSON in a pipe or a
file. Exit 1 on a tool error.

If a person must approve, it shows the terms and asks for the locator. Ctrl-C
leaves the question pending, with exit 1. In the sandbox, where nobody can be
asked, a second call with approval_id counts as the approval, and so does --yes.
The result then says "approved by nobody: sandbox".

With details=page it prints the address of a page for names and documents, and
waits until all is entered.

  fareclerk call --list                 the tools
  fareclerk call search_fares --help    one tool: inputs, limits, an example
  fareclerk call list_routes from=QCA
  fareclerk call pay_booking locator=ABC123 payment='{"type": "invoice"}' --yes
  fareclerk call search_fares '{"passengers": {"adults": 2},
      "legs": [{"from": "QCA", "to": "XMD", "date": "2026-12-10"}]}'
`,

  async helpFor(argv) {
    const tool = CATALOG.find(({ name }) => argv.includes(name));
    if (tool === undefined) return undefined;
    const { toolHelp } = await import('../call/tool-help.ts');
    return toolHelp(tool, utcDay(Date.now()));
  },

  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.call);
    const { flags, positionals } = args;
    const json = wantsJson(flags, terminal);

    if (flags.list) {
      if (positionals.length > 0)
        throw new UsageError('call: --list stands alone. `fareclerk call TOOL --help` describes a tool.');
      // A pipe gets text, too: people filter the list.
      return listTools(readSettings(terminal, args), terminal, flags.json === true);
    }

    const request = parseCall(positionals);
    const config = readSettings(terminal, args);
    if (flags.yes && config.environment !== 'sandbox') {
      throw new UsageError('--yes: in the sandbox only. With a real airline you type the locator.');
    }

    const approver = chooseApprover(flags.yes === true, terminal);
    const composed = composeClerk(withApprover(config, approver), {
      localPages: 'details',
      typed: typedCommands(terminal, config),
    });

    try {
      const { tracer = plainTracer } = composed.clerk.options;
      const { result, isUnanswered } = await tracer.span({ name: 'fareclerk call' }, () =>
        callAndApprove(composed, request, approver, terminal),
      );
      const { structured, text, isError, meta } = result;
      print({ terminal, json }, { ...structured, _meta: meta }, `${text}\n`);

      // A late reply of the airline is the best evidence of what happened.
      await composed.clerk.idle();
      return isError || isUnanswered ? 1 : 0;
    } finally {
      await composed.close();
    }
  },
};
