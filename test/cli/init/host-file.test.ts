import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../src/cli/commands/init.ts';
import { changeLines, isSame } from '../../../src/cli/init/change.ts';
import { readHostFile, replaceFile } from '../../../src/cli/init/host-file.ts';
import { HOST_NAMES, hostOf } from '../../../src/cli/init/hosts.ts';
import { ClerkError } from '../../../src/errors.ts';
import { VERSION } from '../../../src/version.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'fareclerk-host-'));
const ENTRY = { command: 'node', args: ['f.js', 'serve'], env: { FARECLERK_CURRENCY: 'SAR' } };

function withText(text: string): string {
  const path = join(folder(), 'config.json');
  writeFileSync(path, text);
  return path;
}

describe('a host file', () => {
  it.each([
    ['an open bracket', '{"servers": {}'],
    ['a list', '[]'],
    ['servers that are no object', '{"servers": []}'],
  ])('does not change a file with %s', async (_, text) => {
    const path = withText(text);
    await expect(readHostFile(path, 'servers')).rejects.toThrow(ClerkError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.each([
    ['empty', '', '{\n  "servers"'],
    ['two spaces', '{\n  "a": 1\n}', '{\n  "a": 1,\n  "servers"'],
    ['four spaces', '{\n    "a": 1\n}', '{\n    "a": 1,\n    "servers"'],
    ['a byte order mark', '\uFEFF{"a": 1.50}', '{\n  "a": 1.50,\n  "servers"'],
  ])('keeps other entries as written: %s', async (_, text, beginning) => {
    expect((await readHostFile(withText(text), 'servers')).with(ENTRY)).toContain(beginning);
  });

  it('keeps the comments, commas and line ends of VS Code', async () => {
    const text = [
      '// Servers of the whole team.',
      '{',
      '  "inputs": [], // none yet',
      '  "servers": {',
      '    /* the mail desk */',
      '    "mail": { "command": "mail", "args": ["--port", "1.50"], },',
      '    "fareclerk": { "command": "old" }, // ours',
      '  },',
      '}',
      '',
    ].join('\r\n');
    const file = await readHostFile(withText(text), 'servers');
    expect([file.others, file.entry]).toEqual([1, { command: 'old' }]);
    const entry = JSON.stringify(ENTRY, undefined, 2).replaceAll('\n', '\r\n    ');
    expect(file.with(ENTRY)).toBe(text.replace('{ "command": "old" }', entry));
  });

  it('adds an entry below a comment', async () => {
    const text = '{\n  "servers": {\n    // "mail": {},\n  }\n}\n';
    const changed = (await readHostFile(withText(text), 'servers')).with(ENTRY);
    expect(changed).toContain('// "mail": {},\n');
    expect(JSON.parse(changed.replace(/\/\/.*/, ''))).toEqual({ servers: { fareclerk: ENTRY } });
  });

  it('refuses a file that lists its servers twice: hosts read one list, and the edit is in the other', async () => {
    const file = await readHostFile(withText('{"servers": {}, "servers": {"mail": {}}}'), 'servers');
    expect(() => file.with(ENTRY)).toThrow(ClerkError);
  });

  it('follows a link and keeps it', async () => {
    const own = withText('{}');
    const link = join(folder(), 'link.json');
    symlinkSync(own, link);
    const file = await readHostFile(link, 'mcpServers');
    replaceFile(file, file.with(ENTRY), 0);
    expect(JSON.parse(readFileSync(own, 'utf8')).mcpServers.fareclerk).toEqual(ENTRY);
    expect(file.path).toBe(own);
  });

  it('writes nothing if the file changed meanwhile', async () => {
    const path = withText('{}');
    const file = await readHostFile(path, 'mcpServers');
    writeFileSync(path, '{"new": 1}');
    expect(() => replaceFile(file, file.with(ENTRY), 0)).toThrow(/changed by something else/);
    expect(readFileSync(path, 'utf8')).toBe('{"new": 1}');
    const fresh = await readHostFile(join(folder(), 'deep', 'er', 'mcp.json'), 'servers');
    mkdirSync(join(fresh.path, '..'), { recursive: true });
    writeFileSync(fresh.path, '{}');
    expect(() => replaceFile(fresh, fresh.with(ENTRY), 0)).toThrow(/changed by something else/);
  });

  it('never overwrites a backup', async () => {
    const path = withText('{}');
    const first = await readHostFile(path, 'servers');
    const backup = replaceFile(first, first.with(ENTRY), Date.UTC(2026, 11, 1, 8));
    expect(backup).toBe(`${path}.before-fareclerk-20261201T080000Z`);
    const second = await readHostFile(path, 'servers');
    expect(() => replaceFile(second, '{}', Date.UTC(2026, 11, 1, 8))).toThrow(/EEXIST/);
    expect(readdirSync(join(path, '..'))).toHaveLength(2);
  });
});

describe('the shown change', () => {
  const shown = async (text: string) => {
    const lines = await changeLines(await readHostFile(withText(text), 'mcpServers'), 'mcpServers', ENTRY);
    return lines.slice(2);
  };

  it('marks only the lines that differ', async () => {
    const old = { mcpServers: { fareclerk: { ...ENTRY, args: ['old.js', 'serve'] } } };
    expect(await shown(JSON.stringify(old))).toEqual([
      ' {',
      '   "mcpServers": {',
      '     "fareclerk": {',
      '       "command": "node",',
      '       "args": [',
      '-        "old.js",',
      '+        "f.js",',
      '         "serve"',
      '       ],',
      '       "env": {',
      '         "FARECLERK_CURRENCY": "SAR"',
      '       }',
      '     }',
      '   }',
      ' }',
    ]);
  });

  it('hides every value of an older entry that may be a secret', async () => {
    const old = {
      command: 'node',
      args: ['--api-key', 'sk-1', '--token=sk-2', 'serve'],
      env: { FARECLERK_API_KEY: 'sk-3', FARECLERK_PASSWORD_FILE: '/p', OTHER: 'sk-4', FARECLERK_TENANT: 'air' },
      headers: { authorization: 'sk-5' },
    };
    const lines = await shown(JSON.stringify({ mcpServers: { fareclerk: old, mail: { env: { T: 'sk-6' } } } }));
    const text = lines.join('\n');
    expect(text).not.toMatch(/sk-\d/);
    expect(text).toContain('"FARECLERK_PASSWORD_FILE": "/p"');
    expect(text).toContain('"FARECLERK_TENANT": "air"');
    expect((await shown(JSON.stringify({ mcpServers: { fareclerk: 'sk-7' } }))).join()).not.toContain('sk-7');
  });

  it('sees no change in the same entry', async () => {
    const file = await readHostFile(withText(JSON.stringify({ servers: { fareclerk: ENTRY } })), 'servers');
    expect([isSame(file, ENTRY), isSame(file, { ...ENTRY, command: 'x' })]).toEqual([true, false]);
  });
});

const SANDBOX = { answers: {}, isReal: false };

describe('the hosts', () => {
  const place = (platform: NodeJS.Platform, env: object, project: boolean) => ({
    platform,
    env: { HOME: '/home/ann', ...env },
    ...(project && { project: '/home/ann/desk' }),
  });
  const files = (platform: NodeJS.Platform, project = false, env = {}) =>
    HOST_NAMES.map((name) => hostOf(name, place(platform, env, project)).file?.replaceAll('\\', '/'));

  it('finds host files where the platform keeps settings', () => {
    expect(files('linux')).toEqual([
      '/home/ann/.config/Claude/claude_desktop_config.json',
      '/home/ann/.claude.json',
      '/home/ann/.config/Code/User/mcp.json',
      '/home/ann/.cursor/mcp.json',
      undefined,
    ]);
    expect(files('darwin')[0]).toBe('/home/ann/Library/Application Support/Claude/claude_desktop_config.json');
    expect(files('win32', false, { APPDATA: '/roaming' })[2]).toBe('/roaming/Code/User/mcp.json');
    expect(files('linux', true).slice(1, 4)).toEqual([
      '/home/ann/desk/.mcp.json',
      '/home/ann/desk/.vscode/mcp.json',
      '/home/ann/desk/.cursor/mcp.json',
    ]);
    expect(files('linux', false, { XDG_CONFIG_HOME: 'relative' })[0]).toContain('/home/ann/.config/');
  });

  it('finds the folder that Claude Code was moved to', () => {
    expect(files('linux', false, { CLAUDE_CONFIG_DIR: '/home/ann/work' })[1]).toBe('/home/ann/work/.claude.json');
  });

  it('starts the program that configured the host, or the version that npx installed', () => {
    const started = (file: string) =>
      entryOf({ execPath: '/n/node', argv: ['/n/node', file], env: {} }, SANDBOX, 'default');
    expect(started('/opt/f/bin/fareclerk.js')).toEqual({
      command: '/n/node',
      args: ['/opt/f/bin/fareclerk.js', 'serve', '--sandbox'],
      env: {},
    });
    const XDG_STATE_HOME = '/home/ann/state';
    const shell = {
      env: { XDG_CONFIG_HOME: 'ignored', XDG_STATE_HOME },
      execPath: '/n/node',
      argv: ['/n/node', 'f.js'],
    };
    expect(entryOf(shell, SANDBOX, 'default').env).toEqual({ XDG_STATE_HOME });
    expect(started('/home/ann/.npm/_npx/1a2b/node_modules/.bin/fareclerk')).toEqual({
      command: 'npx',
      args: ['-y', `fareclerk@${VERSION}`, 'serve', '--sandbox'],
      env: {},
    });
  });

  it('starts a clone if npx was called in one, since npm only links to it', () => {
    const home = realpathSync(folder());
    const [clone, brought] = [join(home, 'clone'), join(home, '_npx', '1a2b', 'node_modules')];
    mkdirSync(join(clone, 'bin'), { recursive: true });
    writeFileSync(join(clone, 'bin', 'fareclerk.js'), '');
    mkdirSync(brought, { recursive: true });
    symlinkSync(clone, join(brought, 'fareclerk'), 'junction');
    const file = join(brought, 'fareclerk', 'bin', 'fareclerk.js');
    expect(entryOf({ execPath: '/n/node', argv: ['/n/node', file], env: {} }, SANDBOX, 'default')).toEqual({
      command: '/n/node',
      args: [join(clone, 'bin', 'fareclerk.js'), 'serve', '--sandbox'],
      env: {},
    });
  });
});
