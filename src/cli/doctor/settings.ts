/** Checks settings: wrong and suspicious ones, ways to approve, and assumptions about the airline. */

import { BY_NOBODY } from '../../approvals/present.ts';
import {
  type AirlineConfig,
  type Config,
  type EnvironmentVariables,
  type Flags,
  readConfig,
  SettingsError,
} from '../../config/load.ts';
import type { Origin } from '../../config/origin.ts';
import { type CheckList, type CheckOutcome, good, listed } from './check.ts';
import { type FindingKey, finding } from './findings.ts';

/** Reads the settings and adds one result for each wrong one. */
export function checkSettings(
  { env, flags, origin }: { env: EnvironmentVariables; flags: Flags; origin: Origin },
  checks: CheckList,
): Config | undefined {
  try {
    const config = readConfig(env, flags, origin);
    checks.add('settings', 'settings', summary(config));
    if (config.openFile !== undefined)
      checks.add('settings.open', 'settings', finding('settings_open', { file: config.openFile }));
    for (const [setting, value, sign, key] of config.airline === undefined ? [] : suspicions(config.airline))
      if (sign.test(value ?? '')) checks.add(`settings.${setting}`, setting, finding(key, { setting }));
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
  const seller = listed([currency, country, carrier && `carrier ${carrier}`], ', ');
  return good(`${environment}; credentials: ${credentials}; point of sale: ${seller}`);
}

type Suspicion = readonly [setting: string, value: string | undefined, sign: RegExp, key: FindingKey];

function suspicions({ baseUrl, gatewayUrl, login, apiKey, restUrl }: AirlineConfig): readonly Suspicion[] {
  const secrets = [
    ['FARECLERK_API_KEY', apiKey],
    ['FARECLERK_CLIENT_SECRET', login?.clientSecret],
    ['FARECLERK_PASSWORD', login?.password],
  ] as const;
  return [
    ...secrets.flatMap(([setting, secret]): Suspicion[] => [
      [setting, secret?.reveal(), /^(["'`]).*\1$/s, 'setting_suspicious.quoted'],
      [setting, secret?.reveal(), /^\s|\s$/, 'setting_suspicious.spaces'],
    ]),
    ['FARECLERK_BASE_URL', new URL(baseUrl).pathname, /\/OTA_\w+\/*$/, 'setting_suspicious.message'],
    ['FARECLERK_AUTH_URL', login?.authUrl, /\/realms(?:\/|$)/, 'setting_suspicious.realms'],
    ['FARECLERK_GATEWAY_URL', gatewayUrl?.replace(/\?.*/, ''), /\/schedule(?:\/|$)/, 'setting_suspicious.schedule'],
    ['FARECLERK_REST_URL', restUrl, /^$/, 'setting_suspicious.no_links'],
  ];
}

export function checkApproval(config: Config, browser: boolean): CheckOutcome {
  const { approval: mode, environment, http, readOnly, amounts } = config;
  if (readOnly) return good('No approvals: FARECLERK_READ_ONLY is set');
  if (mode === 'echo' && environment === 'live') return finding('asked_by_the_model');
  const page =
    http.publicUrl === undefined ? browser && 'a page in the browser here' : `a page at ${http.publicUrl}/approve`;
  const ways = [
    mode !== 'page' && mode !== 'echo' && "the host's dialog where it has one",
    page,
    '`fareclerk approve` in a terminal',
  ];
  const list = listed(ways, '; or ');
  const echoes = mode === 'auto' && environment === 'sandbox' && page === false && amounts.pageAbove === undefined;
  if (echoes) return finding('nobody_to_ask.sandbox', { words: BY_NOBODY });
  const pageOnly = mode === 'page' || amounts.pageAbove !== undefined;
  if (page !== false || (mode === 'echo' && !pageOnly)) return good(`Approvals by ${list}`);
  const what = pageOnly ? 'The settings ask for approvals on a page, but no browser' : 'No browser';
  return finding('nobody_to_ask', { what, ways: list });
}

/** Lists settings that go beyond the documented interface. */
export function checkAssumptions(assumedOperations: boolean, airline: AirlineConfig): CheckOutcome {
  const { groupMessage, credentials, addressForm, extraHeaders } = airline;
  const rest = listed([
    groupMessage === 'OTA_AirPriceRQ'
      ? 'groups are booked with OTA_AirPriceRQ'
      : `groups are booked with ${groupMessage} (FARECLERK_GROUP_MESSAGE)`,
    `calls carry ${credentials === 'both' ? 'key and token' : `the ${credentials} alone`} (FARECLERK_CREDENTIALS)`,
    addressForm === 'path' && 'messages are named by their path (FARECLERK_ADDRESS_FORM)',
    extraHeaders.length > 0 && `also sent: ${extraHeaders.join(', ')}`,
  ]);
  return assumedOperations ? finding('assumed', { rest }) : good(`Operations with assumed messages are off; ${rest}`);
}
