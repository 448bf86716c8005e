/** A command's help: its own words, its options and the settings, in 80 columns. */
import { flagOf, SETTING_NAMES, SETTINGS } from '../../config/settings.ts';
import type { Command } from '../commands/command.ts';
import type { CommandInfo, Options } from '../commands/index.ts';
import { wrap } from './window.ts';

const WIDTH = 80;

export function helpText({ about }: Command, { options, takesSettings }: CommandInfo): string {
  return [about, optionRows(options), ...(takesSettings ? [settingRows()] : [])]
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

/** One row per setting: its flag, or for a secret its variable, and what it is for. */
function settingRows(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { secret, says } = SETTINGS[name];
    return `  ${secret ? name : flagOf(name)}\n      ${says}\n`;
  });
  return `Settings (flag, or environment: --base-url is FARECLERK_BASE_URL; a flag wins;
secrets come from the environment, or from the file named by NAME_FILE):
${rows.join('')}`;
}
