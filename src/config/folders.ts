/** Finds the platform's folders for state and settings, and makes paths of settings absolute. */
import { homedir } from 'node:os';
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';
import { badSetting } from './problem.ts';
import type { EnvironmentVariables } from './settings.ts';

/** `$XDG_STATE_HOME` (XDG Base Directory Specification), Application Support on macOS, %LOCALAPPDATA% on Windows. */
export function defaultStateDir(env: EnvironmentVariables): string {
  if (process.platform === 'win32')
    return win32.join(env.LOCALAPPDATA || win32.join(homeFolder(env), 'AppData', 'Local'), 'fareclerk');
  if (process.platform === 'darwin') return posix.join(homeFolder(env), 'Library', 'Application Support', 'fareclerk');
  const state = env.XDG_STATE_HOME;
  // The specification says to ignore a relative path.
  return posix.join(state?.startsWith('/') ? state : posix.join(homeFolder(env), '.local', 'state'), 'fareclerk');
}

/** The folder for settings of applications: XDG on Linux, Application Support on macOS, %APPDATA% on Windows. */
export function configRoot(env: EnvironmentVariables): string {
  if (process.platform === 'win32') return env.APPDATA || join(homeFolder(env), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homeFolder(env), 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homeFolder(env), '.config');
}

/**
 * The home folder of this user.
 * @throws SettingsError if there is none, as in containers, or it is relative: that would be another in each folder
 */
export function homeFolder(env: EnvironmentVariables = {}): string {
  const home = env.HOME || env.USERPROFILE || homeOfAccount();
  if (isAbsolute(home)) return home;
  const expected = 'the path of a folder; or FARECLERK_STATE_DIR and FARECLERK_WITNESS_DIR, which need no home folder';
  throw badSetting('HOME', 'is not set to an absolute path, and this user has no home folder.', expected);
}

function homeOfAccount(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** Makes the path of a setting absolute. Expands `~/`, because no shell does so in the settings of a host. */
export function absolutePath(path: string): string {
  return resolve(/^~[/\\]/.test(path) ? join(homeFolder(), path.slice(2)) : path);
}

/** The folder that FARECLERK_STATE_DIR names, or the platform's. */
export function stateRoot(setting: string | undefined, env: EnvironmentVariables): string {
  return setting === undefined ? defaultStateDir(env) : absolutePath(setting);
}
