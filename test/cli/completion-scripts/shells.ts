/**
 * The questions of completion.test.ts put to real fish and zsh, where they are installed:
 * `node test/cli/completion-scripts/shells.ts [fish|zsh]`. FISH and ZSH may name the programs; FISH_FUNCTIONS, ZSH_FUNCTIONS and
 * ZSH_MODULES their folders, where they lie elsewhere than they were built for. Tried with fish 3.6 and zsh 5.9.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownCommands } from '../../../src/cli/commands/completion.ts';
import { fish } from '../../../src/cli/completion-scripts/fish.ts';
import { zsh } from '../../../src/cli/completion-scripts/zsh.ts';

/** What is typed, and what is offered then, in the order of the alphabet. */
const QUESTIONS: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['jo', ['journal']],
  ['journal ', ['archive', 'export', 'list', 'reconcile', 'resolve', 'restored', 'show', 'verify']],
  ['journal export --cs', ['--csv']],
  ['call pay', ['pay_booking']],
  ['call --yes pay', ['pay_booking']],
  ['call pay_booking pay', ['payment.holder_name=', 'payment.type=']],
  ['sandbox trigger sold', ['sold-out']],
  ['serve --credentials ', ['both', 'key', 'token']],
  ['serve --credentials=k', ['key']],
  ['serve --base-url ', []],
  ['--port 80 --base', ['--base-url']],
  ['sandbox --dialect ', ['airline', 'rail']],
  ['init --host cl', ['claude-code', 'claude-desktop']],
  ['serve --host cl', []],
  ['demo --', ['--help', '--mishap']],
];

const { FISH = 'fish', FISH_FUNCTIONS, ZSH = 'zsh', ZSH_FUNCTIONS, ZSH_MODULES } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'fareclerk-shells-'));
const env = { ...process.env, HOME: folder };
const file = (name: string): string => join(folder, name);

/** The last word of what is offered: fish repeats `--option=` before a value. */
const bare = (lines: string): readonly string[] =>
  [...new Set(lines.split('\n').map((line) => (line.split('\t')[0] ?? '').replace(/^--[a-z-]+=/, '')))]
    .filter((word) => word !== '')
    .sort();

function askFish(typed: string): readonly string[] {
  const functions = FISH_FUNCTIONS === undefined ? '' : `set fish_function_path '${FISH_FUNCTIONS}';`;
  const program = `${functions} source '${file('fareclerk.fish')}'; complete -C 'fareclerk ${typed}'`;
  return bare(execFileSync(FISH, ['--no-config', '-c', program], { env, encoding: 'utf8' }));
}

/** An interactive zsh in a terminal of its own; a second key tells that the first was dealt with. */
function askZsh(typed: string): readonly string[] {
  const modules = ZSH_MODULES === undefined ? '' : `module_path=('${ZSH_MODULES}')`;
  const functions = ZSH_FUNCTIONS === undefined ? '$fpath' : `'${ZSH_FUNCTIONS}'/**/*(/N) '${ZSH_FUNCTIONS}'`;
  const hits = file('hits');
  writeFileSync(hits, '');
  writeFileSync(
    file('setup.zsh'),
    `${modules}
fpath=('${folder}' ${functions})
autoload -Uz compinit; compinit -u -D
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return $?; fi
  local -a found; builtin compadd -A found "$@"; print -l -- $found >> '${hits}'; builtin compadd "$@"
}
told() { print DONE >> '${hits}' }
zle -N told; bindkey '^G' told
print SET >> '${hits}'
`,
  );
  writeFileSync(
    file('ask.zsh'),
    `${modules}
zmodload zsh/zpty
zpty shell '${ZSH}' -f -i
zpty -w shell "source '${file('setup.zsh')}'"
until [[ $(<'${hits}') == *SET* ]]; do zpty -r -t shell drained; done
zpty -w -n shell 'fareclerk ${typed}'$'\\t\\a'
until [[ $(<'${hits}') == *DONE* ]]; do zpty -r -t shell drained; done
zpty -d shell
cat '${hits}'
`,
  );
  const lines = execFileSync(ZSH, ['-f', file('ask.zsh')], { env, encoding: 'utf8', timeout: 20_000 });
  return bare(lines).filter((word) => word !== 'SET' && word !== 'DONE');
}

const known = knownCommands();
writeFileSync(file('fareclerk.fish'), fish(known));
writeFileSync(file('_fareclerk'), zsh(known));
const SHELLS = { fish: askFish, zsh: askZsh };
for (const [shell, ask] of Object.entries(SHELLS)) {
  if (process.argv.length > 2 && !process.argv.includes(shell)) continue;
  for (const [typed, offered] of QUESTIONS) {
    const got = ask(typed);
    const right = JSON.stringify(got) === JSON.stringify(offered);
    if (!right) process.exitCode = 1;
    process.stdout.write(
      `${shell.padEnd(4)}  ${right ? 'ok   ' : 'WRONG'}  fareclerk ${typed}${right ? '' : `  -> ${got.join(' ')}`}\n`,
    );
  }
}
