/** Checks the state: whether it can be opened, and the journal in it. It makes and changes nothing. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import { unlikeWords } from '../../domain/yes-settings.ts';
import { type Foreign, followPath } from '../../files/foreign.ts';
import { holdWords, pauseWords } from '../../journal/context.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { StateRefusal } from '../../store/opening.ts';
import { isLocked } from '../../store/sqlite/errors.ts';
import type { State } from '../../store/state.ts';
import { SCHEMA_VERSION } from '../../store/tables.ts';
import { openState, wasMade } from '../runtime/open-state.ts';
import type { Checks } from './check.ts';
import { type CheckOutcome, finding, good } from './check-outcomes.ts';

/** Opens the state once for all its checks. */
export async function checkState(config: Config, checks: Checks): Promise<void> {
  const state = await checks.run('state', [], () => checkStore(config));
  if (state === undefined) return;

  // Parts of a state that opens may still be unreadable.
  const readable = (check: Promise<CheckOutcome | undefined>) =>
    check.catch((error) => openingProblem(error, config.state));

  try {
    await checks.run('journal', [], () => readable(checkJournal(state)));
    await checks.run('servers', [], () => readable(checkServers(state)));
  } finally {
    await state.close();
  }
}

async function checkStore(config: Config): Promise<CheckOutcome & { readonly value?: State }> {
  const { file, databaseUrl } = config.state;
  const problem = databaseUrl === undefined ? folderProblem(config.state) : undefined;
  if (problem !== undefined) return problem;
  if (!wasMade(config.state)) return good(`${file} will be created by the first call`);

  try {
    const value = await openAsServer(config);
    const where = databaseUrl === undefined ? `${file}: mode 600` : 'FARECLERK_DATABASE_URL: connected';
    const lock = databaseUrl === undefined ? ', no lock held' : '';
    return { ...good(`${where}, schema ${SCHEMA_VERSION}${lock}`), value };
  } catch (error) {
    return openingProblem(error, config.state);
  }
}

/** Says what is wrong with the folders of the state. */
function folderProblem({ directory, secondRecords }: Config['state']): CheckOutcome | undefined {
  const folder = nearestFolder(directory);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch {
    return finding('state_unwritable', { directory });
  }

  const folders = { FARECLERK_STATE_DIR: directory, FARECLERK_WITNESS_DIR: secondRecords };
  for (const [setting, path] of Object.entries(folders)) {
    const { foreign } = followPath(path);
    if (foreign !== undefined) return foreignState(foreign, setting);
  }

  return undefined;
}

/** Returns the folder, or its nearest parent that exists. */
function nearestFolder(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : nearestFolder(above);
}

function foreignState({ path, why, command }: Foreign, setting: string): CheckOutcome {
  const change =
    command === undefined
      ? `Set ${setting} to a folder of the user who runs fareclerk, with files of its own, or make that user the owner`
      : `Run ${command}. Then run \`fareclerk journal verify\`, which shows whether the journal was changed`;
  return finding('state_foreign', { path, why, change });
}

/** Opens the state as a server does, but refuses one of an earlier version: an examination does not take it over. */
async function openAsServer(config: Config): Promise<State> {
  await (await openState(config, { reads: true })).close();
  return openState(config);
}

/** Says why the state cannot be opened, by the reason that the store gives. */
function openingProblem(error: unknown, { file, databaseUrl }: Config['state']): CheckOutcome {
  const { reason, foreign } = error instanceof StateRefusal ? error.facts : {};
  if (foreign !== undefined) return foreignState(foreign, foreign.setting);

  const facts =
    databaseUrl === undefined
      ? { file, other: 'set FARECLERK_STATE_DIR to another folder' }
      : { file: 'the database', other: 'set FARECLERK_DATABASE_URL to another database' };
  if (reason !== undefined) return finding(`state_${reason}`, facts);
  if (!(error instanceof ClerkError)) return finding('state_damaged', facts);

  // The database's own errors name its setting.
  if (databaseUrl !== undefined) return { ...finding('state_damaged'), said: error.message, advice: error.next };

  return finding(isLocked(error.cause) ? 'state_locked' : 'state_damaged', facts);
}

async function checkJournal({ operations, chain }: State): Promise<CheckOutcome> {
  const { hold, pause } = await chain.status();
  if (hold !== undefined) return finding('sending_held', { words: holdWords(hold) });
  if (pause !== undefined) return finding('sending_paused', { words: pauseWords(pause) });
  if ((await operations.verify()) !== undefined) return finding('state_tampered');

  const personCount = (await operations.list({ states: ['needs_person'] })).length;
  if (personCount > 0) return finding('operations_need_person', { count: personCount });

  const activeCount = (await operations.list({ states: ACTIVE_STATES })).length;
  const inDoubt = activeCount === 0 ? 'nothing in doubt' : `${activeCount} in progress or in doubt`;
  return good(`Whole, ${inDoubt}`);
}

/** Reports only settings that a running server has otherwise. */
async function checkServers(state: State): Promise<CheckOutcome | undefined> {
  const unlike = await state.unlikeSettings();
  return unlike.length > 0 ? finding('settings_unlike', { words: unlikeWords(unlike).join(' ') }) : undefined;
}
