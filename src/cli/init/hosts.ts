/** Describes the hosts that can start this server. */
import { join } from 'node:path';
import { configRoot, homeFolder } from '../../config/folders.ts';

export const HOST_NAMES = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'generic'] as const;
/** The hosts that also read a file in a project's folder. */
export const PROJECT_HOSTS: readonly HostName[] = ['claude-code', 'vscode', 'cursor'];
export type HostName = (typeof HOST_NAMES)[number];

/** Name of our entry among the servers. */
export const SERVER_NAME = 'fareclerk';

/** How a host starts the server. */
export interface HostEntry {
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
  readonly namesTransport?: true;
  /** What to do afterwards. */
  readonly afterwards: string;
}

/** The facts of the machine that decide where files are. */
interface HostMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** A project, for its own configuration. */
  readonly project?: string;
}

export function describeHost(name: HostName, { env, platform, project }: HostMachine): Host {
  const home = homeFolder(env);
  const settings = configRoot(env, platform);
  const inFolder = project === undefined ? '' : ', in this folder';
  const hosts: Readonly<Record<HostName, Host>> = {
    'claude-desktop': {
      label: 'Claude Desktop',
      field: 'mcpServers',
      file: join(settings, 'Claude', 'claude_desktop_config.json'),
      afterwards: 'Quit Claude Desktop and start it again.',
    },
    'claude-code': {
      label: `Claude Code${inFolder}`,
      field: 'mcpServers',
      // What `claude mcp add --scope user` writes.
      file: project === undefined ? join(env.CLAUDE_CONFIG_DIR || home, '.claude.json') : join(project, '.mcp.json'),
      namesTransport: true,
      afterwards:
        project === undefined
          ? 'Start Claude Code, in any folder. `/mcp` there shows fareclerk.'
          : 'Start Claude Code in that folder and approve the server. The file has no secrets, but paths of this machine.',
    },
    vscode: {
      label: `VS Code${inFolder}`,
      field: 'servers',
      file: project === undefined ? join(settings, 'Code', 'User', 'mcp.json') : join(project, '.vscode', 'mcp.json'),
      namesTransport: true,
      afterwards: 'In VS Code run "MCP: List Servers" and start fareclerk.',
    },
    cursor: {
      label: `Cursor${inFolder}`,
      field: 'mcpServers',
      file: join(project ?? home, '.cursor', 'mcp.json'),
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
