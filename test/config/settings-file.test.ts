import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';

function file(...lines: readonly string[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'fareclerk-settings-')), 'fareclerk.env');
  writeFileSync(path, lines.join('\n'));
  return path;
}

const AIRLINE = [
  '# from the airline',
  '',
  'FARECLERK_BASE_URL=https://air.example/ota',
  "export FARECLERK_API_KEY='k=e+y'",
  'FARECLERK_CREDENTIALS=key',
  'FARECLERK_AGENT_ID="A1"',
  'FARECLERK_AGENCY_ID=Agency',
  'FARECLERK_CURRENCY=SAR',
];

describe('FARECLERK_SETTINGS_FILE', () => {
  it('reads one setting a line; comments, quotes and export are allowed', () => {
    const { airline } = readConfig({ FARECLERK_SETTINGS_FILE: file(...AIRLINE) });
    expect(airline).toMatchObject({ baseUrl: 'https://air.example/ota', agentId: 'A1', currency: 'SAR' });
    expect(airline?.apiKey?.reveal()).toBe('k=e+y');
  });

  it('yields to the environment and to flags, and not to fields that a host left empty', () => {
    const env = { FARECLERK_SETTINGS_FILE: file(...AIRLINE), FARECLERK_CURRENCY: 'EUR', FARECLERK_AGENT_ID: '' };
    const { airline } = readConfig(
      { ...env, FARECLERK_API_KEY: `\${user_config.api_key}` },
      { FARECLERK_AGENCY_ID: 'Other' },
    );
    expect(airline).toMatchObject({ currency: 'EUR', agentId: 'A1', agencyId: 'Other' });
    expect(airline?.apiKey?.reveal()).toBe('k=e+y');
  });

  it('removes the secrets of the environment from it', () => {
    const env: Record<string, string> = { FARECLERK_SETTINGS_FILE: file(...AIRLINE), FARECLERK_API_KEY: 'hunter2' };
    expect(readConfig(env).airline?.apiKey?.reveal()).toBe('hunter2');
    expect(env).not.toHaveProperty('FARECLERK_API_KEY');
  });

  it.each([
    'FARECLERK_READ_ONLY=true            # hunter2',
    "FARECLERK_AGENCY_ID='My Agency'   # hunter2",
    'FARECLERK_PASSWORD=hunter2 #1',
    'FARECLERK_PASSWORD="hunter2"1',
  ])('refuses %s, which does not say where the value ends', (line) => {
    const read = () => readConfig({ FARECLERK_SETTINGS_FILE: file('# ours', line) });
    expect(read).toThrow(`line 2 does not say where the value of ${line.split('=')[0]} ends`);
    expect(read).not.toThrow(/hunter2/);
  });

  it.each([
    ['a line that is not a setting', file('FARECLERK_CURRENCY=SAR', 'hunter2'), /line 2 is not a setting/],
    ['another settings file', file('FARECLERK_SETTINGS_FILE=/x'), /line 1 is not a setting/],
    ['a misspelt name', file('FARECLERK_CURENCY=SAR'), /FARECLERK_CURRENCY/],
    ['a file that does not exist', '/nowhere/hunter2', /cannot be read/],
  ])('refuses %s, and never repeats its text', (_, path, words) => {
    const read = () => readConfig({ FARECLERK_SETTINGS_FILE: path });
    expect(read).toThrow(words);
    expect(read).not.toThrow(/hunter2/);
  });
});
