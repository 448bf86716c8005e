/** Writes the rows of a run into docs/reference/performance.md, with the commit and the day on which they were measured. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cellsOf, type Measure, type Row } from './measure.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = `${ROOT}docs/reference/performance.md`;
/** What decides a figure. */
const MEASURED = ['src', 'bin', 'bench', 'scripts', 'package-lock.json'];

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The commit that is measured. @throws if files of it have changed: nobody could measure them again */
export function measuredCommit(): string {
  const changed = git('status', '--porcelain', '--', ...MEASURED);
  if (changed !== '') throw new Error(`commit first what is measured:\n${changed}`);
  return git('rev-parse', '--short=8', 'HEAD');
}

/**
 * The first figure, those that missed their target, and how many met it: the run itself prints all. A figure that begins with `…` goes with
 * the one above it.
 */
function summaryOf(rows: readonly (readonly string[])[]): readonly string[] {
  let above = '';
  const named = rows.map(([what = '', value, , target = '', word]) => {
    if (!what.startsWith('…')) above = what;
    const name = what.startsWith('…') ? `${above} ${what}` : what;
    const line = `${name}: ${value}${target === '' ? '' : ` (${target})`}`;
    return { line, word };
  });
  const aimed = named.filter(({ word }) => word !== '');
  const missed = aimed.filter(({ word }) => word === 'MISSED');
  const first = named.slice(0, 1).filter(({ word }) => word !== 'MISSED');
  return [
    ...first.map(({ line }) => `- ${line}`),
    ...missed.map(({ line }) => `- MISSED: ${line}`),
    `- Targets met: ${aimed.length - missed.length} of ${aimed.length}.`,
  ];
}

/** Replaces the figures of one measure. */
export function writeFigures({ name, about }: Measure, rows: readonly Row[], commit: string, machine: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const begin = `<!-- figures of ${name} -->\n`;
  const [start, end] = [page.indexOf(begin), page.indexOf('<!-- end -->', page.indexOf(begin))];
  if (start === -1 || end === -1) throw new Error(`${PAGE} has no place for ${name}`);
  const lines = summaryOf(rows.map(cellsOf));
  const day = new Date().toISOString().slice(0, 10);
  const text = `${begin}\`${name}\`, ${about}. Measured ${day} at ${commit}; ${machine}.\n\n${lines.join('\n')}\n`;
  writeFileSync(PAGE, page.slice(0, start) + text + page.slice(end));
}
