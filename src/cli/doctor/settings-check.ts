/**
 * The settings as they are set: broken ones one by one, suspicious ones, and what they come to.
 */
import {
  type AirlineConfig,
  type Config,
  type Environment,
  type Flags,
  readConfig,
  SettingsError,
} from '../../config/load.ts';
import { type Chart, good, toMend, type Verdict, warning } from './check.ts';

/** Reads the settings; every broken one is a check of its own. */
export function checkSettings(env: Environment, flags: Flags, chart: Chart): Config | undefined {
  chart.starts('settings');
  try {
    const config = readConfig(env, flags);
    chart.note('settings', 'settings', summary(config));
    for (const [setting, verdict] of suspicions(config.airline)) chart.note(`settings.${setting}`, setting, verdict);
    return config;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const { setting, wrong, expected } of error.problems) {
      const name = /FARECLERK_\w+/i.exec(setting)?.[0] ?? setting;
      chart.note(
        `settings.${name}`,
        'settings',
        toMend('setting_wrong', `${setting} ${wrong}`, `Expected: ${expected}.`),
      );
    }
    return undefined;
  }
}

function summary({ airline, environment }: Config): Verdict {
  if (airline === undefined) {
    return {
      level: 'ok',
      finding: 'sandbox',
      said: 'No airline is set: the embedded sandbox airline answers, and nothing is real',
    };
  }
  const { credentials, currency, carrier, country } = airline;
  const seller = [currency, country, carrier && `carrier ${carrier}`].filter((part) => part !== undefined).join(', ');
  return good(`${environment}; credentials: ${credentials}; point of sale: ${seller}`);
}

function suspicions(airline: AirlineConfig | undefined): readonly (readonly [string, Verdict])[] {
  if (airline === undefined) return [];
  const { baseUrl, gatewayUrl, login, apiKey, restUrl } = airline;
  const found: [string, Verdict][] = [];
  const suspect = (setting: string, said: string, mend: string): void => {
    found.push([setting, warning('setting_suspicious', `${setting} ${said}`, mend)]);
  };
  const secrets = [
    ['FARECLERK_API_KEY', apiKey],
    ['FARECLERK_CLIENT_SECRET', login?.clientSecret],
    ['FARECLERK_PASSWORD', login?.password],
  ] as const;
  for (const [setting, secret] of secrets) {
    const value = secret?.reveal() ?? '';
    if (/^(["'`]).*\1$/s.test(value))
      suspect(
        setting,
        'begins and ends with a quotation mark.',
        `Leave the quotation marks out of ${setting}, unless they belong to it.`,
      );
    else if (value !== value.trim())
      suspect(
        setting,
        'begins or ends with a space or line end.',
        `Take it out of ${setting}, or of the file it is read from.`,
      );
  }
  if (/\/OTA_\w+\/*$/.test(new URL(baseUrl).pathname)) {
    suspect(
      'FARECLERK_BASE_URL',
      'ends in the name of a message.',
      'Set the address without the message: fareclerk names it itself.',
    );
  }
  if (login !== undefined && /\/realms(?:\/|$)/.test(login.authUrl)) {
    suspect(
      'FARECLERK_AUTH_URL',
      'holds /realms.',
      'Leave out /realms and all after it: the tenant is FARECLERK_TENANT.',
    );
  }
  if (gatewayUrl !== undefined && /\/schedule(?:\/|$)/.test(new URL(gatewayUrl).pathname)) {
    suspect('FARECLERK_GATEWAY_URL', 'holds /schedule.', 'Leave out /schedule and all after it: fareclerk adds it.');
  }
  if (restUrl === undefined) {
    suspect(
      'FARECLERK_REST_URL',
      'is not set: download links of tickets cannot be told from strange ones and are not passed on.',
      'Set FARECLERK_REST_URL to the address that the links begin with.',
    );
  }
  return found;
}
