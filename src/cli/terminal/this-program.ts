/** Writes command lines that start this program again: for a host, or for a person who types `fareclerk`. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import type { Config } from '../../config/load.ts';
import { own } from '../../core/own.ts';
import { VERSION } from '../../core/version.ts';
import type { Terminal } from './command.ts';
import { COMMANDS } from './command-table.ts';

/** How this process was started. */
export type Started = Pick<Terminal, 'execPath' | 'argv' | 'env'>;

const PACKAGE = 'fareclerk';
/** Where npx installs a program, and may remove it. */
const NPX_FOLDER = /[/\\]_npx[/\\]/;

/** How a host starts this program: with npx if npx installed it, else with Node and absolute paths. */
export function startCommand(started: Pick<Started, 'execPath' | 'argv'>): readonly [string, ...string[]] {
  const file = lastingFile(started);
  return file === undefined ? ['npx', '-y', `${PACKAGE}@${VERSION}`] : [started.execPath, file];
}

/**
 * Rewrites the commands in a text of our own, such as `fareclerk doctor` in backticks, so that each runs here as it is shown.
 * @param config the settings that the commands must read; without it nothing is said about settings
 */
export function typedCommands(started: Started, config?: Config): (text: string) => string {
  const { flags, remark } = config === undefined ? NO_SETTINGS : settingsSource(config);
  return (text) =>
    text.replace(/`fareclerk (\w[^`]*)`/g, (_, words: string) => {
      const line = `${typedProgram(started)} ${words}`;
      const [name = ''] = words.split(/\W/, 1);
      return own(COMMANDS, name)?.takesSettings ? `\`${line}${flags}\`${remark}` : `\`${line}\``;
    });
}

/** Writes a command line of this program, such as `fareclerk forget --yes`, as a person types it, with the flags of the settings. */
export function typedLine(started: Started, config: Config, words: string): string {
  return words.replace(/^fareclerk/, () => typedProgram(started)) + settingsSource(config).flags;
}

/**
 * The program as a person types it in a terminal:
 *
 * | how it was started                                   | what the person types       |
 * | ---------------------------------------------------- | --------------------------- |
 * | npx, from the registry                               | `npx -y fareclerk@VERSION`  |
 * | npx, in the clone where the person is                | `npx fareclerk`             |
 * | as a program of the PATH                             | `fareclerk`                 |
 * | Node and a file, or as a server of the clone         | `node FILE`                 |
 */
export function typedProgram(started: Started): string {
  const { argv, execPath, env } = started;
  const startedFile = argv[1] ?? PACKAGE;
  const file = lastingFile(started);
  if (file === undefined) return startCommand(started).join(' ');
  if (NPX_FOLDER.test(startedFile) && isCurrentProject(file) && !isServer(argv)) return `npx ${PACKAGE}`;

  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  if (isOnPath(startedFile, folders)) return PACKAGE;

  const node = basename(execPath);
  const hasNode = folders.some((folder) => existsSync(join(folder, node)));
  return `${shellWord(hasNode ? node : execPath)} ${shellWord(file)}`;
}

/** Whether the file is of the project in whose folder the person is. */
function isCurrentProject(file: string): boolean {
  return `${process.cwd()}${sep}`.startsWith(`${dirname(dirname(file))}${sep}`);
}

/** Whether this process is a server. Who reads its words is at another terminal, in any folder. */
function isServer([, , command = 'serve']: readonly string[]): boolean {
  return command === 'serve' || command.startsWith('-');
}

function isOnPath(startedFile: string, folders: readonly string[]): boolean {
  // npx puts the folder of a project's programs on its own PATH only.
  if (startedFile.split(/[/\\]/).includes('node_modules')) return false;
  return basename(startedFile) === PACKAGE && folders.includes(dirname(startedFile));
}

/** The file that runs; undefined if npx installed it, and may remove it. */
function lastingFile({ argv }: Pick<Started, 'argv'>): string | undefined {
  const startedFile = argv[1] ?? PACKAGE;
  const file = NPX_FOLDER.test(startedFile) ? linkTarget(startedFile) : startedFile;
  return NPX_FOLDER.test(file) ? undefined : file;
}

/** Follows the link by which `npx` in a clone starts the clone. */
function linkTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Puts a word in quotation marks if a shell would split or change it. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

const NO_SETTINGS = { flags: '', remark: '' };

/** Flags that make a command read these settings, and what a person must add where flags cannot say it. */
function settingsSource({ origin, environment, state }: Config): { readonly flags: string; readonly remark: string } {
  if (origin.from === 'profile') return { flags: ` --profile ${origin.profile}`, remark: '' };
  if (environment !== 'sandbox' || state.databaseUrl !== undefined)
    return { flags: '', remark: " (with the server's FARECLERK_ settings)" };
  const folder = state.isDefault ? '' : ` --state-dir ${shellWord(dirname(state.directory))}`;
  return { flags: ` --sandbox${folder}`, remark: '' };
}
