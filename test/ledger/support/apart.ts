/** Questions whose rows another process reads, and the processes of this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { CLERK, END, START } from '../../../bench/support/many-acts.ts';
import type { SqlQuestion } from '../../../src/ledger/sql-tables.ts';
import { viewTables } from '../../../src/ledger/views.ts';

/** Over rows of the state, so that they are read before it runs. */
export const ENDLESS =
  'with recursive r(i) as (select count(*) from operation union all select i + 1 from r) select count(*) from r';

/** A question about the year of a supervisor, or of one caller. */
export function questionOn(sql: string, more: Partial<SqlQuestion> = {}): SqlQuestion {
  return {
    ...{ tables: viewTables(true), sql, now: END, timeZone: 'Asia/Riyadh', mostRows: 2_000, mostText: 1_000_000 },
    query: { tenant: CLERK.tenant, from: START, to: END + 1 },
    prepare: async () => ({}),
    ...more,
  };
}

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** The processes that this one, or another, has started, those that they started included. */
export function descendants(of = process.pid): readonly Process[] {
  return childrenOf(of).flatMap((pid) => [{ pid, command: read(pid, 'cmdline') }, ...descendants(pid)]);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Empty for a process that has ended. */
export function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

export const isReader = ({ command }: Process): boolean => command.includes('ledger-reader');

/** Whether it runs: one that has ended and was not waited for has no command line. */
export const lives = ({ pid }: Process): boolean => read(pid, 'cmdline') !== '';
