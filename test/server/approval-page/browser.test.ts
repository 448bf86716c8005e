import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemBrowser } from '../../../src/server/approval-page/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'fareclerk-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const URL = "http://127.0.0.1:4711/approve/0b7e?k=a-b_c&x=';touch%20%24HOME";

/** A command that records its arguments, one per line, and exits with this code. */
function command(name: string, code = 0): { readonly file: string; args(): string[] | undefined } {
  const file = join(folder, name);
  const noted = `${file}.args`;
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noted}'\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return { file, args: () => (existsSync(noted) ? readFileSync(noted, 'utf8').trimEnd().split('\n') : undefined) };
}

const linux = (env: Record<string, string>) =>
  systemBrowser({ env: { PATH: process.env.PATH, ...env }, platform: 'linux' });

describe('the detection of a screen', () => {
  command('xdg-open');
  command('wslview');
  const PATH = folder;
  const on = (platform: NodeJS.Platform, env: Record<string, string>) =>
    systemBrowser({ platform, env: { PATH, ...env } }).available();

  test.each([
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['linux', { DISPLAY: ':10.0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, true],
    ['linux', { DISPLAY: '' }, false],
    ['linux', {}, false],
    ['linux', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, false],
    ['linux', { DISPLAY: ':0', PATH: '/nowhere' }, false],
    ['linux', { DISPLAY: ':0', CI: 'true' }, false],
    ['linux', { WSL_DISTRO_NAME: 'Ubuntu' }, true],
    ['linux', { WSL_DISTRO_NAME: 'Ubuntu', PATH: '/nowhere' }, false],
    ['freebsd', { DISPLAY: ':0' }, true],
    ['darwin', {}, true],
    ['darwin', { SSH_TTY: '/dev/ttys001' }, false],
    ['darwin', { CI: '1' }, false],
    ['win32', {}, true],
    ['win32', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, false],
    ['linux', { BROWSER: 'firefox' }, true],
    ['linux', { BROWSER: 'firefox', CI: 'true' }, true],
    ['linux', { BROWSER: 'none', DISPLAY: ':0' }, false],
    ['linux', { BROWSER: '  ', DISPLAY: ':0' }, true],
  ] as const)('detects on %s with %j whether a browser can open: %s', (platform, env, can) => {
    expect(on(platform, env)).toBe(can);
  });
});

describe('$BROWSER', () => {
  test('appends the address to $BROWSER without a shell', async () => {
    const plain = command('plain');
    expect(await linux({ BROWSER: plain.file }).open(URL)).toBe(true);
    expect(plain.args()).toEqual([URL]);
  });

  test('accepts arguments, quotation marks and %s in $BROWSER', async () => {
    const filled = command('filled');
    await linux({ BROWSER: `${filled.file} --new-window "--title=To decide" '--url=%s' 100%%` }).open(URL);
    expect(filled.args()).toEqual(['--new-window', '--title=To decide', `--url=${URL}`, '100%']);
  });

  test('tries the commands of $BROWSER in order until one does not fail', async () => {
    const [broken, good, spare] = [command('broken', 3), command('good'), command('spare')];
    const list = [join(folder, 'missing'), broken.file, good.file, spare.file].join(delimiter);
    expect(await linux({ BROWSER: list }).open(URL)).toBe(true);
    expect(broken.args()).toEqual([URL]);
    expect(good.args()).toEqual([URL]);
    expect(spare.args()).toBeUndefined();
  });

  test('reports that nothing was opened if all commands fail', async () => {
    const list = [join(folder, 'missing'), command('broken-too', 1).file].join(delimiter);
    expect(await linux({ BROWSER: list }).open(URL)).toBe(false);
  });

  test("uses $BROWSER instead of the platform's opener", async () => {
    const [own, mine] = [command('xdg-open'), command('mine', 1)];
    expect(await linux({ BROWSER: mine.file, DISPLAY: ':0', PATH: folder }).open(URL)).toBe(false);
    expect(own.args()).toBeUndefined();
  });

  test('does not wait for a browser that keeps running', async () => {
    const file = join(folder, 'stays');
    writeFileSync(file, '#!/bin/sh\nexec sleep 4\n');
    chmodSync(file, 0o755);
    const started = performance.now();
    expect(await linux({ BROWSER: file }).open(URL)).toBe(true);
    expect(performance.now() - started).toBeLessThan(3_500);
  });
});

test("finds the platform's opener on the path", async () => {
  const own = command('xdg-open');
  expect(await linux({ DISPLAY: ':0', PATH: `${folder}${delimiter}${process.env.PATH}` }).open(URL)).toBe(true);
  expect(own.args()).toEqual([URL]);
});
