/** `fareclerk journal export` writes the operations of a period, or the rows of a SELECT: for a spreadsheet, or as JSON lines. */
import { once } from 'node:events';
import process from 'node:process';
import { Readable } from 'node:stream';
import { sellingTenant, UsageError } from '../../config/load.ts';
import { addDays, isRealDate } from '../../core/times.ts';
import { counted, csvRow } from '../../core/words.ts';
import { dayIn, daysIn } from '../../core/zone.ts';
import { locatorOf, type Operation } from '../../journal/operation.ts';
import type { LedgerSource } from '../../ledger/ports.ts';
import { runSqlNow } from '../../ledger/run-sql.ts';
import {
  canRestrictSql,
  failureText,
  RESTRICTS_SINCE,
  type SqlQuestion,
  type SqlResult,
} from '../../ledger/sql-tables.ts';
import { viewsFor, viewTables } from '../../ledger/views.ts';
import type { ListedOperation } from '../../store/journal/operations.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import { ledgerCells } from '../../tools/query-ledger.ts';
import type { ExitCode } from '../commands/command.ts';
import { withState } from '../runtime/open-state.ts';
import { stoppable } from '../terminal/stop-signals.ts';
import { isUnwritten, unwrittenText } from '../terminal/unwritten.ts';
import { progressOn } from '../terminal/window.ts';
import { exportRecord, type JournalRun } from './view.ts';

/** How many operations are read at once. */
const PAGE_OPERATIONS = 100;

/** The columns of the operations as CSV, in order. Amounts are in their own currency: a sheet must not add two of them. */
const COLUMNS = [
  ...(['created_at', 'tool', 'locator', 'state', 'direction'] as const),
  ...(['charged', 'charged_currency', 'refund', 'refund_currency', 'at_stake', 'currency'] as const),
  ...(['tickets', 'assurance', 'approved_by', 'caller', 'basis', 'error', 'to_check'] as const),
  ...(['dispatched_at', 'updated_at', 'supersedes', 'operation_id', 'number', 'hash'] as const),
];

/** The most rows and characters of the table of a SELECT. */
const MOST_ROWS = 1_000_000;
const MOST_TEXT = 200_000_000;
/** How long a SELECT may run, milliseconds. Nobody else waits for it, so it may be long. */
const STATEMENT_MS = 60_000;
/** Days that a SELECT looks back without `--from`: the journal has no end, and its rows are in memory here. */
const USUAL_DAYS = 366;

/** Exports what the flags ask for: the rows of `--sql`, or the operations. */
export async function exportAll(run: JournalRun): Promise<ExitCode> {
  if (run.flags.sql !== undefined) return exportRows(run, String(run.flags.sql));
  const { stderr } = run.terminal;
  const { exported, isStopped, unwritten } = await exportOperations(run, readPeriod(run.flags.from, run.flags.to));
  if (unwritten !== undefined) return cutOff(run, unwritten, counted(exported, 'operation'));
  stderr.write(`${counted(exported, 'operation')} exported.\n`);
  if (!isStopped) return 0;
  stderr.write('fareclerk: stopped before the end.\n');
  return 1;
}

/** Says that the file is cut, and what to do. */
function cutOff({ terminal }: JournalRun, error: NodeJS.ErrnoException, written: string): ExitCode {
  const advice = 'Make room or choose another place, then export again: the file is cut.';
  terminal.stderr.write(
    `fareclerk: ${unwrittenText(error)} ${written} are in it, and perhaps a part of the next. ${advice}\n`,
  );
  return 1;
}

// The operations of a period.

/** Writes every operation of a period, oldest first: as CSV, or one JSON object a line. One page is in memory at a time. */
async function exportOperations(run: JournalRun, period: ExportPeriod) {
  const { stdout } = run.terminal;
  const isCsv = run.flags.csv === true;
  const progress = progressOn(run.terminal);
  let exported = 0;
  let unwritten: NodeJS.ErrnoException | undefined;
  const writePages = async (state: State | undefined, total: number, signal: AbortSignal): Promise<void> => {
    let after: Operation | undefined;
    let page: readonly ListedOperation[];
    do {
      signal.throwIfAborted();
      page = (await state?.operations.page({ ...period, after, limit: PAGE_OPERATIONS })) ?? [];
      // Only now: a journal that cannot be read leaves no file that looks like an empty one.
      if (isCsv && after === undefined) await writeTo(stdout, csvRow(COLUMNS));
      await writeTo(stdout, page.map(isCsv ? csvLine : jsonLine).join(''));
      exported += page.length;
      after = page.at(-1)?.operation;
      if (total > 0) progress.show(exported, total, 'operations written');
    } while (page.length === PAGE_OPERATIONS);
  };
  const noteUnwritten = (error: unknown): void => {
    if (!isUnwritten(error)) throw error;
    unwritten = error;
  };
  const outcome = await withState(run, async (state) => {
    // On a screen the lines themselves show the progress.
    const total = stdout.isTTY ? 0 : ((await state?.operations.count(period)) ?? 0);
    return stoppable((signal) => writePages(state, total, signal).catch(noteUnwritten)).finally(() => progress.end());
  });
  return { exported, isStopped: outcome === 'stopped', unwritten };
}

/** Writes, and waits for a slow reader. */
async function writeTo(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

export function csvLine(listed: ListedOperation): string {
  const record = exportRecord(listed);
  const row = {
    ...record,
    locator: locatorOf(listed.operation),
    tickets: record.tickets?.join(' '),
    error: record.error?.code,
    to_check: record.check,
  };
  return csvRow(COLUMNS.map((column) => row[column]));
}

export function jsonLine(listed: ListedOperation): string {
  return `${JSON.stringify(exportRecord(listed))}\n`;
}

interface ExportPeriod {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Reads `--from` and `--to`: days of UTC, the last one included, or instants. Returns [from, to) in milliseconds since 1970.
 * @throws UsageError
 */
function readPeriod(from: unknown, to: unknown): ExportPeriod {
  const start = from === undefined ? undefined : readMoment('--from', String(from), { ofDay: 'begin' });
  const end = to === undefined ? undefined : readMoment('--to', String(to), { ofDay: 'end' });
  if (start !== undefined && end !== undefined && end <= start)
    throw new UsageError('--to: expected a time after --from.');
  return { from: start, to: end };
}

/** Reads an instant, or the begin or end of a day. @throws UsageError */
function readMoment(flag: string, text: string, { ofDay }: { readonly ofDay: 'begin' | 'end' }): number {
  if (isRealDate(text)) {
    const midnight = ofDay === 'begin' ? text : addDays(text, 1);
    return Date.parse(`${midnight}T00:00:00Z`);
  }
  // Without an offset a time would mean that of this machine.
  const hasOffset = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  if (hasOffset && !Number.isNaN(Date.parse(text))) return Date.parse(text);
  throw new UsageError(`${flag}: expected a day such as 2026-12-01, or a time such as 2026-12-01T08:00:00Z.`);
}

// The rows of a SELECT.

/** Writes the rows of one SELECT over the views of query_ledger, of a whole tenant. */
async function exportRows(run: JournalRun, sql: string): Promise<ExitCode> {
  const { flags, config, terminal } = run;
  if (!canRestrictSql())
    throw new UsageError(`--sql: needs Node.js ${RESTRICTS_SINCE} or newer; this is ${process.versions.node}.`);
  const timeZone = config.timeZone();
  const now = Date.now();
  const { firstDay, lastDay } = readDays(flags.from, flags.to, dayIn(now, timeZone));
  const settings = { timeZone: config.timeZone, dialect: config.airline?.dialect };
  const result = await withState(run, async (state) => {
    if (state?.earlier !== undefined)
      throw new UsageError('--sql: start `fareclerk serve` once, which takes the state over.');
    const tenant = knownTenant(flags.tenant, sellingTenant(config.airline), (await state?.operations.tenants()) ?? []);
    const period = daysIn(firstDay, lastDay, timeZone);
    // Without a state yet, the views are empty.
    const batchesOf = (source: LedgerSource) =>
      state?.ledgerRows.batches({ tenant, ...period }, source) ?? Readable.from([]);
    const question: SqlQuestion = {
      ...{ tables: viewTables(true), sql, now, timeZone, mostRows: MOST_ROWS, mostText: MOST_TEXT },
      rowsOf: (reads) => ledgerCells(reads, batchesOf, { acts: ACTS, settings, airline: {} }, now),
    };
    return runSqlNow(question, STATEMENT_MS);
  });
  if ('failed' in result) {
    const views = viewsFor(true).map(({ name }) => name);
    const columnsHint = `\`fareclerk call query_ledger\` lists the columns of ${views.join(', ')}.`;
    throw new UsageError(`--sql: ${failureText(result.failed)} ${columnsHint}`);
  }
  const lines = flags.csv === true ? csvRows(result) : jsonRows(result);
  try {
    await writeTo(terminal.stdout, lines.join(''));
  } catch (error) {
    if (!isUnwritten(error)) throw error;
    return cutOff(run, error, 'Not all rows');
  }
  const cutHint = result.cut === undefined ? '' : ' There are more: ask for fewer columns or days.';
  terminal.stderr.write(
    `${counted(result.rows.length, 'row')} exported, of ${firstDay} to ${lastDay} (${timeZone}).${cutHint}\n`,
  );
  return result.cut === undefined ? 0 : 1;
}

/**
 * The tenant whose rows are exported: with sign-in over HTTP it is not the one of this machine. A table without rows would say that
 * nothing was sold.
 * @throws UsageError for a tenant that has no operation, while others have
 */
function knownTenant(flag: unknown, own: string, tenants: readonly string[]): string {
  const tenant = flag === undefined ? own : String(flag);
  if (tenants.length === 0 || tenants.includes(tenant)) return tenant;
  throw new UsageError(`--tenant: the journal has no operation of ${tenant}. It has those of ${tenants.join(', ')}.`);
}

/** Reads `--from` and `--to` as days, both included. @throws UsageError */
function readDays(from: unknown, to: unknown, today: string) {
  const lastDay = to === undefined ? today : readDay('--to', String(to));
  const firstDay = from === undefined ? addDays(lastDay, -USUAL_DAYS) : readDay('--from', String(from));
  if (lastDay < firstDay) throw new UsageError('--to: expected a day that is not before --from.');
  return { firstDay, lastDay };
}

/** @throws UsageError */
function readDay(flag: string, text: string): string {
  if (isRealDate(text)) return text;
  throw new UsageError(`${flag}: expected a day such as 2026-12-01.`);
}

function csvRows({ columns, rows }: SqlResult): string[] {
  return [columns, ...rows].map(csvRow);
}

function jsonRows({ columns, rows }: SqlResult): string[] {
  return rows.map((row) => `${JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]])))}\n`);
}
