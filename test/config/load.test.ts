import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type EnvironmentVariables, type Flags, readConfig, SettingsError } from '../../src/config/load.ts';
import { defaultStateDir } from '../../src/config/state-dir.ts';
import { LIVE } from './live.ts';

function problems(env: EnvironmentVariables, flags: Flags = {}): string {
  try {
    readConfig(env, flags);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
}

function without(...names: string[]): EnvironmentVariables {
  const env: EnvironmentVariables = { ...LIVE };
  for (const name of names) delete env[name];
  return env;
}

describe('no settings at all', () => {
  it('uses the sandbox in its own folder without any settings', () => {
    const config = readConfig({ FARECLERK_STATE_DIR: '/var/state' });
    expect(config.environment).toBe('sandbox');
    expect(config.airline).toBeUndefined();
    expect(config.assumedOperations).toBe(true);
    expect(config.state.directory).toBe(join('/var/state', 'sandbox'));
    expect(config.state.sandboxFile).toBe(join('/var/state', 'sandbox', 'airline.sqlite'));
    expect(config.answerMs).toBe(30_000);
    expect(config.dialogFloorMs).toBe(1_500);
    expect(config.settleMs).toBe(240_000);
    expect(config.toolsets).toEqual(['core', 'desk']);
  });

  it('treats empty values and unfilled form fields of a host as unset', () => {
    const config = readConfig({ FARECLERK_BASE_URL: '', FARECLERK_API_KEY: `\${user_config.api_key}` });
    expect(config.environment).toBe('sandbox');
  });
});

describe('an airline', () => {
  it('reads a live airline completely, frozen, with its state outside the sandbox folder', () => {
    const config = readConfig({ ...LIVE, FARECLERK_STATE_DIR: '/var/state' });
    expect(config.environment).toBe('live');
    expect(config.assumedOperations).toBe(false);
    expect(config.airline).toMatchObject({
      baseUrl: 'https://air.example/ota',
      credentials: 'both',
      currency: 'SAR',
      groupMessage: 'OTA_AirPriceRQ',
      login: { authUrl: 'https://id.example/auth', tenant: 'air', username: 'desk' },
    });
    expect(config.airline?.apiKey?.reveal()).toBe('key-0123456789');
    expect(config.state.directory).toBe('/var/state');
    expect(Object.isFrozen(config) && Object.isFrozen(config.airline) && Object.isFrozen(config.state)).toBe(true);
  });

  it.each(Object.keys(LIVE).filter((name) => name !== 'FARECLERK_BASE_URL'))(
    'refuses an airline without %s',
    (name) => {
      expect(problems(without(name))).toContain(name);
    },
  );

  it.each([
    'FARECLERK_SEAT_MAP_URL',
    'FARECLERK_GATEWAY_URL',
    'FARECLERK_REST_URL',
    'FARECLERK_API_KEY',
    'FARECLERK_CREDENTIALS',
    'FARECLERK_AGENT_ID',
    'FARECLERK_CURRENCY',
    'FARECLERK_CARRIER',
    'FARECLERK_ALLOW_HTTP',
  ])('refuses %s without FARECLERK_BASE_URL, so that nobody uses the sandbox by mistake', (name) => {
    const value =
      {
        FARECLERK_CREDENTIALS: 'key',
        FARECLERK_CURRENCY: 'SAR',
        FARECLERK_CARRIER: 'HHR',
        FARECLERK_ALLOW_HTTP: 'true',
      }[name] ?? 'https://x.example';
    const told = problems({ [name]: value });
    expect(told).toContain(name);
    expect(told).toContain('FARECLERK_BASE_URL');
  });

  it('uses the sandbox if only a currency is set, as the currency of a limit', () => {
    const config = readConfig({ FARECLERK_CURRENCY: 'EUR', FARECLERK_LIMIT_PER_DAY: '900.50' });
    expect(config.environment).toBe('sandbox');
    expect(config.amounts).toEqual({ currency: 'EUR', perDay: '900.50' });
  });
});

describe('credentials', () => {
  it('requires both key and token by default, and names the setting that changes this', () => {
    expect(problems(without('FARECLERK_TENANT'))).toContain('FARECLERK_CREDENTIALS=key');
  });

  it('requires no login if the airline accepts the key alone', () => {
    const env = without('FARECLERK_PASSWORD', 'FARECLERK_CLIENT_SECRET');
    const config = readConfig({ ...env, FARECLERK_CREDENTIALS: 'key' });
    expect(config.airline?.credentials).toBe('key');
    expect(config.airline?.login).toBeUndefined();
  });

  it('requires no key if the airline accepts the token alone', () => {
    const config = readConfig({ ...without('FARECLERK_API_KEY'), FARECLERK_CREDENTIALS: 'token' });
    expect(config.airline?.login?.tenant).toBe('air');
  });
});

describe('secrets', () => {
  it('removes secrets from the environment, and prints them as [secret]', () => {
    const env: EnvironmentVariables = { ...LIVE, FARECLERK_DATABASE_URL: 'postgres://u:shh-db@h/d' };
    const config = readConfig(env);
    expect(Object.values(env).join(' ')).not.toMatch(/shh|key-0123/);
    const printed = [inspect(config, { depth: 9 }), JSON.stringify(config), `${config.airline?.apiKey}`].join('\n');
    expect(printed).not.toMatch(/shh|key-0123/);
    expect(printed).toContain('[secret]');
    expect(config.state.databaseUrl?.reveal()).toBe('postgres://u:shh-db@h/d');
  });

  it('reads secrets from files, without the final newline', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fareclerk-config-')), 'key');
    writeFileSync(file, 'from-a-file\n');
    const config = readConfig({ ...without('FARECLERK_API_KEY'), FARECLERK_API_KEY_FILE: file });
    expect(config.airline?.apiKey?.reveal()).toBe('from-a-file');
    expect(problems({ ...LIVE, FARECLERK_API_KEY_FILE: file })).toContain('FARECLERK_API_KEY_FILE');
  });

  it('refuses a secret in a missing file, and names its path only if the folder exists', () => {
    const told = problems({ ...without('FARECLERK_PASSWORD'), FARECLERK_PASSWORD_FILE: '/nowhere/at/all' });
    expect(told).toContain('FARECLERK_PASSWORD_FILE names a file that cannot be read: no such file.');
    expect(told).not.toContain('/nowhere');
    const missing = join(tmpdir(), 'no-such-key');
    expect(problems({ ...without('FARECLERK_PASSWORD'), FARECLERK_PASSWORD_FILE: missing })).toContain(missing);
  });

  it('never repeats a secret in an error', () => {
    const told = problems({ ...LIVE, FARECLERK_API_KEY: 'shh with spaces', FARECLERK_DATABASE_URL: 'mysql://shh' });
    expect(told).toContain('FARECLERK_API_KEY');
    expect(told).toContain('FARECLERK_DATABASE_URL');
    expect(told).not.toContain('shh');
  });

  it('offers no flag for a secret', () => {
    expect(problems({ ...without('FARECLERK_API_KEY') }, { FARECLERK_API_KEY: 'k' })).toContain(
      'FARECLERK_API_KEY is not set',
    );
  });
});

describe('names', () => {
  it.each([
    ['FARECLERK_BASEURL', 'FARECLERK_BASE_URL'],
    ['FARECLERK_API_KEYS', 'FARECLERK_API_KEY'],
    ['FARECLERK_READONLY', 'FARECLERK_READ_ONLY'],
    ['fareclerk_locale', 'FARECLERK_LOCALE'],
    ['FARECLERK_PASSWORD_FIL', 'FARECLERK_PASSWORD_FILE'],
  ])('names in the error for %s the nearest setting, %s', (wrong, right) => {
    expect(problems({ [wrong]: 'https://a.example' })).toContain(`expected: ${right}`);
  });

  it('reports all wrong settings in one error', () => {
    const told = problems({ ...LIVE, FARECLERK_LOCAL: 'x', FARECLERK_READ_ONLY: 'yes', FARECLERK_COUNTRY: 'SAU' });
    for (const name of ['FARECLERK_LOCAL ', 'FARECLERK_READ_ONLY', 'FARECLERK_COUNTRY']) expect(told).toContain(name);
  });
});

describe('values', () => {
  it('prefers flags to the environment, and names the flag in errors', () => {
    expect(readConfig({ FARECLERK_LOCALE: 'en' }, { FARECLERK_LOCALE: 'ar' }).locale).toBe('ar');
    expect(problems({}, { FARECLERK_LOCALE: '--' })).toContain('--locale (FARECLERK_LOCALE)');
  });

  it.each([
    ['FARECLERK_BASE_URL', 'air.example'],
    ['FARECLERK_BASE_URL', 'https://user:pw@air.example'],
    ['FARECLERK_BASE_URL', 'ftp://air.example'],
    ['FARECLERK_READ_ONLY', '1'],
    ['FARECLERK_CURRENCY', 'riyal'],
    ['FARECLERK_LIMIT_PER_DAY', '-5'],
    ['FARECLERK_LIMIT_PER_DAY', '1e3'],
    ['FARECLERK_LIMIT_PER_DAY', '10.005'],
    ['FARECLERK_DIALOG_FLOOR_MS', '1.5'],
    ['FARECLERK_DIALOG_FLOOR_MS', '60001'],
    ['FARECLERK_ANSWER_SECONDS', '0'],
    ['FARECLERK_ANSWER_SECONDS', '1000'],
    ['FARECLERK_TOOLSETS', 'desk'],
    ['FARECLERK_APPROVAL', 'never'],
    ['FARECLERK_LOCALE', 'not a language'],
    ['FARECLERK_GROUP_MESSAGE', 'a\r\nb'],
    ['FARECLERK_AGENT_ID', 'a\u0007'],
  ])('refuses the invalid setting %s=%j', (name, value) => {
    expect(problems({ ...LIVE, [name]: value })).toContain(name);
  });

  it('does not repeat an address that contains a password', () => {
    expect(problems({ ...LIVE, FARECLERK_GATEWAY_URL: 'https://u:hunter2@x.example' })).not.toContain('hunter2');
  });

  it('requires https addresses, except on this machine or with FARECLERK_ALLOW_HTTP', () => {
    expect(problems({ ...LIVE, FARECLERK_GATEWAY_URL: 'http://10.0.0.1/' })).toContain('FARECLERK_ALLOW_HTTP');
    expect(problems({ ...LIVE, FARECLERK_BASE_URL: 'http://localhost.evil.example' })).toContain('plain http');
    for (const host of ['127.0.0.1:8770', 'localhost', '[::1]:9', '127.9.9.9']) {
      expect(readConfig({ ...LIVE, FARECLERK_BASE_URL: `http://${host}/x` }).airline?.baseUrl).toContain(host);
    }
    const allowed = readConfig({ ...LIVE, FARECLERK_BASE_URL: 'http://10.0.0.1', FARECLERK_ALLOW_HTTP: 'true' });
    expect(allowed.airline?.allowHttp).toBe(true);
  });

  it('accepts seconds with decimals', () => {
    expect(readConfig({ FARECLERK_ANSWER_SECONDS: '1.5', FARECLERK_SETTLE_SECONDS: '6' })).toMatchObject({
      answerMs: 1500,
      settleMs: 6000,
    });
  });

  it('keeps bookings listed for thirty days after the last departure, or as many whole days as are set', () => {
    expect(readConfig({}).state.keepPersonalDays).toBe(30);
    expect(readConfig({ FARECLERK_KEEP_PERSONAL_DAYS: '7' }).state.keepPersonalDays).toBe(7);
    for (const days of ['0', '1.5', '3651'])
      expect(problems({ FARECLERK_KEEP_PERSONAL_DAYS: days })).toContain('a whole number from 1 to 3650');
  });

  it('requires a public address together with an issuer', () => {
    expect(problems({ FARECLERK_ISSUER: 'https://id.example' })).toContain('FARECLERK_PUBLIC_URL');
  });
});

describe('state folder', () => {
  it.each([
    ['linux', { XDG_STATE_HOME: '/x/state' }, '/x/state/fareclerk'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/me/.local/state/fareclerk'],
    ['linux', {}, '/home/me/.local/state/fareclerk'],
    ['darwin', {}, '/home/me/Library/Application Support/fareclerk'],
    ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Local\\fareclerk'],
  ] as const)('is, on %s with %j, %s', (platform, env, expected) => {
    expect(defaultStateDir({ ...env }, platform, '/home/me')).toBe(expected);
  });
});
