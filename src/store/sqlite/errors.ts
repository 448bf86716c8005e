/** Explains why a state file cannot be written now. */
import { ClerkError } from '../../core/errors.ts';
import { cannotUse } from '../opening.ts';

/** The primary result codes of SQLite that say why a file cannot be used. */
export const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Why a file cannot be used, by SQLite's primary result code. */
const WHY: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another program holds its lock',
  [SQLITE_LOCKED]: 'another program holds its lock',
  [SQLITE_READONLY]: 'it is read-only',
  [SQLITE_IOERR]: 'the disk does not take what is written, or is full',
  [SQLITE_CORRUPT]: 'it is damaged',
  [SQLITE_FULL]: 'the disk is full',
  [SQLITE_CANTOPEN]: 'it cannot be opened',
};

/** The primary result code: the lowest byte of the extended one. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;
}

/** Whether another program or statement has the lock. */
export function isLocked(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED].includes(sqliteCode(error) ?? 0);
}

/** Turns errors of SQLite into ClerkErrors. Returns other errors unchanged. */
export function inWords(error: unknown): unknown {
  const why = WHY[sqliteCode(error) ?? 0];
  if (why === undefined) return error;
  // Callers that know that nothing was sent change the effect.
  return cannotUse(`The state file cannot be written: ${why}.`, '', 'unknown', error);
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
