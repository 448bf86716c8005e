/** Draws rows as aligned columns that fit the window of a screen. */
import widthOf from 'string-width';
import { alignColumns, columnWidths } from '../../core/words.ts';

type Rows = readonly (readonly string[])[];

/** No column is cut below this width. */
const LEAST_WIDTH = 8;
/** Indent of the second and later lines of a row. */
const FURTHER_INDENT = '    ';

/**
 * @param window columns of the screen; without it nothing is cut
 * @param uncut columns that are never cut, since part of an amount is another amount; if needed, a row takes several lines
 */
export function table(rows: Rows, window = Number.POSITIVE_INFINITY, uncut: readonly number[] = []): string {
  const natural = columnWidths(rows, widthOf);
  const widths = fittedWidths(natural, window, uncut);
  const lines =
    uncut.length > 0 && lineWidth(widths) > window
      ? onSeveralLines(rows, natural, window)
      : alignColumns(
          rows.map((row) => row.map((cell, column) => cut(cell, widths[column] ?? 0))),
          widthOf,
          widths,
        );
  return `${lines.join('\n')}\n`;
}

const lineWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1);

/** Narrows the widest columns first. At the least width of all, lines are longer than the window. */
function fittedWidths(natural: readonly number[], window: number, uncut: readonly number[]): readonly number[] {
  const widths = [...natural];
  const flexible = widths.flatMap((_, column) => (uncut.includes(column) ? [] : [column]));
  while (lineWidth(widths) > window) {
    const widest = Math.max(LEAST_WIDTH, ...flexible.map((column) => widths[column] ?? 0));
    if (widest === LEAST_WIDTH) break;
    widths[flexible.find((column) => widths[column] === widest) ?? 0] = widest - 1;
  }
  return widths;
}

/** Puts each row on as many lines as it needs and cuts nothing. */
function onSeveralLines(rows: Rows, natural: readonly number[], window: number): readonly string[] {
  const groups: number[][] = [[]];
  for (const [column, width] of natural.entries()) {
    const group = groups.at(-1) ?? [];
    const groupWidths = group.map((grouped) => natural[grouped] ?? 0);
    const margin = groups.length === 1 ? 0 : FURTHER_INDENT.length;
    if (group.length > 0 && margin + lineWidth([...groupWidths, width]) > window) groups.push([column]);
    else group.push(column);
  }
  const blocks = groups.map((group, i) => {
    const cells = rows.map((row) => group.map((column) => row[column] ?? ''));
    return alignColumns(cells, widthOf).map((line) => (i === 0 ? line : FURTHER_INDENT + line));
  });
  return rows.flatMap((_, row) => blocks.map((block) => block[row] ?? ''));
}

const SEGMENTS = new Intl.Segmenter();

function cut(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  let kept = '';
  for (const { segment } of SEGMENTS.segment(cell)) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
