/** Settings of earlier versions: which of them stop a start, and what a user does instead. */
import { expect, it } from 'vitest';
import { readArguments } from '../../src/cli/terminal/arguments.ts';
import { COMMANDS } from '../../src/cli/terminal/command-table.ts';
import { FORMER_SETTINGS, type FormerSettings, findFormer, formerWarning } from '../../src/config/former-settings.ts';
import { readConfig } from '../../src/config/load.ts';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { fileOf } from './read.ts';

const TABLE: FormerSettings = {
  FARECLERK_MOST_PER_WEEK: { instead: 'FARECLERK_LIMIT_PER_DAY', limited: true },
  FARECLERK_COLOUR: { instead: 'the terminal sets it', limited: false },
};

const found = (...names: readonly string[]) => findFormer(new Map(names.map((name) => [name, name])), TABLE);

it('refuses a start with a former setting that limited money or access, and says what to set instead', () => {
  expect(found('FARECLERK_MOST_PER_WEEK', 'FARECLERK_CURRENCY')).toEqual({
    problems: [
      {
        setting: 'FARECLERK_MOST_PER_WEEK',
        wrong: 'is a setting of an earlier version, and it limited money or access.',
        expected: 'FARECLERK_LIMIT_PER_DAY',
      },
    ],
    ignored: [],
  });
});

it('only warns of a former setting that limited nothing, and of no other setting', () => {
  const { problems, ignored } = found('FARECLERK_COLOUR', 'FARECLERK_CURRENCY');
  expect([problems, ignored.map(formerWarning)]).toEqual([
    [],
    [
      'FARECLERK_COLOUR is a setting of an earlier version and has no effect. Remove it. Instead: the terminal sets it.',
    ],
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
  const { settings } = readArguments(['--price-check', '--log-level', 'warn'], COMMANDS.serve);
  expect(named({ [name]: 'true' }, settings)).toEqual([`--price-check (${name})`]);
  expect(named({ [name]: ' ' })).toEqual([]);
});
