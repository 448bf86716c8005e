import { type Flag, type KnownCommand, wantsFile } from './known.ts';

/** Bash 3.2 and later (macOS has that one), with or without bash-completion. */
export function bash(commands: readonly KnownCommand[]): string {
  const names = commands.map(({ name }) => name);
  const arms = commands.flatMap(valued);
  const cases = commands.map(
    ({ name, words, flags }) =>
      `    ${name}) words='${words.join(' ')}' flags='${flags.map((flag) => flag.name).join(' ')}' ;;`,
  );
  return `# bash completion of fareclerk
_fareclerk() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= first= given=0 value=0 i words= flags=
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i-1]}" = = ] && continue
    case \${COMP_WORDS[i]} in
    -* | =) ;;
    ${names.join(' | ')}) if [ -z "$command" ]; then command=\${COMP_WORDS[i]}; else given=1; fi ;;
    *) if [ -n "$command" ]; then first=\${first:-\${COMP_WORDS[i]}} given=1; fi ;;
    esac
  done
  COMPREPLY=()
  # \`--port=1\` arrives as three words.
  if [ "$cur" = = ]; then cur= value=1; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]} value=1; fi
  case "\${command:-serve} $prev" in
${gathered(arms)}  esac
  if [ "$value" -eq 1 ]; then return; fi
  case \${command:-serve} in
${cases.join('\n')}
  esac
  case $cur in
  -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
  *)
    if [ -z "$command" ]; then COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$cur"))
    elif [ "$given" -eq 0 ]; then COMPREPLY=($(compgen -W "$words" -- "$cur"))
    else
      case "$command $first" in
${commands.flatMap(following).join('\n')}
      esac
      case "\${COMPREPLY[*]:-}" in *=) compopt -o nospace 2> /dev/null || : ;; esac
    fi ;;
  esac
}
complete -F _fareclerk fareclerk
`;
}

function following({ name, next }: KnownCommand): readonly string[] {
  return Object.entries(next).map(
    ([first, words]) => `      '${name} ${first}') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")) ;;`,
  );
}

/** Each flag that takes a value, as `command --flag`, and how its value is completed. */
function valued({ name, flags }: KnownCommand): readonly (readonly [pattern: string, act: string])[] {
  return flags.filter(({ value }) => value !== undefined).map((flag) => [`${name}\\ ${flag.name}`, act(flag)]);
}

function act(flag: Flag): string {
  if (flag.choices !== undefined) return `COMPREPLY=($(compgen -W '${flag.choices.join(' ')}' -- "$cur"))`;
  return wantsFile(flag) ? 'COMPREPLY=($(compgen -f -- "$cur"))' : ':';
}

/** One `case` arm for all flags with the same completion. After such a flag only its value is completed. */
function gathered(arms: readonly (readonly [pattern: string, act: string])[]): string {
  const byAct = new Map<string, string[]>();
  for (const [pattern, what] of arms) byAct.set(what, [...(byAct.get(what) ?? []), pattern]);
  return [...byAct].map(([what, patterns]) => `  ${patterns.join('|')}) ${what}; return ;;\n`).join('');
}
