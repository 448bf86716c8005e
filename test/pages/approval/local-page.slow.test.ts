/**
 * The page opener of the clerk on stdio: when a browser can open, when it listens, what it opens, and what it reveals.
 */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocalPage } from '../../../src/pages/approval/local-page.ts';
import { type TestDesk, TICKET, testDesk } from './support/desk-of.ts';
import { enter, fetchPage, headingOf } from './support/page-client.ts';

/** A person at another computer must know where to look. */
const OPENED = { opened: true, computer: hostname() };

/** A browser that records the addresses to open. */
const browser = {
  opened: [] as string[],
  exists: true,
  works: true,
  available: () => browser.exists,
  async open(url: string) {
    if (browser.works) browser.opened.push(url);
    return browser.works;
  },
};
const last = () => browser.opened.at(-1) ?? '';

let desk: TestDesk;
let page: ReturnType<typeof createLocalPage>;
let approval: Awaited<ReturnType<TestDesk['ask']>>;

beforeEach(async () => {
  Object.assign(browser, { opened: [], exists: true, works: true });
  page = createLocalPage(browser);
  desk = await testDesk({ page });
  page.serve(desk.clerk);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await page.close();
  await desk.close();
});

const another = () => ({ ...approval, operationId: crypto.randomUUID() });

test('opens the browser for a question, and puts the secret in no result', async () => {
  approval = await desk.ask();
  expect(browser.opened).toHaveLength(1);
  const secret = new URL(last()).searchParams.get('k') ?? '';
  expect(secret).toMatch(/^[\w-]{43}$/);
  const told = (await enter(last())).decide('yes');
  const result = await desk.again(approval);
  expect(headingOf(await told)).toBe('Paid SAR 172.50');
  expect(result.structured).toMatchObject({ status: 'done', ticket: TICKET });
  for (const hidden of [secret, '127.0.0.1']) expect(JSON.stringify([result, desk.failures])).not.toContain(hidden);
});

test('opens one page for many calls about an approval, and another only after 20 s if nobody visited it', async () => {
  approval = await desk.ask();
  for (let n = 0; n < 5; n++) expect(await page.open(approval, 'opens_none')).toEqual(OPENED);
  expect(browser.opened).toHaveLength(1);
  const other = another();
  await Promise.all([page.open(other, 'opens_none'), page.open(other, 'opens_none'), page.open(other, 'opens_none')]);
  expect(browser.opened).toHaveLength(2);
  desk.ahead = 21_000;
  await page.open(approval, 'opens_none');
  expect(browser.opened).toHaveLength(3);
  expect(last()).not.toBe(browser.opened[0]);
  await enter(last());
  desk.ahead = 90_000;
  expect(await page.open(approval, 'opens_none')).toEqual(OPENED);
  expect(browser.opened).toHaveLength(3);
});

test('opens only a few pages for an assistant that asks in a loop', async () => {
  approval = await desk.ask();
  const opened: boolean[] = [];
  for (let n = 0; n < 20; n++) opened.push((await page.open(another(), 'opens_none')).opened);
  expect(browser.opened).toHaveLength(6);
  expect(opened).toEqual([...Array(5).fill(true), ...Array(15).fill(false)]);
});

test('opens nothing without a browser, and gives an address to a client that opens addresses until a person came', async () => {
  browser.exists = false;
  expect(page.canOpen()).toBe(false);
  approval = await desk.ask();
  expect(await page.open(approval, 'opens_none')).toEqual({ opened: false });
  const { url = '', opened } = await page.open(approval, 'opens_itself');
  const again = await page.open(approval, 'opens_itself');
  expect([opened, again.opened, again.url === url]).toEqual([false, false, false]);
  // Only to the client: a result, which the model sees, has none.
  expect(await page.open(approval, 'opens_none')).toEqual(OPENED);
  desk.ahead = 21_000;
  expect(await page.open(approval, 'opens_none')).toEqual({ opened: false });
  expect(headingOf((await enter(url)).page)).toBe('Pay SAR 172.50');
  expect(await page.open(approval, 'opens_itself')).toEqual(OPENED);
  expect(browser.opened).toEqual([]);
});

test('ends the server on close after the reply that is being written, and starts another for a new question', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  desk.world.answer = () => promise;
  approval = await desk.ask();
  const first = page.open(another(), 'opens_itself');
  const visitor = await enter(last());
  const sent = visitor.answer('yes');
  await expect.poll(() => desk.world.sent).toBe(1);
  resolve();
  await desk.clerk.idle();
  await page.close();
  expect((await sent).status).toBe(303);
  await expect(fetchPage((await first).url ?? '')).rejects.toThrow('ECONNREFUSED');
  await page.open(another(), 'opens_none');
  expect((await fetchPage(`${new URL(last()).origin}/`)).status).toBe(404);
  await page.close();
});

test('does not keep its process running, even with an open page', async () => {
  const program = fileURLToPath(new URL('./support/open-page-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const answered = new Promise<[string, number]>((resolve) =>
    child.stdout.once('data', (chunk) => resolve([String(chunk), performance.now()])),
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const ended = performance.now();
  const [said, at] = await answered;
  // A keep-alive connection would keep the process running for five seconds.
  expect([code, said.trim(), ended - at < 2_500]).toEqual([0, '404', true]);
});

describe('the browser of the system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-browser-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { PATH = '' } = process.env;
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  afterEach(() => Object.defineProperty(process, 'platform', platform));

  /** A command that records its arguments, one per line, and exits with this code. */
  function command(name: string, code = 0) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${file}.args'\nexit ${code}\n`);
    chmodSync(file, 0o755);
    rmSync(`${file}.args`, { force: true });
    const noted = () => (existsSync(`${file}.args`) ? readFileSync(`${file}.args`, 'utf8').trimEnd().split('\n') : []);
    return { file, args: noted };
  }

  function opener(env: Record<string, string>, on: NodeJS.Platform = 'linux') {
    const none = ['BROWSER', 'CI', 'DISPLAY', 'WAYLAND_DISPLAY', 'SSH_CONNECTION', 'SSH_TTY', 'WSL_DISTRO_NAME'];
    for (const name of none) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries({ PATH, ...env })) vi.stubEnv(name, value);
    Object.defineProperty(process, 'platform', { ...platform, value: on });
    const local = createLocalPage();
    local.serve(desk.clerk);
    return local;
  }
  const SSH = { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' };

  test.each<[NodeJS.Platform, Record<string, string>, boolean]>([
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['linux', { DISPLAY: ':10.0', ...SSH }, true],
    ['linux', { DISPLAY: '' }, false],
    ['linux', {}, false],
    ['linux', SSH, false],
    ['linux', { DISPLAY: ':0', PATH: '/nowhere' }, false],
    ['linux', { DISPLAY: ':0', CI: 'true' }, false],
    ['linux', { WSL_DISTRO_NAME: 'Ubuntu' }, true],
    ['linux', { WSL_DISTRO_NAME: 'Ubuntu', PATH: '/nowhere' }, false],
    ['freebsd', { DISPLAY: ':0' }, true],
    ['darwin', {}, true],
    ['darwin', { SSH_TTY: '/dev/ttys001' }, false],
    ['darwin', { CI: '1' }, false],
    ['win32', {}, true],
    ['win32', SSH, false],
    ['linux', { BROWSER: 'firefox' }, true],
    ['linux', { BROWSER: 'firefox', CI: 'true' }, true],
    ['linux', { BROWSER: 'none', DISPLAY: ':0' }, false],
    ['linux', { BROWSER: '  ', DISPLAY: ':0' }, true],
  ])('is there on %s with %j: %s', (on, env, can) => {
    for (const name of ['xdg-open', 'wslview']) command(name);
    expect(opener({ PATH: folder, ...env }, on).canOpen()).toBe(can);
  });

  let asks = 0;
  /** Opens a page with this browser; the arguments of a command have its address as ADDRESS. */
  async function openedWith(env: Record<string, string>) {
    approval = await desk.ask(`OPEN${++asks}`);
    const mine = opener(env);
    const { opened } = await mine.open(another(), 'opens_none');
    await mine.close();
    return opened;
  }
  const marked = (args: readonly string[]) =>
    args.map((arg) => arg.replace(/http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]+\?k=[\w-]+/, 'ADDRESS'));

  test('is $BROWSER, a program that gets the address, without a shell', async () => {
    const plain = command('plain program');
    expect([await openedWith({ BROWSER: plain.file }), marked(plain.args())]).toEqual([true, ['ADDRESS']]);
    expect(await openedWith({ BROWSER: `${plain.file}; ${plain.file}` })).toBe(false);
  });

  test('is the first command of $BROWSER that does not fail', async () => {
    const [broken, good, spare] = [command('broken', 3), command('good'), command('spare')];
    const missing = join(folder, 'missing');
    expect(await openedWith({ BROWSER: [missing, broken.file, good.file, spare.file].join(delimiter) })).toBe(true);
    expect([broken, good, spare].map(({ args }) => marked(args()))).toEqual([['ADDRESS'], ['ADDRESS'], []]);
    const own = command('xdg-open');
    const screen = { DISPLAY: ':0', PATH: `${folder}${delimiter}${PATH}` };
    expect(await openedWith({ BROWSER: [missing, broken.file].join(delimiter), ...screen })).toBe(false);
    expect(own.args()).toEqual([]);
    expect([await openedWith(screen), marked(own.args())]).toEqual([true, ['ADDRESS']]);
  });
});
