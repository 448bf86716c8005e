/** Opens the page in the person's browser, with `$BROWSER` or the platform's opener, if there is a screen. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface BrowserOpener {
  available(): boolean;
  /** Resolves to true once an opener accepts the address; to false if all fail. */
  open(url: string): Promise<boolean>;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** An opener that still runs after this time, milliseconds, has not failed. */
const FAILS_WITHIN_MS = 1_500;

export type CommandLine = readonly [file: string, ...args: string[]];

export function systemBrowser({ env, platform }: Surroundings = process): BrowserOpener {
  const commands = (url: string) =>
    isSet(env.BROWSER) ? fromVariable(env.BROWSER ?? '', url) : platformCommands(env, platform, url);

  return {
    available: () => commands('about:blank').length > 0,
    async open(url) {
      for (const command of commands(url)) if (await starts(command, env)) return true;
      return false;
    },
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** Reads a list of programs, each of which gets the address. `none` means no browser. */
function fromVariable(list: string, url: string): CommandLine[] {
  const files = list.split(delimiter).map((file) => file.trim());
  return files.filter((file) => file !== '' && file !== 'none').map((file) => [file, url]);
}

function platformCommands(env: Surroundings['env'], platform: NodeJS.Platform, url: string): CommandLine[] {
  if (isSet(env.CI)) return [];

  const isRemote = isSet(env.SSH_CONNECTION) || isSet(env.SSH_TTY);
  if (platform === 'darwin') return isRemote ? [] : [['/usr/bin/open', url]];

  if (platform === 'win32') {
    const rundll = join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe');
    return isRemote ? [] : [[rundll, 'url.dll,FileProtocolHandler', url]];
  }

  // Windows Subsystem for Linux: wslview opens the browser of Windows.
  if (isSet(env.WSL_DISTRO_NAME) && isOnPath('wslview', env)) return [['wslview', url]];

  const hasScreen = isSet(env.DISPLAY) || isSet(env.WAYLAND_DISPLAY);
  return hasScreen && isOnPath('xdg-open', env) ? [['xdg-open', url]] : [];
}

export function isOnPath(file: string, env: Surroundings['env']): boolean {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => {
    try {
      accessSync(join(folder, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the command starts without an early error. It outlives this process and shares no stream with it. */
async function starts([file, ...args]: CommandLine, env: Surroundings['env']): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(file, args, { detached: true, stdio: 'ignore', windowsHide: true, env: { ...env } });
    const timer = setTimeout(() => resolve(true), FAILS_WITHIN_MS);

    const onEnd = (isGood: boolean) => {
      clearTimeout(timer);
      resolve(isGood);
    };

    child.once('error', () => onEnd(false));
    child.once('exit', (code) => onEnd(code === 0));
    child.unref();
  });
}
