/**
 * `fareclerk approve`: the approval page's twin in a terminal. Lists what waits for a person's yes; shows the terms,
 * asks for the typed locator, decides and carries it out.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Approval } from '../../approvals/ports.ts';
import type { DecisionOutcome } from '../../approvals/status.ts';
import { type Config, UsageError } from '../../config/load.ts';
import type { State } from '../../store/state.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { readArguments } from '../terminal/arguments.ts';
import { settingsHelp } from '../terminal/help.ts';
import { readOneShotConfig } from '../terminal/one-shot.ts';
import { table, windowOf } from '../terminal/table.ts';
import { askTyped, isInteractive, type Unanswered, unanswered } from '../terminal/typed-yes.ts';
import type { Command, ExitCode, Terminal } from './command.ts';

interface Run {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** `--yes` or `--no`: in the sandbox only. */
  readonly flag: boolean | undefined;
}

/** A question, and how long it can still be answered, milliseconds. */
interface Waiting {
  readonly approval: Approval;
  readonly leftMs: number;
}

async function questionsIn(state: State): Promise<readonly Waiting[]> {
  const now = state.clock?.now() ?? Date.now();
  const open = await state.approvals.waiting(now);
  return open.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}

/** Questions of this OS user and state folder, oldest first; another caller's are not this person's to answer. */
async function waiting({ config, composed }: Run): Promise<readonly Waiting[]> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return [];
  const { caller } = composed;
  const open = await questionsIn(await composed.state());
  return open.filter(({ approval }) => approval.tenant === caller.tenant && approval.caller === caller.id);
}

/** The settings are often known to the host alone, which started the server that asked. */
async function hintAtOthers({ config, composed: { caller }, terminal }: Run): Promise<void> {
  const { directory, file, databaseUrl } = config.state;
  const folder = config.environment === 'sandbox' ? dirname(directory) : join(directory, 'sandbox');
  const other = join(folder, basename(file));
  if (databaseUrl !== undefined || !existsSync(other)) return;
  const { openSqliteState } = await import('../../store/sqlite/state.ts');
  const state = await openSqliteState(other);
  const open = await questionsIn(state).finally(() => state.close());
  if (!open.some(({ approval }) => approval.caller === caller.id && approval.tenant !== caller.tenant)) return;
  terminal.stderr.write(
    'fareclerk: a question waits under other settings. Run this with the settings of the server that asked.\n',
  );
}

function record({ approval }: Waiting) {
  return {
    operation_id: approval.operationId,
    act: approval.act,
    ...(approval.locator !== undefined && { locator: approval.locator }),
    terms: approval.lines,
    expires_at: new Date(approval.expiresAt).toISOString(),
  };
}

const TITLES = ['operation', 'booking', 'left', 'act'] as const;
/** A beginning of the id is enough to name it; all else is read as it stands. */
const WHOLE = [1, 2, 3];

function row({ approval, leftMs }: Waiting): readonly string[] {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return [approval.operationId, approval.locator ?? '-', left, approval.act].map(printable);
}

/** What a terminal would act on is not printed, whatever let it through so far. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

function list({ terminal, json }: Run, open: readonly Waiting[]): void {
  if (json) terminal.stdout.write(`${JSON.stringify(open.map(record), undefined, 2)}\n`);
  else if (open.length === 0) terminal.stdout.write('Nothing waits for approval.\n');
  else terminal.stdout.write(table([TITLES, ...open.map(row)], windowOf(terminal.stdout), WHOLE));
}

/** By whole id, or by the beginning of one where only one begins so. */
function pick(open: readonly Waiting[], id: string): Approval | undefined {
  const near = open.filter(({ approval }) => approval.operationId.startsWith(id.toLowerCase()));
  return near.length === 1 ? near[0]?.approval : undefined;
}

/** Undefined: the person left. */
async function answer({ terminal, flag }: Run, { act, lines, locator }: Approval): Promise<boolean | undefined> {
  if (flag !== undefined) return flag;
  const shown = { act: printable(act), lines: lines.map(printable) };
  return askTyped(terminal, { ...shown, ...(locator !== undefined && { locator }) });
}

/** Decides, and waits for an answer of the airline that is late: it is the surest evidence there is. */
async function press({ composed, terminal, flag }: Run, id: string, yes: boolean): Promise<DecisionOutcome> {
  const { clerk, caller } = composed;
  // A flag is the word of whoever wrote it (sandbox only), not a look at the terms.
  const by = { caller, assurance: flag === undefined ? 'page' : 'caller_confirmed' } as const;
  const outcome = await clerk.decide(id, yes, by);
  if (outcome.kind !== 'pending') return outcome;
  terminal.stderr.write(`${outcome.title}. Waiting for the airline's answer…\n`);
  await clerk.idle();
  return clerk.decide(id, yes, by);
}

const GOOD: ReadonlySet<(DecisionOutcome | Unanswered)['kind']> = new Set(['done', 'declined', 'pending']);

async function decide(run: Run, approval: Approval): Promise<ExitCode> {
  const { terminal, json } = run;
  const { operationId } = approval;
  const yes = await answer(run, approval);
  const { kind, title, lines } = yes === undefined ? unanswered(operationId) : await press(run, operationId, yes);
  const told = { operation_id: operationId, outcome: kind, title, lines };
  const words = `${[title, ...lines.map((line) => `  ${printable(line)}`)].join('\n')}\n`;
  terminal.stdout.write(json ? `${JSON.stringify(told, undefined, 2)}\n` : words);
  return GOOD.has(kind) ? 0 : 1;
}

async function one(run: Run, id: string): Promise<ExitCode> {
  assertCanAnswer(run);
  const approval = pick(await waiting(run), id);
  if (approval !== undefined) return decide(run, approval);
  run.terminal.stderr.write(
    'fareclerk: no one question that waits begins with that id. It may be answered or lapsed; `fareclerk approve` lists them.\n',
  );
  await hintAtOthers(run);
  return 1;
}

async function all(run: Run): Promise<ExitCode> {
  const open = await waiting(run);
  list(run, open);
  if (open.length === 0) await hintAtOthers(run);
  const [only] = open;
  const asks = only !== undefined && open.length === 1 && !run.json && isInteractive(run.terminal);
  return asks ? decide(run, only.approval) : 0;
}

/** Who may answer: a person at a keyboard, or in the sandbox a flag. */
function assertCanAnswer({ terminal, flag }: Run): void {
  if (flag !== undefined || isInteractive(terminal)) return;
  throw new UsageError('approve: a person must answer, in a terminal. In the sandbox --yes or --no can.');
}

function readFlag(own: Readonly<Record<string, unknown>>, config: Config, id: string | undefined): boolean | undefined {
  const { yes, no } = own;
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

export const approve: Command = {
  get help() {
    return `usage: fareclerk approve [ID] [options]

What waits for a person's yes. With an ID: shows the terms and asks; the typed
locator of the booking is the yes, and carries it out. Ctrl-C is no answer: the
question stays. Needs a terminal.

  fareclerk approve                 what waits; asks at once if it is only one
  fareclerk approve 1f2e3d4c        one of them (a beginning of its id)
  fareclerk approve 1f2e3d4c --yes  answers without asking: in the sandbox only

  --yes, --no   the answer, in the sandbox only
  --json        JSON on stdout

Exit code: 0 the answer was taken, 1 nothing was done, 2 bad usage.

${settingsHelp()}`;
  },
  async run(argv, terminal): Promise<ExitCode> {
    const own = {
      yes: { type: 'boolean' as const },
      no: { type: 'boolean' as const },
      json: { type: 'boolean' as const },
    };
    const args = readArguments(argv, own, { takesSettings: true, positionals: 1 });
    const [id] = args.positionals;
    const config = readOneShotConfig(terminal, args.settings);
    const flag = readFlag(args.own, config, id);
    const composed = composeClerk(config);
    const run: Run = { config, composed, terminal, json: args.own.json === true, flag };
    try {
      return id === undefined ? await all(run) : await one(run, id);
    } finally {
      await composed.close();
    }
  },
};
