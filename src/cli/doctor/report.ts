/** Writes the results as a terminal shows them. */
import { styleText } from 'node:util';
import { counted, joined } from '../../core/words.ts';
import { labelledRows, marginOf, windowWidth } from '../terminal/window.ts';
import type { CheckResult } from './check.ts';
import type { CheckLevel } from './check-outcomes.ts';

const MARKS = {
  ok: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skipped: ['-', 'gray'],
} as const satisfies Record<CheckLevel, readonly [string, string]>;

/** The most columns of the results, and those of a mark with its margins. */
const WIDTH = 96;
const MARK_COLUMNS = 8;
/** The fewest columns beside the titles, however narrow the window is. */
const LEAST_TEXT_WIDTH = 24;

/** Writes a block for each check: mark, title and what happened; below them what to change. Fits the terminal window. */
export function resultLines(results: readonly CheckResult[], stream: NodeJS.WriteStream): readonly string[] {
  const margin = MARK_COLUMNS + marginOf(results.map(({ title }) => title));
  const width = Math.max(Math.min(WIDTH, windowWidth(stream) ?? WIDTH), margin + LEAST_TEXT_WIDTH);

  return results.flatMap(({ level, title, said, advice }) => {
    const [mark, colour] = MARKS[level];
    const [first = '', ...others] = labelledRows([[title, said]], width - MARK_COLUMNS, margin - MARK_COLUMNS);
    const adviceLines = advice === undefined ? [] : labelledRows([['→ ', advice]], width - margin, 2);

    return [
      `  ${styleText(colour, mark.padEnd(4), { stream })}  ${first}`,
      ...others.map((line) => ' '.repeat(MARK_COLUMNS) + line),
      ...adviceLines.map((line) => ' '.repeat(margin) + line),
    ];
  });
}

/** Counts the results: `1 failed, 13 checks passed.` */
export function summaryLine(results: readonly CheckResult[]): string {
  const count = (level: CheckLevel): number => results.filter((result) => result.level === level).length;
  const [failed, warnings, skipped] = [count('fail'), count('warn'), count('skipped')];

  const counts = [
    failed > 0 && `${failed} failed`,
    warnings > 0 && counted(warnings, 'warning'),
    `${counted(count('ok'), 'check')} passed`,
    skipped > 0 && `${skipped} not tried`,
  ];
  return `${joined(counts)}.`;
}
