/** How `fareclerk init` adds the server to each host: by the host's own command, a link, the bundle or the host's file, else by lines. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hostFileChange } from '../../../src/cli/init/host-file.ts';
import { HOSTS } from '../../../src/cli/init/hosts.ts';
import { VERSION } from '../../../src/core/version.ts';
import { buildProgram, type Program } from '../program.ts';
import { inTerminal } from '../pseudo-terminal.ts';
import { type Person, screen, temporary } from '../screen.ts';

const STARTED = ['/n/node', '/opt/f/bin/fareclerk.js'];
const SERVE = [...STARTED, 'serve', '--sandbox'];
const ENTRY = { command: '/n/node', args: ['/opt/f/bin/fareclerk.js', 'serve', '--sandbox'], env: {} };

const AIRLINE = '--base-url https://air.example/ota --credentials key --agent-id A1 --agency-id Agency --currency SAR';

/** A machine with these programs of hosts. Each notes its arguments and folder, and ends with this code. */
function machine(programs: Readonly<Record<string, number>> = {}) {
  const home = temporary('hosts');
  const folder = join(home, 'programs');
  const record = join(home, 'record');
  mkdirSync(folder);
  for (const [name, code] of Object.entries(programs)) {
    const file = join(folder, name);
    const lines = [
      '#!/bin/sh',
      `printf '%s\\0' ${name} "$@" >> '${record}'; printf '\\n' >> '${record}'`,
      `env | grep FARECLERK_ >> '${record}.env'`,
      // Nothing of that name was there before.
      `echo "${name} says $2"; [ "$2" = remove ] && exit 1`,
      `exit ${code}`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    chmodSync(file, 0o755);
  }
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', PATH: `${folder}${delimiter}/usr/bin:/bin` };
  return {
    home,
    env,
    /** The command lines that ran. */
    ran: (): string[][] => noted(record),
    settings: (): string => (existsSync(`${record}.env`) ? readFileSync(`${record}.env`, 'utf8') : ''),
    async init(words: string, person?: Person, started: readonly string[] = STARTED) {
      const it = screen(env, person);
      Object.assign(it.terminal, { execPath: started[0], argv: started });
      const code = await it.run('init', ...words.split(' '));
      return { code, shown: it.shown(), stdout: it.stdout() };
    },
  };
}

function noted(record: string): string[][] {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').split('\0\n').slice(0, -1);
  return lines.map((line) => line.split('\0'));
}

const SANDBOX = '--sandbox --no-check';
const ADDED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'claude-code': [
    ['claude', 'mcp', 'remove', '--scope', 'user', 'fareclerk'],
    ['claude', 'mcp', 'add', '--scope', 'user', 'fareclerk', '--', ...SERVE],
  ],
  vscode: [['code', '--add-mcp', JSON.stringify({ name: 'fareclerk', type: 'stdio', ...ENTRY })]],
  codex: [['codex', 'mcp', 'add', 'fareclerk', '--', ...SERVE]],
  'gemini-cli': [['gemini', 'mcp', 'add', '--scope', 'user', 'fareclerk', '/n/node', '--', ...SERVE.slice(1)]],
};
const ALL = { claude: 0, code: 0, codex: 0, gemini: 0 };

describe("a host's own command", () => {
  it.each(Object.entries(ADDED))('of %s is shown, and runs after a yes', async (host, wanted) => {
    const { init, ran } = machine(ALL);
    const words = `--host ${host} ${SANDBOX}`;
    const shown = await init(words);
    expect([shown.code, ran()]).toEqual([1, []]);
    for (const word of wanted.at(-1) ?? []) expect(shown.shown).toContain(word);
    expect(shown.shown).toContain('Nothing was written. Use --yes to run it.');
    const no = await init(words, { replies: [[/Run this\? \(yes\/no\):$/, 'no\r']] });
    expect([no.code, ran()]).toEqual([1, []]);
    const yes = await init(words, { replies: [[/Run this\? \(yes\/no\):$/, 'yes\r']] });
    expect([yes.code, ran()]).toEqual([0, wanted]);
    const [program = ''] = wanted[0] ?? [];
    expect(yes.shown).toMatch(new RegExp(`${program} says`));
    expect(yes.shown).not.toContain('says remove');
    expect(yes.stdout).toBe('');
  });

  it('gets the folders and settings of the shell as variables, and no other setting of it', async () => {
    const { init, ran, env, settings } = machine(ALL);
    Object.assign(env, { XDG_STATE_HOME: '/home/ann/state', FARECLERK_RECORD_FILE: '/t' });
    for (const host of ['claude-code', 'codex', 'gemini-cli', 'vscode'])
      expect((await init(`--host ${host} ${SANDBOX} --yes`)).code).toBe(0);
    const variables = ['--env', 'XDG_STATE_HOME=/home/ann/state', '--env', 'FARECLERK_RECORD_FILE=/t'];
    const [, claude, codex, gemini, code] = ran();
    expect(claude?.slice(3, -5)).toEqual([...variables, '--scope', 'user', 'fareclerk']);
    expect(codex?.slice(4, -5)).toEqual(variables);
    expect(gemini?.slice(5, -6)).toEqual(variables);
    expect(JSON.parse(code?.[2] ?? '').env).toEqual({ XDG_STATE_HOME: '/home/ann/state', FARECLERK_RECORD_FILE: '/t' });
    expect(settings()).toBe('');
  });

  it('gets no secret of a real airline: it names the profile, which has them', async () => {
    const { init, ran, env, home } = machine(ALL);
    Object.assign(env, { XDG_CONFIG_HOME: join(home, 'config'), FARECLERK_API_KEY: 'sk-1' });
    for (const host of ['claude-code', 'vscode', 'codex', 'gemini-cli']) {
      const { code, shown } = await init(`--host ${host} --no-check --yes ${AIRLINE}`);
      expect([code, shown.includes('sk-1')]).toEqual([0, false]);
    }
    expect(ran()).toHaveLength(5);
    expect(JSON.stringify(ran().slice(1))).not.toMatch(/sk-1|FARECLERK_/);
    for (const words of ran().slice(1)) expect(words.join(' ')).toMatch(/--profile"?[ ,]"?default/);
    expect(readFileSync(join(home, 'config', 'fareclerk', 'default.env'), 'utf8')).toContain('FARECLERK_API_KEY=sk-1');
  });

  it('that fails leaves the lines to paste', async () => {
    const { init } = machine({ codex: 3 });
    const { code, shown, stdout } = await init(`--host codex ${SANDBOX} --yes`);
    expect([code, stdout]).toEqual([1, expect.stringContaining('[mcp_servers.fareclerk]\ncommand = "/n/node"\n')]);
    expect(shown).toContain('`codex` failed. Put these lines into ~/.codex/config.toml:');
  });

  it('is not used by Gemini CLI for a value that it would cut', async () => {
    const { init, ran, env, home } = machine(ALL);
    Object.assign(env, { XDG_STATE_HOME: '/a=b' });
    const { code } = await init(`--host gemini-cli ${SANDBOX} --yes`);
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.gemini', 'settings.json'), 'utf8'));
    expect([code, ran(), mcpServers.fareclerk.env]).toEqual([0, [], { XDG_STATE_HOME: '/a=b' }]);
  });
});

describe('without a command', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

  it.each([
    ['claude-desktop', 'the file that Settings, Developer, Edit Config opens', 'mcpServers'],
    ['claude-code', '~/.claude.json', 'mcpServers'],
    ['vscode', 'the file of the command "MCP: Open User Configuration"', 'servers'],
    ['gemini-cli', '~/.gemini/settings.json', 'mcpServers'],
    ['windsurf', '~/.codeium/windsurf/mcp_config.json', 'mcpServers'],
    ['zed', 'the file of the command "zed: open settings file"', 'context_servers'],
    ['generic', "your host's configuration", 'mcpServers'],
  ])('%s gets lines for %s', async (host, place, field) => {
    const { code, shown, stdout } = await machine().init(`--host ${host} ${SANDBOX}`);
    const transport = ['claude-code', 'vscode'].includes(host) ? { type: 'stdio' } : {};
    expect([code, JSON.parse(stdout)]).toEqual([0, { [field]: { fareclerk: { ...transport, ...ENTRY } } }]);
    expect(shown).toContain(`Merge these lines into ${place}. The file keeps one outermost pair of braces`);
  });

  it('Codex gets lines of TOML', async () => {
    const { init, env } = machine();
    Object.assign(env, { FARECLERK_RECORD_FILE: '/Ann "A"\\n\u00e9' });
    expect((await init(`--host codex ${SANDBOX}`)).stdout).toBe(`[mcp_servers.fareclerk]
command = "/n/node"
args = ["/opt/f/bin/fareclerk.js","serve","--sandbox"]
env = { FARECLERK_RECORD_FILE = "/Ann \\"A\\"\\\\n\u00e9" }
`);
  });

  it('a machine with Windows runs no script', async () => {
    const { init, ran, home } = machine(ALL);
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { code, shown } = await init(`--host claude-code ${SANDBOX} --yes`);
    expect([code, ran(), shown]).toEqual([0, [], expect.stringContaining(`Written: ${join(home, '.claude.json')}`)]);
  });

  it('Cursor gets a link', async () => {
    const { init } = machine();
    const { code, stdout, shown } = await init(`--host cursor ${SANDBOX}`);
    const { protocol, host, pathname, searchParams } = new URL(stdout.trim());
    expect([code, protocol, host, pathname]).toEqual([0, 'cursor:', 'anysphere.cursor-deeplink', '/mcp/install']);
    expect(searchParams.get('name')).toBe('fareclerk');
    expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())).toEqual(ENTRY);
    expect(shown).toContain('Open this link. Cursor shows the entry and asks:');
  });

  it('Claude Desktop gets the bundle of a release, and the lines for other settings and for a clone', async () => {
    const npx = ['/n/node', '/home/ann/.npm/_npx/1a2b/node_modules/.bin/fareclerk'];
    const { init, env, home } = machine();
    Object.assign(env, { XDG_CONFIG_HOME: join(home, 'config') });
    Object.assign(env, { FARECLERK_API_KEY: 'sk-1' });
    const real = await init(`--host claude-desktop --no-check --yes ${AIRLINE}`, undefined, npx);
    const bundle = `https://github.com/fareclerk/fareclerk/releases/download/v${VERSION}/fareclerk.mcpb\n`;
    expect([real.code, real.stdout]).toEqual([0, bundle]);
    const profile = join(home, 'config', 'fareclerk', 'default.env');
    expect(real.shown).toContain(`In its form enter ${profile} as "File with more settings", and nothing else:`);
    expect(real.shown).not.toContain('sk-1');

    Object.assign(env, { XDG_CONFIG_HOME: '', FARECLERK_API_KEY: '' });
    const sandbox = await init(`--host claude-desktop ${SANDBOX}`, undefined, npx);
    expect([sandbox.stdout, sandbox.shown]).toEqual([bundle, expect.stringContaining('Leave its form empty:')]);
    Object.assign(env, { FARECLERK_RECORD_FILE: '/t' });
    const more = await init(`--host claude-desktop ${SANDBOX}`, undefined, npx);
    expect(JSON.parse(more.stdout).mcpServers.fareclerk.env).toEqual({ FARECLERK_RECORD_FILE: '/t' });
  });
});

describe("a host's file, where its command is missing", () => {
  const WRITE = /Write this\? \(yes\/no\):$/;
  const ASKED = `--host claude-code ${SANDBOX}`;
  const OWN = { type: 'stdio', ...ENTRY };

  /** A machine with this text in the file of Claude Code. */
  function claudeCode(text?: string) {
    const here = machine();
    const file = join(here.home, '.claude.json');
    if (text !== undefined) writeFileSync(file, text, { mode: 0o640 });
    const copies = () => readdirSync(here.home).filter((name) => name.startsWith('.claude.json.'));
    return { ...here, file, copies, read: () => readFileSync(file, 'utf8') };
  }

  it('gets the entry after a yes, and every other character of it stays', async () => {
    const before =
      '{\n\t"b": 1.50,\n\t"mcpServers": {\n\t\t"other": {"env": {"KEY": "hunter2"}}\n\t},\n\t"a": "\\u00e9"\n}\n';
    const { init, file, read, copies, home } = claudeCode(before);
    const no = await init(ASKED, { replies: [[WRITE, 'no\r']] });
    expect([no.code, read(), copies()]).toEqual([1, before, []]);

    const { code, shown } = await init(ASKED, { replies: [[WRITE, 'yes\r']] });
    expect(code).toBe(0);
    expect(JSON.parse(read()).mcpServers).toEqual({ other: { env: { KEY: 'hunter2' } }, fareclerk: OWN });
    const [head = '', tail = ''] = read().split(/,\n\t\t"fareclerk": [\s\S]*?\n\t\t}/);
    expect(head + tail).toBe(before);
    expect(shown).toContain('… 1 other entry, not touched');
    expect(shown).not.toContain('hunter2');

    const [copy = ''] = copies();
    expect(readFileSync(join(home, copy), 'utf8')).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const again = await init(`${ASKED} --yes`);
    expect([again.code, copies()]).toEqual([0, [copy]]);
    expect(again.shown).toContain('has this entry already');
  });

  it.each([
    ['is not there yet', undefined, {}],
    ['is empty', '', {}],
    ['has no servers', '{"a": [1, {"b": "}"}]}', { a: [1, { b: '}' }] }],
    ['has an empty list', '{\r\n  "mcpServers": {}\r\n}', {}],
    ['has an older entry', '{"mcpServers": {"fareclerk": {"command": "old"}, "x": {}}}', { mcpServers: { x: {} } }],
    ['begins with a byte order mark', '\ufeff{}', {}],
  ] as [string, string | undefined, { mcpServers?: object }][])('that %s gets it', async (_, text, rest) => {
    const { init, read } = claudeCode(text);
    expect((await init(`${ASKED} --yes`)).code).toBe(0);
    const { mcpServers, ...others } = rest;
    expect(JSON.parse(read().replace(/^\ufeff/, ''))).toEqual({
      ...others,
      mcpServers: { ...mcpServers, fareclerk: OWN },
    });
    expect(read().startsWith('\ufeff')).toBe(text?.startsWith('\ufeff') === true);
  });

  it.each([
    ['comments', '{\n  // mine\n  "mcpServers": {}\n}\n'],
    ['a comma at its end', '{"mcpServers": {},}'],
    ['the list twice', '{"mcpServers": {}, "mcpServers": {"x": {}}}'],
    ['a list that is no object', '{"mcpServers": []}'],
    ['no object', '[]'],
    ['half of it missing', '{"mcpServers": {'],
  ])('that has %s stays as it is, and the lines are printed', async (_, text) => {
    const { init, read, copies } = claudeCode(text);
    const { code, shown, stdout } = await init(`${ASKED} --yes`);
    expect([code, read(), copies()]).toEqual([0, text, []]);
    expect(shown).toContain('It was not changed.');
    expect(shown).toContain('Merge these lines into ~/.claude.json.');
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { fareclerk: OWN } });
  });

  it('that cannot be read or written stays as it is, and the lines are printed', async () => {
    const unread = claudeCode();
    mkdirSync(unread.file);
    const { code, shown, stdout } = await unread.init(`${ASKED} --yes`);
    expect([code, JSON.parse(stdout)]).toEqual([0, { mcpServers: { fareclerk: OWN } }]);
    expect(shown).toContain(`${unread.file} cannot be read (EISDIR). It was not changed.`);

    // Its folder is a file. A folder that is read-only would hold up nobody who is root, as in a container.
    const { init, home } = machine();
    writeFileSync(join(home, '.gemini'), '');
    const unwritten = await init(`--host gemini-cli ${SANDBOX} --yes`);
    expect([unwritten.code, JSON.parse(unwritten.stdout)]).toEqual([1, { mcpServers: { fareclerk: ENTRY } }]);
    expect(unwritten.shown).toMatch(
      /settings\.json cannot be written \(ENOTDIR\)\. It was not changed\.\nMerge these lines/,
    );
  });

  it('that another program changes meanwhile stays as that program wrote it', () => {
    const { file, read, copies } = claudeCode('{}');
    const change = hostFileChange(file, HOSTS['claude-code'], ENTRY);
    writeFileSync(file, '{"new": 1}');
    expect(() => 'write' in change && change.write(0)).toThrow('was changed by something else meanwhile');
    expect([read(), copies()]).toEqual(['{"new": 1}', []]);
  });

  it.each([
    ['claude-desktop', ['config', 'Claude', 'claude_desktop_config.json'], 'mcpServers'],
    ['vscode', ['config', 'Code', 'User', 'mcp.json'], 'servers'],
    ['gemini-cli', ['.gemini', 'settings.json'], 'mcpServers'],
    ['windsurf', ['.codeium', 'windsurf', 'mcp_config.json'], 'mcpServers'],
    ['zed', ['config', 'zed', 'settings.json'], 'context_servers'],
  ])('is that of %s', async (host, path, field) => {
    const { init, env, home } = machine();
    Object.assign(env, { XDG_CONFIG_HOME: join(home, 'config') });
    expect((await init(`--host ${host} ${SANDBOX} --yes`)).code).toBe(0);
    const written = JSON.parse(readFileSync(join(home, ...path), 'utf8'));
    expect(Object.keys(written)).toEqual([field]);
    expect(written[field].fareclerk).toMatchObject({ command: '/n/node', args: ENTRY.args });
  });
});

describe('the program that a host starts', () => {
  it('is the one that configured it, the version that npx installed, or a clone that npx linked to', async () => {
    const home = realpathSync(temporary('host'));
    const entry = async (file: string, env = {}) => {
      const it = screen({ XDG_CONFIG_HOME: '', HOME: home, ...env });
      Object.assign(it.terminal, { execPath: '/n/node', argv: ['/n/node', file] });
      expect(await it.run('init', '--no-check', '--sandbox', '--host', 'generic')).toBe(0);
      return JSON.parse(it.stdout()).mcpServers.fareclerk;
    };
    const [clone, brought] = [join(home, 'clone'), join(home, '_npx', '1a2b', 'node_modules')];
    const script = join(clone, 'bin', 'fareclerk.js');
    for (const folder of [dirname(script), brought]) mkdirSync(folder, { recursive: true });
    writeFileSync(script, '');
    symlinkSync(clone, join(brought, 'fareclerk'), 'junction');
    const own = { command: '/n/node', args: ['/opt/f.js', 'serve', '--sandbox'], env: {} };
    expect(await entry('/opt/f.js', { XDG_STATE_HOME: 'ignored' })).toEqual(own);
    const XDG_STATE_HOME = '/home/ann/state';
    expect((await entry('/opt/f.js', { XDG_STATE_HOME })).env).toEqual({ XDG_STATE_HOME });
    expect((await entry(join(brought, 'fareclerk', 'bin', 'fareclerk.js'))).args[0]).toBe(script);
    expect(await entry('/home/ann/.npm/_npx/1a2b/node_modules/.bin/fareclerk')).toEqual({
      ...{ command: 'npx', args: ['-y', `fareclerk@${VERSION}`, 'serve', '--sandbox'], env: {} },
    });
  });
});

describe('in a pseudo-terminal', () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram();
  });

  it('asks for the airline and the host, shows the command of Claude Code, and runs it after a yes', async () => {
    const { env, ran } = machine({ claude: 0 });
    const terminal = inTerminal([process.execPath, program.bin, 'init', '--no-check'], env);
    await terminal.shows(/1-2 \[1\]: $/);
    terminal.type('\r');
    await terminal.shows(/2\) Claude Code[\s\S]*1-9 \[1\]: $/);
    terminal.type('2\r');
    await terminal.shows(/Run this\? \(yes\/no\): $/);
    expect(terminal.screen()).toContain('$ claude mcp add --scope user fareclerk -- ');
    expect(ran()).toEqual([]);
    terminal.type('yes\r');
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(terminal.screen()).toContain('claude says add');
    const serve = [expect.stringMatching(/node$/), realpathSync(program.bin), 'serve', '--sandbox'];
    expect(ran().at(-1)).toEqual(['claude', 'mcp', 'add', '--scope', 'user', 'fareclerk', '--', ...serve]);
  });
});
