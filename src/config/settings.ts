/**
 * Every setting there is, keyed by the variable's name: its kind, its default, and what it is for. Flags, known names, the
 * manifest's form and the operations guide all follow from this file.
 */
import type * as z from 'zod';
import * as v from './values.ts';

/** A kind of value; what stands where none is given. Kinds are made when a value of them is: a start makes few. */
interface Setting<T, D> {
  readonly kind: () => z.ZodType<T>;
  readonly otherwise: D;
}

const maybe = <T>(kind: () => z.ZodType<T>): Setting<T, undefined> => ({ kind, otherwise: undefined });
const or = <T>(kind: () => z.ZodType<T>, otherwise: NoInfer<T>): Setting<T, T> => ({ kind, otherwise });

const SETTINGS = {
  FARECLERK_BASE_URL: maybe(v.address),
  FARECLERK_SEAT_MAP_URL: maybe(v.address),
  FARECLERK_AUTH_URL: maybe(v.addressPrefix),
  FARECLERK_TENANT: maybe(v.plain),
  FARECLERK_CLIENT_ID: maybe(v.plain),
  FARECLERK_CLIENT_SECRET: maybe(v.secret),
  FARECLERK_USERNAME: maybe(v.plain),
  FARECLERK_PASSWORD: maybe(v.secret),
  FARECLERK_GATEWAY_URL: maybe(v.addressPrefix),
  FARECLERK_REST_URL: maybe(v.addressPrefix),
  FARECLERK_API_KEY: maybe(v.headerSecret),
  FARECLERK_CREDENTIALS: or(() => v.oneOf('both', 'key', 'token'), 'both'),
  FARECLERK_AGENT_ID: maybe(v.plain),
  FARECLERK_AGENCY_ID: maybe(v.plain),
  FARECLERK_CURRENCY: maybe(v.currency),
  FARECLERK_COUNTRY: maybe(v.country),
  FARECLERK_CARRIER: maybe(v.carrier),
  FARECLERK_GROUP_MESSAGE: or(v.messageName, 'OTA_AirPriceRQ'),
  FARECLERK_ADDRESS_FORM: or(() => v.oneOf('header', 'path'), 'header'),
  FARECLERK_EXTRA_HEADERS: or(v.extraHeaders, []),
  FARECLERK_DIALECT: or(() => v.oneOf('rail', 'airline'), 'rail'),
  FARECLERK_SEND_FARE: or(v.yesNo, true),
  FARECLERK_PRICE_CHECK: maybe(v.yesNo),
  FARECLERK_PAYMENT_AMOUNT: or(() => v.oneOf('dialect', 'always', 'never'), 'dialect'),
  FARECLERK_PAYMENT_COMPANY: maybe(v.plain),
  FARECLERK_ACCOUNT_NAME: maybe(v.plain),
  FARECLERK_ALLOW_HTTP: or(v.yesNo, false),
  FARECLERK_ASSUMED_OPERATIONS: maybe(v.yesNo),
  FARECLERK_APPROVAL: or(() => v.oneOf('auto', 'elicit', 'page', 'echo'), 'auto'),
  FARECLERK_PAGE_ABOVE: maybe(v.amount),
  FARECLERK_READ_ONLY: or(v.yesNo, false),
  FARECLERK_LIMIT_PER_ACTION: maybe(v.amount),
  FARECLERK_LIMIT_PER_DAY: maybe(v.amount),
  FARECLERK_ANSWER_SECONDS: or(() => v.seconds(600), 30_000),
  FARECLERK_SETTLE_SECONDS: or(() => v.seconds(86_400), 240_000),
  FARECLERK_LOCALE: or(v.language, 'en'),
  FARECLERK_TOOLSETS: or(v.toolsets, ['core', 'desk']),
  FARECLERK_STATE_DIR: maybe(v.plain),
  FARECLERK_DATABASE_URL: maybe(v.databaseUrl),
  FARECLERK_PUBLIC_URL: maybe(v.addressPrefix),
  FARECLERK_ISSUER: maybe(v.address),
  FARECLERK_AUDIENCE: maybe(v.plain),
  FARECLERK_TENANT_CLAIM: maybe(v.plain),
  FARECLERK_PAGE_CLIENT_ID: maybe(v.plain),
  FARECLERK_PAGE_CLIENT_SECRET: maybe(v.secret),
  FARECLERK_APPROVER_ROLE: maybe(v.plain),
  FARECLERK_FOUR_EYES_ABOVE: maybe(v.amount),
  FARECLERK_CALLERS_FILE: maybe(v.plain),
  FARECLERK_CORS_ORIGINS: or(v.origins, []),
  FARECLERK_METRICS_TOKEN: maybe(v.headerSecret),
  FARECLERK_HTTP_TOKEN: maybe(v.headerSecret),
  FARECLERK_RECORD_FILE: maybe(v.plain),
  FARECLERK_LOG_LEVEL: or(() => v.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
  FARECLERK_LOG_PRETTY: or(v.yesNo, false),
};

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T, infer D> ? T | D : never;
export type SettingValues = { readonly [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };
/** Every setting's text, where it is given. */
export type SettingTexts = Partial<Record<SettingName, string>>;

/** Checks the texts one by one; `wrong` says of each bad one what was expected. */
export function parseSettings(texts: SettingTexts): {
  readonly values: SettingValues;
  readonly wrong: readonly { readonly name: SettingName; readonly expected: string }[];
} {
  const wrong: { name: SettingName; expected: string }[] = [];
  const values = SETTING_NAMES.map((name) => {
    const [text, { kind, otherwise }] = [texts[name], SETTINGS[name]];
    if (text === undefined) return [name, otherwise];
    // Parsed once: generating a parser for it would cost more than it saves.
    const parsed = kind().safeParse(text, { jitless: true });
    if (parsed.success) return [name, parsed.data];
    wrong.push(...parsed.error.issues.map(({ message }) => ({ name, expected: message.replace(/^expected /, '') })));
    return [name, undefined];
  });
  return { values: Object.fromEntries(values) as SettingValues, wrong };
}

/** The words that a setting takes, where it takes one of a few; else empty. */
export function choicesOf(name: SettingName): readonly string[] {
  const kind: object = SETTINGS[name].kind();
  return 'options' in kind && Array.isArray(kind.options) ? kind.options.map(String) : [];
}

export interface About {
  /** One line for `--help`, the manifest and the guide. */
  readonly says: string;
  /** Read from the environment or a file, never from a flag; never printed. */
  readonly secret?: true;
  /** Given as a bare flag too: `--read-only`. */
  readonly yesNo?: true;
  /** Speaks of the airline's addresses, credentials or point of sale: without FARECLERK_BASE_URL it is a mistake. */
  readonly airline?: true;
  /** Of `serve --http` alone: a host that starts its own server on stdio has no use for it. */
  readonly http?: true;
}

export const ABOUT: Readonly<Record<SettingName, About>> = {
  FARECLERK_BASE_URL: { says: 'reservation message address; unset: the embedded sandbox airline' },
  FARECLERK_SEAT_MAP_URL: { says: 'whole address of the seat map call; default derived from the base', airline: true },
  FARECLERK_AUTH_URL: { says: 'identity provider address, without /realms', airline: true },
  FARECLERK_TENANT: { says: 'realm at the identity provider (short airline name)', airline: true },
  FARECLERK_CLIENT_ID: { says: 'application id at the identity provider', airline: true },
  FARECLERK_CLIENT_SECRET: { says: 'application secret at the identity provider', airline: true, secret: true },
  FARECLERK_USERNAME: { says: 'user name of the password login', airline: true },
  FARECLERK_PASSWORD: { says: 'password of the password login', airline: true, secret: true },
  FARECLERK_GATEWAY_URL: { says: 'schedule gateway address (routes, calendar)', airline: true },
  FARECLERK_REST_URL: { says: 'address of the other REST services (ticket downloads)', airline: true },
  FARECLERK_API_KEY: { says: 'api key', airline: true, secret: true },
  FARECLERK_CREDENTIALS: { says: 'what calls carry: both (default), key or token', airline: true },
  FARECLERK_AGENT_ID: { says: 'agent id, point of sale', airline: true },
  FARECLERK_AGENCY_ID: { says: 'agency id, point of sale', airline: true },
  FARECLERK_CURRENCY: { says: 'ISO 4217 currency, point of sale; also the currency of the limits', airline: true },
  FARECLERK_COUNTRY: { says: 'ISO 3166 country, point of sale', airline: true },
  FARECLERK_CARRIER: { says: 'operating carrier where a reply names none', airline: true },
  FARECLERK_GROUP_MESSAGE: { says: 'local-name of booking from counts (OTA_AirPriceRQ)', airline: true },
  FARECLERK_ADDRESS_FORM: { says: 'how calls name their message: header (local-name, default) or path', airline: true },
  FARECLERK_EXTRA_HEADERS: { says: 'headers that some airlines ask for: X-Realm, X-Refresh-Token', airline: true },
  FARECLERK_DIALECT: { says: 'dialect of the interface: rail (default) or airline', airline: true },
  FARECLERK_SEND_FARE: {
    says: 'airline dialect: send the chosen fare basis when booking (true)',
    airline: true,
    yesNo: true,
  },
  FARECLERK_PRICE_CHECK: {
    says: 'ask the airline for the price before a hold; default: sandbox only',
    yesNo: true,
  },
  FARECLERK_PAYMENT_AMOUNT: {
    says: 'send the approved amount with payments: dialect (default), always, never',
    airline: true,
  },
  FARECLERK_PAYMENT_COMPANY: {
    says: "company code in payments; default: that of the booking's own reference",
    airline: true,
  },
  FARECLERK_ACCOUNT_NAME: { says: 'account that debit_credit_account payments are charged to', airline: true },
  FARECLERK_ALLOW_HTTP: { says: 'plain http to other than loopback addresses', airline: true, yesNo: true },
  FARECLERK_ASSUMED_OPERATIONS: {
    says: 'offer operations whose payload is assumed; default only in the sandbox',
    yesNo: true,
  },
  FARECLERK_APPROVAL: { says: 'how a person is asked: auto (default), elicit, page or echo' },
  FARECLERK_PAGE_ABOVE: { says: 'amounts above it are approved on the page only' },
  FARECLERK_READ_ONLY: { says: 'only reading tools exist', yesNo: true },
  FARECLERK_LIMIT_PER_ACTION: { says: 'most money that one action may move' },
  FARECLERK_LIMIT_PER_DAY: { says: 'most money that one caller may move in 24 hours' },
  FARECLERK_ANSWER_SECONDS: { says: 'how long a call waits for the airline before it says pending (30)' },
  FARECLERK_SETTLE_SECONDS: { says: 'how long until an unanswered operation may count as not executed (240)' },
  FARECLERK_LOCALE: { says: 'language picked where the airline sends texts in several (en)' },
  FARECLERK_TOOLSETS: { says: 'core,desk (default) or core' },
  FARECLERK_STATE_DIR: { says: "folder of journal, offers, approvals and ledger; default: the platform's" },
  FARECLERK_DATABASE_URL: { says: 'postgres://… : the same state on PostgreSQL', secret: true },
  FARECLERK_PUBLIC_URL: { says: 'HTTP mode: address that callers and browsers use', http: true },
  FARECLERK_ISSUER: { says: 'HTTP mode: OAuth issuer whose tokens are accepted', http: true },
  FARECLERK_AUDIENCE: { says: 'HTTP mode: audience that tokens must carry', http: true },
  FARECLERK_TENANT_CLAIM: { says: 'HTTP mode: claim that tells tenants of the issuer apart', http: true },
  FARECLERK_PAGE_CLIENT_ID: { says: 'HTTP mode: client that people sign in with on the approval page', http: true },
  FARECLERK_PAGE_CLIENT_SECRET: { says: 'its secret; a public client has none', http: true, secret: true },
  FARECLERK_APPROVER_ROLE: { says: "HTTP mode: role of people who may decide others' questions too", http: true },
  FARECLERK_FOUR_EYES_ABOVE: { says: 'HTTP mode: amounts above it need the yes of another person', http: true },
  FARECLERK_CALLERS_FILE: { says: 'HTTP mode: JSON file of callers with a point of sale of their own', http: true },
  FARECLERK_CORS_ORIGINS: { says: 'HTTP mode: other sites whose scripts may call, with commas', http: true },
  FARECLERK_METRICS_TOKEN: {
    says: 'HTTP mode: bearer token of /metrics; unset: this machine only',
    http: true,
    secret: true,
  },
  FARECLERK_HTTP_TOKEN: {
    says: 'HTTP mode without sign-in: bearer token of every call',
    http: true,
    secret: true,
  },
  FARECLERK_RECORD_FILE: { says: 'writes calls and replies to this file, without secrets and personal data' },
  FARECLERK_LOG_LEVEL: { says: 'trace, debug, info (default), warn, error, fatal or silent' },
  FARECLERK_LOG_PRETTY: { says: 'logs for people instead of JSON lines', yesNo: true },
};

export const SETTING_NAMES = Object.keys(ABOUT) as readonly SettingName[];

const PREFIX = 'FARECLERK_';

/** `--base-url` of FARECLERK_BASE_URL. */
export function flagOf(name: SettingName): string {
  return `--${name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-')}`;
}

/** The variable that a flag stands for: `base-url` → FARECLERK_BASE_URL. Secrets have no flag. */
export function settingOfFlag(flag: string): SettingName | undefined {
  return SETTING_NAMES.find((name) => ABOUT[name].secret === undefined && flagOf(name) === `--${flag}`);
}

/** `FARECLERK_API_KEY_FILE`: a path to read a secret from. */
export function fileVariable(name: SettingName): string {
  return `${name}_FILE`;
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(ABOUT, name);
}
