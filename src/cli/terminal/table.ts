/**
 * Rows as aligned columns; the last column is not padded. On a screen they are made to fit its window.
 */

/** Columns of the window; undefined where there is none (a pipe, a file). */
export function windowOf({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

const GAP = '  ';
/** A column is not cut below this. */
const LEAST = 8;

/**
 * @param whole columns that are never cut: a part of an amount is another amount. Where they leave too little room for the
 * others, a row takes several lines.
 */
export function table(rows: readonly (readonly string[])[], window?: number, whole: readonly number[] = []): string {
  const natural = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const widths = window === undefined ? natural : fitted(natural, window, whole);
  if (window !== undefined && whole.length > 0 && total(widths) > window) return broken(rows, natural, window);
  return `${rows.map((row) => lineOf(row, widths)).join('\n')}\n`;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => padded(cut(cell, widths[column] ?? 0), widths[column] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** The widest columns give way first; where all are at their least, lines run over. */
function fitted(natural: readonly number[], window: number, whole: readonly number[]): readonly number[] {
  const widths = [...natural];
  const give = widths.map((_, column) => column).filter((column) => !whole.includes(column));
  while (total(widths) > window) {
    const widest = give.reduce(
      (most, column) => ((widths[column] ?? 0) > (widths[most] ?? 0) ? column : most),
      give[0] ?? 0,
    );
    if ((widths[widest] ?? 0) <= LEAST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const FURTHER = '    ';

/** Each row in as many lines as it takes, nothing cut; lines after the first are set further in. */
function broken(rows: readonly (readonly string[])[], natural: readonly number[], window: number): string {
  const groups: number[][] = [[]];
  for (const [column, width] of natural.entries()) {
    const group = groups.at(-1) ?? [];
    const taken = group.map((one) => natural[one] ?? 0);
    const margin = groups.length === 1 ? 0 : FURTHER.length;
    if (group.length > 0 && margin + total([...taken, width]) > window) groups.push([column]);
    else group.push(column);
  }
  const lines = rows.flatMap((row) =>
    groups.map((group, i) => {
      const cells = group.map((column) => row[column] ?? '');
      return (
        (i === 0 ? '' : FURTHER) +
        lineOf(
          cells,
          group.map((column) => natural[column] ?? 0),
        )
      );
    }),
  );
  return `${lines.join('\n')}\n`;
}

function cut(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  let kept = '';
  for (const { segment } of SEGMENTS.segment(cell)) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

const padded = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - widthOf(cell)));

const SEGMENTS = new Intl.Segmenter();
/** Letters that take two columns of a terminal (East Asian wide, pictures). */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...SEGMENTS.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
