/**
 * Every setting: how its value is read, its default, what it is for, and how people are asked for it. Flags, known
 * names, help, the forms of `init`, the bundle and server.json, and the operations guide follow from this list.
 *
 * values.ts has the kinds of values, sources.ts gathers the texts, refused-settings.ts refuses misspelt names and
 * settings that do not go together, load.ts makes the Config.
 */
import * as z from 'zod';
import * as v from './values.ts';

/** The groups of `fareclerk help settings` and docs/reference/settings.md, in their order. */
export const SETTING_GROUPS = {
  airline: 'the airline: where it is, who sells, and how it differs from others',
  work: 'the work: which tools exist, what they may do, and who approves',
  server: 'the server: its state, HTTP and sign-in, events, files and logs',
} as const;

export type SettingGroup = keyof typeof SETTING_GROUPS;

/** What a setting is, besides how its value is read. */
interface SettingDescription {
  readonly group: SettingGroup;
  /** Describes the airline (address, credentials, point of sale): an error without FARECLERK_BASE_URL. */
  readonly airline?: true;
  /** For `serve --http` only: a host that starts its own server on stdio does not need it. */
  readonly http?: true;
  /** One line for `--help`, the manifest and the guide. */
  readonly says: string;
}

const DESCRIPTIONS = z.registry<SettingDescription>();

type SettingField<T extends z.ZodType> = T extends z.ZodDefault ? T : z.ZodOptional<T>;

/** Makes the function that adds a setting of this kind, and says what it is for. A setting is optional unless it has a default. */
const describing =
  (kind: Omit<SettingDescription, 'says'>) =>
  <T extends z.ZodType>(field: T, says: string): SettingField<T> => {
    const row = field instanceof z.ZodDefault ? field : field.optional();
    DESCRIPTIONS.add(row, { ...kind, says });
    return row as SettingField<T>;
  };
const ofAirline = describing({ group: 'airline', airline: true });
const besideAirline = describing({ group: 'airline' });
const ofWork = describing({ group: 'work' });
const ofWorkOverHttp = describing({ group: 'work', http: true });
const ofServer = describing({ group: 'server' });
const ofServerOverHttp = describing({ group: 'server', http: true });

/** Every setting: its parser, its default, and its description. */
const SETTINGS_SCHEMA = z.object({
  FARECLERK_BASE_URL: besideAirline(v.address, 'reservation message address; unset: the embedded sandbox airline'),
  FARECLERK_CREDENTIALS: ofAirline(
    v.oneOf('both', 'key', 'token').default('both'),
    'what calls carry: both (default), key or token',
  ),
  FARECLERK_API_KEY: ofAirline(v.headerSecret, 'api key'),
  FARECLERK_AUTH_URL: ofAirline(v.realmAddress, 'identity provider with its realm: https://…/realms/NAME'),
  FARECLERK_CLIENT_ID: ofAirline(v.plain, 'application id at the identity provider'),
  FARECLERK_CLIENT_SECRET: ofAirline(v.secret, 'application secret at the identity provider'),
  FARECLERK_USERNAME: ofAirline(v.plain, 'user name of the password login'),
  FARECLERK_PASSWORD: ofAirline(v.secret, 'password of the password login'),
  FARECLERK_AGENT_ID: ofAirline(v.sellerId, 'agent id, point of sale'),
  FARECLERK_AGENCY_ID: ofAirline(v.sellerId, 'agency id, point of sale'),
  FARECLERK_CURRENCY: ofAirline(v.currency, 'ISO 4217 currency, point of sale; also the currency of the limits'),
  FARECLERK_COUNTRY: ofAirline(v.country, 'ISO 3166 country, point of sale'),
  FARECLERK_GATEWAY_URL: ofAirline(v.addressPrefix, 'schedule gateway address (routes, calendar)'),
  FARECLERK_REST_URL: ofAirline(v.addressPrefix, 'address of the other REST services (ticket downloads)'),
  FARECLERK_DIALECT: ofAirline(
    v.oneOf('rail', 'airline').default('rail'),
    'dialect of the interface: rail (default) or airline',
  ),
  FARECLERK_ADDRESS_FORM: ofAirline(
    v.oneOf('header', 'path').default('header'),
    'how messages are named: header (local-name, default) or path',
  ),
  FARECLERK_EXTRA_HEADERS: ofAirline(
    v.oneOf('none', 'realm', 'refresh-token', 'both').default('none'),
    'headers that some airlines ask for: none (default), realm (X-Realm), refresh-token (X-Refresh-Token) or both',
  ),
  FARECLERK_CARRIER: ofAirline(v.carrier, 'operating carrier where a reply names none'),
  FARECLERK_SEND_FARE: ofAirline(
    v.yesNo.default(true),
    'airline dialect: send the chosen fare basis when booking (true)',
  ),
  FARECLERK_PAYMENT_AMOUNT: ofAirline(
    v.oneOf('dialect', 'always', 'never').default('dialect'),
    'payments carry the approved amount: dialect (default), always, never',
  ),
  FARECLERK_ACCOUNT_NAME: ofAirline(v.plain, 'account that debit_credit_account payments are charged to'),
  FARECLERK_ASSUMED_OPERATIONS: besideAirline(
    v.yesNo,
    'offer changes not yet confirmed with an airline; default: sandbox only',
  ),
  FARECLERK_TOOLSET: ofWork(
    v.oneOf('read', 'core', 'desk', 'plans').default('plans'),
    'which tools exist: read (nothing that changes anything), core (for a traveller), desk (for an agency), plans (default: desk, and one approval for many acts)',
  ),
  FARECLERK_QUERY_LEDGER: ofWork(
    v.yesNo.default(true),
    'offer query_ledger, which answers questions by a SELECT over the ledger; default: true',
  ),
  FARECLERK_LIMIT_PER_ACTION: ofWork(v.amount, 'most money that one action may move'),
  FARECLERK_LIMIT_PER_DAY: ofWork(v.amount, 'most money that one caller may move in 24 hours'),
  FARECLERK_APPROVAL: ofWork(
    v.oneOf('auto', 'elicit', 'page', 'echo').default('auto'),
    'how a person is asked: auto (default), elicit, page or echo',
  ),
  FARECLERK_DETAILS: ofWork(
    v.oneOf('either', 'page').default('either'),
    'where travellers give names and documents: either (arguments or the details page, default) or page (documents in arguments are refused)',
  ),
  FARECLERK_PAGE_ABOVE: ofWork(
    v.amount,
    'larger amounts, moved or given up, are approved on the page only, over HTTP after a sign-in of their own',
  ),
  FARECLERK_FOUR_EYES_ABOVE: ofWorkOverHttp(
    v.amount,
    'HTTP mode: larger amounts, moved or given up, need the approval of another person',
  ),
  FARECLERK_APPROVER_ROLE: ofWorkOverHttp(v.plain, "HTTP mode: role of people who may decide others' questions too"),
  FARECLERK_DESK_ROLE: ofWorkOverHttp(v.plain, 'HTTP mode: role of supervisors, who see the bookings of all callers'),
  FARECLERK_CALLERS_FILE: ofWorkOverHttp(
    v.plain,
    'HTTP mode: JSON file of callers with a point of sale of their own, and of the claim that tells tenants apart',
  ),
  FARECLERK_TIME_ZONE: ofWork(
    v.timeZone,
    "time zone of lists and questions, such as Asia/Riyadh; default: the machine's",
  ),
  FARECLERK_WATCH_READS_PER_HOUR: ofWorkOverHttp(
    v.countOrNone(100_000),
    'HTTP mode: most bookings read again in an hour, for each tenant; 0: none. Default: none, sandbox 600',
  ),
  FARECLERK_STATE_DIR: ofServer(v.plain, "folder of journal, offers, approvals and ledger; default: the platform's"),
  FARECLERK_WITNESS_DIR: ofServer(
    v.plain,
    'folder of second records, which reveal that an older journal was restored; default: by database and platform',
  ),
  FARECLERK_DATABASE_URL: ofServer(v.databaseUrl, 'postgres://… : the same state on PostgreSQL'),
  FARECLERK_PUBLIC_URL: ofServerOverHttp(v.addressPrefix, 'HTTP mode: address that callers and browsers use'),
  FARECLERK_ISSUER: ofServerOverHttp(v.address, 'HTTP mode: OAuth issuer whose tokens are accepted'),
  FARECLERK_AUDIENCE: ofServerOverHttp(v.plain, 'HTTP mode: audience that tokens must carry'),
  FARECLERK_PAGE_CLIENT_ID: ofServerOverHttp(
    v.plain,
    'HTTP mode: client that people sign in with on the approval page',
  ),
  FARECLERK_PAGE_CLIENT_SECRET: ofServerOverHttp(v.secret, 'its secret; a public client has none'),
  FARECLERK_HTTP_TOKEN: ofServerOverHttp(v.callToken, 'HTTP mode without sign-in: bearer token of every call'),
  FARECLERK_METRICS_TOKEN: ofServerOverHttp(
    v.callToken,
    'HTTP mode: bearer token of /metrics, which opens nothing else',
  ),
  FARECLERK_NOTIFY: ofServerOverHttp(
    v.noticeTargets,
    'HTTP mode: where approvers hear that a question waits: slack+https://…, teams+, ntfy+, webhook+, with commas',
  ),
  FARECLERK_WEBHOOKS: ofServerOverHttp(v.addresses, 'HTTP mode: https addresses that get events, with commas'),
  FARECLERK_WEBHOOK_SECRET: ofServerOverHttp(
    v.webhookSecrets,
    'the secret that signs events, whsec_…; two with a comma during a change',
  ),
  FARECLERK_PRIVATE_HOSTS: ofServer(
    v.hosts.default([]),
    'hosts of your own network that the airline or receivers of events may be at, by http too, with commas',
  ),
  FARECLERK_SETTINGS_FILE: ofServer(v.plain, 'file of more settings, one NAME=value per line; variables and flags win'),
  FARECLERK_RECORD_FILE: ofServer(v.plain, 'writes calls and replies to this file, without secrets and personal data'),
  FARECLERK_LOG_LEVEL: ofServer(
    v.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
    'trace, debug, info (default), warn, error, fatal or silent',
  ),
});

export type SettingName = keyof typeof SETTINGS_SCHEMA.shape;
export type SettingValues = Readonly<z.output<typeof SETTINGS_SCHEMA>>;
/** The text of each setting that somebody set. */
export type SettingTexts = Partial<Record<SettingName, string>>;
/** Values given as flags, by variable name. */
export type Flags = SettingTexts;
export type EnvironmentVariables = Record<string, string | undefined>;

export const SETTING_NAMES = Object.keys(SETTINGS_SCHEMA.shape) as readonly SettingName[];

/** Kinds of values that are read from the environment or a file, never from a flag, and never printed. */
const SECRETS: readonly unknown[] = [
  v.secret,
  v.headerSecret,
  v.callToken,
  v.databaseUrl,
  v.noticeTargets,
  // The address of a webhook may hold a key.
  v.addresses,
  v.webhookSecrets,
];

/** The description of each setting, and its parser. */
export const SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS_SCHEMA.shape).map(([name, field]) => [name, describeSetting(field)]),
) as Readonly<Record<SettingName, ReturnType<typeof describeSetting>>>;

function describeSetting(field: z.ZodType) {
  const description = DESCRIPTIONS.get(field);
  if (description === undefined) throw new Error('A setting has no description.');
  const kind = withoutDefault(field);
  return { ...description, secret: SECRETS.includes(kind), parser: field };
}

function withoutDefault(field: z.ZodType): unknown {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
}

/** Checks each text by itself. `invalid`: the settings with a wrong text, and what was expected instead. */
export function parseSettings(texts: SettingTexts): {
  readonly values?: SettingValues;
  readonly invalid: readonly { readonly name: SettingName; readonly expected: string }[];
} {
  // Used once in a process: compiling the schema (zod's JIT) costs more than it saves.
  const { data, error } = SETTINGS_SCHEMA.safeParse(texts, { jitless: true });
  const invalid = (error?.issues ?? []).map(({ path: [name], message }) => ({
    name: name as SettingName,
    expected: message,
  }));
  return { values: data, invalid };
}

/** The value of a setting that nobody sets. */
export function settingDefault(name: SettingName): unknown {
  return SETTINGS_SCHEMA.shape[name].parse(undefined);
}

/** The default of a setting that takes one of a few words. */
export function defaultWord(setting: SettingName): string | undefined {
  const word = settingDefault(setting);
  return typeof word === 'string' ? word : undefined;
}

/** The words that a setting takes; empty where any text is possible. */
export function settingWords(name: SettingName): readonly string[] {
  const kind = withoutDefault(SETTINGS_SCHEMA.shape[name]);
  return kind instanceof z.ZodEnum ? kind.options.map(String) : [];
}

const PREFIX = 'FARECLERK_';

/** `--base-url` of FARECLERK_BASE_URL. */
export function flagName(name: string): string {
  return `--${name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-')}`;
}

/** Settings that have a flag. Secrets have none. */
export const FLAG_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter((name) => !SETTINGS[name].secret);

/** The setting of a flag: `base-url` → FARECLERK_BASE_URL. */
export function settingOfFlag(flag: string): SettingName | undefined {
  return FLAG_SETTINGS.find((name) => flagName(name) === `--${flag}`);
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

/** How a person who connects an airline is asked for a setting. */
export interface SetupQuestion {
  readonly setting: SettingName;
  /** In words that need no manual. */
  readonly title: string;
  readonly description: string;
  /** The answer may be empty. */
  readonly optional?: true;
  /** Whether `init` asks, by the earlier answers; default: always. */
  readonly when?: (answers: SettingTexts) => boolean;
}

const usesKey = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'token';
const usesLogin = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'key';

function asks(
  setting: SettingName,
  title: string,
  description: string,
  more: Pick<SetupQuestion, 'optional' | 'when'> = {},
): SetupQuestion {
  return { setting, title, description, ...more };
}

/** The questions of `init` and of the forms of hosts, in order. Other settings have a default that most people keep. */
export const SETUP_QUESTIONS: readonly SetupQuestion[] = [
  asks(
    'FARECLERK_BASE_URL',
    'Airline address',
    'The address for reservation messages, from your airline. Without it a built-in airline answers: nothing is real, and nothing costs money.',
  ),
  asks(
    'FARECLERK_CREDENTIALS',
    'What the airline checks',
    'key: the airline key is enough. token: the sign-in is enough. both: it wants the two.',
  ),
  asks('FARECLERK_API_KEY', 'Airline key', 'The key that the airline gave you.', { when: usesKey }),
  asks(
    'FARECLERK_AUTH_URL',
    'Sign-in: address',
    'Where the airline signs you in, with its short name at the end: https://…/realms/NAME.',
    { when: usesLogin },
  ),
  asks('FARECLERK_CLIENT_ID', 'Sign-in: application', 'The application id that the airline gave you.', {
    when: usesLogin,
  }),
  asks('FARECLERK_CLIENT_SECRET', 'Sign-in: application secret', 'The secret that belongs to the application id.', {
    when: usesLogin,
  }),
  asks('FARECLERK_USERNAME', 'Sign-in: user name', 'The user name of your agency.', { when: usesLogin }),
  asks('FARECLERK_PASSWORD', 'Sign-in: password', 'The password of that user.', { when: usesLogin }),
  asks('FARECLERK_AGENT_ID', 'Agent id', 'Who sells: your number at the airline, such as A1.'),
  asks('FARECLERK_AGENCY_ID', 'Agency id', 'Who sells: the name of your agency at the airline.'),
  asks('FARECLERK_CURRENCY', 'Currency', 'The currency you sell in, three letters, such as SAR.'),
  asks(
    'FARECLERK_TOOLSET',
    'What the assistant can do',
    'read: look, and change nothing. core: what a traveller needs. desk: also lists and questions in SQL, for an agency. plans: also many changes with one approval; take this one if in doubt.',
  ),
  asks(
    'FARECLERK_LIMIT_PER_ACTION',
    'Most money one action may move',
    'A number, such as 2000. Anything dearer is refused, even if you approve it. Empty: no limit.',
    { optional: true },
  ),
  asks(
    'FARECLERK_GATEWAY_URL',
    'Address of routes and calendar',
    'From your airline. Empty: no lists of routes and days.',
    { optional: true },
  ),
  asks('FARECLERK_REST_URL', 'Address of ticket downloads', 'From your airline. Empty: no ticket files.', {
    optional: true,
  }),
  asks(
    'FARECLERK_SETTINGS_FILE',
    'File with more settings',
    'A text file with one NAME=value per line, for what is not asked here, such as FARECLERK_DIALECT=airline. Empty: none. All names: docs/reference/settings.md.',
    { optional: true },
  ),
];
