/**
 * Where something may lie: the tables of the state file, the files themselves, and what the commands print.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Program } from '../../../cli/program.ts';
import { readFrom, tablesIn } from '../../support/sqlite.ts';
import type { Seen } from './seen.ts';

/** Columns of an approval hold different things for different times: looked at one by one. */
const BY_COLUMN = new Set(['approval']);

export function lookIntoTables(seen: Seen, file: string): void {
  readFrom(file, (db) => {
    for (const table of tablesIn(db)) lookIntoTable(seen, db, table);
  });
}

/** Of an approval: it can still be answered, or its yes be carried out, or its outcome be told. */
const WAITS = "(decision = 'pending' or (decision = 'granted' and told_at is null))";

/** A question that waits carries its arguments. */
export function somethingOpen(file: string): boolean {
  const open = `select 1 from approval where carried is not null and ${WAITS} limit 1`;
  return readFrom(file, (db) => db.prepare(open).get() !== undefined);
}

function lookIntoTable(seen: Seen, db: DatabaseSync, table: string): void {
  for (const row of db.prepare(`select * from "${table}"`).all()) {
    if (!BY_COLUMN.has(table)) seen.add('table', table, JSON.stringify(row));
    else for (const [column, value] of Object.entries(row)) seen.add('table', `${table}.${column}`, String(value));
  }
  if (table !== 'approval') return;
  // Once more, because a row may carry this only while its question waits.
  for (const { carried } of db.prepare(`select carried from approval where carried is not null and not ${WAITS}`).all())
    seen.add('table', 'approval.carried, spent', String(carried));
}

/** The bytes as they lie on the disk: what was erased must not be in them either. */
export function lookIntoFiles(
  seen: Seen,
  folder: string,
  channel: 'state file' | 'state file, running' | 'state file, something open',
): void {
  for (const name of filesIn(folder)) seen.add(channel, name, readFileSync(join(folder, name)).toString('latin1'));
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile());
}

/** The last gate of every way to look from outside. */
export async function runCommands(seen: Seen, program: Program, env: Readonly<Record<string, string>>): Promise<void> {
  const run = async (...argv: string[]) => {
    const { stdout, stderr } = await program.run(argv, { FARECLERK_LOG_LEVEL: 'trace', NODE_NO_WARNINGS: '1', ...env });
    const of = argv.map((part) => (part.length === 36 ? 'ID' : part)).join(' ');
    seen.add('command', of, stdout);
    seen.add('stderr', of, stderr);
    return stdout;
  };
  const operations = JSON.parse((await run('journal', 'list', '--json')) || '[]') as { operation_id: string }[];
  for (const { operation_id: id } of operations.slice(0, 12)) await run('journal', 'show', id);
  for (const argv of [['journal', 'verify'], ['journal', 'reconcile'], ['approve'], ['approve', '--json']])
    await run(...argv);
}
