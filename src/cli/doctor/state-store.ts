/**
 * The state store: can it be written, is it ours alone, is it whole, and is something in it left open?
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/load.ts';
import { ClerkError } from '../../errors.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { holdWords, pauseWords } from '../../journal/standstill.ts';
import type { State } from '../../store/state.ts';
import { openState, wasMade } from '../runtime/open-runtime.ts';
import { tenantOf } from '../runtime/tenant.ts';
import { type Chart, good, skipped, toMend, usable, type Verdict, warning } from './check.ts';

export async function checkState(config: Config, chart: Chart): Promise<void> {
  const { state } = config;
  const place = await chart.run('state', 'state store', () =>
    state.databaseUrl === undefined ? checkFile(config) : checkDatabase(config),
  );
  await chart.run('journal', 'journal', async () => {
    if (!usable(place)) return skipped('The state store cannot be opened.');
    if (state.databaseUrl === undefined && !wasMade(state)) return good('Empty');
    return withState(config, checkJournal);
  });
}

async function withState(config: Config, look: (state: State) => Promise<Verdict>): Promise<Verdict> {
  let state: State | undefined;
  try {
    state = await openState(config);
    return await look(state);
  } catch (error) {
    return unopened(error, config.state);
  } finally {
    await state?.close();
  }
}

/** Nothing is made by looking: a folder that is not there yet must be one that can be made. */
async function checkFile(config: Config): Promise<Verdict> {
  const { directory, file } = config.state;
  const known = existing(directory);
  try {
    accessSync(known, constants.W_OK);
    if (!statSync(known).isDirectory()) throw new Error('no folder');
  } catch {
    return toMend(
      'state_unwritable',
      `${directory} cannot be written: nothing would be booked, because nothing can be written down first.`,
      'Make it writable for this user, or set FARECLERK_STATE_DIR to another folder.',
    );
  }
  if (!existsSync(file)) return good(`${file} will be made with the first call`);
  const { mode } = statSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return warning(
      'state_open_to_others',
      `${file} can be read by others (mode ${(mode & 0o777).toString(8)}): it holds names and bookings.`,
      `chmod 600 ${file}; the next start does so itself.`,
    );
  }
  return checkLock(config);
}

/** The folder itself, or the nearest above it that is there. */
function existing(directory: string): string {
  if (existsSync(directory)) return directory;
  const above = dirname(directory);
  return above === directory ? directory : existing(above);
}

/** Opening writes: a file that another process holds, or that is no database, shows here. */
async function checkLock({ state, airline }: Config): Promise<Verdict> {
  const { openDatabase } = await import('../../store/sqlite/database.ts');
  try {
    const database = await openDatabase(state.file, { busyMs: 1_500 });
    try {
      const owner = database.get("select value from meta where key = 'airline'")?.value;
      if (owner !== undefined && owner !== tenantOf(airline)) return ofAnother(state);
      const version = database.get("select value from meta where key = 'schema_version'")?.value;
      const sqlite = database.get('select sqlite_version() as version')?.version;
      return good(`${state.file}: mode 600, schema ${version}, SQLite ${sqlite}, no lock held`);
    } finally {
      database.close();
    }
  } catch (error) {
    return unopened(error, state);
  }
}

async function checkDatabase(config: Config): Promise<Verdict> {
  return withState(config, async () => good('FARECLERK_DATABASE_URL: connected, tables are there'));
}

/** @see assertAirline in store/sqlite/airline.ts */
function ofAnother({ file, databaseUrl }: Config['state']): Verdict {
  const [what, mend] =
    databaseUrl === undefined
      ? [file, 'Set FARECLERK_STATE_DIR to a folder for this airline']
      : ['The database of FARECLERK_DATABASE_URL', 'Name a database for this airline'];
  return toMend(
    'state_of_another',
    `${what} holds the journal of another airline or agency: nothing would be booked.`,
    `${mend}, or put FARECLERK_BASE_URL and FARECLERK_AGENCY_ID back as they were.`,
  );
}

function unopened(error: unknown, state: Config['state']): Verdict {
  const { file, databaseUrl } = state;
  const message = error instanceof ClerkError ? error.message : 'It cannot be opened.';
  if (/another airline/.test(message)) return ofAnother(state);
  if (databaseUrl !== undefined) {
    // The store's own words: who does not let whom in, and why.
    const known = error instanceof ClerkError && error.code === 'E_CONFIG';
    return toMend(
      'state_unwritable',
      known ? message.replace(' It was not changed.', '') : 'The database of FARECLERK_DATABASE_URL cannot be used.',
      known ? error.next : 'Check address, user, password and network of FARECLERK_DATABASE_URL.',
    );
  }
  if (/newer fareclerk/.test(message)) {
    return toMend(
      'state_newer',
      `${file} was written by a newer fareclerk; it was not touched.`,
      'Install the newer fareclerk, or set FARECLERK_STATE_DIR to another folder.',
    );
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const errcode = typeof cause === 'object' && cause !== null && 'errcode' in cause ? Number(cause.errcode) % 256 : 0;
  // SQLITE_BUSY and SQLITE_LOCKED, primary result codes.
  if (errcode === 5 || errcode === 6) {
    return toMend(
      'state_locked',
      `${file} is locked by another process: fareclerk itself holds it for milliseconds only.`,
      'End the program that holds it (a backup, a database browser), or set FARECLERK_STATE_DIR to another folder.',
    );
  }
  return toMend(
    'state_unwritable',
    `${file} cannot be opened and written as a SQLite file.`,
    'Put back a good copy of it, or set FARECLERK_STATE_DIR to another folder; keep the old file: it is the journal.',
  );
}

async function checkJournal({ operations, chain }: State): Promise<Verdict> {
  const { hold, pause } = await chain.standing();
  if (hold !== undefined) {
    return toMend(
      'sending_held',
      holdWords(hold),
      'Run `fareclerk journal restored`: it checks with the airline what was lost, and lets acts be sent again.',
    );
  }
  if (pause !== undefined) return warning('sending_paused', pauseWords(pause), 'Run `fareclerk resume` to go on.');
  if ((await operations.verify()) !== undefined) {
    return toMend(
      'state_tampered',
      'The journal was changed from outside: its chain of hashes is broken.',
      'Run `fareclerk journal verify`, and ask who had access to the state folder.',
    );
  }
  const [open, unsettled] = await Promise.all([
    operations.list({ states: ACTIVE_STATES }),
    operations.list({ states: ['needs_person'] }),
  ]);
  if (open.length + unsettled.length === 0) return good('Whole; nothing in doubt');
  const parts = [
    open.length > 0 ? `${open.length} under way or in doubt` : '',
    unsettled.length > 0 ? `${unsettled.length} for a person to check` : '',
  ].filter((part) => part !== '');
  return warning(
    'operations_in_doubt',
    `Whole, with operations open: ${parts.join(', ')}.`,
    'Run `fareclerk journal reconcile`, then `fareclerk journal`.',
  );
}
