/**
 * `fareclerk journal`: the operations journal, read, verified and settled.
 */
import { once } from 'node:events';
import { type Config, UsageError } from '../../config/load.ts';
import { OPERATION_STATES, type OperationState } from '../../journal/operation.ts';
import type { Link, OperationEvent } from '../../journal/ports.ts';
import { holdWords } from '../../journal/standstill.ts';
import type { State } from '../../store/state.ts';
import { type PersonRun, resolve, restored } from '../journal/decisions.ts';
import { csvLines, jsonLines, type Period, periodOf } from '../journal/export.ts';
import {
  describeOperation,
  eventRecord,
  operationRecord,
  operationRow,
  ROW_TITLES,
  ROW_WHOLE,
} from '../journal/view.ts';
import { composeClerk } from '../runtime/compose.ts';
import { openState, wasMade } from '../runtime/open-runtime.ts';
import { type Arguments, readArguments, wholeNumber } from '../terminal/arguments.ts';
import { settingsHelp } from '../terminal/help.ts';
import { readOneShotConfig } from '../terminal/one-shot.ts';
import { progressOn } from '../terminal/progress.ts';
import { table, windowOf } from '../terminal/table.ts';
import type { Command, ExitCode, Terminal } from './command.ts';

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
  if (config.state.databaseUrl === undefined && !wasMade(config.state)) return none;
  const state = await openState(config);
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}

async function list(run: Run, state: OperationState | undefined): Promise<ExitCode> {
  const filter = { limit: run.limit, ...(state !== undefined && { states: [state] }) };
  const operations = await withState(run, ({ operations }) => operations.list(filter), []);
  const words =
    operations.length === 0
      ? `No operations in ${run.config.state.directory}.\n`
      : table([ROW_TITLES, ...operations.map(operationRow)], windowOf(run.terminal.stdout), ROW_WHOLE);
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

interface Verified {
  readonly broken: Awaited<ReturnType<State['operations']['verify']>>;
  readonly head: Link;
  /** Why nothing may be sent, where the journal went backwards. */
  readonly held?: string;
  /** Whether it has the link that was expected. */
  readonly has: boolean;
}

async function verified({ operations, chain }: State, expected: Link | undefined): Promise<Verified> {
  const broken = await operations.verify();
  const { head, hold } = await chain.standing();
  return {
    broken,
    head,
    ...(hold && { held: holdWords(hold) }),
    has: expected === undefined || (await chain.has(expected)),
  };
}

async function verify(run: Run, expected: Link | undefined): Promise<ExitCode> {
  const none: Verified = { broken: undefined, head: { n: 0, hash: '' }, has: expected === undefined };
  const { broken, head, held, has } = await withState(run, (state) => verified(state, expected), none);
  const told = `${head.n}:${head.hash}`;
  if (broken === undefined && has) {
    print(
      run,
      { whole: true, head: told, ...(held !== undefined && { held }) },
      `The journal is whole: every event fits the one before it.\nHead: ${told}\n${held === undefined ? '' : `${held}\n`}`,
    );
    return 0;
  }
  if (broken === undefined) {
    print(
      run,
      { whole: true, head: told, expected: false },
      `The journal is whole, but it does not have what was expected: an older copy, or another one.\nHead: ${told}\n`,
    );
    return 1;
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
    const progress = progressOn(run.terminal);
    const reconciled = journal.reconcile(({ done, total }) => progress.show(done, total, 'bookings read'));
    const { settled, waiting, needsPerson } = await reconciled.finally(() => progress.end());
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

/** Every operation of a period, oldest first: as CSV, or one JSON object a line. */
async function exportAll({ terminal, ...run }: Run, period: Period, csv: boolean): Promise<ExitCode> {
  const found = await withState({ terminal, ...run }, ({ operations }) => operations.list(period), []);
  const lines = (csv ? csvLines : jsonLines)(found.toReversed());
  const progress = progressOn(terminal);
  let written = 0;
  for (const line of lines) {
    // A slow reader is waited for.
    if (!terminal.stdout.write(line)) await once(terminal.stdout, 'drain');
    if (++written % 1000 === 0 && !terminal.stdout.isTTY) progress.show(written, found.length, 'operations written');
  }
  progress.end();
  terminal.stderr.write(`${found.length} ${found.length === 1 ? 'operation' : 'operations'} exported.\n`);
  return 0;
}

const OPTIONS = {
  limit: { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  state: { type: 'string' },
  expect: { type: 'string' },
  note: { type: 'string' },
  by: { type: 'string' },
} as const;

/** Which action each of these goes with. */
const GOES_WITH: Readonly<Record<string, readonly string[]>> = {
  state: ['list'],
  expect: ['verify'],
  note: ['resolve'],
  by: ['resolve', 'restored'],
};

function assertTheirs(own: Arguments['own'], action: string): void {
  for (const [flag, actions] of Object.entries(GOES_WITH)) {
    if (own[flag] === undefined || actions.includes(action)) continue;
    throw new UsageError(`--${flag}: goes with journal ${actions.join(' or ')}.`);
  }
}

function stateOf(given: unknown): OperationState | undefined {
  const state = OPERATION_STATES.find((one) => one === given);
  if (given !== undefined && state === undefined) {
    throw new UsageError(`--state: expected ${OPERATION_STATES.join(', ')}.`);
  }
  return state;
}

/** `12:0ab…`, as verify prints it. */
function linkOf(given: unknown): Link | undefined {
  if (given === undefined) return undefined;
  const [, n, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(String(given)) ?? [];
  if (n === undefined || hash === undefined)
    throw new UsageError('--expect: expected number:hash, as verify prints it.');
  return { n: Number(n), hash };
}

/** Flags of export alone. */
function exportFlags({ csv, from, to }: Arguments['own'], action: string): { period: Period; csv: boolean } {
  const given = Object.entries({ csv, from, to }).find(([, value]) => value !== undefined)?.[0];
  if (action !== 'export' && given !== undefined) throw new UsageError(`--${given}: goes with journal export.`);
  return { period: periodOf(from, to), csv: csv === true };
}

export const journal: Command = {
  get help() {
    return `usage: fareclerk journal [ACTION] [options]

The operations journal: everything this server did, or tried to do, at the
airline. list and show print JSON when stdout is no terminal.

  fareclerk journal                 the newest operations
  fareclerk journal show 1f2e3d4c   one, with its events (a beginning of its id)
  fareclerk journal verify          recomputes the hash chain; exit 1 if broken
  fareclerk journal reconcile       settles open operations by reading bookings;
                                    exit 1 if one needs a person
  fareclerk journal export --csv --from 2026-12-01 --to 2026-12-31 > dec.csv
                                    every operation of a time, oldest first
  fareclerk journal resolve 1f2e3d4c --note "the airline says it is paid"
                                    closes what needs a person, once checked
  fareclerk journal restored        after an older copy was put back: checks
                                    what was lost, then lets acts be sent again

  --limit N      how many list shows (50)
  --state STATE  list: only operations in this state, such as needs_person
  --expect LINK  verify: exit 1 unless the journal has this number:hash
  --note TEXT    resolve: what the airline said
  --by NAME      resolve, restored: who (default: the operating system's user)
  --json         JSON on a terminal too
  --csv          export: a table for a spreadsheet; without it one JSON object
                 a line. charged and refund are what moved, at_stake what
                 limits count. Amounts have their own currency: add none of two
  --from DAY     export: from this day (UTC) or time on
  --to DAY       export: up to this day included, or up to a time

${settingsHelp()}`;
  },
  async run(argv, terminal) {
    const args = readArguments(argv, OPTIONS, { takesSettings: true, positionals: 2 });
    const [action = 'list', id, ...rest] = args.positionals;
    const { period, csv } = exportFlags(args.own, action);
    assertTheirs(args.own, action);
    const state = stateOf(args.own.state);
    const expected = linkOf(args.own.expect);
    const config = readOneShotConfig(terminal, args.settings);
    const json = args.own.json === true || !terminal.stdout.isTTY;
    const run: Run = { config, terminal, json, limit: wholeNumber('--limit', args.own.limit, 1, 10_000) ?? 50 };
    if (action === 'show' && id !== undefined && rest.length === 0) return show(run, id);
    const person: PersonRun = { config, terminal, json, by: args.own.by };
    if (action === 'resolve' && id !== undefined && rest.length === 0) return resolve(person, id, args.own.note);
    if (action === 'show' || action === 'resolve')
      throw new UsageError(`journal ${action}: expected one operation id.`);
    if (id !== undefined) throw new UsageError(`journal ${action}: takes no argument.`);
    if (action === 'list') return list(run, state);
    if (action === 'verify') return verify(run, expected);
    if (action === 'restored') return restored(person);
    if (action === 'reconcile') return reconcile(run);
    if (action === 'export') return exportAll(run, period, csv);
    throw new UsageError('journal: expected list, show ID, verify, reconcile, export, resolve ID or restored.');
  },
};
