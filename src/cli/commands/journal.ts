/** `fareclerk journal`: the operations journal, read, verified and settled. */
import { once } from 'node:events';
import { UsageError } from '../../config/load.ts';
import { OPERATION_STATES } from '../../journal/operation.ts';
import type { Link } from '../../journal/ports.ts';
import { holdWords } from '../../journal/sending-stopped.ts';
import type { State } from '../../store/state.ts';
import { reconcile, resolve, restored } from '../journal/decisions.ts';
import { csvLines, jsonLines, periodOf } from '../journal/export.ts';
import { describeOperation, eventRecord, type JournalRun, operationRecord, operationTable } from '../journal/view.ts';
import { openState, wasMade } from '../runtime/open-runtime.ts';
import { readArguments, readOneShotConfig, wholeNumber } from '../terminal/arguments.ts';
import { progressOn } from '../terminal/progress.ts';
import { print } from '../terminal/window.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMANDS } from './index.ts';

/** Opens the state only if it exists; creates nothing. */
async function withState<T>({ config }: JournalRun, use: (state: State | undefined) => Promise<T>): Promise<T> {
  const missing = config.state.databaseUrl === undefined && !wasMade(config.state);
  const state = missing ? undefined : await openState(config);
  return use(state).finally(() => state?.close());
}

async function list(run: JournalRun): Promise<ExitCode> {
  const state = OPERATION_STATES.find((one) => one === run.own.state);
  if (run.own.state !== undefined && state === undefined)
    throw new UsageError(`--state: expected ${OPERATION_STATES.join(', ')}.`);
  const filter = { limit: run.limit, ...(state !== undefined && { states: [state] }) };
  const operations = await withState(run, async (opened) => (await opened?.operations.list(filter)) ?? []);
  const none = `No operations in ${run.config.state.directory}.\n`;
  print(run, operations.map(operationRecord), operations.length === 0 ? none : operationTable(run, operations));
  return 0;
}

/** Finds by whole id, or by a beginning that only one id has. */
async function show(run: JournalRun): Promise<ExitCode> {
  const found = await withState(run, async (state) => {
    if (state === undefined) return undefined;
    const { operations } = state;
    const exact = await operations.get(run.id);
    const near = exact ? [exact] : (await operations.list({})).filter(({ id }) => id.startsWith(run.id));
    const [operation] = near;
    if (operation === undefined || near.length !== 1) return undefined;
    return { operation, events: await operations.events(operation.id) };
  });
  if (found === undefined) {
    run.terminal.stderr.write(
      'fareclerk: no single operation begins with that id. `fareclerk journal list` shows them.\n',
    );
    return 1;
  }
  const { operation, events } = found;
  print(run, { ...operationRecord(operation), events: events.map(eventRecord) }, describeOperation(operation, events));
  return 0;
}

async function verify(run: JournalRun): Promise<ExitCode> {
  const expected = linkOf(run.own.expect);
  const [broken, { head, hold }, has] = await withState(run, async (state) => {
    if (state === undefined) return [undefined, { head: { n: 0, hash: '' }, hold: undefined }, expected === undefined];
    const found = await state.operations.verify();
    const status = await state.chain.status();
    return [found, status, expected === undefined || (await state.chain.has(expected))] as const;
  });
  if (broken !== undefined) {
    print(
      run,
      { whole: false, operation_id: broken.operationId, event: broken.seq },
      `The journal was changed from outside: event ${broken.seq} of operation ${broken.operationId} does not fit.\n`,
    );
    return 1;
  }
  const link = `${head.n}:${head.hash}`;
  const held = hold && holdWords(hold);
  const words = has
    ? 'The journal is whole: every event fits the one before it.'
    : 'The journal is whole, but does not contain the expected link. It is an older copy, or another journal.';
  const record = has
    ? { whole: true, head: link, ...(held && { held }) }
    : { whole: true, head: link, expected: false };
  print(run, record, `${words}\nHead: ${link}\n${has && held ? `${held}\n` : ''}`);
  return has ? 0 : 1;
}

/** `12:0ab…`, as verify prints it. */
function linkOf(given: unknown): Link | undefined {
  if (given === undefined) return undefined;
  const [, n, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(String(given)) ?? [];
  if (n === undefined || hash === undefined)
    throw new UsageError('--expect: expected number:hash, as verify prints it.');
  return { n: Number(n), hash };
}

/** Every operation of a period, oldest first: as CSV, or one JSON object a line. */
async function exportAll(run: JournalRun): Promise<ExitCode> {
  const { stdout, stderr } = run.terminal;
  const period = periodOf(run.own.from, run.own.to);
  const found = await withState(run, async (state) => (await state?.operations.list(period)) ?? []);
  const lines = (run.own.csv === true ? csvLines : jsonLines)(found.toReversed());
  const progress = progressOn(run.terminal);
  let written = 0;
  for (const line of lines) {
    // Waits for a slow reader.
    if (!stdout.write(line)) await once(stdout, 'drain');
    if (++written % 1000 === 0 && !stdout.isTTY) progress.show(written, found.length, 'operations written');
  }
  progress.end();
  stderr.write(`${found.length} ${found.length === 1 ? 'operation' : 'operations'} exported.\n`);
  return 0;
}

interface Action {
  readonly takesId?: true;
  /** Flags that only this action takes, or that it shares with few others. */
  readonly flags?: readonly string[];
  run(run: JournalRun): Promise<ExitCode>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { flags: ['state'], run: list },
  show: { takesId: true, run: show },
  verify: { flags: ['expect'], run: verify },
  reconcile: { run: reconcile },
  export: { flags: ['csv', 'from', 'to'], run: exportAll },
  resolve: { takesId: true, flags: ['note', 'by'], run: resolve },
  restored: { flags: ['by'], run: restored },
};

/** @throws UsageError */
function actionOf(name: string, id: string | undefined, own: JournalRun['own']): Action {
  for (const flag of Object.keys(own)) {
    const owners = Object.keys(ACTIONS).filter((one) => ACTIONS[one]?.flags?.includes(flag));
    if (owners.length > 0 && !owners.includes(name))
      throw new UsageError(`--${flag}: goes with journal ${owners.join(' or ')}.`);
  }
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action?.takesId && id === undefined) throw new UsageError(`journal ${name}: expected one operation id.`);
  if (!action?.takesId && id !== undefined) throw new UsageError(`journal ${name}: takes no argument.`);
  if (action !== undefined) return action;
  throw new UsageError('journal: expected list, show ID, verify, reconcile, export, resolve ID or restored.');
}

export const journal: Command = {
  about: `usage: fareclerk journal [ACTION] [options]

The operations journal: everything this server did, or tried to do, at the
airline. list and show print JSON if stdout is not a terminal.

  fareclerk journal                 the newest operations
  fareclerk journal show 1f2e3d4c   one, with its events (a beginning of its id)
  fareclerk journal verify          recomputes the hash chain; exit 1 if broken
  fareclerk journal reconcile       settles open operations by reading bookings;
                                    exit 1 if one needs a person
  fareclerk journal export --csv --from 2026-12-01 --to 2026-12-31 > dec.csv
                                    every operation of a period, oldest first
  fareclerk journal resolve 1f2e3d4c --note "the airline says it is paid"
                                    closes an operation that a person checked
  fareclerk journal restored        after you restored an older copy: checks
                                    what was lost, then allows sending again
`,
  async run(argv, terminal) {
    const { own, settings, positionals } = readArguments(argv, COMMANDS.journal);
    const [name = 'list', id] = positionals;
    const action = actionOf(name, id, own);
    const limit = wholeNumber('--limit', own.limit, 1, 10_000) ?? 50;
    const config = readOneShotConfig(terminal, settings);
    const json = own.json === true || !terminal.stdout.isTTY;
    return action.run({ config, terminal, json, own, id: id ?? '', limit });
  },
};
