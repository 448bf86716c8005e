/**
 * `fareclerk journal`: the operations journal, read, verified and settled.
 */
import { existsSync } from 'node:fs';
import { type Config, UsageError } from '../config.ts';
import type { OperationEvent } from '../journal/ports.ts';
import type { State } from '../store/state.ts';
import { readArguments, wholeNumber } from './args.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { composeClerk } from './compose.ts';
import { settingsHelp } from './help.ts';
import { describeOperation, eventRecord, operationRecord, operationRow, ROW_TITLES } from './journal-view.ts';
import { readOneShotConfig } from './one-shot.ts';
import { openState } from './parts.ts';
import { table } from './table.ts';

interface Run {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly limit: number;
}

function print({ terminal, json }: Run, record: unknown, words: string): void {
  terminal.stdout.write(json ? `${JSON.stringify(record, undefined, 2)}\n` : words);
}

/** Nothing is created by looking: no file means no operations. */
async function withState<T>({ config }: Run, use: (state: State) => Promise<T>, none: T): Promise<T> {
  if (config.state.databaseUrl === undefined && !existsSync(config.state.file)) return none;
  const state = await openState(config);
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}

async function list(run: Run): Promise<ExitCode> {
  const operations = await withState(run, ({ operations }) => operations.list({ limit: run.limit }), []);
  const words =
    operations.length === 0
      ? `No operations in ${run.config.state.directory}.\n`
      : table([ROW_TITLES, ...operations.map(operationRow)]);
  print(run, operations.map(operationRecord), words);
  return 0;
}

/** By whole id, or by the beginning of one where only one begins so. */
async function show(run: Run, id: string): Promise<ExitCode> {
  const found = await withState(
    run,
    async ({ operations }) => {
      const exact = await operations.get(id);
      const near = exact ? [exact] : (await operations.list({})).filter((each) => each.id.startsWith(id));
      const [operation] = near;
      if (operation === undefined || near.length !== 1) return undefined;
      return { operation, events: await operations.events(operation.id) };
    },
    undefined as { operation: Parameters<typeof operationRecord>[0]; events: readonly OperationEvent[] } | undefined,
  );
  if (found === undefined) {
    run.terminal.stderr.write(
      'fareclerk: no one operation begins with that id. `fareclerk journal list` shows them.\n',
    );
    return 1;
  }
  const { operation, events } = found;
  print(run, { ...operationRecord(operation), events: events.map(eventRecord) }, describeOperation(operation, events));
  return 0;
}

async function verify(run: Run): Promise<ExitCode> {
  const broken = await withState(run, ({ operations }) => operations.verify(), undefined);
  if (broken === undefined) {
    print(run, { whole: true }, 'The journal is whole: every event fits the one before it.\n');
    return 0;
  }
  print(
    run,
    { whole: false, operation_id: broken.operationId, event: broken.seq },
    `The journal was changed from outside: event ${broken.seq} of operation ${broken.operationId} does not fit.\n`,
  );
  return 1;
}

/** Reads the booking of every open operation that is due, and settles what the reading proves. */
async function reconcile(run: Run): Promise<ExitCode> {
  const composed = composeClerk(run.config);
  try {
    const { journal } = await composed.clerk.parts();
    const { settled, waiting, needsPerson } = await journal.reconcile(({ done, total }) => {
      if (run.terminal.stderr.isTTY) run.terminal.stderr.write(`\r${done} of ${total} read`);
    });
    if (run.terminal.stderr.isTTY) run.terminal.stderr.write('\r\u001b[K');
    print(
      run,
      { settled, waiting, needs_person: needsPerson },
      `${settled} settled, ${waiting} still open, ${needsPerson} for a person to check.\n`,
    );
    return needsPerson === 0 ? 0 : 1;
  } finally {
    await composed.close();
  }
}

export const journal: Command = {
  get help() {
    return `usage: fareclerk journal [list|show ID|verify|reconcile] [options]

The operations journal: everything this server did, or tried to do, at the
airline. list and show print JSON when stdout is no terminal.

  fareclerk journal                 the newest operations
  fareclerk journal show 1f2e3d4c   one, with its events (a beginning of its id)
  fareclerk journal verify          recomputes the hash chain; exit 1 if broken
  fareclerk journal reconcile       settles open operations by reading bookings;
                                    exit 1 if one needs a person

  --limit N   how many list shows (50)
  --json      JSON on a terminal too

${settingsHelp()}`;
  },
  async run(argv, terminal) {
    const own = { limit: { type: 'string' as const }, json: { type: 'boolean' as const } };
    const args = readArguments(argv, own, { takesSettings: true, positionals: 2 });
    const [action = 'list', id, ...rest] = args.positionals;
    const config = readOneShotConfig(terminal, args.settings);
    const json = args.own.json === true || !terminal.stdout.isTTY;
    const run: Run = { config, terminal, json, limit: wholeNumber('--limit', args.own.limit, 1, 10_000) ?? 50 };
    if (action === 'show' && id !== undefined && rest.length === 0) return show(run, id);
    if (action === 'show') throw new UsageError('journal show: expected one operation id.');
    if (id !== undefined) throw new UsageError(`journal ${action}: takes no argument.`);
    if (action === 'list') return list(run);
    if (action === 'verify') return verify(run);
    if (action === 'reconcile') return reconcile(run);
    throw new UsageError(`journal: expected list, show ID, verify or reconcile.`);
  },
};
