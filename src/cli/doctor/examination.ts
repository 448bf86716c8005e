/** Examines a set-up: runs all checks in order, from the settings and the state outwards to the airline. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { rememberedSince, unseenWords } from '../../approvals/dialog-answer.ts';
import { BY_NOBODY } from '../../approvals/outcome-words.ts';
import { readCallersFile } from '../../config/callers.ts';
import { type AirlineConfig, type Config, readConfig, SettingsError } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import { type Foreign, followPath } from '../../files/foreign.ts';
import { holdWords, pauseWords } from '../../journal/context.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { canRestrictSql, RESTRICTS_SINCE } from '../../ledger/sql-tables.ts';
import { StateRefusal } from '../../store/opening.ts';
import { isLocked } from '../../store/sqlite/errors.ts';
import type { State } from '../../store/state.ts';
import { SCHEMA_VERSION } from '../../store/tables.ts';
import { openState, storeNow, wasMade } from '../runtime/open-state.ts';
import { airlineChecks } from './airline-checks.ts';
import { type Check, type CheckList, type CheckOutcome, type FindingKey, finding, good, joined } from './check.ts';
import { signInChecks } from './network.ts';
import type { SecretMask } from './report.ts';
import { type ClockReading, type DoctorOptions, Visit } from './visit.ts';

/** How many entries of the journal are checked: as many as a second allows. */
const CHECKED_ENTRIES = 2_000;

/** Runs all checks. Returns the settings if they are right. */
export async function examine(
  options: DoctorOptions,
  checks: CheckList,
  mask: SecretMask,
): Promise<Config | undefined> {
  const { env, browser } = options;
  const config = checkSettings(options, checks);
  if (config === undefined) return undefined;
  const { airline } = config;
  mask.addSettings(config);
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  if (proxies.length > 0 && airline !== undefined)
    checks.add('proxy', 'proxy', finding('proxy_ignored', { names: proxies.join(' and ') }));
  // Before the state is opened, which takes rights on its file away.
  await checkState(config, checks);
  let clocks: readonly ClockReading[] = [];
  const onClock = (readings: readonly ClockReading[]) => {
    clocks = readings;
  };
  await checks.run(signInChecks(config, options, onClock));
  const visitAirline = async (visited: AirlineConfig): Promise<void> => {
    mask.addAirline(visited);
    mask.add(options.deviations?.locator);
    const visit = new Visit(visited, options, checks, { mask, clocks });
    await checks.run(airlineChecks(visit)).finally(() => visit.transport.close());
  };
  await (airline === undefined ? withSandbox(visitAirline) : visitAirline(airline));
  checks.add('approval', 'approvals', checkApproval(config, browser));
  return config;
}

/** Visits a temporary sandbox airline, to show what a sound connection looks like. */
async function withSandbox(visitAirline: (airline: AirlineConfig) => Promise<void>): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start.ts');
  const { airlineFromSettings } = await import('../../config/load.ts');
  const sandbox = await startSandbox();
  await visitAirline(airlineFromSettings(sandbox.settings)).finally(() => sandbox.close());
}

/** Reads the settings and adds one result for each wrong one. */
function checkSettings(
  { env, flags, origin, node = { version: process.versions.node, runsSql: canRestrictSql() } }: DoctorOptions,
  checks: CheckList,
): Config | undefined {
  try {
    const config = readConfig(env, flags, origin);
    readCallersFile(config.http.callersFile);
    checks.add('settings', 'settings', summary(config));
    for (const { name, setting, instead } of config.former)
      checks.add(`settings.${name}`, name, finding('setting_former', { setting, instead }));
    if (!node.runsSql)
      checks.add('node', 'Node.js', finding('no_sql', { version: node.version, since: RESTRICTS_SINCE }));
    for (const { setting, key } of config.airline === undefined ? [] : suspicions(config.airline))
      checks.add(`settings.${setting}`, setting, finding(key, { setting }));
    return config;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const { setting, wrong, expected } of error.problems) {
      const name = /FARECLERK_\w+/i.exec(setting)?.[0] ?? setting;
      checks.add(`settings.${name}`, 'settings', finding('setting_wrong.problem', { setting, wrong, expected }));
    }
    return undefined;
  }
}

function summary({ airline, environment }: Config): CheckOutcome {
  if (airline === undefined)
    return {
      level: 'ok',
      finding: 'sandbox',
      said: 'No airline is set. The embedded sandbox airline answers. Nothing is real',
    };
  const { credentials, currency, carrier, country } = airline;
  const seller = joined([currency, country, carrier && `carrier ${carrier}`], ', ');
  return good(`${environment}; credentials: ${credentials}; point of sale: ${seller}`);
}

/** A setting whose value looks wrong, and the finding that says so. */
type Suspicion = { readonly setting: string; readonly key: FindingKey };

function suspicions({ baseUrl, gatewayUrl, login, apiKey, restUrl }: AirlineConfig): readonly Suspicion[] {
  const secrets = [
    ['FARECLERK_API_KEY', apiKey],
    ['FARECLERK_CLIENT_SECRET', login?.clientSecret],
    ['FARECLERK_PASSWORD', login?.password],
  ] as const;
  const signs: (readonly [setting: string, value: string | undefined, sign: RegExp, key: FindingKey])[] = [];
  for (const [setting, secret] of secrets) {
    signs.push([setting, secret?.reveal(), /^(["'`]).*\1$/s, 'setting_suspicious.quoted']);
    signs.push([setting, secret?.reveal(), /^\s|\s$/, 'setting_suspicious.spaces']);
  }
  signs.push(
    ['FARECLERK_BASE_URL', new URL(baseUrl).pathname, /\/OTA_\w+\/*$/, 'setting_suspicious.message'],
    ['FARECLERK_GATEWAY_URL', gatewayUrl?.replace(/\?.*/, ''), /\/schedule(?:\/|$)/, 'setting_suspicious.schedule'],
    ['FARECLERK_REST_URL', restUrl, /^$/, 'setting_suspicious.no_links'],
  );
  return signs.flatMap(([setting, value = '', sign, key]) => (sign.test(value) ? [{ setting, key }] : []));
}

/** Checks that a person can be asked: a page is the way that always works. @param browser whether one can be opened here */
function checkApproval(config: Config, browser: boolean): CheckOutcome {
  const { approval: mode, environment, http, readOnly, amounts } = config;
  if (readOnly) return good('No approvals: FARECLERK_TOOLSET=read');
  if (mode === 'echo' && environment === 'live') return finding('asked_by_the_model');
  const page = pageText(http.publicUrl, browser);
  const dialog = mode !== 'page' && mode !== 'echo' && "the host's dialog where it has one";
  const channels = joined([dialog, page, '`fareclerk approve` in a terminal'], '; or ');
  if (page !== undefined) return good(`Approvals by ${channels}`);
  const isForLargeAmounts = amounts.pageAbove !== undefined;
  if (mode === 'auto' && environment === 'sandbox' && !isForLargeAmounts)
    return finding('nobody_to_ask.sandbox', { words: BY_NOBODY });
  if (mode === 'echo' && !isForLargeAmounts) return good(`Approvals by ${channels}`);
  const needsPage = mode === 'page' || isForLargeAmounts;
  const subject = needsPage ? 'The settings ask for approvals on a page, but no browser' : 'No browser';
  return finding('nobody_to_ask', { what: subject, ways: channels });
}

/** The page on which a person can be asked, in words; undefined if there is none. */
function pageText(publicUrl: string | undefined, browser: boolean): string | undefined {
  if (publicUrl !== undefined) return `a page at ${publicUrl}/approve`;
  return browser ? 'a page in the browser here' : undefined;
}

/** Opens the state once for all its checks. Creates nothing: for a folder that does not exist yet, checks that it can be created. */
async function checkState(config: Config, checks: CheckList): Promise<void> {
  let state: State | undefined;
  const openStore = async (): Promise<CheckOutcome> => {
    const { file, databaseUrl } = config.state;
    const isNew = !existsSync(file);
    const problem = folderProblem(config.state);
    if (problem?.level === 'fail') return problem;
    try {
      if (wasMade(config.state)) state = await openAsServer(config);
    } catch (error) {
      return openingProblem(error, config.state);
    }
    if (problem !== undefined) return problem;
    if (databaseUrl !== undefined) return good(`FARECLERK_DATABASE_URL: connected, ${schemaText(state)}`);
    if (isNew) return good(`${file} will be created by the first call`);
    return good(`${file}: mode 600, ${schemaText(state)}, no lock held`);
  };
  // Parts of a state that opens may still be unreadable.
  const onState = (check: (opened: State) => Promise<CheckOutcome | undefined>) => async () =>
    state && check(state).catch((error: unknown) => openingProblem(error, config.state));
  const stateChecks: readonly Check[] = [
    { id: 'state', title: 'state store', run: openStore },
    { id: 'journal', title: 'journal', needs: ['state'], run: onState(checkJournal) },
    { id: 'dialogs', title: 'dialogs', needs: ['state'], run: onState((opened) => checkDialogs(config, opened)) },
  ];
  await checks.run(stateChecks).finally(() => state?.close());
}

/** Says what is wrong with the folders of the state, or with the permissions of its file. */
function folderProblem({ directory, file, databaseUrl, secondRecords }: Config['state']): CheckOutcome | undefined {
  if (databaseUrl !== undefined) return undefined;
  const folder = nearestFolder(directory);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch {
    return finding('state_unwritable', { directory });
  }
  for (const [setting, path] of [
    ['FARECLERK_STATE_DIR', directory],
    ['FARECLERK_WITNESS_DIR', secondRecords],
  ] as const) {
    const { foreign } = followPath(path);
    if (foreign !== undefined) return foreignState(foreign, setting);
  }
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  // Finds only a file that others can read: opening refuses one that they can write.
  const isReadableByOthers = process.platform !== 'win32' && (mode & 0o022) === 0 && (mode & 0o077) !== 0;
  return isReadableByOthers ? finding('state_open_to_others', { file, mode: mode.toString(8) }) : undefined;
}

function schemaText(state: State | undefined): string {
  const earlier = state?.earlier;
  if (earlier === undefined) return `schema ${SCHEMA_VERSION}`;
  return `schema ${earlier.version}, which the next server to start takes over as schema ${SCHEMA_VERSION}`;
}

/** Returns the folder, or its nearest parent that exists. */
function nearestFolder(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : nearestFolder(above);
}

/** Opens the state as a server does, but only reads one of an earlier version: an examination does not take it over. */
async function openAsServer(config: Config): Promise<State> {
  const state = await openState(config, { reads: true });
  if (state.earlier !== undefined && state.earlier.inUse === undefined) return state;
  await state.close();
  if (state.earlier?.inUse !== undefined) throw state.earlier.inUse;
  return openState(config);
}

/** What is found where the store refuses its file. */
const FINDINGS_OF_REFUSALS = {
  newer: 'state_newer',
  older: 'state_older',
  in_use: 'state_in_use',
  another_airline: 'state_of_another',
} as const satisfies Record<string, FindingKey>;

function foreignState({ path, by, why, command = '' }: Foreign, setting: string): CheckOutcome {
  if (by === 'mode') return finding('state_writable_by_others', { path, why, command });
  if (by === 'owner') return finding('state_of_another_user', { path, setting });
  return finding('state_is_a_link', { path, why, setting });
}

/** Says why the state cannot be opened. */
function openingProblem(error: unknown, { file, databaseUrl }: Config['state']): CheckOutcome {
  const refusal = error instanceof ClerkError && error.code === 'E_CONFIG' ? error : undefined;
  const { reason, foreign } = error instanceof StateRefusal ? error.facts : {};
  if (foreign !== undefined) return foreignState(foreign, foreign.setting);
  if (databaseUrl !== undefined) {
    if (reason === 'another_airline') return finding('state_of_another.database');
    const verdict = finding('state_unwritable.database');
    if (refusal === undefined) return verdict;
    return { ...verdict, said: error instanceof StateRefusal ? error.brief : refusal.message, advice: refusal.next };
  }
  if (reason !== undefined) return finding(FINDINGS_OF_REFUSALS[reason], { file });
  return finding(isLocked(refusal?.cause) ? 'state_locked' : 'state_unwritable.file', { file });
}

async function checkJournal({ operations, chain }: State): Promise<CheckOutcome> {
  const { hold, pause } = await chain.status();
  if (hold !== undefined) return finding('sending_held', { words: holdWords(hold) });
  if (pause !== undefined) return finding('sending_paused', { words: pauseWords(pause) });
  const { misfit, complete } = await operations.checkNewest(CHECKED_ENTRIES);
  if (misfit !== undefined) return finding('state_tampered');
  const activeCount = (await operations.list({ states: ACTIVE_STATES })).length;
  const personCount = (await operations.list({ states: ['needs_person'] })).length;
  const inDoubt = `${activeCount} in progress or in doubt`;
  if (personCount > 0)
    return finding('operations_need_person', { count: personCount, more: activeCount > 0 ? `, ${inDoubt}` : '' });
  if (activeCount > 0) return finding('operations_in_doubt', { parts: inDoubt });
  if (complete) return good('Whole, nothing in doubt');
  const next = '`fareclerk journal verify --all` checks all entries';
  return good(`Newest ${CHECKED_ENTRIES} entries whole, nothing in doubt. ${next}`);
}

/** Reports only clients whose dialogs nobody sees. */
async function checkDialogs({ dialogFloorMs }: Config, state: State): Promise<CheckOutcome | undefined> {
  if (dialogFloorMs === 0) return undefined;
  const unseen = await state.unseenDialogs.list(rememberedSince(storeNow(state)));
  const clients = unseen.map((dialog) => {
    const client = `${dialog.name} ${dialog.version}`.trim() || 'a client';
    return `${client} (${unseenWords(dialog)})`;
  });
  return clients.length > 0 ? finding('dialogs_unseen', { clients: joined(clients, ', ') }) : undefined;
}
