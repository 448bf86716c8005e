/** A command's help on one screen: its own words and its options; the settings have a page of their own. In 80 columns. */
import { flagOf, SETTING_NAMES, SETTINGS } from '../../config/settings.ts';
import type { Command } from '../commands/command.ts';
import { type CommandInfo, type Options, SOURCE_OPTIONS } from '../commands/index.ts';
import { wrap } from './window.ts';

const WIDTH = 80;

export function helpText({ about }: Command, { options, takesSettings }: CommandInfo): string {
  return [about, optionRows(options), ...(takesSettings ? [SETTINGS_ARE_OPTIONS] : [])]
    .filter((part) => part !== '')
    .join('\n');
}

function optionRows(options: Options): string {
  const rows = Object.entries(options).map(([name, { value, says }]) => ({
    label: `  --${name}${value === undefined ? '' : ` ${value}`}`,
    says,
  }));
  const margin = Math.max(...rows.map(({ label }) => label.length)) + 2;
  return rows
    .flatMap(({ label, says }) =>
      wrap(says, WIDTH - margin).map((line, i) => `${(i === 0 ? label : '').padEnd(margin)}${line}\n`),
    )
    .join('');
}

const SETTINGS_ARE_OPTIONS = 'Also --profile NAME, --sandbox, and settings: see `fareclerk help settings`.\n';

/** One row per setting: its flag, or for a secret its variable, and what it is for. */
export function settingsHelp(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { secret, says } = SETTINGS[name];
    const [first = '', ...more] = wrap(says, WIDTH - 6);
    return [`  ${secret ? name : flagOf(name)}`, ...[first, ...more].map((line) => `      ${line}`), ''].join('\n');
  });
  return `Settings of fareclerk: a flag, or a variable of the environment. --base-url is
FARECLERK_BASE_URL; a flag wins. A secret is never a flag: set its variable, or
name a file that holds it in NAME_FILE. FARECLERK_SETTINGS_FILE names a file
with more of them, one NAME=value a line.

Without a variable the settings are those of a profile, a file that fareclerk
init wrote. They never come from both.

${optionRows(SOURCE_OPTIONS)}
${rows.join('')}`;
}
