/**
 * Judges the answer to one call: `exact`; `hint` if it is not, and its text would stop a hurried reader; else `wrong`, in silence.
 * Names of columns do not matter, nor does their order, nor further columns; the number of rows does, and each cell that was asked for.
 */
import type { Cell, DeskQuestion, Rows } from './question.ts';

export type Verdict = 'exact' | 'hint' | 'wrong';

/** What the judge reads of a result of query_ledger. */
export interface Answered {
  readonly columns?: unknown;
  readonly rows?: unknown;
  readonly hints?: unknown;
  readonly more_rows?: unknown;
  readonly error?: unknown;
}

type Asked = Pick<DeskQuestion, 'kind' | 'ordered' | 'keys' | 'currency'>;

/** Heads the first column where the tool ran a statement once for each currency. */
const BY_CURRENCY = '(currency)';

export function judge(question: Asked, expected: Rows, answered: Answered): Verdict {
  assertKeys(question, expected);
  const { hints, more_rows: isCut, error } = answered;
  const stops = error !== undefined || isCut === true || (Array.isArray(hints) && hints.length > 0);
  const rows = Array.isArray(answered.rows) ? ofCurrency(question, answered, answered.rows) : undefined;
  if (rows !== undefined && error === undefined && isCut !== true && isExact(question, expected, rows)) return 'exact';
  return stops ? 'hint' : 'wrong';
}

/** Who asks about one currency reads its rows. */
function ofCurrency({ currency }: Asked, { columns }: Answered, rows: readonly unknown[][]): readonly unknown[][] {
  const isByCurrency = Array.isArray(columns) && columns[0] === BY_CURRENCY;
  return isByCurrency && currency !== undefined ? rows.filter(([first]) => first === currency) : rows;
}

/** The books must be able to tell the rows of a table apart, and a scalar is one cell. */
function assertKeys({ kind, keys = 1 }: Asked, expected: Rows): void {
  if (expected.length === 0) throw new Error('a question without an answer proves nothing');
  if (kind === 'scalar' && (expected.length !== 1 || expected[0]?.length !== 1))
    throw new Error('a scalar is one cell');
  const found = new Set(expected.map((row) => JSON.stringify(row.slice(0, keys))));
  if (kind === 'table' && found.size !== expected.length) throw new Error('two rows have the same key');
}

function isExact({ kind, ordered }: Asked, expected: Rows, rows: readonly unknown[][]): boolean {
  if (rows.length !== expected.length) return false;
  const found = rows.map((row) => row.map(plain));
  if (kind === 'scalar') return isScalar(plain(expected[0]?.[0]), found[0] ?? []);
  const wanted = expected.map((row) => row.map(plain));
  const columnOf = (list: readonly (readonly unknown[])[], at: number) =>
    comparable(
      list.map((row) => [row[at]]),
      ordered,
    );
  /** For each cell that was asked for, the columns that have the same values. */
  const candidates = (wanted[0] ?? []).map((_, at) =>
    (found[0] ?? []).flatMap((_cell, column) => (columnOf(found, column) === columnOf(wanted, at) ? [column] : [])),
  );
  return choices(candidates).some(
    (columns) =>
      comparable(
        found.map((row) => columns.map((at) => row[at])),
        ordered,
      ) === comparable(wanted, ordered),
  );
}

/** Words, such as a currency, may stand beside the one cell; another number may not. */
const isScalar = (wanted: Cell | null, cells: readonly (Cell | null)[]) => {
  const candidates = typeof wanted === 'number' ? cells.filter((cell) => typeof cell !== 'string') : cells;
  return candidates.length === 1 && candidates[0] === wanted;
};

function comparable(rows: readonly (readonly unknown[])[], ordered = false): string {
  const texts = rows.map((row) => JSON.stringify(row));
  return (ordered ? texts : texts.sort()).join('\n');
}

/** Every way to take another column for each cell. */
function choices(candidates: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const [first, ...others] = candidates;
  if (first === undefined) return [[]];
  return choices(others).flatMap((chosen) => first.flatMap((at) => (chosen.includes(at) ? [] : [[at, ...chosen]])));
}

/** A number, also if it is written as text; a text without its quotation marks, with one way to write arrows. */
function plain(cell: unknown): Cell | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'number') return cell;
  const text = String(cell).trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text.replace(/^“(.*)”$/, '$1').replace(/\s*→\s*/g, '-');
}
