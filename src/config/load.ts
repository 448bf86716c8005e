/**
 * Environment and flags become one frozen object, checked by one schema, before anything starts.
 */
import { join } from 'node:path';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { type Problem, SettingsError } from './problem.ts';
import { brokenRules } from './rules.ts';
import type { Secret } from './secret.ts';
import { ABOUT, parseSettings, SETTING_NAMES, type SettingName, type SettingValues } from './settings.ts';
import { type Environment, type Flags, gather, type Source } from './source.ts';
import { defaultStateDir, pathOf, stateRoot } from './state-dir.ts';
import type { ExtraHeader } from './values.ts';

export { SettingsError, UsageError } from './problem.ts';
export { Secret } from './secret.ts';
export type { Environment, Flags } from './source.ts';

export interface Login {
  /** {auth_url}: `/realms/<tenant>/…` follows. */
  readonly authUrl: string;
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly username: string;
  readonly password: Secret;
}

/** Everything the adapter needs to speak to one airline. */
export interface AirlineConfig {
  readonly baseUrl: string;
  readonly seatMapUrl?: string;
  readonly gatewayUrl?: string;
  readonly restUrl?: string;
  readonly credentials: 'both' | 'key' | 'token';
  readonly apiKey?: Secret;
  readonly login?: Login;
  readonly agentId: string;
  readonly agencyId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 3166. */
  readonly country?: string;
  readonly carrier?: string;
  /** `local-name` of booking from counts. */
  readonly groupMessage: string;
  /** How a call names its message: the `local-name` header, or the end of its path (docs/wire/notes.md, Addressing). */
  readonly addressForm: 'header' | 'path';
  readonly extraHeaders: readonly ExtraHeader[];
  readonly allowHttp: boolean;
  /** Which of the two dialects of the interface the airline speaks (docs/wire/notes.md, Confidence and precedence). */
  readonly dialect: 'rail' | 'airline';
  /** Airline dialect: the chosen fare basis goes with each segment of a booking request. Rail always sends it. */
  readonly sendFare: boolean;
  readonly payment: {
    /** Whether the payment message carries the approved amount: as the dialect has it, always or never. */
    readonly amount: 'dialect' | 'always' | 'never';
    /** `companyName.code` of a payment; default: that of the booking's own reference. */
    readonly company?: string;
    /** The account that payment type 4 names. */
    readonly account?: string;
  };
}

export interface Config {
  readonly environment: 'sandbox' | 'live';
  /** Absent: the embedded sandbox airline. */
  readonly airline?: AirlineConfig;
  readonly assumedOperations: boolean;
  /** The airline is asked to confirm prices before a hold. */
  readonly priceCheck: boolean;
  readonly readOnly: boolean;
  readonly toolsets: readonly ('core' | 'desk')[];
  readonly approval: 'auto' | 'elicit' | 'page' | 'echo';
  /** Decimal digits as set, in `currency`, or in the sandbox airline's own where that is absent. */
  readonly amounts: {
    readonly currency?: string;
    readonly perAction?: string;
    readonly perDay?: string;
    readonly pageAbove?: string;
    /** Above it the yes is another person's. */
    readonly fourEyesAbove?: string;
  };
  /** How long a call waits for the airline before it answers `pending`. */
  readonly answerMs: number;
  /** From sending to when an unanswered operation may be settled as not executed. */
  readonly settleMs: number;
  /** BCP 47. */
  readonly locale: string;
  readonly state: {
    /** Of this environment: the sandbox keeps its own folder below the one set. */
    readonly directory: string;
    /** SQLite: operations, approvals, offers, ledger. */
    readonly file: string;
    /** What the embedded sandbox airline remembers, beside the journal of what was done to it. */
    readonly sandboxFile: string;
    /** Second records of acts, by which a journal that went backwards is noticed: not beside the journal's own file. */
    readonly witnesses: string;
    readonly databaseUrl?: Secret;
  };
  readonly http: {
    readonly publicUrl?: string;
    readonly issuer?: string;
    readonly audience?: string;
    /** Claim that tells tenants of the issuer apart. */
    readonly tenantClaim?: string;
    /** Sign-in on the approval page. */
    readonly page?: { readonly clientId: string; readonly clientSecret?: Secret; readonly approverRole?: string };
    /** Callers with a point of sale of their own (config/callers.ts). */
    readonly callersFile?: string;
    readonly origins: readonly string[];
    readonly metricsToken?: Secret;
    /** Without an issuer: bearer token of every call. */
    readonly token?: Secret;
  };
  /** Where calls and replies are recorded, without secrets and personal data. */
  readonly recordFile?: string;
  readonly log: { readonly level: string; readonly pretty: boolean };
}

/**
 * A value is repeated only where it is a short plain word: an address or a text may hold a secret by mistake, and a
 * secret may have been put in the wrong place.
 */
function echoed(name: SettingName, text: string, texts: Source['texts']): string {
  const secrets = SETTING_NAMES.flatMap((each) => (ABOUT[each].secret ? (texts[each] ?? []) : []));
  const plain = /^[\w.,-]{1,24}$/.test(text) && !secrets.some((secret) => text.includes(secret));
  return ABOUT[name].secret === undefined && plain ? ` ("${text}")` : '';
}

function check(source: Source): SettingValues {
  const { values, wrong } = parseSettings(source.texts);
  const invalid = wrong.map(({ name, expected }): Problem => {
    const text = source.texts[name] ?? '';
    return { setting: source.named(name), wrong: `is not valid${echoed(name, text, source.texts)}.`, expected };
  });
  const problems = [...source.problems, ...(wrong.length > 0 ? invalid : brokenRules(values, source))];
  if (problems.length === 0) return values;
  throw new SettingsError(problems);
}

/** Optional fields absent where undefined, and nothing of it can be changed. */
const frozen = <T extends object>(fields: T) => Object.freeze(omitUndefined(fields));

function login(values: SettingValues): Login | undefined {
  const {
    FARECLERK_AUTH_URL: authUrl,
    FARECLERK_TENANT: tenant,
    FARECLERK_CLIENT_ID: clientId,
    FARECLERK_CLIENT_SECRET: clientSecret,
    FARECLERK_USERNAME: username,
    FARECLERK_PASSWORD: password,
  } = values;
  if (authUrl === undefined || tenant === undefined || clientId === undefined) return undefined;
  if (clientSecret === undefined || username === undefined || password === undefined) return undefined;
  return Object.freeze({ authUrl, tenant, clientId, clientSecret, username, password });
}

function airline(values: SettingValues): AirlineConfig | undefined {
  const { FARECLERK_BASE_URL: baseUrl, FARECLERK_AGENT_ID: agentId, FARECLERK_AGENCY_ID: agencyId } = values;
  const { FARECLERK_CURRENCY: currency } = values;
  // The rules have made sure of the other three.
  if (baseUrl === undefined || agentId === undefined || agencyId === undefined || currency === undefined)
    return undefined;
  return frozen({
    baseUrl,
    seatMapUrl: values.FARECLERK_SEAT_MAP_URL,
    gatewayUrl: values.FARECLERK_GATEWAY_URL,
    restUrl: values.FARECLERK_REST_URL,
    credentials: values.FARECLERK_CREDENTIALS,
    apiKey: values.FARECLERK_API_KEY,
    login: login(values),
    agentId,
    agencyId,
    currency,
    country: values.FARECLERK_COUNTRY,
    carrier: values.FARECLERK_CARRIER,
    groupMessage: values.FARECLERK_GROUP_MESSAGE,
    addressForm: values.FARECLERK_ADDRESS_FORM,
    extraHeaders: Object.freeze(values.FARECLERK_EXTRA_HEADERS),
    allowHttp: values.FARECLERK_ALLOW_HTTP,
    dialect: values.FARECLERK_DIALECT,
    sendFare: values.FARECLERK_SEND_FARE,
    payment: frozen({
      amount: values.FARECLERK_PAYMENT_AMOUNT,
      company: values.FARECLERK_PAYMENT_COMPANY,
      account: values.FARECLERK_ACCOUNT_NAME,
    }),
  });
}

/**
 * A user's own folder, which a copy of the state folder does not bring back. With PostgreSQL the state folder is such a
 * place; the sandbox keeps all in its folder, so that removing that is a fresh start.
 */
function witnessFolder(
  values: SettingValues,
  directory: string,
  environment: Config['environment'],
  env: Environment,
): string {
  const isApart = environment === 'sandbox' || values.FARECLERK_DATABASE_URL !== undefined;
  return isApart ? join(directory, 'witness') : `${defaultStateDir(env)}-witness`;
}

function stateFolder(values: SettingValues, environment: Config['environment'], env: Environment): Config['state'] {
  const root = stateRoot(values.FARECLERK_STATE_DIR, env);
  const directory = environment === 'sandbox' ? join(root, 'sandbox') : root;
  return frozen({
    directory,
    file: join(directory, 'fareclerk.sqlite'),
    sandboxFile: join(root, 'sandbox', 'airline.sqlite'),
    witnesses: witnessFolder(values, directory, environment, env),
    databaseUrl: values.FARECLERK_DATABASE_URL,
  });
}

function overHttp(values: SettingValues): Config['http'] {
  const clientId = values.FARECLERK_PAGE_CLIENT_ID;
  const [clientSecret, approverRole] = [values.FARECLERK_PAGE_CLIENT_SECRET, values.FARECLERK_APPROVER_ROLE];
  return frozen({
    publicUrl: values.FARECLERK_PUBLIC_URL,
    issuer: values.FARECLERK_ISSUER,
    audience: values.FARECLERK_AUDIENCE,
    tenantClaim: values.FARECLERK_TENANT_CLAIM,
    page: clientId === undefined ? undefined : frozen({ clientId, clientSecret, approverRole }),
    callersFile: values.FARECLERK_CALLERS_FILE && pathOf(values.FARECLERK_CALLERS_FILE),
    origins: Object.freeze(values.FARECLERK_CORS_ORIGINS),
    metricsToken: values.FARECLERK_METRICS_TOKEN,
    token: values.FARECLERK_HTTP_TOKEN,
  });
}

function assemble(values: SettingValues, env: Environment): Config {
  const configured = airline(values);
  const environment: Config['environment'] = configured === undefined ? 'sandbox' : 'live';
  return frozen({
    environment,
    airline: configured,
    assumedOperations: values.FARECLERK_ASSUMED_OPERATIONS ?? environment === 'sandbox',
    priceCheck: values.FARECLERK_PRICE_CHECK ?? environment === 'sandbox',
    readOnly: values.FARECLERK_READ_ONLY,
    toolsets: Object.freeze(values.FARECLERK_TOOLSETS),
    approval: values.FARECLERK_APPROVAL,
    amounts: frozen({
      currency: values.FARECLERK_CURRENCY,
      perAction: values.FARECLERK_LIMIT_PER_ACTION,
      perDay: values.FARECLERK_LIMIT_PER_DAY,
      pageAbove: values.FARECLERK_PAGE_ABOVE,
      fourEyesAbove: values.FARECLERK_FOUR_EYES_ABOVE,
    }),
    answerMs: values.FARECLERK_ANSWER_SECONDS,
    settleMs: values.FARECLERK_SETTLE_SECONDS,
    locale: values.FARECLERK_LOCALE,
    state: stateFolder(values, environment, env),
    http: overHttp(values),
    recordFile: values.FARECLERK_RECORD_FILE && pathOf(values.FARECLERK_RECORD_FILE),
    log: Object.freeze({ level: values.FARECLERK_LOG_LEVEL, pretty: values.FARECLERK_LOG_PRETTY }),
  });
}

/**
 * Reads every setting once. Flags win; secrets are removed from `env`.
 * @throws SettingsError that names every bad setting, what is wrong and what is expected; never a secret's value.
 */
export function readConfig(env: Environment, flags: Flags = {}): Config {
  return assemble(check(gather(env, flags)), env);
}

/** What the settings printed by a sandbox airline come to: the same reading as for any other airline. */
export function airlineFromSettings(settings: Readonly<Record<string, string>>): AirlineConfig {
  const { airline } = readConfig({ ...settings });
  if (airline === undefined)
    throw new SettingsError([{ setting: 'FARECLERK_BASE_URL', wrong: 'is not set.', expected: 'it' }]);
  return airline;
}
