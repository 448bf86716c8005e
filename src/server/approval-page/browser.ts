/**
 * Opens the page in the person's browser: `$BROWSER`, else the platform's own opener, and only where somebody can look.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface BrowserOpener {
  /** Whether there is a browser to open, and a screen to open it on. */
  available(): boolean;
  /** True once an opener has taken the address; false where all of them failed. */
  open(url: string): Promise<boolean>;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** An opener that is still running after this long has not failed, milliseconds. */
const FAILS_WITHIN_MS = 1_500;

type CommandLine = readonly [file: string, ...args: string[]];

export function systemBrowser({ env, platform }: Surroundings = process): BrowserOpener {
  const commands = (url: string) =>
    set(env.BROWSER) ? fromVariable(env.BROWSER ?? '', url) : ofPlatform(env, platform, url);
  return {
    available: () => commands('about:blank').length > 0,
    async open(url) {
      for (const command of commands(url)) if (await starts(command, env)) return true;
      return false;
    },
  };
}

function set(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** A list of commands, each with `%s` for the address or else with the address at its end. `none` means none. */
function fromVariable(list: string, url: string): CommandLine[] {
  return list.split(delimiter).flatMap((entry): CommandLine[] => {
    const [file, ...args] = words(entry);
    if (file === undefined || file === 'none') return [];
    const filled = args.map((arg) => arg.replace(/%[s%]/g, (sign) => (sign === '%s' ? url : '%')));
    return [[file, ...filled, ...(args.some((arg) => /(?<!%)%s/.test(arg)) ? [] : [url])]];
  });
}

/** Splits at spaces outside quotation marks. No shell ever sees it. */
function words(entry: string): string[] {
  const found = entry.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function ofPlatform(env: Surroundings['env'], platform: NodeJS.Platform, url: string): CommandLine[] {
  if (set(env.CI)) return [];
  const remote = set(env.SSH_CONNECTION) || set(env.SSH_TTY);
  if (platform === 'darwin') return remote ? [] : [['/usr/bin/open', url]];
  if (platform === 'win32') {
    const rundll = join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe');
    return remote ? [] : [[rundll, 'url.dll,FileProtocolHandler', url]];
  }
  // Windows Subsystem for Linux: the screen is Windows', and wslview hands over to it.
  if (set(env.WSL_DISTRO_NAME) && onPath('wslview', env)) return [['wslview', url]];
  const screen = set(env.DISPLAY) || set(env.WAYLAND_DISPLAY);
  return screen && onPath('xdg-open', env) ? [['xdg-open', url]] : [];
}

function onPath(file: string, env: Surroundings['env']): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    if (folder === '') return false;
    try {
      accessSync(join(folder, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the command starts, and does not end at once in an error. It outlives us and shares no stream with us. */
async function starts([file, ...args]: CommandLine, env: Surroundings['env']): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(file, args, { detached: true, stdio: 'ignore', windowsHide: true, env: { ...env } });
    const running = setTimeout(() => resolve(true), FAILS_WITHIN_MS);
    const ended = (good: boolean) => {
      clearTimeout(running);
      resolve(good);
    };
    child.once('error', () => ended(false));
    child.once('exit', (code) => ended(code === 0));
    child.unref();
  });
}
