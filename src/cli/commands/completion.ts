/**
 * `fareclerk completion`: a completion script for a shell, made from the commands, their help and the settings, so that
 * it knows what this very version knows.
 */

import { UsageError } from '../../config/load.ts';
import { ABOUT, choicesOf, flagOf, SETTING_NAMES } from '../../config/settings.ts';
import type { Dialect } from '../../sandbox/dialects.ts';
import { CATALOG } from '../../tools/index.ts';
import { bash } from '../completion-scripts/bash.ts';
import { fish } from '../completion-scripts/fish.ts';
import type { Flag, Known, KnownCommand } from '../completion-scripts/known.ts';
import { zsh } from '../completion-scripts/zsh.ts';
import { HOST_NAMES } from '../init/hosts.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMANDS } from './index.ts';

const SHELLS: Readonly<Record<string, (known: Known) => string>> = { bash, zsh, fish };

/** A command's own options stand in its help, indented by two: `  --limit N   how many list shows (50)`. */
const OPTION = /^ {2}(--[a-z][a-z-]*)(?:, (--[a-z][a-z-]*))?( [A-Z][A-Z-]*)? {2,}(\S.*)$/gm;
/** Where the options end and the list of settings begins. */
const SETTINGS = '\nSettings (';

/** What an option says goes on in lines set further in. */
const CONTINUED = /\n {6,}(?=\S)/g;

/** Words that may follow an option, where its help cannot be asked for them. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'init --host': HOST_NAMES,
  'sandbox --dialect': ['rail', 'airline'] satisfies readonly Dialect[],
};

export function optionsIn(help: string): readonly Flag[] {
  const [own = ''] = help.split(SETTINGS);
  return [...own.replaceAll(CONTINUED, ' ').matchAll(OPTION)].flatMap(([, name = '', other, value, says = '']) =>
    [name, ...(other === undefined ? [] : [other])].map((each) => ({
      name: each,
      says: says.trim(),
      ...(value !== undefined && { value: value.trim() }),
    })),
  );
}

function settingFlags(): readonly Flag[] {
  return SETTING_NAMES.filter((name) => ABOUT[name].secret === undefined).map((name) => {
    const { says, yesNo } = ABOUT[name];
    const choices = choicesOf(name);
    return { name: flagOf(name), says, ...(yesNo ? {} : { value: 'VALUE' }), ...(choices.length > 0 && { choices }) };
  });
}

/** Everything that can be typed. */
export async function knownWords(): Promise<Known> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { says, actions = [], load }]): Promise<KnownCommand> => {
      const { help } = await load();
      const words = name === 'call' ? CATALOG.map((tool) => tool.name) : actions;
      const flags = optionsIn(help).map((flag) => {
        const choices = CHOICES[`${name} ${flag.name}`];
        return choices === undefined ? flag : { ...flag, choices };
      });
      return { name, says, words, flags, takesSettings: help.includes(SETTINGS) };
    }),
  );
  return { commands, settings: settingFlags() };
}

export const completion: Command = {
  help: `usage: fareclerk completion bash|zsh|fish

Prints a completion script: commands, their options, the settings as flags, and
the names of tools after \`call\`.

  fareclerk completion bash >> ~/.bashrc
  fareclerk completion zsh > "\${fpath[1]}/_fareclerk"
  fareclerk completion fish > ~/.config/fish/completions/fareclerk.fish
`,
  async run(argv, terminal): Promise<ExitCode> {
    const { positionals } = readArguments(argv, {}, { takesSettings: false, positionals: 1 });
    const [shell = ''] = positionals;
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (write === undefined) throw new UsageError('completion: expected bash, zsh or fish.');
    terminal.stdout.write(write(await knownWords()));
    return 0;
  },
};
