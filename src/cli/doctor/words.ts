/**
 * The examination as people read it.
 */
import { styleText } from 'node:util';
import { windowOf } from '../terminal/table.ts';
import type { Check, Level } from './check.ts';

const MARKS: Readonly<Record<Level, string>> = { ok: 'ok', warn: 'warn', mend: 'MEND', skipped: '-' };
const COLOURS = { ok: 'green', warn: 'yellow', mend: 'red', skipped: 'gray' } as const;

const WIDTH = 96;
const MARK_WIDTH = 4;

/** Beside the titles there is room for this much, or what was said goes below them. */
const LEAST = 40;

/** One block per check: mark, name, what happened; below it what to change. On a screen it fits the window. */
export function checkLines(checks: readonly Check[], stream: NodeJS.WriteStream): readonly string[] {
  const width = Math.min(WIDTH, windowOf(stream) ?? WIDTH);
  const titles = Math.min(24, Math.max(...checks.map(({ title }) => title.length)));
  const beside = 2 + MARK_WIDTH + 2 + titles + 2;
  const below = width - beside < LEAST;
  const margin = ' '.repeat(below ? 2 + MARK_WIDTH + 2 : beside);
  return checks.flatMap(({ level, title, said, mend }) => {
    const mark = styleText(COLOURS[level], MARKS[level].padEnd(MARK_WIDTH), { stream });
    const words = wrapped(said, width - margin.length);
    const [head = '', ...rest] = below ? ['', ...words] : words;
    const lines = [`  ${mark}  ${title.padEnd(titles)}  ${head}`.trimEnd(), ...rest.map((line) => margin + line)];
    const advice = mend === undefined ? [] : wrapped(mend, width - margin.length - 2);
    return [...lines, ...advice.map((line, i) => `${margin}${i === 0 ? '→ ' : '  '}${line}`)];
  });
}

/** Lines of at most `width` characters; a longer word stands alone. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

export function summaryLine(checks: readonly Check[]): string {
  const count = (level: Level): number => checks.filter((check) => check.level === level).length;
  const [mend, warn, ok, left] = [count('mend'), count('warn'), count('ok'), count('skipped')];
  const parts = [
    mend === 0 ? 'Nothing must be mended' : `${mend} to mend`,
    warn === 0 ? '' : `${warn} to look at`,
    `${ok} as it should be`,
    left === 0 ? '' : `${left} not tried`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}.`;
}
