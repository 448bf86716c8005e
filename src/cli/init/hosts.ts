/** Describes the hosts that `init` sets up: what adds a server to each, and the entry to paste where nothing does. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../core/own.ts';
import { VERSION } from '../../core/version.ts';
import { type CommandLine, isOnPath } from '../../pages/approval/browser.ts';
import type { Terminal } from '../terminal/command.ts';
import type { HostName } from '../terminal/command-table.ts';

/** Name of our entry among the servers. */
const SERVER_NAME = 'fareclerk';

/** How a host starts a program of this machine. */
export interface StartedServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a host is connected to: a program that it starts, or a team's server at an address. */
export type ServerToAdd = StartedServer | { readonly url: string };

/** `user`: all projects of this user. `project`: the folder in which the command runs. */
type HostScope = 'user' | 'project';

interface HostFacts {
  readonly label: string;
  /** The field of the host's file that lists servers by name. That of Codex is TOML, the others are JSON. */
  readonly field: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers';
  /** Where the file is. */
  readonly place: string;
  /** The file in a project's folder, if the host reads one. */
  readonly projectFile?: string;
  /** Its entries name their transport: `"type": "stdio"`. */
  readonly namesTransport?: true;
  /** The field of an entry that has the address of a server over HTTP. Absent if its file takes none. */
  readonly addressField?: 'url' | 'httpUrl' | 'serverUrl';
  /** Its own command lines that add the server. Only the last must succeed. Undefined if it has none for this scope. */
  readonly commands?: (server: ServerToAdd, scope: HostScope) => readonly CommandLine[] | undefined;
  /** The host opens such a link, shows the entry, and asks. */
  readonly link?: (entry: object) => string;
  /** It opens the bundle of a release. */
  readonly takesBundle?: true;
  /** What to do afterwards. */
  readonly afterwards: string;
  /** How a person signs in to a server over HTTP, where the host does not ask by itself. */
  readonly signIn?: string;
}

/** The sources: docs/reference/host-sources.md. */
const HOSTS: Readonly<Record<HostName, HostFacts>> = {
  'claude-desktop': {
    label: 'Claude Desktop',
    field: 'mcpServers',
    place: 'the file that Settings, Developer, Edit Config opens',
    takesBundle: true,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    label: 'Claude Code',
    field: 'mcpServers',
    place: '~/.claude.json',
    projectFile: '.mcp.json',
    namesTransport: true,
    addressField: 'url',
    // It adds no server under a name that is there.
    commands: (server, scope) => [
      ['claude', 'mcp', 'remove', '--scope', scope, SERVER_NAME],
      'url' in server
        ? ['claude', 'mcp', 'add', '--transport', 'http', '--scope', scope, SERVER_NAME, server.url]
        : // `--env` takes all words up to the next option.
          [
            'claude',
            'mcp',
            'add',
            ...variables('--env', server),
            '--scope',
            scope,
            SERVER_NAME,
            '--',
            ...words(server),
          ],
    ],
    afterwards: 'Start Claude Code. `/mcp` there shows fareclerk.',
    signIn: 'Sign in with `/mcp` in Claude Code.',
  },
  vscode: {
    label: 'VS Code',
    field: 'servers',
    place: 'the file of the command "MCP: Open User Configuration"',
    projectFile: '.vscode/mcp.json',
    namesTransport: true,
    addressField: 'url',
    commands: (server, scope) =>
      scope === 'user'
        ? [['code', '--add-mcp', JSON.stringify({ name: SERVER_NAME, ...entryOf(HOSTS.vscode, server) })]]
        : undefined,
    afterwards: 'In VS Code run "MCP: List Servers" and start fareclerk.',
  },
  cursor: {
    label: 'Cursor',
    field: 'mcpServers',
    place: '~/.cursor/mcp.json',
    projectFile: '.cursor/mcp.json',
    addressField: 'url',
    link: (entry) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER_NAME}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`,
    afterwards: 'In Cursor open Settings, MCP, and switch fareclerk on.',
  },
  codex: {
    label: 'Codex',
    field: 'mcp_servers',
    place: '~/.codex/config.toml',
    projectFile: '.codex/config.toml',
    addressField: 'url',
    commands(server, scope) {
      if (scope === 'project') return undefined;
      if ('url' in server) return [['codex', 'mcp', 'add', SERVER_NAME, '--url', server.url]];
      return [['codex', 'mcp', 'add', SERVER_NAME, ...variables('--env', server), '--', ...words(server)]];
    },
    afterwards: 'Start Codex again. `/mcp` there shows fareclerk.',
    signIn: 'Sign in with `codex mcp login fareclerk`.',
  },
  'gemini-cli': {
    label: 'Gemini CLI',
    field: 'mcpServers',
    place: '~/.gemini/settings.json',
    projectFile: '.gemini/settings.json',
    addressField: 'httpUrl',
    commands(server, scope) {
      const add = ['mcp', 'add', '--scope', scope];
      if ('url' in server) return [['gemini', ...add, '--transport', 'http', SERVER_NAME, server.url]];
      // It cuts a value at its equals sign.
      if (Object.values(server.env).some((value) => value.includes('='))) return undefined;
      const { command, args } = server;
      return [['gemini', ...add, ...variables('--env', server), SERVER_NAME, command, '--', ...args]];
    },
    afterwards: 'Start Gemini CLI again. `/mcp` there shows fareclerk.',
    signIn: 'Sign in with `/mcp auth fareclerk` in Gemini CLI.',
  },
  windsurf: {
    label: 'Windsurf (Devin Desktop), its agent Cascade',
    field: 'mcpServers',
    place: '~/.codeium/windsurf/mcp_config.json',
    addressField: 'serverUrl',
    afterwards: 'In Windsurf open the MCP servers of Cascade and refresh them.',
  },
  zed: {
    label: 'Zed',
    field: 'context_servers',
    place: 'the file of the command "zed: open settings file"',
    projectFile: '.zed/settings.json',
    addressField: 'url',
    afterwards: 'Zed starts it by itself: Settings, AI, MCP Servers lists fareclerk.',
  },
  generic: {
    label: 'another host: print the lines',
    field: 'mcpServers',
    place: "your host's configuration",
    addressField: 'url',
    afterwards: 'Restart your host.',
  },
};

const OF_FOLDER = 'Trust the folder there: else its file is not read. It has no secrets, but paths of this machine.';

const BUNDLE = `https://github.com/fareclerk/fareclerk/releases/download/v${VERSION}/fareclerk.mcpb`;

export const PROJECT_HOSTS = (Object.keys(HOSTS) as HostName[]).filter((name) => HOSTS[name].projectFile !== undefined);

export type Host = ReturnType<typeof describeHost>;

/** @param project the folder of a project that alone gets the server */
export function describeHost(name: HostName, env: Terminal['env'], project: string | undefined) {
  const facts = HOSTS[name];
  const { label, place, projectFile = '', field, addressField, signIn } = facts;
  const scope: HostScope = project === undefined ? 'user' : 'project';
  return {
    label: project === undefined ? label : `${label}, in this folder`,
    place: project === undefined ? place : join(project, projectFile),
    takesAddress: addressField !== undefined,
    afterwards: project === undefined ? facts.afterwards : `${facts.afterwards} ${OF_FOLDER}`,
    signIn,
    /** Its own command lines that add the server; undefined if it has none, or this machine does not have its program. */
    commands(server: ServerToAdd): readonly CommandLine[] | undefined {
      const lines = facts.commands?.(server, scope);
      const program = lines?.[0]?.[0];
      if (program === undefined || (project !== undefined && !existsSync(project))) return undefined;
      return isOnPath(process.platform === 'win32' ? `${program}.exe` : program, env) ? lines : undefined;
    },
    /**
     * What a person adds the server with, and how: a link, the bundle of this release, or the lines to paste.
     * @param settingsFile the profile that the server reads
     */
    offer(server: ServerToAdd, settingsFile?: string): { readonly says: string; readonly text: string } {
      const entry = entryOf(facts, server);
      if (project === undefined && facts.link !== undefined)
        return { says: `Open this link. ${label} shows the entry and asks:`, text: `${facts.link(entry)}\n` };
      const form = facts.takesBundle && 'env' in server ? bundleForm(server, settingsFile) : undefined;
      if (form !== undefined)
        return { says: `Download this bundle, and open it with ${label}. ${form}`, text: `${BUNDLE}\n` };
      return { says: `Put these lines into ${this.place}:`, text: linesOf(field, entry) };
    },
    /** The entry as a person pastes it, with what surrounds it. */
    lines: (server: ServerToAdd): string => linesOf(field, entryOf(facts, server)),
  };
}

/** The entry in the host's file. */
function entryOf({ namesTransport, addressField = 'url' }: HostFacts, server: ServerToAdd): object {
  if ('url' in server) return { ...(namesTransport && { type: 'http' }), [addressField]: server.url };
  const { command, args, env } = server;
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

const words = ({ command, args }: StartedServer): readonly string[] => [command, ...args];

const variables = (option: string, { env }: StartedServer): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => [option, `${name}=${value}`]);

function linesOf(field: HostFacts['field'], entry: object): string {
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
