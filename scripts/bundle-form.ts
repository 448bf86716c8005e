/**
 * The form that a host shows when it installs the .mcpb bundle: the few things that most people need, in their words. Every other setting can be
 * in the file that FARECLERK_SETTINGS_FILE names.
 */
import { isSettingName, SETTINGS, type SettingName } from '../src/config/settings.ts';

interface Field {
  readonly title: string;
  readonly description: string;
  readonly type?: 'file' | 'directory';
}

/** By setting, in the order of the form. A setting that does not exist in this version is left out. */
const FIELDS: Readonly<Record<string, Field>> = {
  FARECLERK_BASE_URL: {
    title: 'Airline address (leave empty to try the sandbox)',
    description:
      'The address for reservation messages, from your airline. With everything here empty, a built-in airline answers: nothing is real, and nothing costs money.',
  },
  FARECLERK_API_KEY: { title: 'Airline key', description: 'The key that the airline gave you, if it uses one.' },
  FARECLERK_CREDENTIALS: {
    title: 'What the airline checks: key, token or both',
    description:
      'key: the airline key is enough. token: the sign-in below is enough. both, or empty: it wants the two.',
  },
  FARECLERK_AUTH_URL: {
    title: 'Sign-in: address',
    description: 'Where the airline signs you in, with /realms/ and its short name. Empty if the key is enough.',
  },
  FARECLERK_CLIENT_ID: { title: 'Sign-in: application', description: 'The application id that the airline gave you.' },
  FARECLERK_CLIENT_SECRET: {
    title: 'Sign-in: application secret',
    description: 'The secret that belongs to the application id.',
  },
  FARECLERK_USERNAME: { title: 'Sign-in: user name', description: 'The user name of your agency.' },
  FARECLERK_PASSWORD: { title: 'Sign-in: password', description: 'The password of that user.' },
  FARECLERK_AGENT_ID: { title: 'Agent number', description: 'Who sells: your number at the airline.' },
  FARECLERK_AGENCY_ID: { title: 'Agency', description: 'Who sells: the name of your agency at the airline.' },
  FARECLERK_CURRENCY: { title: 'Currency', description: 'The currency you sell in, three letters, such as SAR.' },
  FARECLERK_LIMIT_PER_ACTION: {
    title: 'Most money one action may move',
    description: 'A number, such as 2000. Anything dearer is refused, whoever says yes. Empty: no limit.',
  },
  FARECLERK_TOOLSET: {
    title: 'What the assistant can do',
    description:
      'read: search and look at bookings, change nothing. core: what a traveller needs. desk, or empty: also lists and reports for an agency. plans: also many changes with one yes.',
  },
  FARECLERK_APPROVAL: {
    title: 'How you are asked before money moves',
    description:
      'auto: a dialog where your app shows one, else a page in your browser. page: always the page. elicit: always the dialog.',
  },
  FARECLERK_TICKETS_DIR: {
    title: 'Folder for tickets',
    description: 'Where ticket files are saved when you ask for them.',
    type: 'directory',
  },
  FARECLERK_SETTINGS_FILE: {
    title: 'File with more settings (optional)',
    description:
      'A text file with one NAME=value a line, for what this form does not ask, such as FARECLERK_DIALECT=airline. All names: docs/reference/settings.md.',
    type: 'file',
  },
};

/** `base_url` of FARECLERK_BASE_URL. */
export const formKey = (name: SettingName): string => name.replace('FARECLERK_', '').toLowerCase();

export const formSettings = (): readonly SettingName[] => Object.keys(FIELDS).filter(isSettingName);

/** `user_config` of the manifest. */
export function bundleForm() {
  return Object.fromEntries(
    formSettings().map((name) => {
      const { secret, yesNo } = SETTINGS[name];
      const { title, description, type = yesNo ? 'boolean' : 'string' } = FIELDS[name] as Field;
      const none = yesNo ? { default: false } : {};
      return [
        formKey(name),
        { type, title, description, required: false, ...none, ...(secret && { sensitive: true }) },
      ];
    }),
  );
}
