/**
 * Which settings keep the program from starting, each with what to set instead: a misspelt name, with the name that was
 * probably meant; a setting of an earlier version; then settings that do not go together, such as an airline's setting without FARECLERK_BASE_URL.
 */
import { isLoopback, withoutBrackets } from '../core/hosts.ts';
import { minorDigits } from '../core/money.ts';
import { nearest } from '../core/nearest-word.ts';
import type { Problem } from './problem.ts';
import { insteadOfSetting, wasRemoved } from './removed-settings.ts';
import {
  KNOWN_NAMES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTexts,
  type SettingValues,
} from './settings.ts';

const NAME_FROM_LIST = 'a name from the list in `fareclerk help settings`';

/** The settings that every message to an airline carries. */
const POINT_OF_SALE = ['FARECLERK_AGENT_ID', 'FARECLERK_AGENCY_ID', 'FARECLERK_CURRENCY'] as const;

/** The settings of the password login at the airline. */
const LOGIN_SETTINGS = [
  'FARECLERK_AUTH_URL',
  'FARECLERK_CLIENT_ID',
  'FARECLERK_CLIENT_SECRET',
  'FARECLERK_USERNAME',
  'FARECLERK_PASSWORD',
] as const;

const AIRLINE_ADDRESSES = [
  'FARECLERK_BASE_URL',
  'FARECLERK_AUTH_URL',
  'FARECLERK_GATEWAY_URL',
  'FARECLERK_REST_URL',
] as const;

const CALLER_ADDRESSES = ['FARECLERK_PUBLIC_URL', 'FARECLERK_ISSUER'] as const;

/** Settings that are amounts in FARECLERK_CURRENCY. */
const AMOUNTS = [
  'FARECLERK_LIMIT_PER_ACTION',
  'FARECLERK_LIMIT_PER_DAY',
  'FARECLERK_PAGE_ABOVE',
  'FARECLERK_FOUR_EYES_ABOVE',
] as const;

/** Whether a variable is meant for this program. In any case of letters: another case is a misspelling. */
export function isOurVariable(name: string): boolean {
  return /^fareclerk_/i.test(name);
}

/**
 * Names each FARECLERK_ variable that is not a setting: a typing error must not quietly leave a limit unset. Ignores
 * other variables, which other programs use.
 */
export function unknownVariables(names: readonly string[]): Problem[] {
  // Windows ignores the case of names; elsewhere another case is a misspelling.
  const asKnown = (name: string): string => (process.platform === 'win32' ? name.toUpperCase() : name);
  return names
    .filter((name) => isOurVariable(name) && !KNOWN_NAMES.includes(asKnown(name)))
    .map((name) => {
      const instead = insteadOfSetting(name);
      return instead === undefined ? misspelt(name) : removed(name, instead);
    });
}

const misspelt = (name: string): Problem => ({
  setting: name,
  wrong: 'is not a setting of fareclerk.',
  expected: nearest(name, KNOWN_NAMES) ?? NAME_FROM_LIST,
});

const removed = (name: string, instead: string): Problem => ({
  setting: name,
  wrong: `${wasRemoved(instead)}.`,
  expected: 'this setting left out',
});

/** What is expected in a settings file in place of a name that is no setting. */
export function expectedInFile(name: string): string {
  return nearest(name, KNOWN_NAMES) ?? `${NAME_FROM_LIST}; other variables belong in the environment`;
}

/** The settings as a person gave them. */
export interface GivenSettings {
  readonly texts: SettingTexts;
  /** Names a setting for an error as the person set it: by its variable, or by its flag and variable. */
  readonly nameAsSet: (name: SettingName) => string;
}

/** Checks one rule between settings. Returns the problems, an empty list if the settings follow the rule. */
type SettingRule = (values: SettingValues, given: GivenSettings) => Problem[];

/** A misspelt or forgotten base address must never turn into sandbox tickets. */
const requireBaseAddress: SettingRule = (values, { texts, nameAsSet }) => {
  if (values.FARECLERK_BASE_URL !== undefined) return [];

  const hasAmounts = AMOUNTS.some((name) => texts[name] !== undefined);
  return (
    SETTING_NAMES.filter((name) => SETTINGS[name].airline && texts[name] !== undefined)
      // Limits need a currency in the sandbox too, and `false` asks for nothing.
      .filter((name) => !(name === 'FARECLERK_CURRENCY' && hasAmounts) && texts[name] !== 'false')
      .map((name) => ({
        setting: nameAsSet(name),
        wrong: 'is set, but FARECLERK_BASE_URL is not: the sandbox airline would answer instead of yours.',
        expected: 'FARECLERK_BASE_URL too, or no airline setting at all for the sandbox',
      }))
  );
};

/** Credentials, sign-ins and events must not cross a network in the clear. */
const requireHttps: SettingRule = (values, { nameAsSet }) => {
  const { FARECLERK_WEBHOOKS: webhooks = [], FARECLERK_NOTIFY: notices = [] } = values;
  const isPrivate = (host: string) => values.FARECLERK_PRIVATE_HOSTS.includes(withoutBrackets(host));

  const check = (
    name: SettingName,
    addresses: readonly (string | undefined)[],
    mayBePlain: (host: string) => boolean,
    expected = 'https; or http to a host of FARECLERK_PRIVATE_HOSTS, in a network that you trust',
  ): Problem[] => {
    const isRefused = addresses.some((address = '') => {
      const url = URL.parse(address);
      return url?.protocol === 'http:' && !mayBePlain(url.hostname);
    });
    return isRefused ? [{ setting: nameAsSet(name), wrong: 'is a plain http address.', expected }] : [];
  };

  return [
    ...AIRLINE_ADDRESSES.flatMap((name) => check(name, [values[name]], (host) => isLoopback(host) || isPrivate(host))),
    ...CALLER_ADDRESSES.flatMap((name) => check(name, [values[name]], isLoopback, 'https: callers sign in there')),
    ...check('FARECLERK_WEBHOOKS', webhooks, isPrivate),
    ...check(
      'FARECLERK_NOTIFY',
      notices.map(({ address }) => address),
      isPrivate,
    ),
  ];
};

/** Requires the credentials and the point of sale of a real airline. */
const requireAirlineAccess: SettingRule = (values) => {
  if (values.FARECLERK_BASE_URL === undefined) return [];

  const missing = (names: readonly SettingName[], expected: string): Problem[] =>
    names
      .filter((name) => values[name] === undefined)
      .map((name) => {
        const file = SETTINGS[name].secret ? ` (or ${name}_FILE)` : '';
        return { setting: name, wrong: `is not set${file}.`, expected };
      });

  const mode = values.FARECLERK_CREDENTIALS;
  const key = 'an api key; FARECLERK_CREDENTIALS=token if this airline takes tokens alone';
  const login = 'the password login; FARECLERK_CREDENTIALS=key if this airline takes the api key alone';

  return [
    ...(mode === 'token' ? [] : missing(['FARECLERK_API_KEY'], key)),
    ...(mode === 'key' ? [] : missing(LOGIN_SETTINGS, login)),
    ...missing(POINT_OF_SALE, 'the point of sale that every message carries'),
  ];
};

/** An extra header needs the setting that its value comes from. */
const checkExtraHeaders: SettingRule = (values, { nameAsSet }) => {
  const { FARECLERK_EXTRA_HEADERS: headers, FARECLERK_AUTH_URL: realm, FARECLERK_CREDENTIALS: mode } = values;

  const problem = (wrong: string, expected: string): Problem[] => [
    { setting: nameAsSet('FARECLERK_EXTRA_HEADERS'), wrong, expected },
  ];
  if ((headers === 'realm' || headers === 'both') && realm === undefined)
    return problem('asks for X-Realm, and FARECLERK_AUTH_URL is not set.', 'FARECLERK_AUTH_URL');
  if ((headers === 'refresh-token' || headers === 'both') && mode === 'key')
    return problem('asks for X-Refresh-Token, and FARECLERK_CREDENTIALS=key has no token.', 'both or token');

  return [];
};

/** An amount with more decimal digits than its currency is a mistake: rounding it would hide that. */
const checkAmountDigits: SettingRule = (values, { nameAsSet }) => {
  const currency = values.FARECLERK_CURRENCY;
  if (currency === undefined) return [];

  const digits = minorDigits(currency);
  return AMOUNTS.filter((name) => (values[name]?.split('.')[1]?.length ?? 0) > digits).map((name) => ({
    setting: nameAsSet(name),
    wrong: `has more decimal digits than ${currency}.`,
    expected: `at most ${digits}`,
  }));
};

/** Each row: a setting, another one that it needs, and what the other one is for. */
const NEEDS: readonly (readonly [SettingName, SettingName, string])[] = [
  ['FARECLERK_PUBLIC_URL', 'FARECLERK_ISSUER', 'the issuer that callers sign in with'],
  ['FARECLERK_ISSUER', 'FARECLERK_PUBLIC_URL', 'the address that callers and browsers use'],
  ['FARECLERK_PAGE_CLIENT_ID', 'FARECLERK_ISSUER', 'the issuer that people sign in with'],
  ['FARECLERK_PAGE_CLIENT_SECRET', 'FARECLERK_PAGE_CLIENT_ID', 'the client that the secret belongs to'],
  ['FARECLERK_APPROVER_ROLE', 'FARECLERK_PAGE_CLIENT_ID', 'the client that people sign in with on the approval page'],
  ['FARECLERK_FOUR_EYES_ABOVE', 'FARECLERK_APPROVER_ROLE', 'the role of those who may approve above that amount'],
  ['FARECLERK_DESK_ROLE', 'FARECLERK_ISSUER', 'the issuer whose tokens carry that role'],
  ['FARECLERK_CALLERS_FILE', 'FARECLERK_ISSUER', 'the issuer whose tokens say who calls'],
  ['FARECLERK_WEBHOOKS', 'FARECLERK_WEBHOOK_SECRET', 'the secret that receivers check events with'],
  ['FARECLERK_NOTIFY', 'FARECLERK_PAGE_CLIENT_ID', 'the client that approvers sign in with on the approval page'],
  ['FARECLERK_CALLERS_FILE', 'FARECLERK_BASE_URL', 'the airline that knows those points of sale'],
];

/** A setting that has no effect without another one is a mistake. */
const requireOtherSettings: SettingRule = (values, { nameAsSet }) =>
  NEEDS.filter(([name, other]) => values[name] !== undefined && values[other] === undefined).map(
    ([name, other, what]) => ({
      setting: nameAsSet(name),
      wrong: `also needs ${other}.`,
      expected: `${other}, ${what}`,
    }),
  );

/** Notices to a webhook are signed. */
const requireNoticeSecret: SettingRule = (values, { nameAsSet }) => {
  const isSigned = (values.FARECLERK_NOTIFY ?? []).some(({ form }) => form === 'webhook');
  if (!isSigned || values.FARECLERK_WEBHOOK_SECRET !== undefined) return [];
  const expected = 'FARECLERK_WEBHOOK_SECRET, the secret that receivers check notices with';
  return [{ setting: nameAsSet('FARECLERK_NOTIFY'), wrong: 'also needs FARECLERK_WEBHOOK_SECRET.', expected }];
};

/** The reader of metrics must not book, and a call token beside sign-in, which nothing accepts, is a mistake. */
const checkTokens: SettingRule = (values, { nameAsSet }) => {
  const { FARECLERK_HTTP_TOKEN: calls, FARECLERK_METRICS_TOKEN: metrics, FARECLERK_ISSUER: issuer } = values;
  if (calls === undefined) return [];

  const setting = nameAsSet('FARECLERK_HTTP_TOKEN');
  if (issuer !== undefined) {
    const expected = 'FARECLERK_METRICS_TOKEN, if it is for /metrics';
    return [{ setting, wrong: 'is set, and callers sign in at FARECLERK_ISSUER.', expected }];
  }
  if (calls.reveal() !== metrics?.reveal()) return [];

  return [
    { setting, wrong: 'is also FARECLERK_METRICS_TOKEN.', expected: 'two tokens: who reads metrics must not book' },
  ];
};

/** In the order in which their problems are listed. */
const RULES: readonly SettingRule[] = [
  requireBaseAddress,
  requireHttps,
  requireAirlineAccess,
  checkExtraHeaders,
  checkAmountDigits,
  requireOtherSettings,
  requireNoticeSecret,
  checkTokens,
];

/** The problems of all rules between settings. */
export function brokenRules(values: SettingValues, given: GivenSettings): Problem[] {
  return RULES.flatMap((rule) => rule(values, given));
}
