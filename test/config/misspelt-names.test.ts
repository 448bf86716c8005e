/** A misspelt name of a setting is refused, with the name that was probably meant. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { expectRefused, fileOf } from './read.ts';

describe('a start with a misspelt name of a setting', () => {
  it.each([
    ['FARECLERK_BASEURL', 'FARECLERK_BASE_URL'],
    ['FARECLERK_API_KEYS', 'FARECLERK_API_KEY'],
    ['FARECLERK_SENDFARE', 'FARECLERK_SEND_FARE'],
    ['fareclerk_log_level', 'FARECLERK_LOG_LEVEL'],
    ['FARECLERK_PASSWORD_FIL', 'FARECLERK_PASSWORD_FILE'],
  ])('names in the error for %s the nearest setting, %s', (wrong, right) => {
    expectRefused({ [wrong]: 'https://a.example' }, `expected: ${right}`);
  });

  it('refuses a name that is no setting, also in a file of settings, unless it is empty', () => {
    expectRefused({ FARECLERK_BACKLOG: '511' }, 'FARECLERK_BACKLOG is not a setting of fareclerk.');
    const FARECLERK_SETTINGS_FILE = fileOf('FARECLERK_CURRENCY=SAR\nFARECLERK_BACKLOG=511\n');
    expectRefused({ FARECLERK_SETTINGS_FILE }, 'whose line 2 has a name that is no setting');
    expect(readConfig({ FARECLERK_BACKLOG: ' ' }).environment).toBe('sandbox');
  });
});
