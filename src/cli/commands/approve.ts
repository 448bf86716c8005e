/**
 * `fareclerk approve`: the approval page in a terminal. Lists pending approvals, shows the terms, asks for the typed
 * locator, decides and carries it out.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Approval } from '../../approvals/ports.ts';
import type { DecisionOutcome } from '../../approvals/status.ts';
import { linesOf } from '../../approvals/terms.ts';
import { type Config, UsageError } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import type { State } from '../../store/state.ts';
import { type Composed, composeClerk } from '../runtime/compose.ts';
import { readArguments, readOneShotConfig } from '../terminal/arguments.ts';
import { table } from '../terminal/table.ts';
import { askTyped, isInteractive, printable, unanswered } from '../terminal/typed-yes.ts';
import { print, windowOf } from '../terminal/window.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

interface Run {
  readonly config: Config;
  readonly composed: Composed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** `--yes` or `--no`: in the sandbox only. */
  readonly flag: boolean | undefined;
}

/** Pending approvals, each with the milliseconds that are left for its answer. */
async function pendingIn(state: State) {
  const now = state.clock?.now() ?? Date.now();
  const open = await state.approvals.waiting(now);
  return open.map((approval) => ({ approval, leftMs: approval.expiresAt - now }));
}
type Pending = Awaited<ReturnType<typeof pendingIn>>[number];

/** Those of this OS user and state folder, oldest first: nobody may answer another caller's approvals. */
async function pending({ config, composed }: Run): Promise<readonly Pending[]> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return [];
  const { tenant, id } = composed.caller;
  const open = await pendingIn(await composed.state());
  return open.filter(({ approval }) => approval.tenant === tenant && approval.caller === id);
}

/** Mentions approvals under the other settings: often only the host that started the server knows its settings. */
async function hintAtOthers({ config, composed: { caller }, terminal }: Run): Promise<void> {
  const { directory, file, databaseUrl } = config.state;
  const folder = config.environment === 'sandbox' ? dirname(directory) : join(directory, 'sandbox');
  const other = join(folder, basename(file));
  if (databaseUrl !== undefined || !existsSync(other)) return;
  const { openSqliteState } = await import('../../store/sqlite/state.ts');
  const state = await openSqliteState(other);
  const open = await pendingIn(state).finally(() => state.close());
  if (!open.some(({ approval }) => approval.caller === caller.id && approval.tenant !== caller.tenant)) return;
  terminal.stderr.write(
    'fareclerk: an approval is pending under other settings. Run this with the settings of the server that asked.\n',
  );
}

const TITLES = ['operation', 'booking', 'left', 'act'] as const;
/** Columns that are never cut. The beginning of an id is enough to name an operation. */
const WHOLE = [1, 2, 3];

function row({ approval, leftMs }: Pending): readonly string[] {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return [approval.operationId, approval.locator ?? '-', left, approval.act].map(printable);
}

const record = ({ approval: { operationId, act, locator, sections, expiresAt } }: Pending) => ({
  operation_id: operationId,
  act,
  ...omitUndefined({ locator }),
  terms: linesOf(sections),
  expires_at: new Date(expiresAt).toISOString(),
});

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

async function decide(run: Run, approval: Approval): Promise<ExitCode> {
  const { operationId } = approval;
  const yes = run.flag ?? (await askTyped(run.terminal, approval));
  const { kind, title, lines } = yes === undefined ? unanswered(operationId) : await press(run, operationId, yes);
  const words = [title, ...lines.map((line) => `  ${printable(line)}`), ''].join('\n');
  print(run, { operation_id: operationId, outcome: kind, title, lines }, words);
  return GOOD.has(kind) ? 0 : 1;
}

/** @param id a whole id, or a beginning that only one has */
async function one(run: Run, id: string): Promise<ExitCode> {
  if (run.flag === undefined && !isInteractive(run.terminal))
    throw new UsageError('approve: a person must answer, in a terminal. In the sandbox --yes or --no can.');
  const open = await pending(run);
  const [found, ...others] = open.filter(({ approval }) => approval.operationId.startsWith(id.toLowerCase()));
  if (found !== undefined && others.length === 0) return decide(run, found.approval);
  run.terminal.stderr.write(
    'fareclerk: no single pending approval begins with that id. It may be answered or expired. `fareclerk approve` lists them.\n',
  );
  await hintAtOthers(run);
  return 1;
}

async function all(run: Run): Promise<ExitCode> {
  const open = await pending(run);
  const rows = [TITLES, ...open.map(row)];
  const none = 'No approvals are pending.\n';
  print(run, open.map(record), open.length === 0 ? none : table(rows, windowOf(run.terminal.stdout), WHOLE));
  const [only, ...others] = open;
  if (only === undefined) await hintAtOthers(run);
  const asks = only !== undefined && others.length === 0 && !run.json && isInteractive(run.terminal);
  return asks ? decide(run, only.approval) : 0;
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
  about: `usage: fareclerk approve [ID] [options]

Lists pending approvals. With an ID, shows the terms and asks: type the locator
of the booking to approve and carry it out. Ctrl-C leaves the approval pending.
Needs a terminal.

  fareclerk approve                 lists them; asks at once if it is only one
  fareclerk approve 1f2e3d4c        one of them (a beginning of its id)
  fareclerk approve 1f2e3d4c --yes  answers without asking: in the sandbox only

Exit code: 0 the answer was accepted, 1 nothing was done, 2 bad usage.
`,
  async run(argv, terminal): Promise<ExitCode> {
    const args = readArguments(argv, COMMANDS.approve);
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
