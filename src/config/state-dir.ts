/**
 * The platform's folder for state: `$XDG_STATE_HOME` (XDG Base Directory Specification), Application Support on macOS,
 * %LOCALAPPDATA% on Windows.
 */
import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';
import type { EnvironmentVariables } from './source.ts';

export function defaultStateDir(
  env: EnvironmentVariables,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') {
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'fareclerk');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'fareclerk');
  const state = env.XDG_STATE_HOME;
  // The specification says to ignore a relative path.
  return posix.join(state?.startsWith('/') ? state : posix.join(home, '.local', 'state'), 'fareclerk');
}

/** An absolute path. `~/` is the home folder, because no shell expands it in a host's settings. */
export function pathOf(set: string): string {
  return resolve(/^~[/\\]/.test(set) ? join(homedir(), set.slice(2)) : set);
}

/** The folder that is set, or the platform's. */
export function stateRoot(set: string | undefined, env: EnvironmentVariables): string {
  return set === undefined ? defaultStateDir(env) : pathOf(set);
}
