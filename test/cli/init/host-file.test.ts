import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../src/cli/commands/init.ts';
import { changeLines, isSame } from '../../../src/cli/init/change.ts';
import { readHostFile, writeHostFile } from '../../../src/cli/init/host-file.ts';
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

describe('the file of a host', () => {
  it.each([
    ['comments', '{\n  // mine\n  "servers": {}\n}'],
    ['a comma too many', '{"servers": {},}'],
    ['a list', '[]'],
    ['servers that are no object', '{"servers": []}'],
  ])('with %s is not touched', (_, text) => {
    const path = withText(text);
    expect(() => readHostFile(path, 'servers')).toThrow(ClerkError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.each([
    ['empty', '', '{\n  "servers"'],
    ['two spaces', '{\n  "a": 1\n}', '{\n  "a": 1,\n  "servers"'],
    ['four spaces', '{\n    "a": 1\n}', '{\n    "a": 1,\n    "servers"'],
    ['a byte order mark', '\uFEFF{"a": 1.50}', '{\n  "a": 1.50,\n  "servers"'],
  ])('%s: others stay as they are written', (_, text, beginning) => {
    expect(readHostFile(withText(text), 'servers').with(ENTRY)).toContain(beginning);
  });

  it('a link is followed, and stays one', () => {
    const own = withText('{}');
    const link = join(folder(), 'link.json');
    symlinkSync(own, link);
    const file = readHostFile(link, 'mcpServers');
    writeHostFile(file, file.with(ENTRY), 0);
    expect(JSON.parse(readFileSync(own, 'utf8')).mcpServers.fareclerk).toEqual(ENTRY);
    expect(file.path).toBe(own);
  });

  it('changed by somebody meanwhile: nothing is written', () => {
    const path = withText('{}');
    const file = readHostFile(path, 'mcpServers');
    writeFileSync(path, '{"new": 1}');
    expect(() => writeHostFile(file, file.with(ENTRY), 0)).toThrow(/changed by something else/);
    expect(readFileSync(path, 'utf8')).toBe('{"new": 1}');
    const fresh = readHostFile(join(folder(), 'deep', 'er', 'mcp.json'), 'servers');
    mkdirSync(join(fresh.path, '..'), { recursive: true });
    writeFileSync(fresh.path, '{}');
    expect(() => writeHostFile(fresh, fresh.with(ENTRY), 0)).toThrow(/changed by something else/);
  });

  it('a backup is never written over', () => {
    const path = withText('{}');
    const first = readHostFile(path, 'servers');
    const backup = writeHostFile(first, first.with(ENTRY), Date.UTC(2026, 11, 1, 8));
    expect(backup).toBe(`${path}.before-fareclerk-20261201T080000Z`);
    const second = readHostFile(path, 'servers');
    expect(() => writeHostFile(second, '{}', Date.UTC(2026, 11, 1, 8))).toThrow(/EEXIST/);
    expect(readdirSync(join(path, '..'))).toHaveLength(2);
  });
});

describe('the change as it is shown', () => {
  const shown = (text: string, entry: object = ENTRY) =>
    changeLines(readHostFile(withText(text), 'mcpServers'), 'mcpServers', entry as typeof ENTRY).slice(2);

  it('only what differs is marked', () => {
    const old = { mcpServers: { fareclerk: { ...ENTRY, args: ['old.js', 'serve'] } } };
    expect(shown(JSON.stringify(old))).toEqual([
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

  it('secrets of an older entry, and whatever is not known to be none, are not shown', () => {
    const old = {
      command: 'node',
      args: ['--api-key', 'sk-1', '--token=sk-2', 'serve'],
      env: { FARECLERK_API_KEY: 'sk-3', FARECLERK_PASSWORD_FILE: '/p', OTHER: 'sk-4', FARECLERK_TENANT: 'air' },
      headers: { authorization: 'sk-5' },
    };
    const text = shown(JSON.stringify({ mcpServers: { fareclerk: old, mail: { env: { T: 'sk-6' } } } })).join('\n');
    expect(text).not.toMatch(/sk-\d/);
    expect(text).toContain('"FARECLERK_PASSWORD_FILE": "/p"');
    expect(text).toContain('"FARECLERK_TENANT": "air"');
    expect(shown(JSON.stringify({ mcpServers: { fareclerk: 'sk-7' } })).join()).not.toContain('sk-7');
  });

  it('the same entry is no change', () => {
    const file = readHostFile(withText(JSON.stringify({ servers: { fareclerk: ENTRY } })), 'servers');
    expect([isSame(file, ENTRY), isSame(file, { ...ENTRY, command: 'x' })]).toEqual([true, false]);
  });
});

describe('hosts', () => {
  const place = (platform: NodeJS.Platform, env = {}) => ({
    platform,
    env: { HOME: '/home/ann', ...env },
    folder: '/home/ann/desk',
  });
  const files = (platform: NodeJS.Platform, project = false, env = {}) =>
    HOST_NAMES.map((name) => hostOf(name, place(platform, env), project).file?.replaceAll('\\', '/'));

  it('keep their files where the platform has them', () => {
    expect(files('linux')).toEqual([
      '/home/ann/.config/Claude/claude_desktop_config.json',
      '/home/ann/desk/.mcp.json',
      '/home/ann/.config/Code/User/mcp.json',
      '/home/ann/.cursor/mcp.json',
      undefined,
    ]);
    expect(files('darwin')[0]).toBe('/home/ann/Library/Application Support/Claude/claude_desktop_config.json');
    expect(files('win32', false, { APPDATA: '/roaming' })[2]).toBe('/roaming/Code/User/mcp.json');
    expect(files('linux', true).slice(2, 4)).toEqual([
      '/home/ann/desk/.vscode/mcp.json',
      '/home/ann/desk/.cursor/mcp.json',
    ]);
    expect(files('linux', false, { XDG_CONFIG_HOME: 'relative' })[0]).toContain('/home/ann/.config/');
  });

  it('start the very program that set them up, or the version that npx brought', () => {
    const started = (file: string) => entryOf({ execPath: '/n/node', argv: ['/n/node', file] }, {});
    expect(started('/opt/f/bin/fareclerk.js')).toEqual({
      command: '/n/node',
      args: ['/opt/f/bin/fareclerk.js', 'serve'],
      env: {},
    });
    expect(started('/home/ann/.npm/_npx/1a2b/node_modules/.bin/fareclerk')).toEqual({
      command: 'npx',
      args: ['-y', `fareclerk@${VERSION}`, 'serve'],
      env: {},
    });
  });

  it('start the clone where npx was called in one: npm only links to it', () => {
    const home = realpathSync(folder());
    const [clone, brought] = [join(home, 'clone'), join(home, '_npx', '1a2b', 'node_modules')];
    mkdirSync(join(clone, 'bin'), { recursive: true });
    writeFileSync(join(clone, 'bin', 'fareclerk.js'), '');
    mkdirSync(brought, { recursive: true });
    symlinkSync(clone, join(brought, 'fareclerk'), 'junction');
    const file = join(brought, 'fareclerk', 'bin', 'fareclerk.js');
    expect(entryOf({ execPath: '/n/node', argv: ['/n/node', file] }, {})).toEqual({
      command: '/n/node',
      args: [join(clone, 'bin', 'fareclerk.js'), 'serve'],
      env: {},
    });
  });
});
