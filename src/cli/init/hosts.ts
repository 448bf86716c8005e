/** Describes the hosts that `init` sets up: what adds a server to each, its file, and the entry to paste where nothing does. */
import { join } from 'node:path';
import { configRoot, homeFolder } from '../../config/folders.ts';
import { isObject } from '../../core/own.ts';
import { VERSION } from '../../core/version.ts';
import { type CommandLine, isOnPath } from '../../pages/approval/browser.ts';
import type { Terminal } from '../terminal/command.ts';
import type { HostName } from '../terminal/command-table.ts';

/** Name of our entry among the servers. */
export const SERVER_NAME = 'fareclerk';

/** How a host starts the server. */
export interface StartedServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Host {
  readonly label: string;
  /** The field of the host's file that lists servers by name. That of Codex is TOML, the others are JSON. */
  readonly field: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers';
  /** Where the file is, in words. */
  readonly place: string;
  /** The path of the file, if it is JSON. */
  readonly file?: (env: Terminal['env']) => string;
  /** Its entries name their transport: `"type": "stdio"`. */
  readonly namesTransport?: true;
  /** Its own command lines that add the server. Only the last must succeed. Undefined if it cannot add this server. */
  readonly commands?: (server: StartedServer) => readonly CommandLine[] | undefined;
  /** The host opens such a link, shows the entry, and asks. */
  readonly link?: (entry: object) => string;
  /** It opens the bundle of a release. */
  readonly takesBundle?: true;
  /** What to do afterwards. */
  readonly afterwards: string;
}

/** The sources: docs/reference/host-sources.md. */
export const HOSTS: Readonly<Record<HostName, Host>> = {
  'claude-desktop': {
    label: 'Claude Desktop',
    field: 'mcpServers',
    place: 'the file that Settings, Developer, Edit Config opens',
    file: (env) => join(configRoot(env), 'Claude', 'claude_desktop_config.json'),
    takesBundle: true,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    label: 'Claude Code',
    field: 'mcpServers',
    place: '~/.claude.json',
    // What `claude mcp add --scope user` writes.
    file: (env) => join(env.CLAUDE_CONFIG_DIR || homeFolder(env), '.claude.json'),
    namesTransport: true,
    commands(server) {
      const scope = ['--scope', 'user', SERVER_NAME];
      return [
        // It adds no server under a name that is there.
        ['claude', 'mcp', 'remove', ...scope],
        // `--env` takes all words up to the next option.
        ['claude', 'mcp', 'add', ...variables('--env', server), ...scope, '--', server.command, ...server.args],
      ];
    },
    afterwards: 'Start Claude Code. `/mcp` there shows fareclerk.',
  },
  vscode: {
    label: 'VS Code',
    field: 'servers',
    place: 'the file of the command "MCP: Open User Configuration"',
    file: (env) => join(configRoot(env), 'Code', 'User', 'mcp.json'),
    namesTransport: true,
    commands: (server) => [
      ['code', '--add-mcp', JSON.stringify({ name: SERVER_NAME, ...entryOf(HOSTS.vscode, server) })],
    ],
    afterwards: 'In VS Code run "MCP: List Servers" and start fareclerk.',
  },
  cursor: {
    label: 'Cursor',
    field: 'mcpServers',
    place: '~/.cursor/mcp.json',
    link: (entry) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER_NAME}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`,
    afterwards: 'In Cursor open Settings, MCP, and switch fareclerk on.',
  },
  codex: {
    label: 'Codex',
    field: 'mcp_servers',
    place: '~/.codex/config.toml',
    commands: (server) => [
      ['codex', 'mcp', 'add', SERVER_NAME, ...variables('--env', server), '--', server.command, ...server.args],
    ],
    afterwards: 'Start Codex again. `/mcp` there shows fareclerk.',
  },
  'gemini-cli': {
    label: 'Gemini CLI',
    field: 'mcpServers',
    place: '~/.gemini/settings.json',
    file: (env) => join(env.GEMINI_CLI_HOME || homeFolder(env), '.gemini', 'settings.json'),
    commands(server) {
      const { command, args, env } = server;
      // It cuts a value at its equals sign.
      if (Object.values(env).some((value) => value.includes('='))) return undefined;
      const options = ['--scope', 'user', ...variables('--env', server)];
      return [['gemini', 'mcp', 'add', ...options, SERVER_NAME, command, '--', ...args]];
    },
    afterwards: 'Start Gemini CLI again. `/mcp` there shows fareclerk.',
  },
  windsurf: {
    label: 'Windsurf (Devin Desktop), its agent Cascade',
    field: 'mcpServers',
    place: '~/.codeium/windsurf/mcp_config.json',
    file: (env) => join(homeFolder(env), '.codeium', 'windsurf', 'mcp_config.json'),
    afterwards: 'In Windsurf open the MCP servers of Cascade and refresh them.',
  },
  zed: {
    label: 'Zed',
    field: 'context_servers',
    place: 'the file of the command "zed: open settings file"',
    file: (env) => join(zedFolder(env), 'settings.json'),
    afterwards: 'Zed starts it by itself: Settings, AI, MCP Servers lists fareclerk.',
  },
  generic: {
    label: 'another host: print the lines',
    field: 'mcpServers',
    place: "your host's configuration",
    afterwards: 'Restart your host.',
  },
};

const BUNDLE = `https://github.com/fareclerk/fareclerk/releases/download/v${VERSION}/fareclerk.mcpb`;

/** Zed keeps its settings in `~/.config` on macOS too. */
function zedFolder(env: Terminal['env']): string {
  if (process.platform === 'win32') return join(configRoot(env), 'Zed');
  const root = process.platform === 'darwin' ? join(homeFolder(env), '.config') : configRoot(env);
  return join(root, 'zed');
}

/** The host's own command lines that add the server; none if it has none, or this machine does not have its program. */
export function addingCommands(host: Host, server: StartedServer, env: Terminal['env']): readonly CommandLine[] {
  const commands = host.commands?.(server) ?? [];
  const program = commands[0]?.[0] ?? '';
  return isOnPath(process.platform === 'win32' ? `${program}.exe` : program, env) ? commands : [];
}

/**
 * What a person adds the server with, and how: a link or the bundle of this release. Undefined if the host takes neither.
 * @param settingsFile the profile that the server reads
 */
export function handOver(host: Host, server: StartedServer, settingsFile: string | undefined) {
  const { label, link, takesBundle } = host;
  if (link !== undefined)
    return { says: `Open this link. ${label} shows the entry and asks:`, text: `${link(entryOf(host, server))}\n` };
  const form = takesBundle && bundleForm(server, settingsFile);
  if (form !== undefined)
    return { says: `Download this bundle, and open it with ${label}. ${form}`, text: `${BUNDLE}\n` };
  return undefined;
}

/** Says where the lines go: a second pair of outermost braces would break the file. */
export function placeOfLines({ place, field }: Host): string {
  return field === 'mcp_servers'
    ? `Put these lines into ${place}:`
    : `Merge these lines into ${place}. The file keeps one outermost pair of braces, and its other entries:`;
}

/** The entry in the host's file. */
export function entryOf({ namesTransport }: Host, { command, args, env }: StartedServer): object {
  return { ...(namesTransport && { type: 'stdio' }), command, args, env };
}

/** How the form of the bundle is filled in for this server. Undefined if the bundle would be another program, or lack settings. */
function bundleForm({ command, env }: StartedServer, settingsFile: string | undefined): string | undefined {
  // npx starts what is released. A clone may be ahead of that.
  if (command !== 'npx') return undefined;
  if (settingsFile !== undefined)
    return `In its form enter ${settingsFile} as "File with more settings", and nothing else:`;
  return Object.keys(env).length === 0 ? 'Leave its form empty:' : undefined;
}

const variables = (option: string, { env }: StartedServer): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => [option, `${name}=${value}`]);

/** The entry as a person pastes it, with what surrounds it. */
export function linesToPaste(host: Host, server: StartedServer): string {
  const { field } = host;
  const entry = entryOf(host, server);
  if (field !== 'mcp_servers') return `${JSON.stringify({ [field]: { [SERVER_NAME]: entry } }, undefined, 2)}\n`;
  const rows = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}\n`);
  return `[${field}.${SERVER_NAME}]\n${rows.join('')}`;
}

/** A text and a list of texts are written as in JSON, but for one more character to escape. */
function tomlValue(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key} = ${tomlValue(inner)}`)
    .join(', ')} }`;
}
