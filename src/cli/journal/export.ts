/** `fareclerk journal export` writes the operations of a period: for a spreadsheet, or as JSON lines. */
import { once } from 'node:events';
import { UsageError } from '../../config/load.ts';
import { addDays, isRealDate } from '../../core/times.ts';
import { counted, csvRow } from '../../core/words.ts';
import { locatorOf } from '../../journal/operation.ts';
import type { ListedOperation } from '../../store/journal/operations.ts';
import { withState } from '../runtime/open-state.ts';
import type { ExitCode } from '../terminal/command.ts';
import { exportRecord, type JournalRun } from './view.ts';

/** How many operations are read at once. */
const PAGE_OPERATIONS = 100;

/** The columns of the operations as CSV, in order. Amounts are in their own currency: a sheet must not add two of them. */
const COLUMNS = [
  'created_at',
  'tool',
  'locator',
  'state',
  'direction',
  'charged',
  'charged_currency',
  'refund',
  'refund_currency',
  'at_stake',
  'currency',
  'tickets',
  'assurance',
  'approved_by',
  'caller',
  'basis',
  'error',
  'to_check',
  'dispatched_at',
  'updated_at',
  'supersedes',
  'operation_id',
  'number',
  'hash',
] as const;

/** Writes every operation of a period, oldest first: as CSV, or one JSON object a line. One page is in memory at a time. */
export async function exportAll(run: JournalRun): Promise<ExitCode> {
  const { stdout, stderr } = run.terminal;
  const period = readPeriod(run.flags.from, run.flags.to);
  const isCsv = run.flags.csv === true;
  let exported = 0;

  await withState(run, async (state) => {
    let page: readonly ListedOperation[] = [];
    do {
      const after = page.at(-1)?.operation;
      page = (await state?.operations.page({ ...period, after, limit: PAGE_OPERATIONS })) ?? [];
      // Only now: a journal that cannot be read leaves no file that looks like an empty one.
      if (isCsv && after === undefined) await writeTo(stdout, csvRow(COLUMNS));
      await writeTo(stdout, page.map(isCsv ? csvLine : jsonLine).join(''));
      exported += page.length;
    } while (page.length === PAGE_OPERATIONS);
  });
  stderr.write(`${counted(exported, 'operation')} exported.\n`);

  return 0;
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

/**
 * Reads `--from` and `--to`: days of UTC, the last one included. Returns [from, to) in milliseconds since 1970.
 * @throws UsageError
 */
function readPeriod(from: unknown, to: unknown) {
  const period = { from: midnight('--from', from, 0), to: midnight('--to', to, 1) };
  if (period.from !== undefined && period.to !== undefined && period.to <= period.from)
    throw new UsageError('--to: expected a day that is not before --from.');
  return period;
}

/** The midnight at which a day begins, so many days later; undefined without the flag. @throws UsageError */
function midnight(flag: string, day: unknown, daysLater: number): number | undefined {
  if (day === undefined) return undefined;
  if (isRealDate(String(day))) return Date.parse(`${addDays(String(day), daysLater)}T00:00:00Z`);
  throw new UsageError(`${flag}: expected a day such as 2026-12-01.`);
}
