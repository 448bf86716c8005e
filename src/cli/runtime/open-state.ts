/** Opens the state of the settings, and knows whether there is one yet. */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, sellingTenant } from '../../config/load.ts';
import { followPath } from '../../files/foreign.ts';
import type { SendingHold } from '../../journal/ports.ts';
import type { StatePlace } from '../../ledger/run-apart.ts';
import { readMark } from '../../store/journal/second-record.ts';
import type { State } from '../../store/state.ts';

/** PostgreSQL schemas: they keep sandbox operations apart from real ones. */
const SCHEMAS = { live: 'fareclerk', rehearsal: 'fareclerk', sandbox: 'fareclerk_sandbox' } as const;

/** How the state is used, and functions that hear what happens to it. */
interface StateUse {
  /** Whether it is only read: a state of an earlier version is refused then, and stays as it is. */
  readonly reads?: true;
  /** Whether other servers are compared with this one: all must have the same `yesSettings`. */
  readonly isServer?: boolean;
  /** Called when a state of this earlier version has become one of the present version. */
  readonly tookOver?: (from: number) => void;
  /** Called when the journal went backwards, so that sending is blocked. */
  readonly noticed?: (hold: SendingHold) => void;
  /** Called with the seconds for which a write to the journal waited for its turn. */
  readonly waited?: (seconds: number) => void;
}

/** Opens the state of these settings: a file in a folder for this user alone, or a database that machines share. */
export async function openState(
  config: Pick<Config, 'state' | 'environment' | 'airline' | 'yesSettings'>,
  use: StateUse = {},
): Promise<State> {
  const { file, databaseUrl, secondRecords } = config.state;
  const options = { airline: sellingTenant(config.airline), secondRecords, settings: config.yesSettings, ...use };
  if (databaseUrl === undefined) {
    forgetLostSandbox(config);
    const { openSqliteState } = await import('../../store/sqlite/state.ts');
    return openSqliteState(file, options);
  }

  const { openPostgresState } = await import('../../store/postgres/state.ts');
  return openPostgresState(databaseUrl.reveal(), { ...options, schema: SCHEMAS[config.environment] });
}

/** Where the state of these settings is. It has the database's password. */
export function placeOf({
  state: { file, databaseUrl },
  environment,
}: Pick<Config, 'state' | 'environment'>): StatePlace {
  return databaseUrl === undefined ? { file } : { url: databaseUrl.reveal(), schema: SCHEMAS[environment] };
}

/** Whether the state was made: there is a database, or the journal's file exists or once existed, as second records show. */
export function wasMade({ file, databaseUrl, secondRecords }: Config['state']): boolean {
  return databaseUrl !== undefined || existsSync(file) || readMark(secondRecords, resolve(file)) !== undefined;
}

/** A command that uses the state. */
interface StateUser {
  readonly config: Config;
  /** Whether it changes the state. Default: it only reads. */
  readonly changes?: boolean;
}

/** Opens the state only if it was made, and creates nothing; closes it afterwards. */
export async function withState<T>(
  { config, changes }: StateUser,
  use: (state: State | undefined) => Promise<T>,
): Promise<T> {
  const state = wasMade(config.state) ? await openState(config, { reads: changes ? undefined : true }) : undefined;
  return use(state).finally(() => state?.close());
}

/** Deletes the sandbox's second records if the sandbox airline and its journal were both deleted: nothing real is lost. */
function forgetLostSandbox({ environment, state }: Pick<Config, 'state' | 'environment'>): void {
  // Looks for the records first: a process that starts just now makes the state before its records, so these are not deleted.
  const hasRecords = existsSync(state.secondRecords);
  if (!hasRecords || environment !== 'sandbox' || existsSync(state.file) || existsSync(state.sandboxFile)) return;
  if (followPath(state.directory).foreign !== undefined) return;
  rmSync(state.secondRecords, { recursive: true, force: true });
}

/** The time by the clock of the state, milliseconds since 1970: all processes go by it. */
export function storeNow({ clock }: Pick<State, 'clock'>): number {
  return clock?.now() ?? Date.now();
}
