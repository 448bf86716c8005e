/**
 * Where each host keeps its list of servers, and the form of an entry in it. A host without a file gets printed lines.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

export const HOST_NAMES = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'generic'] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** How a host starts the server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Host {
  readonly label: string;
  /** The field of the file that lists servers by name. */
  readonly field: 'mcpServers' | 'servers';
  /** The file to change, if there is one. */
  readonly file?: string;
  /** Its entries name their transport: `"type": "stdio"`. */
  readonly typed?: true;
  /** What to do afterwards. */
  readonly afterwards: string;
}

/** The facts of the machine that decide where files are. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The current folder, for a project's own configuration. */
  readonly folder: string;
}

/** The folder of applications' settings: XDG on Linux, Application Support, %APPDATA%. */
function settingsFolder({ env, platform }: Place, home: string): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
}

/** @param project uses the current folder, for hosts that read it */
export function hostOf(name: HostName, place: Place, project: boolean): Host {
  const { env, folder } = place;
  const home = env.HOME || env.USERPROFILE || homedir();
  const settings = settingsFolder(place, home);
  const here = project ? ', in this folder' : '';
  const hosts: Readonly<Record<HostName, Host>> = {
    'claude-desktop': {
      label: 'Claude Desktop',
      field: 'mcpServers',
      file: join(settings, 'Claude', 'claude_desktop_config.json'),
      afterwards: 'Quit Claude Desktop and start it again.',
    },
    'claude-code': {
      label: 'Claude Code, in this folder',
      field: 'mcpServers',
      file: join(folder, '.mcp.json'),
      typed: true,
      afterwards:
        'Start Claude Code in this folder and approve the server. You can share the file: it has no secrets, but it has paths of this machine.',
    },
    vscode: {
      label: `VS Code${here}`,
      field: 'servers',
      file: project ? join(folder, '.vscode', 'mcp.json') : join(settings, 'Code', 'User', 'mcp.json'),
      typed: true,
      afterwards: 'In VS Code run "MCP: List Servers" and start fareclerk.',
    },
    cursor: {
      label: `Cursor${here}`,
      field: 'mcpServers',
      file: join(project ? folder : home, '.cursor', 'mcp.json'),
      afterwards: 'In Cursor open Settings, MCP, and switch fareclerk on.',
    },
    generic: {
      label: 'another host: print the lines',
      field: 'mcpServers',
      afterwards: "Put these lines into your host's configuration.",
    },
  };
  return hosts[name];
}
