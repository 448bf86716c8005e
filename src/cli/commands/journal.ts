/** `fareclerk journal` reads and verifies the operations journal, and settles what is open in it. */

import { UsageError } from '../../config/load.ts';
import { own } from '../../core/own.ts';
import { OPERATION_STATES } from '../../journal/operation.ts';
import { reconcile, resolve, restored } from '../journal/decisions.ts';
import { exportAll } from '../journal/export.ts';
import { verify } from '../journal/verify.ts';
import { eventRecord, type JournalRun, operationRecord, operationTable, tripText } from '../journal/view.ts';
import { withState } from '../runtime/open-state.ts';
import { listLimit, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { readSettings } from '../terminal/settings.ts';
import { hint, print } from '../terminal/window.ts';

async function list(run: JournalRun): Promise<ExitCode> {
  const state = OPERATION_STATES.find((known) => known === run.flags.state);
  if (run.flags.state !== undefined && state === undefined)
    throw new UsageError(`--state: expected ${OPERATION_STATES.join(', ')}.`);

  const filter = { limit: run.limit, states: state && [state] };
  const operations = await withState(run, async (opened) => (await opened?.operations.list(filter)) ?? []);
  const noOperations = `No operations in ${run.config.state.directory}.\n`;
  print(run, operations.map(operationRecord), operations.length === 0 ? noOperations : operationTable(operations));

  return 0;
}

/** Shows one operation: by its whole id, or by a beginning that only one id has. */
async function show(run: JournalRun): Promise<ExitCode> {
  const history = await withState(run, async (state) => {
    if (state === undefined) return undefined;
    const { operations } = state;
    const exact = await operations.get(run.id);
    const [operation, ...others] = exact ? [exact] : await operations.beginningWith(run.id);
    if (operation === undefined || others.length > 0) return undefined;
    return { operation, events: await operations.events(operation.id), trip: await tripText(state, operation) };
  });
  if (history === undefined) {
    hint(run, 'fareclerk: no single operation begins with that id. `fareclerk journal list` shows them.\n');
    return 1;
  }

  const { operation, events, trip } = history;
  print({ ...run, json: true }, { ...operationRecord(operation), trip, events: events.map(eventRecord) }, '');

  return 0;
}

interface JournalAction {
  /** What its argument is, in words. Absent: it takes none. */
  readonly takes?: string;
  /** Flags that only this action takes, or that it shares with few others. */
  readonly flags?: readonly string[];
  run(run: JournalRun): Promise<ExitCode>;
}

const ID = 'one operation id';

const ACTIONS: Readonly<Record<string, JournalAction>> = {
  list: { flags: ['state'], run: list },
  show: { takes: ID, run: show },
  verify: { flags: ['expect'], run: verify },
  reconcile: { run: reconcile },
  export: { flags: ['csv', 'from', 'to'], run: exportAll },
  resolve: { takes: ID, flags: ['note', 'by'], run: resolve },
  restored: { flags: ['by'], run: restored },
};

/** @throws UsageError */
function chosenAction(name: string, id: string | undefined, flags: JournalRun['flags']): JournalAction {
  for (const flag of Object.keys(flags)) {
    const actionsWithFlag = Object.entries(ACTIONS).filter(([, action]) => action.flags?.includes(flag));
    const actionNames = actionsWithFlag.map(([actionName]) => actionName);
    if (actionNames.length > 0 && !actionNames.includes(name))
      throw new UsageError(`--${flag}: goes with journal ${actionNames.join(' or ')}.`);
  }

  const action = own(ACTIONS, name);
  if (action?.takes !== undefined && id === undefined)
    throw new UsageError(`journal ${name}: expected ${action.takes}.`);
  if (action?.takes === undefined && id !== undefined) throw new UsageError(`journal ${name}: takes no argument.`);
  if (action !== undefined) return action;

  throw new UsageError('journal: expected list, show ID, verify, reconcile, export, resolve ID or restored.');
}

export const journal: Command = {
  about: `usage: fareclerk journal [ACTION] [options]

The operations journal: everything this server did, or tried to do, at the
airline. show prints JSON, and so does list without a terminal.

  fareclerk journal                 the newest operations
  fareclerk journal show 1f2e3d4c   one, with its events (a beginning of its id)
  fareclerk journal verify          recomputes the hash chain; exit 1 if broken
  fareclerk journal reconcile       settles open ones; exit 1 if you must check
  fareclerk journal export --csv --from 2026-12-01 --to 2026-12-31 > dec.csv
                                    every operation of a period, oldest first
  fareclerk journal resolve 1f2e3d4c --note "the airline says it is paid"
                                    closes an operation that you checked
  fareclerk journal restored        after you restored an older copy and ran
                                    \`fareclerk pause\`: checks what was lost, and
                                    prints when sending is allowed again
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.journal);
    const { flags, positionals } = args;
    const [name = 'list', id] = positionals;
    const action = chosenAction(name, id, flags);

    const limit = listLimit(flags.limit);
    const config = readSettings(terminal, args);
    const json = flags.json === true || !terminal.stdout.isTTY;
    return action.run({ config, terminal, json, flags, id: id ?? '', limit });
  },
};
