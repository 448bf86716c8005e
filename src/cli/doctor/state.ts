/** Checks the state store: writable, private to this user, journal intact, open operations. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { rememberedSince, unseenWords } from '../../approvals/unseen-dialogs.ts';
import type { Config } from '../../config/load.ts';
import { ClerkError } from '../../errors.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { holdWords, pauseWords } from '../../journal/sending-stopped.ts';
import { isOfAnotherUser } from '../../store/sqlite/database.ts';
import { sqliteCode } from '../../store/sqlite/errors.ts';
import type { State } from '../../store/state.ts';
import { SCHEMA_VERSION } from '../../store/tables.ts';
import { openState, wasMade } from '../runtime/open-runtime.ts';
import { type Check, type CheckOutcome, good, listed } from './check.ts';
import { finding } from './findings.ts';

export function stateChecks(config: Config): readonly Check[] {
  return [
    { id: 'state', title: 'state store', run: () => checkStore(config) },
    { id: 'journal', title: 'journal', needs: ['state'], run: () => checkJournal(config) },
    { id: 'dialogs', title: 'dialogs', needs: ['state'], run: () => checkDialogs(config) },
  ];
}

/** Creates nothing: a folder that does not exist yet must be one that can be created. */
async function checkStore(config: Config): Promise<CheckOutcome> {
  const { directory, file, databaseUrl } = config.state;
  if (databaseUrl !== undefined)
    return withState(config, async () => good('FARECLERK_DATABASE_URL: connected, tables exist'));
  const folder = existing(directory);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch {
    return finding('state_unwritable', { directory });
  }
  if (isOfAnotherUser(folder)) return finding('state_of_another_user', { directory });
  if (!existsSync(file)) return good(`${file} will be created by the first call`);
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return finding('state_open_to_others', { file, mode: mode.toString(8) });
  return withState(config, async () => good(`${file}: mode 600, schema ${SCHEMA_VERSION}, no lock held`));
}

/** Returns the folder, or its nearest parent that exists. */
function existing(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : existing(above);
}

async function withState(config: Config, look: (state: State) => Promise<CheckOutcome>): Promise<CheckOutcome> {
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

/** Recognises the store's own refusals by their words. */
function unopened(error: unknown, { file, databaseUrl }: Config['state']): CheckOutcome {
  const refusal = error instanceof ClerkError && error.code === 'E_CONFIG' ? error : undefined;
  const { message = '', cause } = refusal ?? {};
  const another = message.includes('another airline');
  if (databaseUrl !== undefined) {
    if (another) return finding('state_of_another.database');
    const verdict = finding('state_unwritable.database');
    return refusal ? { ...verdict, said: message.replace(' It was not changed.', ''), advice: refusal.next } : verdict;
  }
  if (another) return finding('state_of_another', { file });
  if (message.includes('newer fareclerk')) return finding('state_newer', { file });
  if (message.includes('older fareclerk')) return finding('state_older', { file });
  // SQLITE_BUSY and SQLITE_LOCKED, primary result codes.
  const locked = [5, 6].includes(sqliteCode(cause) ?? 0);
  return finding(locked ? 'state_locked' : 'state_unwritable.file', { file });
}

/** Entries of the journal to check: a second's work. */
const NEWEST = 2_000;

async function checkJournal(config: Config): Promise<CheckOutcome> {
  if (config.state.databaseUrl === undefined && !wasMade(config.state)) return good('Empty');
  return withState(config, async ({ operations, chain }) => {
    const { hold, pause } = await chain.status();
    if (hold !== undefined) return finding('sending_held', { words: holdWords(hold) });
    if (pause !== undefined) return finding('sending_paused', { words: pauseWords(pause) });
    const { misfit, complete } = await operations.checkNewest(NEWEST);
    if (misfit !== undefined) return finding('state_tampered');
    const open = (await operations.list({ states: ACTIVE_STATES })).length;
    const unsettled = (await operations.list({ states: ['needs_person'] })).length;
    const inDoubt = `${open} in progress or in doubt`;
    if (unsettled > 0)
      return finding('operations_need_person', { count: unsettled, more: open > 0 ? `, ${inDoubt}` : '' });
    if (open > 0) return finding('operations_in_doubt', { parts: inDoubt });
    return complete
      ? good('Whole, nothing in doubt')
      : good(`Newest ${NEWEST} entries whole, nothing in doubt. \`fareclerk journal verify --all\` checks all entries`);
  });
}

/** Reports only clients whose dialogs nobody sees. */
async function checkDialogs(config: Config): Promise<CheckOutcome | undefined> {
  if (config.dialogFloorMs === 0 || (config.state.databaseUrl === undefined && !wasMade(config.state)))
    return undefined;
  let found: CheckOutcome | undefined;
  await withState(config, async ({ unseenDialogs, clock }) => {
    const unseen = await unseenDialogs.list(rememberedSince(clock?.now() ?? Date.now()));
    const clients = unseen.map(
      (each) => `${`${each.name} ${each.version}`.trim() || 'a client'} (${unseenWords(each)})`,
    );
    if (clients.length > 0) found = finding('dialogs_unseen', { clients: listed(clients, ', ') });
    return good('');
  });
  return found;
}
