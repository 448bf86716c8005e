/**
 * Gives each question in SQL its turn, and ends the process that answers it when its time is over. The limits of time are here, those
 * of rows and text in ../tools/query-ledger.ts.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Turns } from '../core/at-once.ts';
import { ClerkError, type ErrorCode, type Retry } from '../core/errors.ts';
import { jsonIn } from '../core/own.ts';
import { type SqlEnd, type SqlQuestion, type SqlRead, TOO_SLOW_SIGNAL } from './sql-tables.ts';

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
/** How long a process may take until it says what its statement reads, milliseconds: on a busy machine. */
const STARTING_MS = 30_000;
/** How long the rows of a question may take to be read from the state and to reach the process, milliseconds. */
const LOADING_MS = 30_000;
/** Questions that are answered at once: each has a process. */
const AT_ONCE = 3;

const BUSY = { failed: { kind: 'busy', why: 'Other questions took all the time.' } } as const;
/** The machine is too busy to start a process in {@link STARTING_MS}: nothing is wrong with the statement. */
const NOT_STARTED = {
  failed: {
    kind: 'busy',
    why: `This machine is so busy that the question did not start in ${STARTING_MS / 1000} seconds.`,
  },
} as const;
const LEFT = { failed: { kind: 'lost', why: 'Who asked has left.' } } as const;

const BROKEN = { failed: { kind: 'broken', why: 'The process that answers it could not run.' } } as const;
const TOO_LARGE = { failed: { kind: 'too_large', why: 'It needed too much memory and was ended.' } } as const;

const tooSlow = (why: string): SqlEnd => ({ failed: { kind: 'too_slow', why } });
const TOO_MUCH = tooSlow(`Reading its rows took longer than ${LOADING_MS / 1000} seconds and was ended.`);
const slowEnd = (ms: number): SqlEnd => tooSlow(`It ran longer than ${(ms / 1000).toFixed(1)} seconds and was ended.`);

const turns = new Turns(AT_ONCE);

/** The turn of each person who asks now, and how many of their questions run or wait. */
const turnsOf = new Map<string, { readonly turn: Turns; asked: number }>();

/**
 * Runs one statement without a turn. Never throws for what the statement is or does, only if its rows cannot be read.
 * @param statementMs CPU time that it may take, milliseconds
 */
export type RunNow = (question: SqlQuestion, statementMs: number) => Promise<SqlEnd>;

/**
 * Waits until no other question of the same asker runs, then for a turn among all, and runs the statement. Never throws for
 * what the statement is or does, only if its rows cannot be read. They are read within the turn, so that no more questions
 * hold rows than run.
 */
export async function runSql(question: SqlQuestion, runNow: RunNow): Promise<SqlEnd> {
  const until = performance.now() + TURN_MS;
  const { asker } = question;
  if (asker === undefined) return inTurn(question, until, runNow);

  const own = turnsOf.get(asker) ?? { turn: new Turns(1), asked: 0 };
  turnsOf.set(asker, own);
  own.asked += 1;

  try {
    if (!(await own.turn.take(TURN_MS))) return BUSY;
    try {
      return await inTurn(question, until, runNow);
    } finally {
      own.turn.end();
    }
  } finally {
    own.asked -= 1;
    if (own.asked === 0) turnsOf.delete(asker);
  }
}

/** @param until when waiting ends, by `performance.now()` */
async function inTurn(question: SqlQuestion, until: number, runNow: RunNow): Promise<SqlEnd> {
  const leftMs = () => Math.max(0, until - performance.now());
  if (!(await turns.take(leftMs()))) return BUSY;
  try {
    return await runNow(question, Math.max(LEAST_STATEMENT_MS, Math.min(STATEMENT_MS, leftMs())));
  } finally {
    turns.end();
  }
}

/** A line of the process: what the statement reads, that all rows are there and it starts, then how it ended. */
export type AnswerLine =
  | { readonly reads: readonly SqlRead[] }
  | { readonly starts: true }
  | { readonly end: SqlEnd }
  | { readonly error: OwnError | null };

/** An error that this program made: it has no words of others, and no secret. */
interface OwnError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
  readonly retry: Retry;
}

export interface Answering {
  /** Arguments of Node.js: limits and the program. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  /** The first line that the process reads. */
  readonly request: object;
  /** CPU time that the statement may take, milliseconds. */
  readonly statementMs: number;
  /** Called once with what the statement reads: gives the process what it waits for. */
  onReads(reads: readonly SqlRead[], input: Writable): Promise<void>;
}

/** Has a process of its own answer one question, and ends it when its time is over. @throws what the process could not read */
export async function answerApart({ args, env, signal, request, statementMs, onReads }: Answering): Promise<SqlEnd> {
  const apart = new ProcessApart(args, env, signal);
  const { child } = apart;

  // Before it starts any thread.
  yieldToOthers(child.pid, STARTING_PRIORITY);
  apart.endAfter(STARTING_MS, NOT_STARTED);

  try {
    child.stdin.write(`${JSON.stringify(request)}\n`);

    for await (const line of apart.lines()) {
      if ('error' in line) throw errorFrom(line.error);
      if ('end' in line) return line.end;

      if ('starts' in line) {
        apart.endAfter(Math.max(STATEMENT_CLOCK_MS, 2 * statementMs), slowEnd(statementMs));
        continue;
      }

      // Payments of this server are never slower because somebody asks about a year.
      yieldToOthers(child.pid);
      apart.endAfter(LOADING_MS, TOO_MUCH);
      await onReads(line.reads, child.stdin);
    }

    await apart.ended;

    // No answer came: the signal tells who ended the process (statement.ts), unless it was this one.
    if (apart.killed !== undefined) return apart.killed;
    if (child.signalCode === TOO_SLOW_SIGNAL) return slowEnd(statementMs);

    return child.signalCode === null ? BROKEN : TOO_LARGE;
  } finally {
    apart.close();
  }
}

/** The error as this process would have thrown it. Null: a mistake of the program, whose text may have anything. */
function errorFrom(error: OwnError | null): Error {
  return error === null
    ? new Error('the process that reads rows failed')
    : new ClerkError(error.code, error.message, error);
}

/** A process of ours that answers in lines of JSON. It is ended when its time is over, or who asked has left. */
class ProcessApart {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves when the process has ended, or could not start. */
  readonly ended: Promise<unknown>;
  /** Why it was ended by us. */
  killed: SqlEnd | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #leave = () => this.#kill(LEFT);
  #timer: NodeJS.Timeout | undefined;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
    this.child = spawn(process.execPath, ['--no-warnings', ...args], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.ended = Promise.race([once(this.child, 'exit'), once(this.child, 'error')]).catch(() => undefined);

    // Writing fails if the process dies. How it exited tells why.
    this.child.stdin.on('error', () => undefined);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#leave, { once: true });
    if (signal?.aborted) this.#leave();
  }

  /** Ends the process after this time, unless a reply comes before. */
  endAfter(ms: number, end: SqlEnd): void {
    this.#timer = setTimeout(() => this.#kill(end), ms);
  }

  /** The lines; none of a process that was ended while it wrote one. */
  async *lines(): AsyncGenerator<AnswerLine> {
    for await (const line of createInterface({ input: this.child.stdout })) {
      const answer = jsonIn(line);
      if (answer === undefined) return;
      clearTimeout(this.#timer);
      yield answer as AnswerLine;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#leave);
    this.child.kill('SIGKILL');
  }

  #kill(end: SqlEnd): void {
    this.killed ??= end;
    this.child.kill('SIGKILL');
  }
}

/**
 * The priority of a process that starts: a little below the usual one. With a low one, starting beside processes that keep every
 * processor busy takes longer than anybody waits; with the usual one, payments beside many questions take twice as long.
 */
const STARTING_PRIORITY = 5;

/** Lowers the priority of a process with all its threads, so that other calls are answered as fast as before. */
function yieldToOthers(pid: number | undefined, priority = constants.priority.PRIORITY_BELOW_NORMAL): void {
  if (pid === undefined) return;

  try {
    // Linux has a priority for each thread, other systems one for all of them.
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, priority);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

/** The environment of the process: what Electron and Windows need to start Node, and UTC, not the machine's zone. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE, SystemRoot } = process.env;
  return { TZ: 'UTC', ELECTRON_RUN_AS_NODE, SystemRoot };
}
