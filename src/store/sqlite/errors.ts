/** Explains why a state file cannot be written now. */
import { ClerkError } from '../../core/errors.ts';
import { cannotUse } from '../opening.ts';

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

/** SQLITE_BUSY, SQLITE_LOCKED. */
export function isLocked(error: unknown): boolean {
  return [5, 6].includes(sqliteCode(error) ?? 0);
}

/** Turns SQLite's errors into ClerkError; returns other errors unchanged. */
export function inWords(error: unknown): unknown {
  const why = WHY[sqliteCode(error) ?? 0];
  if (why === undefined) return error;
  // Callers that know that nothing was sent change the effect.
  return cannotUse(`The state file cannot be written: ${why}.`, 'unknown', error);
}

/** The journal's file is no longer the one that this process opened. */
export function fileGone(happened: string): ClerkError {
  return new ClerkError(
    'E_STATE_DOWN',
    `The journal's file was ${happened} while this server runs. Nothing was sent, and nothing is sent until it is restored.`,
    {
      next: 'Tell the operator: stop every fareclerk, put the newest copy of the state file back, start again, and run `fareclerk journal restored`.',
    },
  );
}
