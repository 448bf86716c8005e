/**
 * The table that is printed.
 */
import { isMet, type Row } from '../measure.ts';

function figure(value: number, unit: Row['unit']): string {
  const digits = unit === '' ? 0 : Math.abs(value) < 10 ? 2 : 1;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (unit === 'n^') return `n^${text}`;
  return unit === '×' ? `${text}×` : `${text} ${unit}`.trim();
}

function targetText({ target, unit }: Row): string {
  if (target === undefined) return '';
  return 'atMost' in target ? `≤ ${figure(target.atMost, unit)}` : `≥ ${figure(target.atLeast, unit)}`;
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    figure(row.value, row.unit),
    targetText(row),
    row.target === undefined ? '' : isMet(row) ? 'met' : 'MISSED',
    [row.from, row.peer, row.floor].filter((text) => text !== undefined).join('; '),
  ]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    row.map((cell, i) => (i === 1 || i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  '),
  );
  return lines.map((line) => `  ${line.trimEnd()}`).join('\n');
}
