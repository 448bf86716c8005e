/**
 * Has one question answered by a process of its own (ledger-reader.ts), which reads the rows from the state and runs the statement over
 * them: a year of rows holds up no call of this server. Which state it is, it learns by its stdin, never by its arguments or its
 * environment. It has a low priority.
 */

import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { LedgerRowsQuery } from './ports.ts';
import { answerApart, childEnvironment, type RunNow } from './run-sql.ts';
import type { SqlQuestion, SqlRequest } from './sql-tables.ts';

/** Where the state is that the process opens again, only to read. */
export type StatePlace = { readonly file: string } | { readonly url: string; readonly schema: string };

/** The first line that the process reads. */
export interface ReaderRequest extends SqlRequest {
  readonly place: StatePlace;
  readonly query: LedgerRowsQuery;
  readonly dialect?: SqlQuestion['dialect'];
  /** Variables that the driver of PostgreSQL looks for in an environment. */
  readonly driver: Readonly<Record<string, string | undefined>>;
}

/** The second line, once the server has stored what the rows must have. */
export interface ReaderWords {
  /** Names of stations by their codes. */
  readonly places: Readonly<Record<string, string>>;
}

/** Megabytes of its heap. It holds a batch of rows, and the result. */
const HEAP_MB = 160;

/** Runs statements over the rows of this state. */
export const rowsApartFrom =
  (place: StatePlace): RunNow =>
  ({ asker: _, signal, prepare, ...question }, statementMs) => {
    const request: ReaderRequest = {
      ...question,
      statementMs,
      place,
      driver: driverOf(place),
    };

    return answerApart({
      args: [`--max-old-space-size=${HEAP_MB}`, program()],
      env: readerEnvironment(),
      signal,
      request,
      statementMs,
      async onReads(reads, input) {
        const words: ReaderWords = { places: await prepare(reads) };
        input.write(`${JSON.stringify(words)}\n`);
      },
    });
  };

/** Among the sources it lies in their first folder, in the bundle beside this file. */
function program(): string {
  const extension = extname(import.meta.filename);
  return join(import.meta.dirname, extension === '.ts' ? '..' : '.', `ledger-reader${extension}`);
}

/**
 * What every process of a question has, how Node finds certificates of authorities, and where it keeps compiled code, with which the
 * program loads in half the time. None of it is a secret.
 */
function readerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA, NODE_OPTIONS, SSL_CERT_FILE, SSL_CERT_DIR } = process.env;
  const authorities = { NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA, NODE_OPTIONS, SSL_CERT_FILE, SSL_CERT_DIR };
  const compiled = getCompileCacheDir();
  return { ...childEnvironment(), ...authorities, ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) };
}

function driverOf(place: StatePlace): ReaderRequest['driver'] {
  const isOfDriver = ([name]: readonly [string, unknown]) => name.startsWith('PG') || /^USER(?:NAME)?$/.test(name);
  return 'url' in place ? Object.fromEntries(Object.entries(process.env).filter(isOfDriver)) : {};
}
