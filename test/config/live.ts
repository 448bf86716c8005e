/** The settings that a live airline needs; the currency in small letters, as an operator may write it. */
export const LIVE: Readonly<Record<string, string>> = {
  FARECLERK_BASE_URL: 'https://air.example/ota',
  FARECLERK_API_KEY: 'key-0123456789',
  FARECLERK_AUTH_URL: 'https://id.example/auth/',
  FARECLERK_TENANT: 'air',
  FARECLERK_CLIENT_ID: 'app',
  FARECLERK_CLIENT_SECRET: 'shh-client',
  FARECLERK_USERNAME: 'desk',
  FARECLERK_PASSWORD: 'shh-password',
  FARECLERK_AGENT_ID: 'A1',
  FARECLERK_AGENCY_ID: 'Agency',
  FARECLERK_CURRENCY: 'sar',
};
