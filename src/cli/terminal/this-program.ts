/** How to start this program again: for a host's configuration, and for the commands that texts name. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import type { Config } from '../../config/load.ts';
import { VERSION } from '../../version.ts';
import type { Terminal } from '../commands/command.ts';
import { COMMANDS } from '../commands/index.ts';

type Started = Pick<Terminal, 'execPath' | 'argv' | 'env'>;

const PACKAGE = 'fareclerk';
const BROUGHT = /[/\\]_npx[/\\]/;

/** Follows the link by which `npx` in a clone starts the clone. */
function linked(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The file that runs; undefined if npx installed it and may remove it. */
function startedFile({ argv }: Pick<Started, 'argv'>): string | undefined {
  const started = argv[1] ?? PACKAGE;
  const file = BROUGHT.test(started) ? linked(started) : started;
  return BROUGHT.test(file) ? undefined : file;
}

/** Program and first arguments: with npx if npx installed it, else with Node and absolute paths. */
export function startWords(started: Pick<Started, 'execPath' | 'argv'>): readonly [string, ...string[]] {
  const file = startedFile(started);
  return file === undefined ? ['npx', '-y', `${PACKAGE}@${VERSION}`] : [started.execPath, file];
}

const isOnPath = (name: string, { env }: Started): boolean =>
  (env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));

/** The same as a person types it in a terminal. */
function typedProgram(started: Started): string {
  const first = started.argv[1] ?? PACKAGE;
  const file = startedFile(started);
  if (file === undefined) return startWords(started).join(' ');
  const isHere = `${process.cwd()}${sep}`.startsWith(`${dirname(dirname(file))}${sep}`);
  if (BROUGHT.test(first) && isHere) return `npx ${PACKAGE}`;
  const isCommand = basename(first) === PACKAGE && (started.env.PATH ?? '').split(delimiter).includes(dirname(first));
  // npx puts the folder of a project's programs on its own PATH only.
  if (isCommand && !first.includes('node_modules')) return PACKAGE;
  const node = isOnPath(basename(started.execPath), started) ? basename(started.execPath) : started.execPath;
  return `${quoted(node)} ${quoted(file)}`;
}

/** For a shell. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Flags that make a command read these settings, and what a person must add where flags cannot say it. */
function sourceWords({ origin, environment, state }: Config): readonly [string, string] {
  if (origin.from === 'profile') return [` --profile ${origin.profile}`, ''];
  if (environment !== 'sandbox' || state.databaseUrl !== undefined)
    return ['', " (with the server's FARECLERK_ settings)"];
  return [state.isDefault ? ' --sandbox' : ` --sandbox --state-dir ${quoted(dirname(state.directory))}`, ''];
}

/**
 * Rewrites the commands in a text of our own, such as `fareclerk doctor` in backticks, so that each runs here as it is shown.
 * @param config what they are about; without it nothing is said about settings
 */
export function typedCommands(started: Started, config?: Config): (text: string) => string {
  const [flags, more] = config === undefined ? ['', ''] : sourceWords(config);
  return (text) =>
    text.replace(/`fareclerk ((\w+)[^`]*)`/g, (_, words: string, command: string) => {
      const takes = Object.entries(COMMANDS).some(([name, { takesSettings }]) => name === command && takesSettings);
      return `\`${typedProgram(started)} ${words}${takes ? flags : ''}\`${takes ? more : ''}`;
    });
}

/** The command line that runs now, without some of its flags and their values, and with others at its end. */
export function sameCommand(started: Started, without: readonly string[], flags: string): string {
  const words = started.argv.slice(2).filter((word, at, all) => {
    const [flag = ''] = word.split('=');
    return !without.includes(flag) && !without.includes(all[at - 1] ?? '');
  });
  return [typedProgram(started), ...words.map(quoted), flags].join(' ');
}
