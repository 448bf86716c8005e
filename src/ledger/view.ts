/** What a view for questions in SQL is: its columns, each with the cell that a row has in it, and the rows that it is made from. */
import type { ViewContext } from './cells.ts';
import type { LedgerRows, OperationField } from './ports.ts';
import type { Cell, ColumnType } from './sql-tables.ts';

/** A column as the description of the view names it. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** It is an amount in the currency of the row's column `currency`. */
  readonly isAmount?: true | undefined;
  /** Where the name does not say it. */
  readonly note?: string | undefined;
}

/** Works out a cell. Called only where a statement reads its column, because a year has a million rows. */
export type CellOf<Row> = (row: Row, ctx: ViewContext) => Cell | undefined;

interface ViewParts {
  readonly name: string;
  /** What one row is. */
  readonly row: string;
  /** The stored rows that it is filled from, one kind after another. */
  readonly each: readonly (keyof LedgerRows)[];
  /** What is read beside them, and the columns that need it. Empty: any column. */
  readonly beside?: Readonly<Partial<Record<keyof LedgerRows, readonly string[]>>>;
  /** The fields of operations that these columns need. Absent: all. */
  fields?(columns: readonly string[]): readonly OperationField[];
  readonly indexes: readonly string[];
  readonly supervisorsOnly?: true;
  /** How many days its rows are kept. Absent: longer than any question reaches. */
  readonly keptDays?: number;
}

interface ViewDefinition<Row> extends ViewParts {
  /** Each column: `name`, `name:integer`, `name:amount` and `name -- a note`, and its cell. */
  readonly columns: Readonly<Record<string, CellOf<Row>>>;
  /** What each row is made from. @param each the kind of the stored rows to fill it from; the others are beside them */
  rows(stored: LedgerRows, ctx: ViewContext, each: keyof LedgerRows): readonly Row[];
  /** By which number the rows are put in order. Absent: they come in order. */
  place?(row: Row): number;
}

export interface LedgerView extends ViewParts {
  readonly columns: readonly Column[];
  /** Each row has a cell `place`, by which they are put in order. */
  readonly hasPlaces?: true | undefined;
  /** The rows, each as its cells by their columns. */
  fill(stored: LedgerRows, ctx: ViewContext, each: keyof LedgerRows): readonly ((column: string) => Cell | undefined)[];
}

export function view<Row>({ columns, rows, place, ...parts }: ViewDefinition<Row>): LedgerView {
  const defined = Object.entries(columns).map(([text, cell]) => ({ column: columnOf(text), cell }));
  const cells = new Map(defined.map(({ column, cell }) => [column.name, cell]));
  if (place !== undefined) cells.set('place', place);

  return {
    ...parts,
    columns: defined.map(({ column }) => column),
    hasPlaces: place && true,
    fill: (stored, ctx, each) => rows(stored, ctx, each).map((row) => (name) => cells.get(name)?.(row, ctx)),
  };
}

function columnOf(text: string): Column {
  const [head = '', note] = text.split(' -- ');
  const [name = '', type = 'text'] = head.split(':');
  if (type === 'amount') return { name, type: 'real', isAmount: true, note };
  return { name, type: type as ColumnType, note };
}
