/**
 * Settings for airlines that want their calls in another form, and for the recording of calls.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, SettingsError } from '../../src/config/load.ts';
import { LIVE } from './live.ts';

const airline = (more: Record<string, string>) => readConfig({ ...LIVE, ...more }).airline;

describe('FARECLERK_ADDRESS_FORM', () => {
  it('reads FARECLERK_ADDRESS_FORM, by default `header`', () => {
    expect(airline({})?.addressForm).toBe('header');
    expect(airline({ FARECLERK_ADDRESS_FORM: 'path' })?.addressForm).toBe('path');
    expect(() => airline({ FARECLERK_ADDRESS_FORM: 'query' })).toThrow(/expected: header or path/);
  });
});

describe('FARECLERK_EXTRA_HEADERS', () => {
  it.each<[string, readonly string[]]>([
    ['X-Realm', ['x-realm']],
    ['x-refresh-token , X-REALM', ['x-realm', 'x-refresh-token']],
  ])('accepts the extra headers %s', (text, headers) => {
    expect(airline({ FARECLERK_EXTRA_HEADERS: text })?.extraHeaders).toEqual(headers);
  });

  it('reads no extra headers by default, and refuses unknown ones', () => {
    expect(airline({})?.extraHeaders).toEqual([]);
    expect(() => airline({ FARECLERK_EXTRA_HEADERS: 'X-Realm, X-Tenant' })).toThrow(SettingsError);
  });

  it('requires the settings that the extra headers use', () => {
    const key = { ...LIVE, FARECLERK_CREDENTIALS: 'key', FARECLERK_EXTRA_HEADERS: 'X-Refresh-Token' };
    expect(() => readConfig(key)).toThrow(/FARECLERK_CREDENTIALS=key has no token/);
    const tenantless = { ...key, FARECLERK_TENANT: '', FARECLERK_EXTRA_HEADERS: 'X-Realm' };
    expect(() => readConfig(tenantless)).toThrow(/FARECLERK_TENANT/);
    expect(() => airline({ FARECLERK_EXTRA_HEADERS: 'X-Realm', FARECLERK_TENANT: 'zwölf' })).toThrow(/ASCII/);
  });
});

describe('FARECLERK_RECORD_FILE', () => {
  it('accepts a recording path that begins with ~, also with the sandbox', () => {
    expect(readConfig({}).recordFile).toBeUndefined();
    expect(readConfig({ FARECLERK_RECORD_FILE: '~/calls.jsonl' }).recordFile).toBe(join(homedir(), 'calls.jsonl'));
    expect(readConfig({ ...LIVE, FARECLERK_RECORD_FILE: '/var/calls.jsonl' }).recordFile).toBe('/var/calls.jsonl');
  });
});
