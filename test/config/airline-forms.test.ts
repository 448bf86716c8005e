/**
 * Settings for airlines that want their calls in another form, and for the recording of calls.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, SettingsError } from '../../src/config/load.ts';

const LIVE: Readonly<Record<string, string>> = {
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
  FARECLERK_CURRENCY: 'SAR',
};

const airline = (more: Record<string, string>) => readConfig({ ...LIVE, ...more }).airline;

describe('FARECLERK_ADDRESS_FORM', () => {
  it('is `header` by default', () => {
    expect(airline({})?.addressForm).toBe('header');
    expect(airline({ FARECLERK_ADDRESS_FORM: 'path' })?.addressForm).toBe('path');
    expect(() => airline({ FARECLERK_ADDRESS_FORM: 'query' })).toThrow(/expected: header or path/);
  });
});

describe('FARECLERK_EXTRA_HEADERS', () => {
  it.each<[string, readonly string[]]>([
    ['X-Realm', ['x-realm']],
    ['x-refresh-token , X-REALM', ['x-realm', 'x-refresh-token']],
  ])('accepts %s', (text, headers) => {
    expect(airline({ FARECLERK_EXTRA_HEADERS: text })?.extraHeaders).toEqual(headers);
  });

  it('is empty by default, and takes no other names', () => {
    expect(airline({})?.extraHeaders).toEqual([]);
    expect(() => airline({ FARECLERK_EXTRA_HEADERS: 'X-Realm, X-Tenant' })).toThrow(SettingsError);
  });

  it('requires the settings that the headers need', () => {
    const key = { ...LIVE, FARECLERK_CREDENTIALS: 'key', FARECLERK_EXTRA_HEADERS: 'X-Refresh-Token' };
    expect(() => readConfig(key)).toThrow(/FARECLERK_CREDENTIALS=key has no token/);
    const tenantless = { ...key, FARECLERK_TENANT: '', FARECLERK_EXTRA_HEADERS: 'X-Realm' };
    expect(() => readConfig(tenantless)).toThrow(/FARECLERK_TENANT/);
    expect(() => airline({ FARECLERK_EXTRA_HEADERS: 'X-Realm', FARECLERK_TENANT: 'zwölf' })).toThrow(/ASCII/);
  });
});

describe('FARECLERK_RECORD_FILE', () => {
  it('is a path, may begin with ~, and works with the sandbox', () => {
    expect(readConfig({}).recordFile).toBeUndefined();
    expect(readConfig({ FARECLERK_RECORD_FILE: '~/calls.jsonl' }).recordFile).toBe(join(homedir(), 'calls.jsonl'));
    expect(readConfig({ ...LIVE, FARECLERK_RECORD_FILE: '/var/calls.jsonl' }).recordFile).toBe('/var/calls.jsonl');
  });
});
