/**
 * Writes the column "breaks" of the tables in docs/reference/proofs.md and proofs-http.md: how many breaks of
 * test/campaigns/breaks the command of each row sees. `npm run write` writes it; a test compares it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BREAKS } from '../test/campaigns/breaks/table.ts';
import { ADAPTER_MUTANTS } from '../test/campaigns/mutation/adapter-mutants.ts';

const COLUMN = 'breaks';
const COMMAND = 'command';

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

const cellsOf = (row: string): readonly string[] => row.split('|').slice(1, -1);

/** A table with the numbers in its column. Without such a column it stays as it is. */
function filled(table: string): string {
  const [head = '', ...rows] = table.split('\n');
  const names = cellsOf(head).map((cell) => cell.trim());
  const [at, commandAt] = [names.indexOf(COLUMN), names.indexOf(COMMAND)];
  if (at < 0) return table;
  let command = '';
  const written = rows.map((row) => {
    const cells = [...cellsOf(row)];
    command = /`([^`]+)`/.exec(cells[commandAt] ?? '')?.[1] ?? command;
    if (command !== '') cells[at] = ` ${breaksSeenBy(command)} `;
    return `|${cells.join('|')}|`;
  });
  return [head, ...written].join('\n');
}

export const PAGES = ['docs/reference/proofs.md', 'docs/reference/proofs-http.md'];

/** The page with the numbers of the table of breaks. */
export function withBreaks(page: string): string {
  return page.replace(/(?:^\|.*\n?)+/gm, (table) =>
    table.endsWith('\n') ? `${filled(table.slice(0, -1))}\n` : filled(table),
  );
}

if (import.meta.main) {
  for (const page of PAGES) {
    const file = fileURLToPath(new URL(`../${page}`, import.meta.url));
    writeFileSync(file, withBreaks(readFileSync(file, 'utf8')));
  }
}
