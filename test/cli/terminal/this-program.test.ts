import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { quoted, sameCommand, typedCommands } from '../../../src/cli/terminal/this-program.ts';
import { readConfig } from '../../../src/config/load.ts';
import { VERSION } from '../../../src/version.ts';
import { LIVE } from '../../config/live.ts';

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'fareclerk-typed-')));

function file(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  return path;
}

const started = (first: string, PATH = '') => ({
  execPath: '/n/bin/node',
  argv: ['/n/bin/node', first],
  env: { PATH },
});
const TEXT = 'Run `fareclerk approve 2c2d` now.';

afterEach(() => void vi.restoreAllMocks());

describe('a command in our own texts', () => {
  it('runs with Node and absolute paths, as a host starts the program', () => {
    expect(typedCommands(started('/opt/f/bin/fareclerk.js'))(TEXT)).toBe(
      'Run `/n/bin/node /opt/f/bin/fareclerk.js approve 2c2d` now.',
    );
  });

  it('names node alone where the shell finds one', () => {
    const bin = folder();
    file(join(bin, 'node'));
    expect(typedCommands(started('/opt/f/bin/fareclerk.js', bin))(TEXT)).toBe(
      'Run `node /opt/f/bin/fareclerk.js approve 2c2d` now.',
    );
  });

  it('is fareclerk alone if that is on the path, and not by npx', () => {
    const bin = join(folder(), 'bin');
    expect(typedCommands(started(join(bin, 'fareclerk'), bin))(TEXT)).toBe(TEXT);
    const own = join(folder(), 'node_modules', '.bin');
    expect(typedCommands(started(join(own, 'fareclerk'), own))(TEXT)).toContain(`${join(own, 'fareclerk')} approve`);
  });

  it('is npx in a clone, and npx with the version where npx installed it', () => {
    const home = folder();
    const [clone, brought] = [join(home, 'clone'), join(home, '_npx', '1a2b', 'node_modules')];
    file(join(clone, 'bin', 'fareclerk.js'));
    mkdirSync(brought, { recursive: true });
    symlinkSync(clone, join(brought, 'fareclerk'), 'junction');
    const linked = started(join(brought, 'fareclerk', 'bin', 'fareclerk.js'));
    expect(typedCommands(linked)(TEXT)).toContain(`\`/n/bin/node ${join(clone, 'bin', 'fareclerk.js')} approve`);
    vi.spyOn(process, 'cwd').mockReturnValue(clone);
    expect(typedCommands(linked)(TEXT)).toBe('Run `npx fareclerk approve 2c2d` now.');
    const installed = started(file(join(home, '_npx', '3c4d', 'node_modules', '.bin', 'fareclerk')));
    expect(typedCommands(installed)(TEXT)).toContain(`\`npx -y fareclerk@${VERSION} approve 2c2d\``);
  });

  it('reads the same settings: the profile, the sandbox with its folder, or those of this server', () => {
    const global = started('/b/fareclerk', '/b');
    const origin = { from: 'profile', profile: 'jeddah', file: join(folder(), 'jeddah.env') } as const;
    writeFileSync(
      origin.file,
      Object.entries(LIVE)
        .map((pair) => pair.join('='))
        .join('\n'),
      { mode: 0o600 },
    );
    const typed = (config: ReturnType<typeof readConfig>) => typedCommands(global, config)(TEXT);
    expect(typed(readConfig({}, {}, origin))).toBe('Run `fareclerk approve 2c2d --profile jeddah` now.');
    expect(typed(readConfig({}))).toBe('Run `fareclerk approve 2c2d --sandbox` now.');
    expect(typed(readConfig({ FARECLERK_STATE_DIR: '/s t' }))).toBe(
      "Run `fareclerk approve 2c2d --sandbox --state-dir '/s t'` now.",
    );
    expect(typed(readConfig({ ...LIVE }))).toBe(
      "Run `fareclerk approve 2c2d` (with the server's FARECLERK_ settings) now.",
    );
    expect(typedCommands(global, readConfig({}))('`fareclerk demo` and `fareclerk_approvals`')).toBe(
      '`fareclerk demo` and `fareclerk_approvals`',
    );
  });

  it('repeats what was typed, quoted for a shell, without the flags that other ones replace', () => {
    const again = started('/b/fareclerk', '/b');
    const argv = [...again.argv, 'pause', '--profile', 'riyadh', "it's late", '--state-dir=/s', '--by', 'Ann'];
    expect(sameCommand({ ...again, argv }, ['--profile', '--state-dir'], '--sandbox')).toBe(
      `fareclerk pause ${quoted("it's late")} --by Ann --sandbox`,
    );
  });
});
