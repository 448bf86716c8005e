/** Draws rows as aligned columns. */
import widthOf from 'string-width';
import { alignColumns } from '../../core/words.ts';

/** Draws a table. Nothing is cut: part of an amount is another amount. */
export function table(rows: readonly (readonly string[])[]): string {
  return `${alignColumns(rows, widthOf).join('\n')}\n`;
}
