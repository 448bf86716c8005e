/**
 * The questions, in order. Other settings have defaults that most people keep; flags and the environment set them.
 */
import type { SettingName, SettingTexts } from '../../config/settings.ts';

export interface Question {
  readonly setting: SettingName;
  readonly asks: string;
  /** The answer may be empty. */
  readonly optional?: true;
  /** Whether to ask; default: always. */
  readonly when?: (answers: SettingTexts) => boolean;
}

const withKey = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'token';
const withLogin = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'key';

export const QUESTIONS: readonly Question[] = [
  { setting: 'FARECLERK_BASE_URL', asks: 'Address of the reservation messages (base address)' },
  { setting: 'FARECLERK_CREDENTIALS', asks: 'Credentials: both, key or token' },
  { setting: 'FARECLERK_API_KEY', asks: 'Api key', when: withKey },
  { setting: 'FARECLERK_AUTH_URL', asks: 'Address of the identity provider, without /realms', when: withLogin },
  { setting: 'FARECLERK_TENANT', asks: 'Realm (short airline name)', when: withLogin },
  { setting: 'FARECLERK_CLIENT_ID', asks: 'Application id', when: withLogin },
  { setting: 'FARECLERK_CLIENT_SECRET', asks: 'Application secret', when: withLogin },
  { setting: 'FARECLERK_USERNAME', asks: 'User name', when: withLogin },
  { setting: 'FARECLERK_PASSWORD', asks: 'Password', when: withLogin },
  { setting: 'FARECLERK_AGENT_ID', asks: 'Agent id (point of sale)' },
  { setting: 'FARECLERK_AGENCY_ID', asks: 'Agency id (point of sale)' },
  { setting: 'FARECLERK_CURRENCY', asks: 'Currency (point of sale), such as SAR' },
  { setting: 'FARECLERK_GATEWAY_URL', asks: 'Address of routes and calendar, if there is one', optional: true },
  { setting: 'FARECLERK_REST_URL', asks: 'Address of ticket downloads, if there is one', optional: true },
  { setting: 'FARECLERK_CARRIER', asks: 'Carrier code where replies name none, such as HHR', optional: true },
  {
    setting: 'FARECLERK_LIMIT_PER_ACTION',
    asks: 'Most money that one action may move (empty: no limit)',
    optional: true,
  },
  { setting: 'FARECLERK_LIMIT_PER_DAY', asks: 'Most money in 24 hours (empty: no limit)', optional: true },
];
