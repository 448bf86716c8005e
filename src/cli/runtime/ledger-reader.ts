/**
 * Answers one question in SQL in a process of its own, for a server (ledger/run-apart.ts): opens the state once more, only to read,
 * turns its rows into those of the views, and gives them to the process that runs the statement. It reads the request from stdin and
 * writes the answer to stdout. The end of stdin ends it: whoever asked is gone.
 */
import { createInterface } from 'node:readline';
import { ClerkError } from '../../core/errors.ts';
import type { LedgerReader } from '../../ledger/ports.ts';
import type { ReaderReply, ReaderRequest, ReaderWords, StatePlace } from '../../ledger/run-apart.ts';
import { runSqlNow } from '../../ledger/run-sql.ts';
import { ACTS } from '../../tools/index.ts';
import { ledgerCells, RowsSeen } from '../../tools/query-ledger.ts';

/** Answers the question that stdin has. */
export async function readLedger(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) return;
  // The process that runs the statement ends with this one.
  process.stdin.once('end', () => process.exit(1));
  const request = JSON.parse(first.value) as ReaderRequest;
  Object.assign(process.env, request.driver);
  const nextLine = async () => JSON.parse((await lines.next()).value ?? 'null') as ReaderWords | null;
  const reply: ReaderReply = await answer(request, nextLine).catch((error: unknown) => ({ error: ownWords(error) }));
  process.stdout.write(lineOf(reply), () => process.exit(0));
}

const lineOf = (reply: ReaderReply): string => `${JSON.stringify(reply)}\n`;

async function answer(request: ReaderRequest, nextLine: () => Promise<ReaderWords | null>): Promise<ReaderReply> {
  const { place, query, dialect, driver: _, statementMs, ...question } = request;
  // While the process of the statement starts.
  const opening = openRows(place);
  opening.catch(() => undefined);
  const seen = new RowsSeen();
  const settings = { timeZone: () => question.timeZone, dialect };
  const end = await runSqlNow(
    {
      ...question,
      async *rowsOf(reads) {
        process.stdout.write(lineOf({ reads }));
        const { places } = (await nextLine()) ?? { places: {} };
        const names = new Map(Object.entries(places));
        const airline = { placeName: (code: string) => names.get(code.toUpperCase()) };
        const rows = await opening;
        const batchesOf = (source: Parameters<LedgerReader['batches']>[1]) => seen.of(rows.batches(query, source));
        yield* ledgerCells(reads, batchesOf, { acts: ACTS, settings, airline }, question.now);
      },
    },
    statementMs,
  );
  return { end: 'failed' in end ? end : { ...end, seen: seen.figures() } };
}

async function openRows(place: StatePlace): Promise<Pick<LedgerReader, 'batches'>> {
  if ('file' in place) return (await import('../../store/sqlite/rows.ts')).openSqliteRows(place.file);
  return (await import('../../store/postgres/rows.ts')).openPostgresRows(place.url, place.schema);
}

/** An error of ours in our words. Those of others may have anything, so that they stay here. */
function ownWords(error: unknown): Extract<ReaderReply, { error: unknown }>['error'] {
  if (!(error instanceof ClerkError)) return null;
  const { code, message, next, retry } = error;
  return { code, message, next, retry };
}
