/**
 * Recognizes the errors of a database that cannot be used now, words them, and at the end says why a database could not
 * be opened. The driver's own words stay in the cause, because they may name hosts and values.
 */
import postgres from 'postgres';
import { ClerkError, type Effect } from '../../core/errors.ts';
import { own } from '../../core/own.ts';
import { cannotUse, StateRefusal, type StoreName } from '../opening.ts';

/** The store's name in errors. */
export const NAME: StoreName = {
  what: 'The database of FARECLERK_DATABASE_URL',
  useAnother: 'names another database',
  moveAirline: 'docs/guides/postgres.md says how to write it into the database',
};

/**
 * SQLSTATEs of a server that cannot be reached, is full, shutting down or read-only (a standby), or that rejects the
 * login, and of a wait that timed out (PostgreSQL documentation, appendix A).
 */
const UNUSABLE = /^(?:08|28|3D|40|53|57|58)|^(?:25006|25P03|55P03)$/;
/**
 * SQLSTATEs of a serialization failure, a deadlock and a server that is starting or stopping: nothing was done, and
 * another try may succeed.
 */
const UNREAD = /^(?:40001|40P01|57P03)$/;
/** The driver's codes for wrong calls. All its other codes concern connections. */
const CODES_OF_WRONG_CALLS = ['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'NOT_TAGGED_CALL', 'UNSAFE_TRANSACTION'];

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
/** SQLSTATE configuration_limit_exceeded. */
const LIMIT_EXCEEDED = '53400';
/** Why a database that answers takes no writes. */
const WHY_NO_WRITES: Readonly<Record<string, string>> = {
  [DISK_FULL]: "The database's disk is full.",
  [READ_ONLY]: 'The database is read-only.',
};

/** Fits every code, and an error without one. */
const ANY_CODE = /(?:)/;
/**
 * Why the database cannot be opened, by SQLSTATE, and by the codes of Node's sockets, resolver and TLS. The first that
 * fits counts, and the last fits all.
 */
const REASONS: readonly (readonly [code: RegExp, why: string, next: string])[] = [
  [
    /^(?:28|3D)/,
    'does not let this program in.',
    'The operator checks user, password and database name in FARECLERK_DATABASE_URL.',
  ],
  [
    /^42501$/,
    'gives this user no right to make or use the schema {schema}.',
    'The operator grants CREATE on the database, or makes the schema with this user as its owner.',
  ],
  [
    /^55P03$/,
    'has tables that must change, and another session, such as a backup, holds them.',
    'The operator waits until that session ends, then starts this program again.',
  ],
  [
    /^ECONNREFUSED$/,
    'cannot be reached: nothing takes connections there.',
    'The operator checks that the PostgreSQL server runs, and host and port in FARECLERK_DATABASE_URL.',
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    'cannot be reached: the name of its host is not known here.',
    'The operator checks the host in FARECLERK_DATABASE_URL, and the name service of this machine.',
  ],
  [
    /^(?:CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECTION_SILENT)$/,
    'cannot be reached: it does not answer in time.',
    'The operator checks the host in FARECLERK_DATABASE_URL, and whether the network and its firewalls let this machine through.',
  ],
  [
    /CERT|UNABLE_TO_VERIFY|SELF_SIGNED/,
    'shows a certificate that this machine does not trust, or that bears another name.',
    'The operator names the host in FARECLERK_DATABASE_URL as the certificate does; for an authority of your own, NODE_EXTRA_CA_CERTS names the file with its certificate.',
  ],
  [
    ANY_CODE,
    'cannot be reached or used.',
    'The operator checks that the PostgreSQL server runs and that FARECLERK_DATABASE_URL names it.',
  ],
];

/** The code of the driver, of Node's sockets or of TLS. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of an error of the server. Checks the class, because bundling changes the error's name. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** Whether nothing was done and another try may succeed. */
export function isUnread(error: unknown): boolean {
  return UNREAD.test(sqlState(error) ?? '');
}

/** Whether the connection broke. A statement on it may have been done. */
export function isBroken(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^57P0[12]$/.test(state);
  return ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');
}

/** Whether the database cannot be used. False for a mistake in the statement. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return UNUSABLE.test(state);
  const code = errorCode(error);
  return code !== undefined && !CODES_OF_WRONG_CALLS.includes(code);
}

/** Whether the database answers but takes no writes. */
export function takesNoWrites(error: unknown): boolean {
  return own(WHY_NO_WRITES, sqlState(error) ?? '') !== undefined;
}

/** The error of a database that cannot be used. Use effect `none` only if nothing can have been sent to the airline. */
export function databaseAway(effect: Effect, cause: unknown): ClerkError {
  const why = own(WHY_NO_WRITES, sqlState(cause) ?? '') ?? 'The server cannot reach its own database.';
  const known =
    effect === 'none'
      ? 'Nothing was sent.'
      : 'What was sent before goes on; its outcome is shown when the database is back.';
  return cannotUse(why, known, effect, cause);
}

/** Whether `temp_file_limit` refused the write of the probe, which does not mean that the disk is full. */
export function isLimited(error: unknown): boolean {
  return sqlState(error) === LIMIT_EXCEEDED;
}

/** The error of a write by a process whose clock is ahead of the database's. */
export function clockAhead(cause: unknown): ClerkError {
  return new ClerkError('E_INTERNAL', "The clock of this process ran ahead of the database's. Nothing was sent.", {
    next: 'Call the tool again: the clock has been set by the database.',
    retry: 'same_call',
    cause,
  });
}

/** The error of a database that cannot be prepared when a program opens it. */
export function unusable(schema: string, cause: unknown): ClerkError {
  const code = errorCode(cause instanceof ClerkError ? cause.cause : cause) ?? '';
  const [, why = '', next = ''] = REASONS.find(([known]) => known.test(code)) ?? [];
  return new StateRefusal(NAME.what, why.replace('{schema}', schema), next, { cause });
}
