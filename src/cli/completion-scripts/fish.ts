import { type Flag, inQuotes, type KnownCommand, wantsFile } from './known.ts';

const quoted = (text: string): string => inQuotes(text.replaceAll('\\', '\\\\'), `\\'`);

function rule(when: string, flag: Flag): string {
  const { name, says, value, choices } = flag;
  const words = choices === undefined ? '' : ` -a ${quoted(choices.join(' '))}`;
  const takes = value === undefined ? '' : wantsFile(flag) ? ' -r -F' : ` -x${words}`;
  return `complete -c fareclerk -n ${quoted(when)} -l ${name.slice(2)}${takes} -d ${quoted(says)}`;
}

function rules({ name, words, next, flags }: KnownCommand): readonly string[] {
  const first =
    words.length === 0
      ? []
      : [`complete -c fareclerk -n ${quoted(`__fareclerk_first ${name}`)} -a ${quoted(words.join(' '))}`];
  const following = Object.entries(next).map(
    ([word, after]) =>
      `complete -c fareclerk -n ${quoted(`__fareclerk_after ${name} ${word}`)} -a ${quoted(after.join(' '))}`,
  );
  return [...first, ...following, ...flags.map((flag) => rule(`__fareclerk_is ${name}`, flag))];
}

/** Finds the command among the words typed. Without one the options are those of `serve`, the default command. */
const functions = (names: readonly string[]) => `function __fareclerk_words -d 'what was typed besides options'
    set -l seen 0
    for word in (commandline -opc)[2..-1]
        if contains -- $word ${names.join(' ')}
            set seen 1
        end
        if test $seen -eq 1; and not string match -q -- '-*' $word
            echo $word
        end
    end
end
function __fareclerk_none
    test (count (__fareclerk_words)) -eq 0
end
function __fareclerk_is -a name
    set -l words (__fareclerk_words) serve
    test $words[1] = $name
end
function __fareclerk_first -a name
    set -l words (__fareclerk_words)
    test (count $words) -eq 1; and test $words[1] = $name
end
function __fareclerk_after -a name first
    set -l words (__fareclerk_words)
    test (count $words) -ge 2; and test $words[1] = $name; and test $words[2] = $first
end`;

/** Fish 3.0 and later. */
export function fish(commands: readonly KnownCommand[]): string {
  const names = commands.map(
    ({ name, says }) => `complete -c fareclerk -n __fareclerk_none -a ${name} -d ${quoted(says)}`,
  );
  return `# fish completion of fareclerk
${functions(commands.map(({ name }) => name))}
complete -c fareclerk -f
${[...names, ...commands.flatMap(rules)].join('\n')}
`;
}
