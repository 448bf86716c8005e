/** `fareclerk journal export`: every operation of a time as one table for a spreadsheet, or as JSON lines. */
import { UsageError } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { addDays, isRealDate } from '../../domain/time-and-text/times.ts';
import { locatorOf, type Operation } from '../../journal/operation.ts';
import { instant, moneyRecord, operationRecord } from './view.ts';

/** `--from` and `--to`: days of UTC, the last one included, or instants. Returns [from, to) in milliseconds since 1970. */
export function periodOf(from: unknown, to: unknown) {
  const start = from === undefined ? undefined : instantOf('--from', String(from), 0);
  const end = to === undefined ? undefined : instantOf('--to', String(to), 1);
  if (start !== undefined && end !== undefined && end <= start)
    throw new UsageError('--to: expected a time after --from.');
  return omitUndefined({ from: start, to: end });
}

function instantOf(flag: string, text: string, days: number): number {
  if (isRealDate(text)) return Date.parse(`${addDays(text, days)}T00:00:00Z`);
  const at = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${flag}: expected a day such as 2026-12-01, or a time such as 2026-12-01T08:00:00Z.`);
}

type Cell = (operation: Operation) => string | undefined;

const money =
  (name: keyof ReturnType<typeof moneyRecord>): Cell =>
  (operation) =>
    moneyRecord(operation)[name];

/** Columns in order. Amounts are in their own currency: a sheet must not add two of them. */
const COLUMNS: Readonly<Record<string, Cell>> = {
  created_at: ({ createdAt }) => instant(createdAt),
  tool: ({ tool }) => tool,
  locator: locatorOf,
  state: ({ state }) => state,
  direction: ({ direction }) => direction,
  charged: money('charged'),
  charged_currency: money('charged_currency'),
  refund: money('refund'),
  refund_currency: money('refund_currency'),
  at_stake: money('at_stake'),
  currency: money('currency'),
  tickets: ({ outcome }) => outcome?.tickets?.map(({ number }) => number).join(' '),
  assurance: ({ assurance }) => assurance,
  approved_by: ({ approvedBy }) => approvedBy,
  caller: ({ caller }) => caller,
  basis: ({ outcome }) => outcome?.basis,
  error: ({ outcome }) => outcome?.error?.code,
  to_check: ({ outcome }) => outcome?.check,
  dispatched_at: ({ dispatchedAt }) => instant(dispatchedAt),
  updated_at: ({ updatedAt }) => instant(updatedAt),
  supersedes: ({ supersedes }) => supersedes,
  operation_id: ({ id }) => id,
};

/** RFC 4180: CRLF, quotation marks doubled. */
function line(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`;
}

/** A cell that a spreadsheet would take for a formula is made text. */
function quotedCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Oldest first, with a line of titles. */
export function* csvLines(operations: Iterable<Operation>): Generator<string> {
  yield line(Object.keys(COLUMNS));
  for (const operation of operations) yield line(Object.values(COLUMNS).map((cell) => cell(operation) ?? ''));
}

/** Oldest first, one JSON object a line. */
export function* jsonLines(operations: Iterable<Operation>): Generator<string> {
  for (const operation of operations) yield `${JSON.stringify(operationRecord(operation))}\n`;
}
