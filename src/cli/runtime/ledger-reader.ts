/**
 * Answers one question in SQL in a process of its own, for a server (ledger/run-apart.ts): opens the state once more, only to read,
 * turns its rows into those of the views, closes it, and runs the statement. It reads the request from stdin and writes the answer to
 * stdout.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { ClerkError } from '../../core/errors.ts';
import type { ReaderRequest, ReaderWords, StatePlace } from '../../ledger/run-apart.ts';
import type { AnswerLine } from '../../ledger/run-sql.ts';
import type { SqlEnd } from '../../ledger/sql-tables.ts';
import { answerStatement } from '../../ledger/statement.ts';
import { ACTS } from '../../tools/index.ts';
import { ledgerCells, RowsSeen } from '../../tools/query-ledger.ts';

/** Answers the question that stdin has. */
export async function readLedger(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) return;

  /** What the server says next. Without it there is nobody to answer. */
  const nextWords = async (): Promise<ReaderWords> => {
    const line = await lines.next();
    return line.done ? process.exit(1) : JSON.parse(line.value);
  };

  const answered: AnswerLine = await answer(JSON.parse(first.value), nextWords).then(
    (end) => ({ end }),
    (error: unknown) => ({ error: ownWords(error) }),
  );

  // Before the answer, after which the server ends this process. Does nothing where the code is kept already.
  flushCompileCache();
  process.stdout.write(lineOf(answered), () => process.exit(0));
}

const lineOf = (line: AnswerLine): string => `${JSON.stringify(line)}\n`;

async function answer(
  { place, driver, query, dialect, ...request }: ReaderRequest,
  nextWords: () => Promise<ReaderWords>,
): Promise<SqlEnd> {
  Object.assign(process.env, driver);

  // While the statement is prepared.
  const opening = openRows(place);
  opening.catch(() => undefined);

  const seen = new RowsSeen();
  const end = await answerStatement(request, {
    async *rowsOf(reads) {
      process.stdout.write(lineOf({ reads }));
      const names = new Map(Object.entries((await nextWords()).places));

      const state = await opening;
      const context = {
        acts: ACTS,
        settings: { timeZone: () => request.timeZone, dialect },
        airline: { placeName: (code: string) => names.get(code.toUpperCase()) },
      };
      yield* ledgerCells(reads, { reader: state.rows, query, seen }, context, request.now);

      // The statement runs in a process that has neither the state nor the way to it.
      await state.close();
      for (const name of Object.keys(driver)) delete process.env[name];
    },
    starts: () => void process.stdout.write(lineOf({ starts: true })),
  });
  return 'failed' in end ? end : { ...end, seen: seen.figures() };
}

async function openRows(place: StatePlace) {
  if ('file' in place) return (await import('../../store/sqlite/rows.ts')).openSqliteRows(place.file);
  return (await import('../../store/postgres/rows.ts')).openPostgresRows(place.url, place.schema);
}

/** An error of ours in our words. Those of others may have anything, so that they stay here. */
function ownWords(error: unknown): Extract<AnswerLine, { error: unknown }>['error'] {
  if (!(error instanceof ClerkError)) return null;
  const { code, message, next, retry } = error;
  return { code, message, next, retry };
}
