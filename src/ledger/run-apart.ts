/**
 * Has one question answered by a process of its own (ledger-reader.ts), which reads the rows from the state and gives them to the
 * process that runs the statement: a year of rows holds up no call of this server. Which state it is, it learns by its stdin, never
 * by its arguments or its environment. It has a low priority, and ends when its stdin does.
 */

import { extname, join } from 'node:path';
import { ClerkError, type ErrorCode, type Retry } from '../core/errors.ts';
import type { LedgerRowsQuery } from './ports.ts';
import {
  childEnvironment,
  LIMITS,
  NOT_STARTED,
  ProcessApart,
  type RunNow,
  runSqlNow,
  STARTING_PRIORITY,
  slowEnd,
  yieldToOthers,
} from './run-sql.ts';
import type { ApartRows, SqlEnd, SqlQuestion, SqlRead, SqlRequest } from './sql-tables.ts';

/** Where the state is that the process opens again, only to read. */
export type StatePlace = { readonly file: string } | { readonly url: string; readonly schema: string };

/** The first line that the process reads. */
export interface ReaderRequest extends SqlRequest {
  readonly place: StatePlace;
  readonly query: LedgerRowsQuery;
  readonly dialect: ApartRows['dialect'];
  /** Variables that the driver of PostgreSQL looks for in an environment. */
  readonly driver: Readonly<Record<string, string | undefined>>;
}

/** The second line, once the server has stored what the rows must have. */
export interface ReaderWords {
  /** Names of stations by their codes. */
  readonly places: Readonly<Record<string, string>>;
}

/** An error that this program made: it has no words of others, and no secret. */
interface ReaderError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
  readonly retry: Retry;
}

/** A line that the process writes: what the statement reads, unless it is refused, then how the question ended. */
export type ReaderReply =
  | { readonly reads: readonly SqlRead[] }
  | { readonly end: SqlEnd }
  | { readonly error: ReaderError | null };

/** Megabytes of its heap. It holds a batch of rows. */
const HEAP_MB = 160;

/** More time than the process itself allows for the rows and the statement, milliseconds: it tells why it ended. */
const GRACE_MS = 2_000;

/**
 * Runs statements over the rows of this state. Never throws for what a statement is or does, only if its rows cannot be read.
 */
export const rowsApartFrom =
  (place: StatePlace): RunNow =>
  (question, statementMs, began) =>
    question.apart === undefined
      ? runSqlNow(question, statementMs, began)
      : runApart(question, question.apart, { place, statementMs, began });

interface Run {
  readonly place: StatePlace;
  /** CPU time that the statement may take, milliseconds. */
  readonly statementMs: number;
  /** Called when it is known what the statement reads. */
  readonly began: (() => void) | undefined;
}

async function runApart(question: SqlQuestion, apart: ApartRows, run: Run): Promise<SqlEnd> {
  const { place, statementMs, began } = run;
  const reader = new ProcessApart([`--max-old-space-size=${HEAP_MB}`, program()], readerEnvironment(), question.signal);
  const { child } = reader;
  // Before it starts any thread: its child inherits it.
  yieldToOthers(child.pid, STARTING_PRIORITY);
  const lost = { failed: { kind: 'lost', why: 'The process that reads its rows ended without an answer.' } } as const;
  reader.endAfter(LIMITS.startingMs + GRACE_MS, NOT_STARTED);
  try {
    child.stdin.write(requestLine(question, apart, place, statementMs));
    for await (const reply of reader.replies<ReaderReply>()) {
      if ('error' in reply) throw errorFrom(reply.error);
      if ('end' in reply) return reply.end;
      // Payments of this server are never slower because somebody asks about a year.
      yieldToOthers(child.pid);
      const mostMs = LIMITS.loadingMs + Math.max(LIMITS.statementClockMs, 2 * statementMs) + GRACE_MS;
      reader.endAfter(mostMs, slowEnd(mostMs));
      began?.();
      const words: ReaderWords = { places: await apart.prepare(reply.reads) };
      child.stdin.write(`${JSON.stringify(words)}\n`);
    }
    await reader.ended;
    return reader.killed ?? lost;
  } finally {
    reader.close();
  }
}

/** Among the sources it lies in their first folder, in the bundle beside this file. */
function program(): string {
  const extension = extname(import.meta.filename);
  return join(import.meta.dirname, extension === '.ts' ? '..' : '.', `ledger-reader${extension}`);
}

/** What the process that runs the statement has, and how Node finds certificates of authorities. None of it is a secret. */
function readerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA, NODE_OPTIONS, SSL_CERT_FILE, SSL_CERT_DIR } = process.env;
  return { ...childEnvironment(), NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA, NODE_OPTIONS, SSL_CERT_FILE, SSL_CERT_DIR };
}

function requestLine(question: SqlQuestion, apart: ApartRows, place: StatePlace, statementMs: number): string {
  const { tables, sql, now, timeZone, mostRows, mostText } = question;
  const { query, dialect } = apart;
  const isOfDriver = ([name]: readonly [string, unknown]) => name.startsWith('PG') || /^USER(?:NAME)?$/.test(name);
  const driver = 'url' in place ? Object.fromEntries(Object.entries(process.env).filter(isOfDriver)) : {};
  const request: ReaderRequest = {
    place,
    query,
    dialect,
    driver,
    tables,
    sql,
    now,
    timeZone,
    mostRows,
    mostText,
    statementMs,
  };
  return `${JSON.stringify(request)}\n`;
}

/** The error as it is thrown where rows are read in this process. Null: a mistake of the program, whose text may have anything. */
function errorFrom(error: ReaderError | null): Error {
  return error === null
    ? new Error('the process that reads rows failed')
    : new ClerkError(error.code, error.message, error);
}
