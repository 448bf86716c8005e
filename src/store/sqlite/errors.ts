/**
 * A state file that cannot be written now, in our own words.
 */
import { ClerkError } from '../../errors.ts';

/** By SQLite's primary result codes. */
const WHY: Readonly<Record<number, string>> = {
  5: 'another program holds its lock',
  6: 'another program holds its lock',
  8: 'it is read-only',
  10: 'the disk does not take what is written, or is full',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
};

export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;
}

/** The error in words, where it is the file's own; else the error as it is. */
export function inWords(error: unknown): unknown {
  const why = WHY[sqliteCode(error) ?? 0];
  if (why === undefined) return error;
  return new ClerkError('E_INTERNAL', `The state file cannot be written: ${why}.`, {
    next: 'Tell the operator: the state file needs room and nobody else may hold it; fareclerk doctor shows more.',
    // Whoever knows that nothing was sent says so.
    effect: 'unknown',
    retry: 'after_s:5',
    cause: error,
  });
}

/** Another file, or none, lies where this process opened its journal. */
export function fileGone(how: string): ClerkError {
  return new ClerkError(
    'E_INTERNAL',
    `The journal's file was ${how} while this server runs. Nothing was sent, and nothing is sent until it is put right.`,
    {
      next: 'Tell the operator: stop every fareclerk, put the newest copy of the state file back, start again, and run `fareclerk journal restored`.',
    },
  );
}
