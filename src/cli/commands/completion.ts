/** `fareclerk completion`: a completion script for a shell, made from the commands and settings of this version. */
import { UsageError } from '../../config/load.ts';
import { choicesOf, flagOf, SETTING_NAMES, SETTINGS } from '../../config/settings.ts';
import type { JsonSchema } from '../../server/schemas.ts';
import { CATALOG } from '../../tools/index.ts';
import { bash } from '../completion-scripts/bash.ts';
import { fish } from '../completion-scripts/fish.ts';
import type { Flag, KnownCommand } from '../completion-scripts/known.ts';
import { zsh } from '../completion-scripts/zsh.ts';
import { toolSchemas } from '../runtime/schemas.ts';
import { MISHAP_KINDS } from '../sandbox/mishap.ts';
import { FAULT_NAMES } from '../sandbox/trigger.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS, type CommandInfo, type Options, SOURCE_OPTIONS } from './index.ts';

const SHELLS: Readonly<Record<string, (commands: readonly KnownCommand[]) => string>> = { bash, zsh, fish };

const flagsOf = (options: Options): readonly Flag[] =>
  Object.entries(options).map(([name, option]) => ({ name: `--${name}`, ...option }));

function settingFlags(): readonly Flag[] {
  return SETTING_NAMES.filter((name) => !SETTINGS[name].secret).map((name) => {
    const { says, yesNo } = SETTINGS[name];
    const choices = choicesOf(name);
    return { name: flagOf(name), says, ...(yesNo ? {} : { value: 'VALUE' }), ...(choices.length > 0 && { choices }) };
  });
}

/** The inputs of a tool as `key=`; a list of objects begins with its first item. */
function keysOf({ properties = {} }: JsonSchema, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([field, shape]) => {
    const name = `${path}${field}`;
    if (shape.properties !== undefined) return keysOf(shape, `${name}.`);
    return shape.items?.properties === undefined ? [`${name}=`] : keysOf(shape.items, `${name}.0.`);
  });
}

const NEXT: Readonly<Record<string, KnownCommand['next']>> = {
  call: Object.fromEntries(CATALOG.map((tool) => [tool.name, keysOf(toolSchemas().input(tool))])),
  sandbox: { trigger: FAULT_NAMES, mishap: MISHAP_KINDS },
};

export function knownCommands(): readonly KnownCommand[] {
  const [settings, help] = [settingFlags(), flagsOf({ help: { says: 'usage, options and examples' } })];
  return Object.entries<CommandInfo>(COMMANDS).map(([name, { says, words = [], options, takesSettings }]) => ({
    name,
    says,
    words: name === 'call' ? CATALOG.map((tool) => tool.name) : words,
    next: NEXT[name] ?? {},
    flags: [...flagsOf(options), ...help, ...(takesSettings ? [...flagsOf(SOURCE_OPTIONS), ...settings] : [])],
  }));
}

export const completion: Command = {
  about: `usage: fareclerk completion bash|zsh|fish

Prints a completion script: commands, their options, the settings as flags, and
the names of tools and their inputs after \`call\`.

  fareclerk completion bash >> ~/.bashrc
  fareclerk completion zsh > "\${fpath[1]}/_fareclerk"
  fareclerk completion fish > ~/.config/fish/completions/fareclerk.fish
`,
  async run(argv, terminal) {
    const [shell = ''] = readArguments(argv, COMMANDS.completion).positionals;
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (write === undefined) throw new UsageError('completion: expected bash, zsh or fish.');
    terminal.stdout.write(write(knownCommands()));
    return 0;
  },
};
