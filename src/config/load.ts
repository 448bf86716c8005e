/**
 * Reads the settings into one frozen object, before anything starts. Its fields have the names that the program uses:
 * few are those of the variables, and many depend on several of them. First the check of all settings, then each part of the
 * object, then where traces go.
 */

import { join } from 'node:path';
import { once } from '../core/memoize.ts';
import { withoutTrailing } from '../core/words.ts';
import { DEFAULT_PACES } from '../domain/booking/reading-schedule.ts';
import { absolutePath, defaultStateDir, stateRoot } from './folders.ts';
import { badSetting, type Problem, SettingsError } from './problem.ts';
import { brokenRules } from './refused-settings.ts';
import { ignoredVariables } from './removed-settings.ts';
import {
  type EnvironmentVariables,
  type Flags,
  parseSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from './settings.ts';
import { ENVIRONMENT, gatherSettings, type Origin, type SettingsSource } from './sources.ts';
import { address, realmIn, Secret } from './values.ts';

export { SettingsError, UsageError } from './problem.ts';
export type { EnvironmentVariables, Flags } from './settings.ts';

/**
 * Reads every setting once. Flags win; secrets are removed from `env`.
 * @throws SettingsError that names every bad setting, what is wrong and what is expected; never a secret's value.
 */
export function readConfig(env: EnvironmentVariables, flags: Flags = {}, origin: Origin = ENVIRONMENT): Config {
  const source = gatherSettings(env, flags, origin);
  return assemble(checkSettings(source, origin), env, origin, source);
}

/** Every setting, as the program reads it. */
export type Config = ReturnType<typeof assemble>;
/** Everything the adapter needs to speak to one airline. */
export type AirlineConfig = NonNullable<ReturnType<typeof readAirline>>;
/** `rehearsal`: a test double of a live airline (`serve --rehearsal`). */
type EnvironmentName = 'sandbox' | 'live' | 'rehearsal';

type ExtraHeader = 'x-realm' | 'x-refresh-token';

/** The headers that each word of FARECLERK_EXTRA_HEADERS means. */
const EXTRA_HEADERS: Readonly<Record<SettingValues['FARECLERK_EXTRA_HEADERS'], readonly ExtraHeader[]>> = {
  none: [],
  realm: ['x-realm'],
  'refresh-token': ['x-refresh-token'],
  both: ['x-realm', 'x-refresh-token'],
};

const YES_SETTINGS = [
  'FARECLERK_APPROVAL',
  'FARECLERK_CURRENCY',
  'FARECLERK_LIMIT_PER_ACTION',
  'FARECLERK_LIMIT_PER_DAY',
  'FARECLERK_PAGE_ABOVE',
  'FARECLERK_FOUR_EYES_ABOVE',
  'FARECLERK_APPROVER_ROLE',
] as const satisfies readonly SettingName[];

/** A dialog that is answered sooner was not shown to a person, milliseconds; 0: no such limit. */
const DIALOG_FLOOR_MS = 1_500;
/** How long a call waits for the airline before it answers `pending`, milliseconds. */
const ANSWER_MS = 30_000;
/** How long after its sending an unanswered operation may be settled as not executed, milliseconds. */
const SETTLE_MS = 240_000;
const SANDBOX_READS_PER_HOUR = 600;

/** The toolsets that each value offers. */
const TOOLSETS: Readonly<Record<SettingValues['FARECLERK_TOOLSET'], readonly ('core' | 'desk' | 'plans')[]>> = {
  read: ['core', 'desk'],
  core: ['core'],
  desk: ['core', 'desk'],
  plans: ['core', 'desk', 'plans'],
};

/** The variables of OpenTelemetry that are read. */
const TRACE_HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';
const TRACE_ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACE_PROTOCOL = 'http/protobuf';

function checkSettings(source: SettingsSource, origin: Origin): SettingValues {
  const { values, invalid } = parseSettings(source.texts);
  const invalidValues = invalid.map(({ name, expected }): Problem => {
    const text = source.texts[name] ?? '';
    return {
      setting: source.nameAsSet(name),
      wrong: `is not valid${quotedIfPlain(name, text, source.texts)}.`,
      expected,
    };
  });

  // Rules compare values, so they wait until each value is valid.
  const valueProblems = values === undefined ? invalidValues : brokenRules(values, source);
  const reported = source.problems.map(({ setting }) => setting);

  const problems = [
    ...source.problems,
    ...airlineBesideSandbox(source, origin),
    // If the file of a secret cannot be read, that is the problem, and not that the secret is not set.
    ...valueProblems.filter(({ setting }) => !reported.includes(`${setting}_FILE`)),
  ];
  if (values !== undefined && problems.length === 0) return values;

  throw new SettingsError(problems, origin.from === 'profile' ? ` of profile ${origin.profile} (${origin.file})` : '');
}

/** Rejects `--sandbox` beside the address of an airline. */
function airlineBesideSandbox({ texts, nameAsSet }: SettingsSource, { from }: Origin): Problem[] {
  if (from !== 'sandbox' || texts.FARECLERK_BASE_URL === undefined) return [];
  const wrong = 'is set, and --sandbox means the embedded sandbox airline.';
  return [{ setting: nameAsSet('FARECLERK_BASE_URL'), wrong, expected: 'one of the two' }];
}

/** Quotes a value in brackets if it is a short plain word; else empty: other text may contain a secret by mistake. */
function quotedIfPlain(name: SettingName, text: string, texts: SettingsSource['texts']): string {
  const secrets = SETTING_NAMES.flatMap((each) => (SETTINGS[each].secret ? (texts[each] ?? []) : []));
  const plain = /^[\w.,-]{1,24}$/.test(text) && !secrets.some((secret) => text.includes(secret));
  return !SETTINGS[name].secret && plain ? ` ("${text}")` : '';
}

function assemble(values: SettingValues, env: EnvironmentVariables, origin: Origin, { files }: SettingsSource) {
  const airline = readAirline(values);
  const environment = (airline === undefined ? 'sandbox' : 'live') as EnvironmentName;

  return freeze({
    /** Where the settings come from. */
    origin,
    /** The files of settings and secrets that were read. */
    files,
    environment,
    /** Absent: the embedded sandbox airline. */
    airline,
    /** Offers operations whose messages are assumed, and not documented. */
    assumedOperations: values.FARECLERK_ASSUMED_OPERATIONS ?? environment === 'sandbox',
    readOnly: values.FARECLERK_TOOLSET === 'read',
    /** Whether query_ledger is offered. */
    queryLedger: values.FARECLERK_QUERY_LEDGER,
    toolsets: TOOLSETS[values.FARECLERK_TOOLSET],
    approval: values.FARECLERK_APPROVAL,
    /** `page`: documents in arguments are refused. */
    details: values.FARECLERK_DETAILS,
    dialogFloorMs: DIALOG_FLOOR_MS,
    /** Decimal digits as set, in `currency`; without it in the sandbox airline's currency. */
    amounts: freeze({
      currency: values.FARECLERK_CURRENCY,
      perAction: values.FARECLERK_LIMIT_PER_ACTION,
      perDay: values.FARECLERK_LIMIT_PER_DAY,
      pageAbove: values.FARECLERK_PAGE_ABOVE,
      /** Above this amount another person must say yes. */
      fourEyesAbove: values.FARECLERK_FOUR_EYES_ABOVE,
    }),
    /** By name: the settings that a person's yes depends on. All servers of one state must have the same. */
    yesSettings: freeze(yesSettings(values)),
    answerMs: ANSWER_MS,
    settleMs: SETTLE_MS,
    /** IANA name: whose days lists and questions mean. */
    timeZone: once(() => values.FARECLERK_TIME_ZONE ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
    state: stateConfig(values, environment, env),
    http: httpConfig(values),
    webhooks: eventReceivers(values),
    watching: watchingConfig(values, environment),
    /** Where calls and replies are recorded, without secrets and personal data. */
    recordFile: values.FARECLERK_RECORD_FILE && absolutePath(values.FARECLERK_RECORD_FILE),
    /** Where traces go. Absent: nowhere. */
    traces: readTraces(env),
    /** Variables of OpenTelemetry that are set and have no effect. */
    ignoredVariables: ignoredVariables(env),
    log: Object.freeze({ level: values.FARECLERK_LOG_LEVEL }),
  });
}

const freeze = <T extends object>(fields: T): Readonly<T> => Object.freeze(fields);

function yesSettings(values: SettingValues): Readonly<Record<string, string>> {
  const named = YES_SETTINGS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(named);
}

function readLogin(values: SettingValues) {
  const {
    FARECLERK_AUTH_URL: realm,
    FARECLERK_CLIENT_ID: clientId,
    FARECLERK_CLIENT_SECRET: clientSecret,
    FARECLERK_USERNAME: username,
    FARECLERK_PASSWORD: password,
  } = values;
  if (realm === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  if (username === undefined || password === undefined) return undefined;

  /** `authUrl`: `/realms/<tenant>/…` follows. */
  return Object.freeze({ ...realmIn(realm), clientId, clientSecret, username, password });
}

function readAirline(values: SettingValues) {
  const { FARECLERK_BASE_URL: baseUrl, FARECLERK_AGENT_ID: agentId, FARECLERK_AGENCY_ID: agencyId } = values;
  const { FARECLERK_CURRENCY: currency } = values;
  if (baseUrl === undefined) return undefined;
  // The rules reject these three cases; the types do not know that.
  if (agentId === undefined || agencyId === undefined || currency === undefined) return undefined;

  return freeze({
    baseUrl,
    gatewayUrl: values.FARECLERK_GATEWAY_URL,
    restUrl: values.FARECLERK_REST_URL,
    credentials: values.FARECLERK_CREDENTIALS,
    apiKey: values.FARECLERK_API_KEY,
    login: readLogin(values),
    agentId,
    agencyId,
    /** ISO 4217. */
    currency,
    /** ISO 3166. */
    country: values.FARECLERK_COUNTRY,
    carrier: values.FARECLERK_CARRIER,
    /** Whether the `local-name` header or the end of the path names a message (docs/wire/notes.md, Addressing). */
    addressForm: values.FARECLERK_ADDRESS_FORM,
    extraHeaders: EXTRA_HEADERS[values.FARECLERK_EXTRA_HEADERS],
    privateHosts: Object.freeze(values.FARECLERK_PRIVATE_HOSTS),
    /** The airline's dialect of the interface (docs/wire/notes.md, Confidence and precedence). */
    dialect: values.FARECLERK_DIALECT,
    /** Airline dialect: each segment of a booking request carries the chosen fare basis. Rail always sends it. */
    sendFare: values.FARECLERK_SEND_FARE,
    payment: freeze({
      /** Whether the payment message carries the approved amount: as in the dialect, always or never. */
      amount: values.FARECLERK_PAYMENT_AMOUNT,
      /** The account that payment type 4 names. */
      account: values.FARECLERK_ACCOUNT_NAME,
    }),
  });
}

function stateConfig(values: SettingValues, environment: EnvironmentName, env: EnvironmentVariables) {
  const { FARECLERK_STATE_DIR: stateDir } = values;
  const root = stateRoot(stateDir, env);
  const directory = environment === 'sandbox' ? join(root, 'sandbox') : root;

  return freeze({
    /** The sandbox has its own folder below the one that is set. */
    directory,
    /** Whether FARECLERK_STATE_DIR is not set. */
    isDefault: stateDir === undefined,
    /** SQLite: operations, approvals, offers, ledger. */
    file: join(directory, 'fareclerk.sqlite'),
    /** The memory of the embedded sandbox airline. */
    sandboxFile: join(root, 'sandbox', 'airline.sqlite'),
    /** Second records of operations; they reveal a journal that went backwards. */
    secondRecords: secondRecordsFolder(values, environment, env, directory),
    databaseUrl: values.FARECLERK_DATABASE_URL,
  });
}

/**
 * Restoring a copy of the state folder must not restore the second records too. With PostgreSQL the journal is not in
 * that folder; in the sandbox, deleting the folder must be a fresh start.
 */
function secondRecordsFolder(
  { FARECLERK_WITNESS_DIR: secondRecordsDir, FARECLERK_DATABASE_URL: databaseUrl }: SettingValues,
  environment: EnvironmentName,
  env: EnvironmentVariables,
  directory: string,
): string {
  if (environment === 'sandbox') return join(directory, 'witness');
  if (secondRecordsDir !== undefined) return absolutePath(secondRecordsDir);
  return databaseUrl === undefined ? `${defaultStateDir(env)}-witness` : join(directory, 'witness');
}

function httpConfig(values: SettingValues) {
  const {
    FARECLERK_PAGE_CLIENT_ID: clientId,
    FARECLERK_PAGE_CLIENT_SECRET: clientSecret,
    FARECLERK_APPROVER_ROLE: approverRole,
  } = values;

  return freeze({
    publicUrl: values.FARECLERK_PUBLIC_URL,
    issuer: values.FARECLERK_ISSUER,
    audience: values.FARECLERK_AUDIENCE,
    /** Sign-in on the approval page. */
    page: clientId === undefined ? undefined : freeze({ clientId, clientSecret, approverRole }),
    /** Role of supervisors, who see what all callers of their tenant did. */
    deskRole: values.FARECLERK_DESK_ROLE,
    /** Callers with a point of sale of their own, and the claim that tells tenants apart (config/callers.ts). */
    callersFile: values.FARECLERK_CALLERS_FILE && absolutePath(values.FARECLERK_CALLERS_FILE),
    /** Bearer token of every call, without an issuer. */
    token: values.FARECLERK_HTTP_TOKEN,
    /** Bearer token of /metrics. */
    metricsToken: values.FARECLERK_METRICS_TOKEN,
  });
}

/** Where events and notices go. Undefined: to nobody; callers can still ask for events. */
function eventReceivers(values: SettingValues) {
  const { FARECLERK_WEBHOOKS: addresses = [], FARECLERK_NOTIFY: notices = [] } = values;
  if (addresses.length + notices.length === 0) return undefined;

  return freeze({
    addresses: Object.freeze([...new Set(addresses)]),
    /** Where approvers hear that a question waits for them. */
    notices: Object.freeze(notices),
    /** One or two, with a comma between them. */
    secrets: values.FARECLERK_WEBHOOK_SECRET,
    /** Hosts that may be in a private network and be reached by http. */
    privateHosts: Object.freeze(values.FARECLERK_PRIVATE_HOSTS),
  });
}

function watchingConfig(values: SettingValues, environment: EnvironmentName) {
  const defaultReads = environment === 'sandbox' ? SANDBOX_READS_PER_HOUR : 0;
  return freeze({
    /** For each tenant; 0: bookings are not read again. */
    readsPerHour: values.FARECLERK_WATCH_READS_PER_HOUR ?? defaultReads,
    paces: DEFAULT_PACES,
  });
}

/** Names the tenant of a state folder by airline and selling agency, so that bookings of two agencies stay apart. */
export function sellingTenant(airline: AirlineConfig | undefined): string {
  return airline === undefined ? 'sandbox' : `${new URL(airline.baseUrl).host}/${airline.agencyId}`;
}

/** Reads the settings that a sandbox airline prints as those of any other airline. */
export function airlineFromSettings(settings: Readonly<Record<string, string>>): AirlineConfig {
  const airline = readAirline(checkSettings(gatherSettings({ ...settings }, {}, ENVIRONMENT), ENVIRONMENT));
  if (airline !== undefined) return airline;
  throw badSetting('FARECLERK_BASE_URL', 'is not set.', "the airline's address");
}

/**
 * Where traces go, by the standard variables of OpenTelemetry, without FARECLERK_ names and flags: operators set them
 * for all programs alike.
 */
interface TracesConfig {
  /** Whole address for POST. */
  readonly url: string;
  /** `name=value` pairs with commas between, percent-encoded. */
  readonly headers?: Secret;
  /**
   * Whether the variables name an address that takes http/protobuf. Without one the server sends no traces, and starts all the same,
   * because hosts hand down variables that are meant for other programs.
   */
  readonly isSupported: boolean;
}

/** Undefined if traces are off, which is the default. Removes the headers, which may hold a secret, from `env`. */
function readTraces(env: EnvironmentVariables): TracesConfig | undefined {
  const variable = (name: string): string | undefined => env[name]?.trim() || undefined;
  const headers = variable(TRACE_HEADERS);

  delete env[TRACE_HEADERS];
  const endpoint = variable(TRACE_ENDPOINT);
  if (endpoint === undefined || variable('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;

  const url = `${withoutTrailing(endpoint, '/')}/v1/traces`;
  const isProtobuf = (variable('OTEL_EXPORTER_OTLP_PROTOCOL') ?? TRACE_PROTOCOL) === TRACE_PROTOCOL;

  return Object.freeze({
    url,
    headers: headers === undefined ? undefined : new Secret(headers),
    isSupported: isProtobuf && address.safeParse(url).success,
  });
}
