/** What `fareclerk init` does to a host's own file of servers, and how a host starts the program then. */
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../../src/version.ts';
import { expectGolden } from '../../support/golden.ts';
import { screen, temporary } from '../screen.ts';

const STARTED = ['/n/node', '/opt/f/bin/fareclerk.js'];
const ENTRY = { type: 'stdio', command: '/n/node', args: ['/opt/f/bin/fareclerk.js', 'serve', '--sandbox'], env: {} };
/** In a project: the same on every platform. */
const PLACES = { vscode: '.vscode/mcp.json', cursor: '.cursor/mcp.json' };

/** Sets up the sandbox in a host whose file has this text. */
async function changed(text: string | undefined, host: keyof typeof PLACES = 'vscode', home = temporary('host')) {
  const file = join(home, PLACES[host]);
  mkdirSync(dirname(file), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  const it = screen({ XDG_CONFIG_HOME: '', HOME: home });
  Object.assign(it.terminal, { execPath: STARTED[0], argv: STARTED });
  const code = await it.run('init', '--host', host, '--project', home, '--sandbox', '--no-check', '--yes');
  return { code, file, after: readFileSync(file, 'utf8'), shown: it.shown() };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a host file', () => {
  it.each([
    ['an open bracket', '{"servers": {}'],
    ['a list', '[]'],
    ['servers that are no object', '{"servers": []}'],
    ['two lists of servers: hosts read one, and the edit is in the other', '{"servers": {}, "servers": {"mail": {}}}'],
  ])('stays as it is with %s', async (_, text) => {
    expect(await changed(text)).toMatchObject({ code: 1, after: text });
  });

  it.each([
    ['empty', '', '{\n  "servers"'],
    ['two spaces', '{\n  "a": 1\n}', '{\n  "a": 1,\n  "servers"'],
    ['four spaces', '{\n    "a": 1\n}', '{\n    "a": 1,\n    "servers"'],
    ['a byte order mark', '\uFEFF{"a": 1.50}', '{"a": 1.50, "servers": {"fareclerk":'],
    [
      'one line',
      '{"servers": {"mail": {"command": "mail"}}}',
      '{"servers": {"mail": {"command": "mail"}, "fareclerk": {',
    ],
    ['servers without any', '{"servers": null, "a": 1.50}', '": {}\n  }\n}, "a": 1.50}'],
    [
      'an empty list of servers',
      '{\n  "servers": {},\n  "a": 1.50\n}',
      '{\n  "servers": {\n    "fareclerk": {\n      "type"',
    ],
    [
      'comments alone',
      '{\n  "servers": {\n    // none\n  } // yet\n}',
      '    // none\n    "fareclerk": {\n      "type"',
    ],
    ['a comment behind the last', '{\n  "a": 1.50 // ours\n}', '{\n  "a": 1.50, // ours\n  "servers": {'],
    ['a comma behind the last', '{\n  "a": 1.50, // ours\n}', '{\n  "a": 1.50, // ours\n  "servers": {'],
  ])('keeps other entries as written: %s', async (_, text, beginning) => {
    expect((await changed(text)).after).toContain(beginning);
  });

  it('keeps the comments, commas and line ends of VS Code', async () => {
    const text = [
      '// Servers of the whole team.',
      '{',
      '  "inputs": [], // none yet',
      '  "servers": {',
      '    /* the mail desk */',
      '    "mail": { "command": "mail", "args": ["--port", "1.50"], },',
      '    // "old": {},',
      '    "fareclerk": { "command": "old" }, // ours',
      '  },',
      '}',
      '',
    ].join('\r\n');
    const { after, shown } = await changed(text);
    const entry = JSON.stringify(ENTRY, undefined, 2).replaceAll('\n', '\r\n    ');
    expect(after).toBe(text.replace('{ "command": "old" }', entry));
    expect(shown).toContain('… 1 other server, not touched');
  });

  it('is written behind a link, which stays', async () => {
    const home = temporary('host');
    const file = join(home, 'own.json');
    writeFileSync(file, '{}');
    mkdirSync(join(home, '.cursor'));
    symlinkSync(file, join(home, PLACES.cursor));
    await changed(undefined, 'cursor', home);
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.fareclerk.command).toBe('/n/node');
  });

  it.each(['{}', undefined])('stays as something else wrote it meanwhile: before %j', async (before) => {
    const home = temporary('host');
    const file = join(home, PLACES.cursor);
    mkdirSync(dirname(file));
    if (before !== undefined) writeFileSync(file, before);
    const it = screen({ XDG_CONFIG_HOME: '', HOME: home }, { keyboard: true });
    const done = it.run('init', '--host', 'cursor', '--project', home, '--sandbox', '--no-check');
    await it.sees('Write this? (yes/no): ');
    writeFileSync(file, '{"new": 1}');
    it.type('yes\r');
    expect(await done).toBe(1);
    expect(it.shown()).toContain('changed by something else');
    expect(readFileSync(file, 'utf8')).toBe('{"new": 1}');
  });

  it('never overwrites a backup', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 1, 8) });
    const home = temporary('host');
    const { file, shown } = await changed('{}', 'cursor', home);
    expect(shown).toContain(`Backup: ${file}.before-fareclerk-20261201T080000Z`);
    expect(await changed('{"a": 1}', 'cursor', home)).toMatchObject({ code: 1, after: '{"a": 1}' });
    expect(readdirSync(dirname(file))).toHaveLength(2);
  });

  it('shows the lines that change, and no value that may be a secret', async () => {
    const older = {
      command: 'node',
      args: ['--api-key', 'sk-1', '--token=sk-2', 'serve'],
      env: { FARECLERK_API_KEY: 'sk-3', FARECLERK_PASSWORD_FILE: '/p', OTHER: 'sk-4', FARECLERK_CARRIER: 'HHR' },
      headers: { authorization: 'sk-5' },
    };
    const entry = { ...ENTRY, args: ['old.js', 'serve', '--sandbox'] };
    const scenes: Record<string, string> = {};
    for (const [title, servers] of Object.entries({
      'An older entry, with secrets': { fareclerk: older, mail: { env: { T: 'sk-6' } } },
      'An entry that is no object': { fareclerk: 'sk-7' },
      'Another file to start': { fareclerk: entry },
    })) {
      const { shown, file } = await changed(JSON.stringify({ servers }));
      scenes[title] = shown.replaceAll(file, '~/mcp.json').replace(/(fareclerk-)\d+T\d+Z/, '$1TIME');
    }
    expect(JSON.stringify(scenes)).not.toMatch(/sk-\d/);
    await expectGolden('init/host-file', scenes);
  });
});

describe('the hosts', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

  it.each<[NodeJS.Platform, string, string, Record<string, string>?]>([
    ['linux', 'claude-desktop', '.config/Claude/claude_desktop_config.json'],
    ['linux', 'claude-desktop', '.config/Claude/claude_desktop_config.json', { XDG_CONFIG_HOME: 'relative' }],
    ['linux', 'claude-code', '.claude.json'],
    ['linux', 'claude-code', 'work/.claude.json', { CLAUDE_CONFIG_DIR: 'HOME/work' }],
    ['linux', 'vscode', '.config/Code/User/mcp.json'],
    ['linux', 'cursor', '.cursor/mcp.json'],
    ['linux', 'claude-code --project HOME/desk', 'desk/.mcp.json'],
    ['linux', 'vscode --project HOME/desk', 'desk/.vscode/mcp.json'],
    ['linux', 'cursor --project HOME/desk', 'desk/.cursor/mcp.json'],
    ['linux', 'codex', '.codex/config.toml'],
    ['linux', 'codex', 'work/config.toml', { CODEX_HOME: 'HOME/work' }],
    ['linux', 'codex --project HOME/desk', 'desk/.codex/config.toml'],
    ['win32', 'codex', '.codex/config.toml'],
    ['linux', 'gemini-cli', '.gemini/settings.json'],
    ['linux', 'gemini-cli', 'work/.gemini/settings.json', { GEMINI_CLI_HOME: 'HOME/work' }],
    ['darwin', 'gemini-cli --project HOME/desk', 'desk/.gemini/settings.json'],
    ['win32', 'gemini-cli', '.gemini/settings.json'],
    ['linux', 'windsurf', '.codeium/windsurf/mcp_config.json'],
    ['win32', 'windsurf', '.codeium/windsurf/mcp_config.json'],
    ['linux', 'zed', '.config/zed/settings.json'],
    ['linux', 'zed', 'settings/zed/settings.json', { XDG_CONFIG_HOME: 'HOME/settings' }],
    ['darwin', 'zed', '.config/zed/settings.json'],
    ['win32', 'zed', 'roaming/Zed/settings.json', { APPDATA: 'HOME/roaming' }],
    ['linux', 'zed --project HOME/desk', 'desk/.zed/settings.json'],
    ['darwin', 'claude-desktop', 'Library/Application Support/Claude/claude_desktop_config.json'],
    ['win32', 'vscode', 'roaming/Code/User/mcp.json', { APPDATA: 'HOME/roaming' }],
  ])('on %s %s has its file at ~/%s %j', async (of, host, file, more = {}) => {
    const home = temporary('host');
    const placed = (text: string) => text.replace('HOME', home);
    const env = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, placed(value)]));
    const it = screen({ XDG_CONFIG_HOME: '', CODEX_HOME: '', GEMINI_CLI_HOME: '', HOME: home, ...env });
    Object.defineProperty(process, 'platform', { value: of });
    expect(await it.run('init', '--no-check', '--sandbox', '--host', ...placed(host).split(' '))).toBe(1);
    expect(it.shown()).toContain(`+++ ${join(home, file)}\n`);
  });

  it('start the program that configured them, the version that npx installed, or a clone that npx linked to', async () => {
    const home = realpathSync(temporary('host'));
    const entry = async (file: string, env = {}, execPath = '/n/node') => {
      const it = screen({ XDG_CONFIG_HOME: '', HOME: home, ...env });
      Object.assign(it.terminal, { execPath, argv: [execPath, file] });
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
    // npm's package `node` goes where development packages are left out: a host gets the Node of the machine.
    const [machine, packaged] = [join(home, 'machine'), join(clone, 'node_modules', '.bin')];
    for (const folder of [machine, packaged]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'node'), '');
    }
    const own24 = join(clone, 'node_modules', 'node', 'bin', 'node');
    const PATH = [packaged, join(home, 'nothing'), machine].join(delimiter);
    expect((await entry(script, { PATH }, own24)).command).toBe(join(machine, 'node'));
    expect((await entry(script, { PATH: packaged }, own24)).command).toBe(own24);
    expect((await entry(script, { PATH })).command).toBe('/n/node');
    expect(await entry('/home/ann/.npm/_npx/1a2b/node_modules/.bin/fareclerk')).toEqual({
      ...{ command: 'npx', args: ['-y', `fareclerk@${VERSION}`, 'serve', '--sandbox'], env: {} },
    });
  });
});
