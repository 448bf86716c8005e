/**
 * Writes two columns of the tables in docs/reference/proofs.md and proofs-http.md: which scripts of .ci play the command of a row,
 * and how many breaks of test/campaigns/breaks it sees. `npm run write` writes them; a test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BREAKS } from '../test/campaigns/breaks/table.ts';
import { ADAPTER_MUTANTS } from '../test/campaigns/mutation/adapter-mutants.ts';

const COMMAND = 'command';
const SCRIPTS = ['run', 'night', 'full'] as const;

/** Options that make another proof of a campaign: `--only once,tokens` has those of both parts. */
const MODES = ['--plans', '--late', '--only', '--cases 0'];

/** What a command plays: its programs or test files, and the modes. */
function playedBy(command: string) {
  const words = command.split(' ');
  const files = words.filter((word) => word.startsWith('test/'));
  const modes = MODES.filter((mode) => command.includes(mode));
  const parts = (words[words.indexOf('--only') + 1] ?? '').split(',');
  return { files, modes, parts };
}

/** Whether the command on a page plays what the command of a break plays. */
function covers(onPage: string, ofBreak: string): boolean {
  const page = playedBy(onPage);
  const one = playedBy(ofBreak);
  const isSameProgram = one.files.some((file) => page.files.some((wanted) => file.startsWith(wanted)));
  if (!isSameProgram) return false;
  // Without parts, all are played.
  if (one.modes.includes('--only') && page.modes.length === 0) return true;
  if (one.modes.join() !== page.modes.join()) return false;
  return !page.modes.includes('--only') || one.parts.some((part) => page.parts.includes(part));
}

/** How many breaks the command of a row sees. */
export function breaksSeenBy(command: string): number {
  // It has a table of its own.
  if (command.includes('mutation/adapter.ts')) return Object.keys(ADAPTER_MUTANTS).length;
  return Object.values(BREAKS).filter(({ seenBy }) => seenBy.some((one) => covers(command, one))).length;
}

const stepsOf = (script: string): readonly string[] =>
  readFileSync(new URL(`../.ci/${script}`, import.meta.url), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.includes('node test/'));

/** Which scripts of .ci play the command of a row. */
export function scriptsWith(command: string): readonly string[] {
  // All tests are played by a project: which one, the name of their file says.
  if (command.includes('vitest')) return [command.includes('.night.test') ? 'night' : 'run'];
  // A script plays both parts of the estimates in one run.
  const played = command.replace('--cases 0', '');
  return SCRIPTS.filter((script) => stepsOf(script).some((step) => covers(played, step)));
}

const COLUMNS: Readonly<Record<string, (command: string) => string>> = {
  'played by': (command) => scriptsWith(command).join(', '),
  breaks: (command) => String(breaksSeenBy(command)),
};

const cellsOf = (row: string): readonly string[] => row.split('|').slice(1, -1);

/** A table with its columns written. A row without a command has that of the row above. */
function filled(table: string): string {
  const [head = '', ...rows] = table.split('\n');
  const names = cellsOf(head).map((cell) => cell.trim());
  const commandAt = names.indexOf(COMMAND);
  let command = '';
  const written = rows.map((row) => {
    const cells = cellsOf(row);
    command = /`([^`]+)`/.exec(cells[commandAt] ?? '')?.[1] ?? command;
    if (command === '') return row;
    const wanted = cells.map((cell, at) => {
      const column = COLUMNS[names[at] ?? ''];
      return column === undefined ? cell : ` ${column(command)} `;
    });
    return `|${wanted.join('|')}|`;
  });
  return [head, ...written].join('\n');
}

export const PAGES = ['docs/reference/proofs.md', 'docs/reference/proofs-http.md'];

/** The page with its columns written. */
export function withColumns(page: string): string {
  return page.replace(/(?:^\|.*\n?)+/gm, (table) =>
    table.endsWith('\n') ? `${filled(table.slice(0, -1))}\n` : filled(table),
  );
}

if (import.meta.main) {
  for (const page of PAGES) {
    const file = fileURLToPath(new URL(`../${page}`, import.meta.url));
    writeFileSync(file, withColumns(readFileSync(file, 'utf8')));
  }
}
