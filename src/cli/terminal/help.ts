/** Writes the help: an overview, one command on a screen, and the settings on a page of their own. */
import { flagName, SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { VERSION } from '../../core/version.ts';
import { capitalized } from '../../core/words.ts';
import type { Command } from './command.ts';
import { COMMAND_GROUPS, COMMANDS, type CommandInfo, type Options, SOURCE_OPTIONS } from './command-table.ts';
import { type Started, typedCommands, typedProgram } from './this-program.ts';
import { labelledRows, marginOf } from './window.ts';

/** Columns of help texts. */
const WIDTH = 80;

const SETTINGS_ARE_OPTIONS = 'Also --profile NAME, --sandbox, and settings: see `fareclerk help settings`.\n';

const HOW_TO_SET = `Each is a flag, or a variable of the environment: --base-url is
FARECLERK_BASE_URL; a flag wins. A secret is never a flag: set its variable, or
name a file that holds it in NAME_FILE.`;

/** Tells a person who typed `fareclerk serve` in a terminal why nothing happens. */
export const WAITS_FOR_CLIENT = `fareclerk: waiting for an MCP client on stdin. A host such as Claude Desktop
starts this command by itself; \`fareclerk init\` sets one up. Press Ctrl-C to end it.
`;

export function helpText({ about }: Command, { options, takesSettings }: CommandInfo): string {
  return [about, optionRows(options), ...(takesSettings ? [SETTINGS_ARE_OPTIONS] : [])]
    .filter((part) => part !== '')
    .join('\n');
}

/** A line of a help text that is a command: behind its indent, `usage:` or a variable. */
const COMMAND_LINE = /^(usage: | {2,})((?:[A-Z_]+=\S+ )?)fareclerk(?= )/;

/** A line that goes on in the column of the text before it. */
const NEXT_LINE = /^ {20,}/;

/** Writes the commands of a help text as they run here. Columns stay under each other. */
export function typedHelp(text: string, started: Started): string {
  const program = typedProgram(started);
  const shift = ' '.repeat(Math.max(0, program.length - 'fareclerk'.length));
  let follows = false;

  const lines = text.split('\n').map((line) => {
    const isCommand = COMMAND_LINE.test(line);
    follows = isCommand || (follows && NEXT_LINE.test(line));
    if (isCommand) return line.replace(COMMAND_LINE, (_, before, variable) => before + variable + program);
    return follows ? shift + line : line;
  });

  return typedCommands(started)(lines.join('\n'));
}

function optionRows(options: Options): string {
  const rows = Object.entries(options).map(
    ([name, { value, says }]) => [`  --${name}${value === undefined ? '' : ` ${value}`}`, says] as const,
  );
  return linesText(labelledRows(rows, WIDTH));
}

const linesText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export function overview(): string {
  const label = (name: string) => `  ${name}`;
  const margin = marginOf(Object.keys(COMMANDS).map(label));
  const groups = Object.entries(COMMAND_GROUPS).map(([group, title]) => {
    const commands = Object.entries(COMMANDS).filter(([, command]) => command.group === group);
    const rows = commands.map(([name, { says }]) => [label(name), says] as const);
    return `${title}\n${linesText(labelledRows(rows, WIDTH, margin))}`;
  });

  return `fareclerk ${VERSION}: a booking clerk for AI assistants, over MCP

usage: fareclerk [command] [options]

${groups.join('\n')}
  fareclerk help COMMAND    describes a command
  fareclerk help settings   lists every setting; \`init\` asks for the needed ones
  fareclerk --version       prints the version

Without settings it talks to an embedded sandbox airline, where nothing is real.
An assistant's host starts it as a server by itself: \`fareclerk serve\`.
`;
}

/** Writes a setting: its flag, or for a secret its variable, and what it is for. */
function settingRow(name: SettingName): string {
  const { secret, says } = SETTINGS[name];
  return linesText([`  ${secret ? name : flagName(name)}`, ...labelledRows([['', says]], WIDTH, 6)]);
}

/** Writes every setting, in its group. */
export function settingsHelp(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([group, says]) => {
    const names = SETTING_NAMES.filter((name) => SETTINGS[name].group === group);
    return `${capitalized(says)}\n\n${names.map(settingRow).join('')}`;
  });

  return `All settings of fareclerk.

${HOW_TO_SET}
FARECLERK_SETTINGS_FILE names a file with more of them, one NAME=value per line.
Without a variable the settings are those of a profile, a file that \`init\`
wrote. They never come from both.

${optionRows(SOURCE_OPTIONS)}
${groups.join('\n')}`;
}
