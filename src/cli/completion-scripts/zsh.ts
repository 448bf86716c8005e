import { type Flag, inQuotes, type KnownCommand, wantsFile } from './known.ts';

const quoted = (text: string): string => inQuotes(text, `'\\''`);
/** Escapes what _arguments and _describe would read as syntax in a description. */
const plain = (text: string): string => text.replace(/[\\[\]:]/g, (sign) => `\\${sign}`);

function argument(flag: Flag): string {
  const { name, says, value, choices } = flag;
  const values = choices === undefined ? (wantsFile(flag) ? '_files' : ' ') : `(${choices.join(' ')})`;
  const after = value === undefined ? '' : `:${value.toLowerCase()}:${values}`;
  // `--port 1` and `--port=1` alike.
  return quoted(`${name}${value === undefined ? '' : '='}[${plain(says)}]${after}`);
}

/** What follows the first word of a command; after an option its value may be typed. */
function following(next: KnownCommand['next']): string {
  const arms = Object.entries(next).map(([first, words]) => `${first}) compadd -S '' -- ${words.join(' ')}; return ;;`);
  if (arms.length === 0) return '';
  const lines = [
    'if (( CURRENT > 2 )) && [[ $words[CURRENT] != -* && $words[CURRENT-1] != -* ]]; then',
    'case $words[2] in',
  ];
  return `${[...lines, ...arms, 'esac', 'fi'].map((line) => `      ${line}`).join('\n')}\n`;
}

function branch({ name, words, next, flags }: KnownCommand): string {
  const first = words.length === 0 ? [] : [quoted(`1:${name}:(${words.join(' ')})`)];
  const lines = [...first, ...flags.map(argument)].map((line) => `      ${line}`);
  return `    ${name})\n${following(next)}      _arguments \\\n${lines.join(' \\\n')} ;;`;
}

/** A file named _fareclerk in a folder of $fpath, or a script to source after compinit. */
export function zsh(commands: readonly KnownCommand[]): string {
  const names = commands.map(({ name, says }) => `    ${quoted(`${name}:${plain(says)}`)}`);
  return `#compdef fareclerk
# zsh completion of fareclerk
_fareclerk() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command=serve
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${commands.map(branch).join('\n')}
  esac
}
if [ "$funcstack[1]" = _fareclerk ]; then _fareclerk "$@"; else compdef _fareclerk fareclerk; fi
`;
}
