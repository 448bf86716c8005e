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

export function table(rows: readonly (readonly string[])[], window?: number): string {
  const natural = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const widths = window === undefined ? natural : fitted(natural, window);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => padded(cut(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(GAP)
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

/** The widest columns give way first; where all are at their least, lines run over. */
function fitted(natural: readonly number[], window: number): readonly number[] {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  while (total() > window) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= LEAST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
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
