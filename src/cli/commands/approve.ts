/**
 * `fareclerk approve`: the approval page in a terminal. Lists pending approvals, shows one, asks for the typed locator, decides
 * and carries it out.
 */
import { type Config, UsageError } from '../../config/load.ts';
import { decidePending } from '../approve/answer.ts';
import { hintAtOthers, pending, type Run, record, row, TITLES, WHOLE } from '../approve/pending.ts';
import { composeClerk } from '../runtime/compose.ts';
import { readArguments } from '../terminal/arguments.ts';
import { readSettingsToChange } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import { hint, print, windowOf } from '../terminal/window.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMANDS } from './index.ts';

/** @param id a whole id, or a beginning that only one has */
async function one(run: Run, id: string): Promise<ExitCode> {
  if (run.flag === undefined && !isInteractive(run.terminal))
    throw new UsageError('approve: a person must answer, in a terminal. In the sandbox --yes or --no can.');
  const open = await pending(run);
  const [found, ...others] = open.filter(({ approval }) => approval.operationId.startsWith(id.toLowerCase()));
  if (found !== undefined && others.length === 0) return decidePending(run, found);
  hint(
    run,
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
  return asks ? decidePending(run, only) : 0;
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

Lists pending approvals. With an ID, shows what is asked: type the locator of
the booking for yes, no for no; for a plan the numbers of the lines that are to
be done, or all. Ctrl-C leaves the approval pending. Needs a terminal.

  fareclerk approve                 lists them; asks at once if it is only one
  fareclerk approve 1f2e3d4c        one of them (a beginning of its id)
  fareclerk approve 1f2e3d4c --lines 1,3-5
                                    only these lines of a plan
  fareclerk approve 1f2e3d4c --yes  answers without asking: in the sandbox only

Exit code: 0 the answer was accepted, 1 nothing was done, 2 bad usage.
`,
  async run(argv, terminal): Promise<ExitCode> {
    const args = readArguments(argv, COMMANDS.approve);
    const [id] = args.positionals;
    const config = readSettingsToChange(terminal, args);
    const flag = readFlag(args.own, config, id);
    const { lines } = args.own;
    if (lines !== undefined && id === undefined)
      throw new UsageError('approve: --lines needs the id of the operation.');
    const composed = composeClerk(config);
    const run: Run = { config, composed, terminal, json: args.own.json === true, flag, lines };
    try {
      return id === undefined ? await all(run) : await one(run, id);
    } finally {
      await composed.close();
    }
  },
};
