/**
 * Runs one SELECT in a process of its own (sql-child.ts) over tables that are filled for it. The process has no
 * environment, may open no file but its own code, and is killed when its time is over.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Turns } from '../core/at-once.ts';
import {
  type RowsLine,
  type SqlEnd,
  type SqlQuestion,
  type SqlReply,
  type SqlRequest,
  type SqlRows,
  TOO_SLOW_SIGNAL,
} from './sql-tables.ts';

/** CPU time that a statement may use, milliseconds. Unlike time by the clock, it does not grow on a busy machine. */
const STATEMENT_MS = 1_500;
/**
 * Time by the clock that a statement may take, milliseconds, or twice its CPU time if that is longer: ends a process that
 * is stopped or gets no CPU.
 */
const STATEMENT_CLOCK_MS = 8_000;
/**
 * How long a question waits for a turn, milliseconds. After a long wait its statement may take less time than others.
 */
const TURN_MS = 6_000;
/** CPU time that a statement gets, however long it waited for its turn. Milliseconds. */
const LEAST_STATEMENT_MS = 300;
/** How long the rows of a question may take to reach the process, milliseconds. */
const LOADING_MS = 10_000;
/** A statement that runs longer lets others go first, milliseconds. */
const PROMPT_MS = 300;
/** Processes at once. */
const AT_ONCE = 2;
/** Rows in one line of the pipe. */
const ROWS_PER_LINE = 500;

const turns = new Turns(AT_ONCE);

/**
 * Waits for a turn among all callers, then runs the statement. Never throws for what the statement is or does, only if
 * its rows cannot be read. They are read within the turn, so that no more questions hold rows than run.
 */
export async function runSql(question: SqlQuestion): Promise<SqlEnd> {
  const askedAt = performance.now();
  if (!(await turns.take(TURN_MS))) return { failed: { kind: 'busy', why: 'Other questions took all the time.' } };
  try {
    const turnLeftMs = TURN_MS - (performance.now() - askedAt);
    return await runSqlNow(question, Math.max(LEAST_STATEMENT_MS, Math.min(STATEMENT_MS, turnLeftMs)));
  } finally {
    turns.end();
  }
}

/**
 * Runs the statement without a turn, for a process in which nobody else asks. Never throws for what the statement is or
 * does, only if its rows cannot be read.
 * @param statementMs CPU time, in milliseconds, that the statement may take
 */
export async function runSqlNow(question: SqlQuestion, statementMs: number): Promise<SqlEnd> {
  const program = join(import.meta.dirname, `sql-child${extname(import.meta.filename)}`);
  const limits = ['--permission', '--allow-worker', `--allow-fs-read=${dirname(import.meta.dirname)}/*`];
  const child = spawn(process.execPath, ['--no-warnings', ...limits, program], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const tooLarge = { failed: { kind: 'too_large', why: 'It needed too much memory and was ended.' } } as const;
  const lost = { failed: { kind: 'lost', why: 'The process that runs it ended without an answer.' } } as const;
  const tooSlow = {
    failed: { kind: 'too_slow', why: `It ran longer than ${(statementMs / 1000).toFixed(1)} seconds and was ended.` },
  } as const;
  /** Whether the rows took too long to load, or the statement by the clock. Both are reported as too slow. */
  let isLate = false;
  const kill = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  // Until the process says what the statement reads, then while the rows reach it, then of its statement.
  let timer = setTimeout(kill, LOADING_MS);
  let priorityTimer: NodeJS.Timeout | undefined;
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
  try {
    // Writing fails if the process dies. How it exited tells why.
    child.stdin.on('error', () => undefined);
    child.stdin.write(requestLine(question, statementMs));
    for await (const line of createInterface({ input: child.stdout })) {
      const reply = JSON.parse(line) as SqlReply;
      clearTimeout(timer);
      if ('reads' in reply) {
        // The state limits its own time.
        const rows = await question.rowsOf(reply.reads);
        timer = setTimeout(kill, LOADING_MS);
        pipeline(rowsLines(rows), child.stdin).catch(() => undefined);
        continue;
      }
      if (!('ready' in reply)) return reply;
      timer = setTimeout(kill, Math.max(STATEMENT_CLOCK_MS, 2 * statementMs));
      priorityTimer = setTimeout(yieldToOthers, PROMPT_MS, child.pid);
    }
    await ended;
    // No result came: the signal tells who ended the process (sql-child.ts), unless it was this function.
    if (isLate || child.signalCode === TOO_SLOW_SIGNAL) return tooSlow;
    return child.signalCode === 'SIGKILL' ? tooLarge : lost;
  } finally {
    clearTimeout(timer);
    clearTimeout(priorityTimer);
    child.kill('SIGKILL');
  }
}

/** Lowers the priority of a long statement, so that other calls are answered as fast as before. */
function yieldToOthers(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

/** The environment of the process: what Electron and Windows need to start Node, and UTC, not the machine's zone. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE, SystemRoot } = process.env;
  return { TZ: 'UTC', ELECTRON_RUN_AS_NODE, SystemRoot };
}

function requestLine({ rowsOf: _, ...request }: SqlQuestion, statementMs: number): string {
  return `${JSON.stringify({ ...request, statementMs } satisfies SqlRequest)}\n`;
}

/** The lines with the rows. Other calls of this server run between two of them. */
async function* rowsLines(tables: readonly SqlRows[]): AsyncGenerator<string> {
  for (const [read, rows] of tables.entries()) {
    for (let from = 0; from < rows.length; from += ROWS_PER_LINE) {
      await letOthersRun();
      yield `${JSON.stringify([read, rows.slice(from, from + ROWS_PER_LINE)] satisfies RowsLine)}\n`;
    }
  }
}
