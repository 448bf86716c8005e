/** The environment and flags → one frozen object, or one error that names everything that is wrong. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName } from '../../src/config/settings.ts';
import { type Env, expectRefused, fileOf, LIVE, live, problems, without } from './read.ts';

describe('no airline', () => {
  it('is the sandbox in its own folder; empty values and unfilled form fields of a host are unset', () => {
    const sandbox = join('/var/state', 'sandbox');
    const unset = { FARECLERK_BASE_URL: '', FARECLERK_API_KEY: `\${user_config.api_key}` };
    expect(readConfig({ ...unset, FARECLERK_STATE_DIR: '/var/state' })).toMatchObject({
      environment: 'sandbox',
      assumedOperations: true,
      state: { directory: sandbox, sandboxFile: join(sandbox, 'airline.sqlite') },
      ...{ answerMs: 30_000, dialogFloorMs: 1_500, settleMs: 240_000, toolsets: ['core', 'desk', 'plans'] },
    });
    const none = readConfig({});
    for (const part of [none.airline, none.recordFile, none.webhooks, none.traces]) expect(part).toBeUndefined();
    const limits = readConfig({ FARECLERK_CURRENCY: 'EUR', FARECLERK_LIMIT_PER_DAY: '900.50' });
    expect(limits).toMatchObject({ environment: 'sandbox', amounts: { currency: 'EUR', perDay: '900.50' } });
  });

  it.each([
    ['FARECLERK_GATEWAY_URL', 'https://x.example'],
    ['FARECLERK_REST_URL', 'https://x.example'],
    ['FARECLERK_API_KEY', 'k'],
    ['FARECLERK_CREDENTIALS', 'key'],
    ['FARECLERK_AGENT_ID', 'A1'],
    ['FARECLERK_CARRIER', 'HHR'],
  ])('refuses %s without FARECLERK_BASE_URL, so that nobody uses the sandbox by mistake', (name, value) => {
    expectRefused({ [name]: value }, name, 'FARECLERK_BASE_URL');
  });
});

describe('an airline', () => {
  it('is read completely, frozen, with its state outside the sandbox folder', () => {
    const config = readConfig(live({ FARECLERK_STATE_DIR: '/var/state' }));
    expect(config).toMatchObject({
      environment: 'live',
      assumedOperations: false,
      airline: {
        ...{ baseUrl: 'https://air.example/ota', credentials: 'both', currency: 'SAR' },
        ...{ addressForm: 'header', extraHeaders: [] },
        login: { authUrl: 'https://id.example/auth', tenant: 'air', username: 'desk' },
      },
      state: { directory: '/var/state' },
    });
    expect(config.airline?.apiKey?.reveal()).toBe('key-0123456789');
    expect([config, config.airline, config.state].map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
  });

  it('is refused if any of its settings is missing; key and token are both needed unless one is enough', () => {
    for (const name of Object.keys(LIVE)) if (name !== 'FARECLERK_BASE_URL') expectRefused(without(name), name);
    expectRefused(without('FARECLERK_AUTH_URL'), 'FARECLERK_CREDENTIALS=key');
    const key = { ...without('FARECLERK_PASSWORD', 'FARECLERK_CLIENT_SECRET'), FARECLERK_CREDENTIALS: 'key' };
    const { credentials, login } = readConfig(key).airline ?? {};
    expect([credentials, login]).toEqual(['key', undefined]);
    const token = { ...without('FARECLERK_API_KEY'), FARECLERK_CREDENTIALS: 'token' };
    expect(readConfig(token).airline?.login?.tenant).toBe('air');
  });

  it('may want another form, more headers that its settings allow, and a recording', () => {
    const path = live({ FARECLERK_ADDRESS_FORM: 'path', FARECLERK_EXTRA_HEADERS: 'both' });
    expect(readConfig(path).airline).toMatchObject({
      ...{ addressForm: 'path', extraHeaders: ['x-realm', 'x-refresh-token'] },
    });
    const key = { FARECLERK_CREDENTIALS: 'key', FARECLERK_EXTRA_HEADERS: 'refresh-token' };
    expectRefused(live(key), 'FARECLERK_CREDENTIALS=key has no token');
    expectRefused(live({ ...key, FARECLERK_AUTH_URL: '', FARECLERK_EXTRA_HEADERS: 'realm' }), 'FARECLERK_AUTH_URL');
    const realm = { FARECLERK_EXTRA_HEADERS: 'realm', FARECLERK_AUTH_URL: 'https://id.example/realms/zwölf' };
    expectRefused(live(realm), 'ASCII');
    expect(readConfig({ FARECLERK_RECORD_FILE: '~/calls.jsonl' }).recordFile).toBe(join(homedir(), 'calls.jsonl'));
  });

  it('has https addresses, except on this machine or to a host of FARECLERK_PRIVATE_HOSTS', () => {
    const near = ['127.0.0.1:8770', 'localhost', 'a.localhost', 'a.b-c.localhost', '[::1]:9', '127.9.9.255'];
    const far = ['10.0.0.1', '128.0.0.1', '127.0.0.1.example', 'localhost.evil.example', 'notlocalhost', '0.0.0.0'];
    for (const host of near)
      expect(readConfig(live({ FARECLERK_BASE_URL: `http://${host}/x` })).airline?.baseUrl).toContain(host);
    for (const host of [...far, '[::]', '[::2]', '[::ffff:127.0.0.1]'])
      expectRefused(live({ FARECLERK_BASE_URL: `http://${host}` }), 'plain http', 'FARECLERK_PRIVATE_HOSTS');
    const urls = { FARECLERK_BASE_URL: 'http://10.0.0.1', FARECLERK_GATEWAY_URL: 'http://[fd00::7]:9' };
    const allowed = live({ ...urls, FARECLERK_PRIVATE_HOSTS: '10.0.0.1,fd00::7' });
    expect(readConfig({ ...allowed }).airline).toMatchObject({ privateHosts: ['10.0.0.1', 'fd00::7'] });
    expectRefused({ ...allowed, FARECLERK_REST_URL: 'http://10.0.0.2' }, 'FARECLERK_REST_URL is a plain http address');
  });
});

describe('secrets', () => {
  it('leave the environment, and are printed as [secret]', () => {
    const env = live({ FARECLERK_DATABASE_URL: 'postgres://u:shh-db@h/d' });
    const config = readConfig(env);
    const printed = [inspect(config, { depth: 9 }), JSON.stringify(config), `${config.airline?.apiKey}`].join('\n');
    expect(Object.values(env).join(' ') + printed).not.toMatch(/shh|key-0123/);
    expect(printed).toContain('[secret]');
    expect(config.state.databaseUrl?.reveal()).toBe('postgres://u:shh-db@h/d');
  });

  it('come from files, without the final newline, and from no flag', () => {
    const FARECLERK_API_KEY_FILE = fileOf('from-a-file\n');
    const keyless = without('FARECLERK_API_KEY');
    expect(readConfig({ ...keyless, FARECLERK_API_KEY_FILE }).airline?.apiKey?.reveal()).toBe('from-a-file');
    expectRefused(live({ FARECLERK_API_KEY_FILE }), 'FARECLERK_API_KEY_FILE');
    const flag = problems(() => readConfig({ ...keyless }, { FARECLERK_API_KEY: 'k' }));
    expect(flag).toContain('FARECLERK_API_KEY is not set');
    const missing = (path: string) =>
      problems(() => readConfig({ ...without('FARECLERK_PASSWORD'), FARECLERK_PASSWORD_FILE: path }));
    const nowhere = missing('/nowhere/at/all');
    expect(nowhere).toContain('FARECLERK_PASSWORD_FILE names a file that cannot be read: no such file.');
    expect(nowhere).not.toContain('/nowhere');
    const near = join(tmpdir(), 'no-such-key');
    expect(missing(near)).toContain(near);
  });
});

describe('the table of settings', () => {
  it('has each in one of three groups, and no list of options in one string', () => {
    expect(new Set(SETTING_NAMES.map((name) => SETTINGS[name].group))).toEqual(new Set(Object.keys(SETTING_GROUPS)));
    const pairs = ['read,core', 'realm,both', 'key,token', 'a=1,b=2', '1@24,12@72'];
    const takes = (name: SettingName, text: string) => SETTINGS[name].parser.safeParse(text).success;
    const taking = SETTING_NAMES.filter(
      (name) => !takes(name, 'any text, at all') && pairs.some((pair) => takes(name, pair)),
    );
    // Hosts are like things, and may have any of these names. A secret may have any character.
    expect(taking.filter((name) => !SETTINGS[name].secret)).toEqual(['FARECLERK_PRIVATE_HOSTS']);
  });
});

describe('values', () => {
  it('prefers flags to the environment, names the flag in errors, and reports all wrong settings at once', () => {
    const levels = [{ FARECLERK_LOG_LEVEL: 'debug' }, { FARECLERK_LOG_LEVEL: 'warn' }] as const;
    expect(readConfig(...levels).log.level).toBe('warn');
    expect(problems(() => readConfig({}, { FARECLERK_LOG_LEVEL: 'x' }))).toContain('--log-level (FARECLERK_LOG_LEVEL)');
    const three = { FARECLERK_LOG: 'x', FARECLERK_SEND_FARE: 'yes', FARECLERK_COUNTRY: 'SAU' };
    expectRefused(live(three), 'FARECLERK_LOG ', 'FARECLERK_SEND_FARE', 'FARECLERK_COUNTRY');
  });

  it.each([
    ['read', { readOnly: true, toolsets: ['core', 'desk'] }],
    ['core', { readOnly: false, toolsets: ['core'] }],
    ['desk', { readOnly: false, toolsets: ['core', 'desk'] }],
    ['plans', { readOnly: false, toolsets: ['core', 'desk', 'plans'] }],
  ])('offers with FARECLERK_TOOLSET=%s %j', (toolset, offered) => {
    expect(readConfig({ FARECLERK_TOOLSET: toolset })).toMatchObject(offered);
  });

  /** Wrong values of each setting; after the colon, words of the error beside its name. */
  const WRONG: Readonly<Record<string, readonly string[]>> = {
    BASE_URL: ['air.example', 'https://user:hunter2@air.example', 'ftp://air.example'],
    GATEWAY_URL: ['https://u:hunter2@x.example'],
    'AUTH_URL: ends in /realms/ and': ['', '/realms/', '/realms/air/x'].map((path) => `https://id.example${path}`),
    'GATEWAY_URL: FARECLERK_PRIVATE_HOSTS': ['http://10.0.0.1/'],
    API_KEY: ['shh with spaces'],
    DATABASE_URL: ['mysql://shh'],
    'ADDRESS_FORM: expected: header or path': ['query'],
    'EXTRA_HEADERS: none, realm, refresh-token or both': ['X-Realm,X-Refresh-Token'],
    SEND_FARE: ['1'],
    'TOOLSET: read, core, desk or plans': ['core,desk'],
    CURRENCY: ['riyal'],
    LIMIT_PER_DAY: ['-5', '1e3', '10.005'],
    APPROVAL: ['never'],
    AGENT_ID: ['a\u0007'],
    'AGENCY_ID: not an address': ['https://air.example/ota', 'www.air.example'],
    'HTTP_TOKEN: at least 32 visible ASCII characters': [
      'x',
      `${'hunter2'.repeat(4)}abc`,
      `two ${'hunter2'.repeat(5)}`,
    ],
    'METRICS_TOKEN: at least 32 visible ASCII characters': ['scrape-me'],
  };
  it.each(Object.entries(WRONG))('refuses a wrong value of %s %j', (key, values) => {
    const [setting = '', words = ''] = key.split(/: (.*)/);
    const name = `FARECLERK_${setting}`;
    for (const value of values) expectRefused(live({ [name]: value }), name, words);
  });
});

describe('traces', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
  const tracesOf = (env: Env) => readConfig({ ...env }).traces;

  it('go to the path of traces below the endpoint of all signals', () => {
    expect(tracesOf(ENDPOINT)).toEqual({ url: 'http://collector:4318/v1/traces', isSupported: true });
  });

  it.each<Env>([
    { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SERVICE_NAME: 'desk', OTEL_TRACES_SAMPLER: 'always_on' },
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317', OTEL_SDK_DISABLED: 'true' },
  ])('are not sent with %j', (off) => {
    expect(tracesOf({ ...ENDPOINT, ...off })).toBeUndefined();
  });

  it.each([
    ['https://me:secret@collector', {}],
    ['localhost:4317', {}],
    ['http://localhost:4317', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ])('are not sent, and the server starts, where a host handed down %s %j', (endpoint, more: Env) => {
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })).toMatchObject({ isSupported: false });
  });

  it('have headers that are a secret', () => {
    const env: Env = { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc' };
    const { traces } = readConfig(env);
    expect(env).toEqual(ENDPOINT);
    expect(traces?.headers?.reveal()).toBe('api-key=abc');
    expect(JSON.stringify(traces)).not.toMatch('abc');
  });
});
