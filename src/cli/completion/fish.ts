import { type Flag, flagsOf, inQuotes, type Known, type KnownCommand, wantsFile } from './known.ts';

const quoted = (text: string): string => inQuotes(text.replaceAll('\\', '\\\\'), `\\'`);

function rule(when: string, flag: Flag): string {
  const { name, says, value, choices } = flag;
  const words = choices === undefined ? '' : ` -a ${quoted(choices.join(' '))}`;
  const takes = value === undefined ? '' : wantsFile(flag) ? ' -r -F' : ` -x${words}`;
  return `complete -c fareclerk -n ${quoted(when)} -l ${name.slice(2)}${takes} -d ${quoted(says)}`;
}

function rules(command: KnownCommand, known: Known): readonly string[] {
  const { name, words } = command;
  const when = `__fish_seen_subcommand_from ${name}`;
  const first =
    words.length === 0
      ? []
      : [
          `complete -c fareclerk -n ${quoted(`${when}; and not __fish_seen_subcommand_from ${words.join(' ')}`)} -a ${quoted(words.join(' '))}`,
        ];
  return [...first, ...flagsOf(command, known).map((flag) => rule(when, flag))];
}

export function fish(known: Known): string {
  const commands = known.commands.map(
    ({ name, says }) => `complete -c fareclerk -n __fish_use_subcommand -a ${name} -d ${quoted(says)}`,
  );
  return `# fish completion of fareclerk
complete -c fareclerk -f
${[...commands, ...known.commands.flatMap((command) => rules(command, known))].join('\n')}
`;
}
