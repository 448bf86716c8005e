/** Writes command lines that start this program again: for a host, or for a person who types `fareclerk`. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/load.ts';
import { own } from '../../core/own.ts';
import { VERSION } from '../../core/version.ts';
import type { Terminal } from './command.ts';
import { COMMANDS } from './command-table.ts';

/** How this process was started. */
type Started = Pick<Terminal, 'execPath' | 'argv'>;

const PACKAGE = 'fareclerk';
/** Where npx installs a program, and may remove it. */
const NPX_FOLDER = /[/\\]_npx[/\\]/;

/** How a host starts this program: with npx if npx installed it, else with Node and absolute paths. */
export function startCommand(started: Started): readonly [string, ...string[]] {
  const file = lastingFile(started);
  return file === undefined ? ['npx', '-y', `${PACKAGE}@${VERSION}`] : [started.execPath, file];
}

/** Adds the flags to the commands in a text of our own, such as `fareclerk doctor` in backticks, that make them read these settings. */
export function withSettings(config: Config): (text: string) => string {
  const { flags, remark } = settingsSource(config);
  return (text) =>
    text.replace(/`fareclerk (\w[^`]*)`/g, (shown, words: string) => {
      const [name = ''] = words.split(/\W/, 1);
      return own(COMMANDS, name)?.takesSettings ? `\`fareclerk ${words}${flags}\`${remark}` : shown;
    });
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

/** Flags that make a command read these settings, and what a person must add where flags cannot say it. */
function settingsSource({ origin, environment, state }: Config): { readonly flags: string; readonly remark: string } {
  if (origin.from === 'profile') return { flags: ` --profile ${origin.profile}`, remark: '' };
  if (environment !== 'sandbox' || state.databaseUrl !== undefined)
    return { flags: '', remark: " (with the server's FARECLERK_ settings)" };
  const folder = state.isDefault ? '' : ` --state-dir ${shellWord(dirname(state.directory))}`;
  return { flags: ` --sandbox${folder}`, remark: '' };
}
