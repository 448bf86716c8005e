/**
 * Every setting: how it is read, its default, what it is for, and what somebody who connects an airline is asked. Flags, known
 * names, help, the forms of `init`, the bundle and server.json, and the operations guide follow from these tables.
 */
import type * as z from 'zod';
import * as v from './values.ts';

/** The groups of `fareclerk help settings` and docs/reference/settings.md, in their order. */
export const SETTING_GROUPS = {
  airline: 'the airline: where it is, who sells, and how it differs from others',
  work: 'the work: which tools exist, what they may do, and who says yes',
  server: 'the server: its state, HTTP and sign-in, events, files and logs',
} as const;

export type SettingGroup = keyof typeof SETTING_GROUPS;

/** What a setting is, besides how its value is read. */
export interface About {
  readonly group: SettingGroup;
  /** Describes the airline (address, credentials, point of sale): an error without FARECLERK_BASE_URL. */
  readonly airline?: true;
  /** For `serve --http` only: a host that starts its own server on stdio does not need it. */
  readonly http?: true;
  /** One line for `--help`, the manifest and the guide. */
  readonly says: string;
  /** Read from the environment or a file, never from a flag; never printed. */
  readonly secret: boolean;
  /** Also given as a bare flag: `--price-check`. */
  readonly yesNo: boolean;
}

interface Setting<T, D> extends Omit<About, 'group'> {
  /** Makes the parser. A start parses few settings, so parsers are made on demand. */
  readonly kind: () => z.ZodType<T>;
  readonly fallback: D;
}

const SECRETS: readonly unknown[] = [
  v.secret,
  v.headerSecret,
  v.callToken,
  v.databaseUrl,
  v.addresses,
  v.noticeTargets,
  v.webhookSecrets,
];

function setting<T, D>(kind: () => z.ZodType<T>, fallback: D, says: string): Setting<T, D> {
  return { kind, fallback, says, secret: SECRETS.includes(kind), yesNo: kind === (v.yesNo as unknown) };
}
const maybe = <T>(kind: () => z.ZodType<T>, says: string) => setting(kind, undefined, says);
const or = <T>(kind: () => z.ZodType<T>, fallback: NoInfer<T>, says: string) => setting<T, T>(kind, fallback, says);

/** One of a few words; the first is the default. */
const word = <const W extends readonly [string, ...string[]]>(says: string, ...words: W) =>
  or<W[number]>(() => v.oneOf(...words), words[0], says);

function scoped(scope: Pick<About, 'airline' | 'http'>) {
  return <S extends object>(settings: S): S => {
    for (const setting of Object.values(settings)) Object.assign(setting, scope);
    return settings;
  };
}
/** Gives each setting its group. */
function grouped<S extends object>(group: SettingGroup, settings: S) {
  for (const setting of Object.values(settings)) Object.assign(setting, { group });
  return settings as { readonly [K in keyof S]: S[K] & Pick<About, 'group'> };
}
const ofAirline = scoped({ airline: true });
const ofHttpMode = scoped({ http: true });

export const SETTINGS = {
  ...grouped('airline', {
    FARECLERK_BASE_URL: maybe(v.address, 'reservation message address; unset: the embedded sandbox airline'),
    ...ofAirline({
      FARECLERK_CREDENTIALS: word('what calls carry: both (default), key or token', 'both', 'key', 'token'),
      FARECLERK_API_KEY: maybe(v.headerSecret, 'api key'),
      FARECLERK_AUTH_URL: maybe(v.realmAddress, 'identity provider with its realm: https://…/realms/NAME'),
      FARECLERK_CLIENT_ID: maybe(v.plain, 'application id at the identity provider'),
      FARECLERK_CLIENT_SECRET: maybe(v.secret, 'application secret at the identity provider'),
      FARECLERK_USERNAME: maybe(v.plain, 'user name of the password login'),
      FARECLERK_PASSWORD: maybe(v.secret, 'password of the password login'),
      FARECLERK_AGENT_ID: maybe(v.sellerId, 'agent id, point of sale'),
      FARECLERK_AGENCY_ID: maybe(v.sellerId, 'agency id, point of sale'),
      FARECLERK_CURRENCY: maybe(v.currency, 'ISO 4217 currency, point of sale; also the currency of the limits'),
      FARECLERK_COUNTRY: maybe(v.country, 'ISO 3166 country, point of sale'),
      FARECLERK_GATEWAY_URL: maybe(v.addressPrefix, 'schedule gateway address (routes, calendar)'),
      FARECLERK_REST_URL: maybe(v.addressPrefix, 'address of the other REST services (ticket downloads)'),
      FARECLERK_DIALECT: word('dialect of the interface: rail (default) or airline', 'rail', 'airline'),
      FARECLERK_ADDRESS_FORM: word('how messages are named: header (local-name, default) or path', 'header', 'path'),
      FARECLERK_EXTRA_HEADERS: word(
        'headers that some airlines ask for: none (default), realm (X-Realm), refresh-token (X-Refresh-Token) or both',
        'none',
        'realm',
        'refresh-token',
        'both',
      ),
      FARECLERK_CARRIER: maybe(v.carrier, 'operating carrier where a reply names none'),
      FARECLERK_SEND_FARE: or(v.yesNo, true, 'airline dialect: send the chosen fare basis when booking (true)'),
      FARECLERK_PAYMENT_AMOUNT: word(
        'payments carry the approved amount: dialect (default), always, never',
        'dialect',
        'always',
        'never',
      ),
      FARECLERK_ACCOUNT_NAME: maybe(v.plain, 'account that debit_credit_account payments are charged to'),
    }),
    FARECLERK_PRICE_CHECK: maybe(v.yesNo, 'ask the airline for the price before a hold; default: sandbox only'),
    FARECLERK_ASSUMED_OPERATIONS: maybe(v.yesNo, 'offer operations whose payload is assumed; default: sandbox only'),
  }),
  ...grouped('work', {
    FARECLERK_TOOLSET: or(
      () => v.oneOf('read', 'core', 'desk', 'plans'),
      'desk',
      'which tools exist: read (nothing that changes anything), core (for a traveller), desk (for an agency, default), plans (desk, and one yes for many acts)',
    ),
    FARECLERK_LIMIT_PER_ACTION: maybe(v.amount, 'most money that one action may move'),
    FARECLERK_LIMIT_PER_DAY: maybe(v.amount, 'most money that one caller may move in 24 hours'),
    FARECLERK_APPROVAL: word(
      'how a person is asked: auto (default), elicit, page or echo',
      'auto',
      'elicit',
      'page',
      'echo',
    ),
    FARECLERK_PAGE_ABOVE: maybe(v.amount, 'larger amounts are approved on the page only'),
    ...ofHttpMode({
      FARECLERK_FOUR_EYES_ABOVE: maybe(v.amount, 'HTTP mode: larger amounts need the yes of another person'),
      FARECLERK_APPROVER_ROLE: maybe(v.plain, "HTTP mode: role of people who may decide others' questions too"),
      FARECLERK_DESK_ROLE: maybe(v.plain, 'HTTP mode: role of supervisors, who see the bookings of all callers'),
      FARECLERK_CALLERS_FILE: maybe(
        v.plain,
        'HTTP mode: JSON file of callers with a point of sale of their own, and of the claim that tells tenants apart',
      ),
    }),
    FARECLERK_TICKETS_DIR: maybe(v.plain, 'folder that get_tickets may save PDFs in; not in HTTP mode'),
    ...ofHttpMode({
      FARECLERK_WATCH_READS_PER_HOUR: maybe(
        () => v.countOrNone(100_000),
        'HTTP mode: most bookings read again in an hour, for each tenant; 0: none. Default: none, sandbox 600',
      ),
    }),
  }),
  ...grouped('server', {
    FARECLERK_STATE_DIR: maybe(v.plain, "folder of journal, offers, approvals and ledger; default: the platform's"),
    FARECLERK_WITNESS_DIR: maybe(
      v.plain,
      'folder of second records, which reveal that an older journal was restored; default: by database and platform',
    ),
    FARECLERK_DATABASE_URL: maybe(v.databaseUrl, 'postgres://… : the same state on PostgreSQL'),
    ...ofHttpMode({
      FARECLERK_PUBLIC_URL: maybe(v.addressPrefix, 'HTTP mode: address that callers and browsers use'),
      FARECLERK_ISSUER: maybe(v.address, 'HTTP mode: OAuth issuer whose tokens are accepted'),
      FARECLERK_AUDIENCE: maybe(v.plain, 'HTTP mode: audience that tokens must carry'),
      FARECLERK_PAGE_CLIENT_ID: maybe(v.plain, 'HTTP mode: client that people sign in with on the approval page'),
      FARECLERK_PAGE_CLIENT_SECRET: maybe(v.secret, 'its secret; a public client has none'),
      FARECLERK_HTTP_TOKEN: maybe(v.callToken, 'HTTP mode without sign-in: bearer token of every call'),
      FARECLERK_METRICS_TOKEN: maybe(v.callToken, 'HTTP mode: bearer token of /metrics, which opens nothing else'),
      FARECLERK_NOTIFY: maybe(
        v.noticeTargets,
        'HTTP mode: where approvers hear that a question waits: slack+https://…, teams+, ntfy+, webhook+, with commas',
      ),
      FARECLERK_WEBHOOKS: maybe(v.addresses, 'HTTP mode: https addresses that get events, with commas'),
      FARECLERK_WEBHOOK_SECRET: maybe(
        v.webhookSecrets,
        'the secret that signs events, whsec_…; two with a comma during a change',
      ),
    }),
    FARECLERK_PRIVATE_HOSTS: or(
      v.hosts,
      [],
      'hosts of your own network that the airline or receivers of events may be at, by http too, with commas',
    ),
    FARECLERK_SETTINGS_FILE: maybe(v.plain, 'file of more settings, one NAME=value a line; variables and flags win'),
    FARECLERK_RECORD_FILE: maybe(v.plain, 'writes calls and replies to this file, without secrets and personal data'),
    FARECLERK_LOG_LEVEL: or(
      () => v.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      'info',
      'trace, debug, info (default), warn, error, fatal or silent',
    ),
  }),
};

export type SettingName = keyof typeof SETTINGS;
type SettingValue<S> = S extends Setting<infer T, infer D> ? T | D : never;
export type SettingValues = { readonly [K in SettingName]: SettingValue<(typeof SETTINGS)[K]> };
/** The text of each setting that is given. */
export type SettingTexts = Partial<Record<SettingName, string>>;
/** Values given as flags, by variable name. */
export type Flags = SettingTexts;
export type EnvironmentVariables = Record<string, string | undefined>;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Checks each text alone; `wrong` says what was expected instead. */
export function parseSettings(texts: SettingTexts): {
  readonly values: SettingValues;
  readonly wrong: readonly { readonly name: SettingName; readonly expected: string }[];
} {
  const wrong: { name: SettingName; expected: string }[] = [];
  const values = SETTING_NAMES.map((name) => {
    const [text, { kind, fallback }] = [texts[name], SETTINGS[name]];
    if (text === undefined) return [name, fallback];
    // Each parser is used once: compiling it (zod's JIT) costs more than it saves.
    const parsed = kind().safeParse(text, { jitless: true });
    if (parsed.success) return [name, parsed.data];
    wrong.push(...parsed.error.issues.map(({ message }) => ({ name, expected: message.replace(/^expected /, '') })));
    return [name, undefined];
  });
  return { values: Object.fromEntries(values) as SettingValues, wrong };
}

/** The words that a setting takes; empty where any text is possible. */
export function settingWords(name: SettingName): readonly string[] {
  const kind: object = SETTINGS[name].kind();
  return 'options' in kind && Array.isArray(kind.options) ? kind.options.map(String) : [];
}

const PREFIX = 'FARECLERK_';

/** `--base-url` of FARECLERK_BASE_URL. */
export function flagName(name: SettingName): string {
  return `--${name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-')}`;
}

/** The setting of a flag: `base-url` → FARECLERK_BASE_URL. Secrets have no flag. */
export function settingOfFlag(flag: string): SettingName | undefined {
  return SETTING_NAMES.find((name) => !SETTINGS[name].secret && flagName(name) === `--${flag}`);
}

/** `FARECLERK_API_KEY_FILE`: names the file that holds a secret. */
export function fileVariable(name: SettingName): string {
  return `${name}_FILE`;
}

/** Every name that the environment or a settings file may have. */
export const KNOWN_NAMES: readonly string[] = SETTING_NAMES.flatMap((name) =>
  SETTINGS[name].secret ? [name, fileVariable(name)] : [name],
);

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

export interface AskedSetting {
  readonly setting: SettingName;
  /** In words of people who have never read the manual. */
  readonly title: string;
  readonly description: string;
  /** The answer may be empty. */
  readonly optional?: true;
  /** Whether `init` asks, by the answers before; default: always. */
  readonly when?: (answers: SettingTexts) => boolean;
}

const withKey = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'token';
const withLogin = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'key';

/** In order. Every other setting has a default that most people keep. */
export const ASKED: readonly AskedSetting[] = [
  {
    setting: 'FARECLERK_BASE_URL',
    title: 'Airline address',
    description:
      'The address for reservation messages, from your airline. Without it a built-in airline answers: nothing is real, and nothing costs money.',
  },
  {
    setting: 'FARECLERK_CREDENTIALS',
    title: 'What the airline checks',
    description: 'key: the airline key is enough. token: the sign-in is enough. both: it wants the two.',
  },
  {
    setting: 'FARECLERK_API_KEY',
    title: 'Airline key',
    description: 'The key that the airline gave you.',
    when: withKey,
  },
  {
    setting: 'FARECLERK_AUTH_URL',
    title: 'Sign-in: address',
    description: 'Where the airline signs you in, with its short name at the end: https://…/realms/NAME.',
    when: withLogin,
  },
  {
    setting: 'FARECLERK_CLIENT_ID',
    title: 'Sign-in: application',
    description: 'The application id that the airline gave you.',
    when: withLogin,
  },
  {
    setting: 'FARECLERK_CLIENT_SECRET',
    title: 'Sign-in: application secret',
    description: 'The secret that belongs to the application id.',
    when: withLogin,
  },
  {
    setting: 'FARECLERK_USERNAME',
    title: 'Sign-in: user name',
    description: 'The user name of your agency.',
    when: withLogin,
  },
  {
    setting: 'FARECLERK_PASSWORD',
    title: 'Sign-in: password',
    description: 'The password of that user.',
    when: withLogin,
  },
  {
    setting: 'FARECLERK_AGENT_ID',
    title: 'Agent id',
    description: 'Who sells: your number at the airline, such as A1.',
  },
  {
    setting: 'FARECLERK_AGENCY_ID',
    title: 'Agency id',
    description: 'Who sells: the name of your agency at the airline.',
  },
  {
    setting: 'FARECLERK_CURRENCY',
    title: 'Currency',
    description: 'The currency you sell in, three letters, such as SAR.',
  },
  {
    setting: 'FARECLERK_TOOLSET',
    title: 'What the assistant can do',
    description:
      'read: look, and change nothing. core: what a traveller needs. desk: also lists and reports, for an agency. plans: also many changes with one yes.',
  },
  {
    setting: 'FARECLERK_LIMIT_PER_ACTION',
    title: 'Most money one action may move',
    description: 'A number, such as 2000. Anything dearer is refused, whoever says yes. Empty: no limit.',
    optional: true,
  },
  {
    setting: 'FARECLERK_GATEWAY_URL',
    title: 'Address of routes and calendar',
    description: 'From your airline. Empty: no lists of routes and days.',
    optional: true,
  },
  {
    setting: 'FARECLERK_REST_URL',
    title: 'Address of ticket downloads',
    description: 'From your airline. Empty: no ticket files.',
    optional: true,
  },
  {
    setting: 'FARECLERK_SETTINGS_FILE',
    title: 'File with more settings',
    description:
      'A text file with one NAME=value a line, for what is not asked here, such as FARECLERK_DIALECT=airline. Empty: none. All names: docs/reference/settings.md.',
    optional: true,
  },
];

/** What every real airline needs. */
export const NEEDED: readonly SettingName[] = ASKED.filter(({ optional }) => optional !== true).map(
  ({ setting }) => setting,
);

/** The default of a setting that takes one of a few words. */
export function defaultWord(setting: SettingName): string | undefined {
  const { fallback }: { readonly fallback: unknown } = SETTINGS[setting];
  return typeof fallback === 'string' ? fallback : undefined;
}
