/** What somebody is asked who connects an airline: `fareclerk init`, the form of the .mcpb bundle and server.json ask the same. */
import { SETTINGS, type SettingName, type SettingTexts } from './settings.ts';

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
