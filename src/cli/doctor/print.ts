/** Prints the results. */
import { styleText } from 'node:util';
import { windowOf } from '../terminal/window.ts';
import { counted, type Level, listed, type Result } from './check.ts';

const MARKS = {
  ok: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skipped: ['-', 'gray'],
} as const satisfies Record<Level, readonly [string, string]>;

const WIDTH = 96;
const MARK_WIDTH = 4;
/** With less room than this beside the titles, texts go below them. */
const LEAST = 40;

/** One block per check: mark, title, what happened; below it what to change. Fits the terminal window. */
export function resultLines(results: readonly Result[], stream: NodeJS.WriteStream): readonly string[] {
  const width = Math.min(WIDTH, windowOf(stream) ?? WIDTH);
  const titles = Math.min(24, Math.max(...results.map(({ title }) => title.length)));
  const beside = 2 + MARK_WIDTH + 2 + titles + 2;
  const below = width - beside < LEAST;
  const margin = ' '.repeat(below ? 2 + MARK_WIDTH + 2 : beside);
  return results.flatMap(({ level, title, said, advice }) => {
    const [mark, colour] = MARKS[level];
    const text = wrapped(said, width - margin.length);
    const [head = '', ...rest] = below ? ['', ...text] : text;
    const todo = advice === undefined ? [] : wrapped(advice, width - margin.length - 2);
    return [
      `  ${styleText(colour, mark.padEnd(MARK_WIDTH), { stream })}  ${title.padEnd(titles)}  ${head}`.trimEnd(),
      ...rest.map((line) => margin + line),
      ...todo.map((line, i) => `${margin}${i === 0 ? '→ ' : '  '}${line}`),
    ];
  });
}

/** Lines of at most `width` characters; a longer word has a line of its own. */
function wrapped(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.pop() ?? '';
    if (line === '') lines.push(word);
    else if (line.length + 1 + word.length > width) lines.push(line, word);
    else lines.push(`${line} ${word}`);
  }
  return lines;
}

export function summaryLine(results: readonly Result[]): string {
  const count = (level: Level): number => results.filter((result) => result.level === level).length;
  const [fail, warn, left] = [count('fail'), count('warn'), count('skipped')];
  const parts = [
    fail > 0 && `${fail} failed`,
    warn > 0 && counted(warn, 'warning'),
    `${counted(count('ok'), 'check')} passed`,
    left > 0 && `${left} not tried`,
  ];
  return `${listed(parts, ', ')}.`;
}
