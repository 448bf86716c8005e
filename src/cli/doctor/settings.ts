/**
 * The settings as they are set: wrong ones, suspicious ones, and what they come to.
 */
import {
  type AirlineConfig,
  type Config,
  type Environment,
  type Flags,
  readConfig,
  SettingsError,
} from '../../config/load.ts';
import { type CheckList, good, type Verdict } from './check.ts';
import { type FindingKey, finding } from './findings.ts';

/** Reads the settings; every wrong one becomes a result of its own. */
export function checkSettings(env: Environment, flags: Flags, checks: CheckList): Config | undefined {
  try {
    const config = readConfig(env, flags);
    checks.add('settings', 'settings', summary(config));
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

function summary({ airline, environment }: Config): Verdict {
  if (airline === undefined)
    return {
      ...good('No airline is set: the embedded sandbox airline answers, and nothing is real'),
      finding: 'sandbox',
    };
  const { credentials, currency, carrier, country } = airline;
  const seller = [currency, country, carrier && `carrier ${carrier}`].filter((part) => part !== undefined).join(', ');
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
