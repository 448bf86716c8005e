/**
 * Errors of a database that cannot be used now. What the driver says may name hosts and values: it stays in the cause.
 */
import postgres from 'postgres';
import { ClerkError, type Effect } from '../../core/errors.ts';
import { own } from '../../core/own.ts';
import { cannotUse, type StoreName } from '../opening.ts';

export const NAME: StoreName = {
  what: 'The database of FARECLERK_DATABASE_URL',
  useAnother: 'names another database',
  moveAirline: 'docs/guides/postgres.md says how to write it into the database',
};

/**
 * SQLSTATE classes of a server that is away, full, shutting down, read-only (a standby) or that does not let us in, and
 * of a wait that was cut off (PostgreSQL documentation, appendix A).
 */
const AWAY = /^(?:08|28|3D|40|53|57|58)|^(?:25006|25P03|55P03)$/;
/**
 * Serialization failure, deadlock, a server that is starting or stopping: nothing was done, and another try may
 * succeed.
 */
const UNREAD = /^(?:40001|40P01|57P03)$/;
/** Codes for wrong calls of the driver; all its other codes concern connections. */
const OURS = ['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'NOT_TAGGED_CALL', 'UNSAFE_TRANSACTION'];

/** The code of the driver, of Node's sockets or of TLS. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of the server's own error. Known by its class: a bundle changes the error's name. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** Nothing was done, and another try may succeed. */
export function isUnread(error: unknown): boolean {
  return UNREAD.test(sqlState(error) ?? '');
}

/** The connection broke, whatever was under way on it. */
export function isBroken(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^57P0[12]$/.test(state);
  return ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');
}

/** Whether the database cannot be used; false for a mistake in the statement. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return AWAY.test(state);
  const code = errorCode(error);
  return code !== undefined && !OURS.includes(code);
}

const DISK_FULL = '53100';
const READ_ONLY = '25006';
const WHY: Readonly<Record<string, string>> = {
  [DISK_FULL]: "The database's disk is full.",
  [READ_ONLY]: 'The database is read-only.',
};

/** The database answers, and takes no writes. */
export function takesNoWrites(error: unknown): boolean {
  return own(WHY, sqlState(error) ?? '') !== undefined;
}

/** `none` only if nothing can have been sent to the airline before the database was asked. */
export function databaseAway(effect: Effect, cause: unknown): ClerkError {
  const why = own(WHY, sqlState(cause) ?? '') ?? 'The server cannot reach its own database.';
  const known =
    effect === 'none'
      ? 'Nothing was sent.'
      : 'What was sent before goes on; its outcome is shown when the database is back.';
  return cannotUse(`${why} ${known}`, effect, cause);
}

/** `temp_file_limit` forbids what the probe writes: that shows nothing of the disk. */
export function isLimited(error: unknown): boolean {
  return sqlState(error) === '53400';
}

export function clockAhead(cause: unknown): ClerkError {
  return new ClerkError('E_INTERNAL', "The clock of this process ran ahead of the database's. Nothing was sent.", {
    next: 'Call the tool again: the clock has been set by the database.',
    retry: 'same_call',
    cause,
  });
}
