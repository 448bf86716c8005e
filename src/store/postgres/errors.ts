/**
 * A database that cannot be used now, in our own words. What the driver says may name hosts and values: it stays in
 * the cause.
 */
import postgres from 'postgres';
import { ClerkError, type Effect } from '../../errors.ts';

/**
 * SQLSTATE classes of a server that is away, full, shutting down, read-only (a standby) or that does not let us in, and
 * of a wait that was cut off (PostgreSQL documentation, appendix A).
 */
const AWAY = /^(?:08|28|3D|40|53|57|58)|^(?:25006|25P03|55P03)$/;
/** Serialization failure, deadlock, a server that is starting or stopping: nothing was done, and the same again may be. */
const UNREAD = /^(?:40001|40P01|57P03)$/;
/** The driver's own mistakes in our calls; all its other codes are of connections. */
const OURS = ['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'NOT_TAGGED_CALL', 'UNSAFE_TRANSACTION'];

/** Of the driver, of Node's sockets or of TLS. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Of what the server itself says. Known by its class: the driver takes the error's name from it, and a bundle has another. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** Nothing was done, for certain, and it is worth another try. */
export function isUnread(error: unknown): boolean {
  return UNREAD.test(sqlState(error) ?? '');
}

/** The connection broke, whatever was under way on it. */
export function isBroken(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^57P0[12]$/.test(state);
  return ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
}

/** Whether it is the database that cannot be used, rather than a mistake in what was asked. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return AWAY.test(state);
  const code = codeOf(error);
  return code !== undefined && !OURS.includes(code);
}

const NEXT =
  'Tell the operator: the PostgreSQL server of FARECLERK_DATABASE_URL cannot be used; fareclerk doctor shows more.';

/** `none` only where nothing can have been sent to the airline before the database was asked. */
export function databaseAway(effect: Effect, cause: unknown): ClerkError {
  const known =
    effect === 'none'
      ? 'Nothing was sent.'
      : 'What is under way at the airline is not touched by that; its outcome is told when the database is back.';
  return new ClerkError('E_INTERNAL', `The state database cannot be used at present. ${known}`, {
    next: NEXT,
    effect,
    retry: 'after_s:5',
    cause,
  });
}

/** This process believed it to be later than it is: what it was about to decide by that is not done. */
export function clockAhead(cause: unknown): ClerkError {
  return new ClerkError('E_INTERNAL', "The clock of this process ran ahead of the database's. Nothing was sent.", {
    next: 'Call the tool again: the clock has been set by the database.',
    retry: 'same_call',
    cause,
  });
}

export function cannotOpen(why: string, next: string, cause?: unknown): ClerkError {
  return new ClerkError('E_CONFIG', `The database of FARECLERK_DATABASE_URL ${why} It was not changed.`, {
    next,
    ...(cause === undefined ? {} : { cause }),
  });
}
