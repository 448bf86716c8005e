/** Explains why a state file cannot be written now. */
import { ClerkError } from '../../core/errors.ts';
import { cannotUse } from '../opening.ts';

/** Why a file cannot be used, by SQLite's primary result code. */
const WHY: Readonly<Record<number, string>> = {
  5: 'another program holds its lock',
  6: 'another program holds its lock',
  8: 'it is read-only',
  10: 'the disk does not take what is written, or is full',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
};

/** The primary result code: the lowest byte of the extended one. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;
}

/** Whether another program or statement has the lock: SQLITE_BUSY (5), SQLITE_LOCKED (6). */
export function isLocked(error: unknown): boolean {
  return [5, 6].includes(sqliteCode(error) ?? 0);
}

/** Turns errors of SQLite into ClerkErrors. Returns other errors unchanged. */
export function inWords(error: unknown): unknown {
  const why = WHY[sqliteCode(error) ?? 0];
  if (why === undefined) return error;
  // Callers that know that nothing was sent change the effect.
  return cannotUse(`The state file cannot be written: ${why}.`, 'unknown', error);
}

/** The error of a journal whose file is no longer the one that this process opened. */
export function fileGone(happened: string): ClerkError {
  return new ClerkError(
    'E_STATE_DOWN',
    `The journal's file was ${happened} while this server runs. Nothing was sent, and nothing is sent until it is restored.`,
    {
      next: 'Tell the operator: stop every fareclerk, put the newest copy of the state file back, start again, and run `fareclerk journal restored`.',
    },
  );
}
