/** Questions in SQL over rows that this process has, by a real process: of a state in memory, or made by hand. */
import { fileURLToPath } from 'node:url';
import type { LedgerReader } from '../../src/ledger/ports.ts';
import { answerApart, childEnvironment, type RunNow, runSql } from '../../src/ledger/run-sql.ts';
import type { RowsLine, SqlEnd, SqlQuestion, SqlRead, SqlRequest, SqlResult } from '../../src/ledger/sql-tables.ts';
import { ledgerCells, RowsSeen } from '../../src/tools/query-ledger.ts';
import { ACTS } from './rules.ts';

const PROGRAM = fileURLToPath(new URL('sql-rows-process.ts', import.meta.url));

/** A statement over tables of its own. */
export type MadeQuestion = Omit<SqlRequest, 'statementMs'> &
  Pick<SqlQuestion, 'asker' | 'signal'> & { rowsOf(reads: readonly SqlRead[]): AsyncIterable<RowsLine> };

const overRows =
  (rowsOf: (reads: readonly SqlRead[], places: Readonly<Record<string, string>>) => AsyncIterable<RowsLine>): RunNow =>
  ({ asker: _, signal, prepare, ...question }, statementMs) =>
    answerApart({
      args: [PROGRAM],
      env: childEnvironment(),
      signal,
      request: { ...question, statementMs },
      statementMs,
      async onReads(reads, input) {
        for await (const line of rowsOf(reads, await prepare(reads))) input.write(`${JSON.stringify(line)}\n`);
        input.end('null\n');
      },
    });

const asked = ({ rowsOf: _, ...question }: MadeQuestion): SqlQuestion => ({
  ...question,
  query: { tenant: '', from: 0, to: 0 },
  prepare: async () => ({}),
});

type MadeEnd = SqlResult | Extract<SqlEnd, { failed: unknown }>;

const withoutSeen = (end: SqlEnd): MadeEnd => {
  if ('failed' in end) return end;
  const { seen: _, ...result } = end;
  return result;
};

/** Waits for a turn, as the questions of a server do. */
export async function runMade(question: MadeQuestion): Promise<MadeEnd> {
  return withoutSeen(await runSql(asked(question), overRows(question.rowsOf)));
}

/** @param statementMs CPU time that the statement may take */
export async function runMadeNow(question: MadeQuestion, statementMs: number): Promise<MadeEnd> {
  return withoutSeen(await overRows(question.rowsOf)(asked(question), statementMs));
}

type RowsReader = Pick<LedgerReader, 'batches' | 'reach'>;

/** Answers over the rows of a state, without a turn. */
export const overState =
  (reader: RowsReader): RunNow =>
  async (question, statementMs) => {
    const { query, dialect, timeZone, now } = question;
    const seen = new RowsSeen();
    const run = overRows((reads, places) => {
      const airline = { placeName: (code: string) => places[code.toUpperCase()] };
      return ledgerCells(
        reads,
        { reader, query, seen },
        { acts: ACTS, settings: { timeZone: () => timeZone, dialect }, airline },
        now,
      );
    });
    const end = await run(question, statementMs);
    return 'failed' in end ? end : { ...end, seen: seen.figures() };
  };

/** As a server with this state answers. */
export const sqlOver =
  (reader: RowsReader) =>
  (question: SqlQuestion): Promise<SqlEnd> =>
    runSql(question, overState(reader));
