/** Describes the hosts that `init` sets up: where each lists its servers, in which format, and what its entries are. */
import { join } from 'node:path';
import { configRoot, homeFolder } from '../../config/folders.ts';
import type { HostName } from '../commands/index.ts';

/** The hosts that also read a file in a project's folder. */
export const PROJECT_HOSTS: readonly HostName[] = ['claude-code', 'vscode', 'cursor', 'codex', 'gemini-cli', 'zed'];

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
  readonly format: 'JSON' | 'TOML';
  /** The field of the file that lists servers by name. */
  readonly field: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers';
  /** The file to change, if there is one. */
  readonly file?: string;
  /** Its entries name their transport: `"type": "stdio"`. */
  readonly namesTransport?: true;
  /** The field of an entry that has the address of a server over HTTP. Absent if its file takes none. */
  readonly addressField?: 'url' | 'httpUrl' | 'serverUrl';
  /** What to do afterwards. */
  readonly afterwards: string;
  /** How a person signs in to a server over HTTP, where the host does not ask by itself. */
  readonly signIn?: string;
}

/** The servers that a text lists, in one of the formats. */
export interface ListedServers {
  /** Our entry. */
  readonly entry: unknown;
  /** How many other servers there are. */
  readonly otherCount: number;
  /**
   * Returns the text with this entry as ours, and every other byte as it was. Undefined if no edit in one place does that: the
   * text lists servers twice, or in a form that takes no further entry.
   */
  with(ours: object): string | undefined;
}

/** The facts of the machine that decide where files are. */
interface HostMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** A project, for its own configuration. */
  readonly project?: string;
}

/** Where each of these is read of: docs/reference/host-sources.md. */
export function describeHost(name: HostName, { env, platform, project }: HostMachine): Host {
  const home = homeFolder(env);
  const settings = configRoot(env, platform);
  const inFolder = project === undefined ? '' : ', in this folder';
  const inProject = 'The file has no secrets, but paths of this machine.';
  const hosts: Readonly<Record<HostName, Host>> = {
    'claude-desktop': {
      label: 'Claude Desktop',
      format: 'JSON',
      field: 'mcpServers',
      file: join(settings, 'Claude', 'claude_desktop_config.json'),
      afterwards: 'Quit Claude Desktop and start it again.',
    },
    'claude-code': {
      label: `Claude Code${inFolder}`,
      format: 'JSON',
      field: 'mcpServers',
      // What `claude mcp add --scope user` writes.
      file: project === undefined ? join(env.CLAUDE_CONFIG_DIR || home, '.claude.json') : join(project, '.mcp.json'),
      namesTransport: true,
      addressField: 'url',
      afterwards:
        project === undefined
          ? 'Start Claude Code, in any folder. `/mcp` there shows fareclerk.'
          : `Start Claude Code in that folder and approve the server. ${inProject}`,
      signIn: 'Sign in with `/mcp` in Claude Code.',
    },
    vscode: {
      label: `VS Code${inFolder}`,
      format: 'JSON',
      field: 'servers',
      file: project === undefined ? join(settings, 'Code', 'User', 'mcp.json') : join(project, '.vscode', 'mcp.json'),
      namesTransport: true,
      addressField: 'url',
      afterwards: 'In VS Code run "MCP: List Servers" and start fareclerk.',
    },
    cursor: {
      label: `Cursor${inFolder}`,
      format: 'JSON',
      field: 'mcpServers',
      file: join(project ?? home, '.cursor', 'mcp.json'),
      addressField: 'url',
      afterwards: 'In Cursor open Settings, MCP, and switch fareclerk on.',
    },
    codex: {
      label: `Codex${inFolder}`,
      format: 'TOML',
      field: 'mcp_servers',
      file: join(
        project === undefined ? env.CODEX_HOME || join(home, '.codex') : join(project, '.codex'),
        'config.toml',
      ),
      addressField: 'url',
      afterwards:
        project === undefined
          ? 'Start Codex again. `/mcp` there shows fareclerk.'
          : `Start Codex in that folder. It reads the file only if you trust the folder. ${inProject}`,
      signIn: 'Sign in with `codex mcp login fareclerk`.',
    },
    'gemini-cli': {
      label: `Gemini CLI${inFolder}`,
      format: 'JSON',
      field: 'mcpServers',
      file: join(project ?? (env.GEMINI_CLI_HOME || home), '.gemini', 'settings.json'),
      addressField: 'httpUrl',
      afterwards:
        project === undefined
          ? 'Start Gemini CLI again. `/mcp` there shows fareclerk.'
          : `Start Gemini CLI in that folder. It reads the file only if you trust the folder. ${inProject}`,
      signIn: 'Sign in with `/mcp auth fareclerk` in Gemini CLI.',
    },
    windsurf: {
      label: 'Windsurf (Devin Desktop), its agent Cascade',
      format: 'JSON',
      field: 'mcpServers',
      file: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      addressField: 'serverUrl',
      afterwards: 'In Windsurf open the MCP servers of Cascade and refresh them.',
    },
    zed: {
      label: `Zed${inFolder}`,
      format: 'JSON',
      field: 'context_servers',
      file:
        project === undefined
          ? join(zedFolder(settings, home, platform), 'settings.json')
          : join(project, '.zed', 'settings.json'),
      addressField: 'url',
      afterwards: 'Zed starts it by itself: Settings, AI, MCP Servers lists fareclerk.',
    },
    generic: {
      label: 'another host: print the lines',
      format: 'JSON',
      field: 'mcpServers',
      addressField: 'url',
      afterwards: "Put these lines into your host's configuration.",
    },
  };
  return hosts[name];
}

/** Zed keeps its settings in `~/.config` on macOS too. */
function zedFolder(settings: string, home: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(settings, 'Zed');
  return join(platform === 'darwin' ? join(home, '.config') : settings, 'zed');
}

/** The entry by which a host starts a program of this machine. */
export function localEntry({ namesTransport, format }: Host, { command, args, env }: HostEntry): object {
  // Codex writes no empty table of variables.
  const variables = format === 'TOML' && Object.keys(env).length === 0 ? {} : { env };
  return { ...(namesTransport && { type: 'stdio' }), command, args, ...variables };
}

/** The entry by which a host reaches a server over HTTP. Undefined if its file takes no address. */
export function remoteEntry({ namesTransport, addressField }: Host, address: string): object | undefined {
  return addressField && { ...(namesTransport && { type: 'http' }), [addressField]: address };
}
