/** Settings of earlier versions: none of them stops a start, and each is named with what a user does instead. */
import { expect, it } from 'vitest';
import { readArguments } from '../../src/cli/terminal/arguments.ts';
import { COMMANDS } from '../../src/cli/terminal/command-table.ts';
import { FORMER_SETTINGS, findFormer, formerWarning } from '../../src/config/former-settings.ts';
import { readConfig } from '../../src/config/load.ts';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { fileOf } from './read.ts';

it('names a former setting with what a user does instead, and no other setting', () => {
  const set = new Map(['FARECLERK_PRICE_CHECK', 'FARECLERK_CURRENCY'].map((name) => [name, name]));
  expect(findFormer(set).map(formerWarning)).toEqual([
    'FARECLERK_PRICE_CHECK is a setting of an earlier version and has no effect. Remove it. Instead: create_booking, whose free hold says the price before anybody pays.',
  ]);
});

it('lists no setting of this version as a former one', () => {
  expect(SETTING_NAMES.filter((name) => Object.hasOwn(FORMER_SETTINGS, name))).toEqual([]);
});

it('starts with a former setting in the environment, in a file or as a flag, and names it once', () => {
  const settingsFile = fileOf('FARECLERK_PRICE_CHECK=true\n');
  const name = 'FARECLERK_PRICE_CHECK';
  const profile = { from: 'profile', profile: 'default', file: settingsFile } as const;
  const named = (...[env, flags, origin]: Parameters<typeof readConfig>) =>
    readConfig(env, flags, origin).former.map(({ setting }) => setting);
  expect(named({ [name]: 'true' })).toEqual([name]);
  expect(named({ FARECLERK_SETTINGS_FILE: settingsFile, [name]: 'false' })).toEqual([name]);
  expect(named({}, {}, profile)).toEqual([name]);
  const { settings } = readArguments(['--price-check', 'true', '--log-level', 'warn'], COMMANDS.serve);
  expect(named({ [name]: 'true' }, settings)).toEqual([`--price-check (${name})`]);
  expect(named({ [name]: ' ' })).toEqual([]);
});
