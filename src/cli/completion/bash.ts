import { flagsOf, type Known, wantsFile } from './known.ts';

/** Bash 3.2 and later (macOS has that one), with or without bash-completion. */
export function bash(known: Known): string {
  const { commands } = known;
  const names = commands.map(({ name }) => name);
  const flags = new Map(commands.flatMap((command) => flagsOf(command, known)).map((flag) => [flag.name, flag]));
  const arms = [...flags.values()].filter(({ value }) => value !== undefined);
  const files = arms.filter(wantsFile).map(({ name }) => name);
  const choices = arms.filter((flag) => flag.choices !== undefined && !wantsFile(flag));
  const others = arms.filter((flag) => flag.choices === undefined && !wantsFile(flag)).map(({ name }) => name);
  const cases = commands.map((command) => {
    const own = flagsOf(command, known).map(({ name }) => name);
    return `    ${command.name}) words='${command.words.join(' ')}' flags='${own.join(' ')}' ;;`;
  });
  return `# bash completion of fareclerk
_fareclerk() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= given=0 i words= flags=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    -*) ;;
    *) if [ -z "$command" ]; then command=\${COMP_WORDS[i]}; else given=1; fi ;;
    esac
  done
  COMPREPLY=()
  case $prev in
${arm(files, 'COMPREPLY=($(compgen -f -- "$cur"))')}${choices.map((flag) => arm([flag.name], `COMPREPLY=($(compgen -W '${flag.choices?.join(' ')}' -- "$cur"))`)).join('')}${arm(others, ':')}  esac
  case \${command:-serve} in
${cases.join('\n')}
  esac
  case $cur in
  -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
  *)
    if [ -z "$command" ]; then COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$cur"))
    elif [ "$given" -eq 0 ]; then COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi ;;
  esac
}
complete -F _fareclerk fareclerk
`;
}

/** After one of these flags its value is completed, and nothing else. */
function arm(flags: readonly string[], act: string): string {
  return flags.length === 0 ? '' : `  ${flags.join('|')}) ${act}; return ;;\n`;
}
