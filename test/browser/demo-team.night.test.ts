/**
 * `npm run demo:team`: a person plays it to its end in a real browser, or begins on a phone. Whatever ends it, nothing is left; without
 * `--public` nobody else could reach it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { networkAddress } from '../../scripts/demo-team/doors.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import { dateIn } from '../support/people.ts';
import { browserTabs, expectReadable, heading, press } from './tabs.ts';

const DEMO = [process.execPath, fileURLToPath(new URL('../../scripts/demo-team.ts', import.meta.url))];
const LOOPBACK = ['0100007F', '00000000000000000000000001000000'];
const PHONE = { viewport: { width: 375, height: 667 }, colorScheme: 'dark' } as const;
/** A machine without a network has this one, which is not the address that everything else has. */
const NETWORK = networkAddress() ?? '127.0.0.2';
const tabs = browserTabs(() => false);

function started(command: readonly string[] = DEMO, env: Readonly<Record<string, string>> = {}) {
  const folder = newFolder('team-test');
  const [settings, temporary] = ['config/fareclerk', 'tmp'].map((name) => join(folder, name)) as [string, string];
  for (const each of [settings, temporary]) mkdirSync(each, { recursive: true });
  // As /tmp: where root plays this, PostgreSQL runs as nobody.
  chmodSync(folder, 0o711);
  // The profile of the person who runs it: nothing would start with it.
  writeFileSync(join(settings, 'default.env'), 'FARECLERK_BASE_URL=no address\n', { mode: 0o600 });
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const over = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  return {
    child,
    over: async () => (await over)[0] as number | null,
    text: () => text,
    says: (words: string) => expect.poll(() => text).toContain(words),
    /** What stands in a line of the list behind this word. */
    listed: (word: string) => new RegExp(`^  ${word} +(\\S+)`, 'm').exec(text)?.[1] ?? '',
    processes: () => processesIn(temporary),
    left: () => [...readdirSync(temporary), ...processesIn(temporary)],
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Processes for which this folder, or one below it, is the one of temporary files or their home. */
const processesIn = (folder: string) =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).includes(`=${folder}/`));

const programOf = (pid: string) => read(`/proc/${pid}/cmdline`).split('\0')[0]?.split('/').at(-1) ?? '';

const childOf = (pid: number) => Number(read(`/proc/${pid}/task/${pid}/children`).split(' ')[0]);

/** Local addresses at which these processes listen, as Linux lists them. */
function listening(pids: readonly string[]): readonly string[] {
  const sockets = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    }),
  );
  const rows = ['tcp', 'tcp6'].flatMap((kind) => read(`/proc/net/${kind}`).trim().split('\n').slice(1));
  const listeners = rows.map((row) => row.trim().split(/\s+/)).filter(([, , , state]) => state === '0A');
  return listeners.filter((row) => sockets.includes(`socket:[${row[9]}]`)).map(([, address = '']) => address);
}

type Demo = ReturnType<typeof started>;

/** The address that the nth step prints. */
async function addressOf(demo: Demo, n: number): Promise<string> {
  const addresses = () => [...demo.text().matchAll(/^ {4}(http\S+)$/gm)].map(([, address = '']) => address);
  await expect.poll(() => [demo.child.exitCode, addresses().length]).toEqual([null, n]);
  return addresses()[n - 1] ?? '';
}

async function signIn(tab: Page, login: string, password: string): Promise<void> {
  await tab.getByLabel('Name').fill(login);
  await tab.getByLabel('Password').fill(password);
  await press(tab, 'Sign in');
}

/** A tab that says of each page whether it names the sandbox, and keeps the pages of the sign-in apart. */
async function watchedTab(options: Parameters<typeof tabs.tab>[0]) {
  const tab = await tabs.tab(options);
  const signIns: string[] = [];
  const hosts = new Set<string>();
  tab.on('framenavigated', (frame) => {
    const { hostname, pathname } = new URL(frame.url());
    hosts.add(hostname);
    if (pathname.startsWith('/interaction/')) signIns.push(frame.url());
  });
  return { tab, signIns, hosts };
}

/** Every page says so in plain words, and names nobody by an id. */
async function expectSandbox(page: Page): Promise<void> {
  const text = await page.locator('body').innerText();
  expect(text).toContain('Sandbox: nothing here is real');
  expect(text).not.toContain('oauth');
}

/** The provider knows the browser, and asks for nothing. */
async function signInToApprove(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in to approve' }).click();
  await page.getByRole('checkbox').first().waitFor();
}

async function approveAll(page: Page, sum: RegExp): Promise<void> {
  for (const tick of await page.getByRole('checkbox').all()) await tick.check();
  await press(page, sum);
}

/** What a traveller types, by the labels that they read. */
async function enterDetails(page: Page): Promise<void> {
  const texts = { 'Given names': 'Mona', Surname: 'Rahal', 'Number of the document': 'P4402999' };
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text);
  await page.getByLabel('Nationality').fill('Saudi Arabia');
  await page.getByLabel('Gender').selectOption('Female (F)');
  for (const [name, date] of [
    ['Birth date', '1990-03-27'],
    ['Expires', dateIn(Date.now(), 2_000)],
  ] as const) {
    const [year = '', month, day] = date.split('-');
    const group = page.getByRole('group', { name });
    await group.getByLabel('Day').fill(String(Number(day)));
    await group.getByLabel('Month').selectOption(String(Number(month)));
    await group.getByLabel('Year').fill(year);
  }
}

test('one person plays all five steps with one sign-in, every page and result says Sandbox, and Ctrl-C ends all of it', async () => {
  const demo = started();
  const question = await addressOf(demo, 1);
  const addresses = listening(demo.processes());
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  expect(addresses.filter((address) => !LOOPBACK.includes(address.split(':')[0] ?? ''))).toEqual([]);
  const { tab, signIns } = await watchedTab({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });

  // A payment.
  await tab.goto(question);
  await expectSandbox(tab);
  await signIn(tab, 'ben', demo.listed('ann'));
  expect(await tab.getByRole('alert').textContent()).toBe('This name and password do not belong together.');
  await signIn(tab, 'ben', demo.listed('ben'));
  expect(await heading(tab)).toMatch(/^Pay SAR /);
  expect(await tab.locator('main').innerText()).toContain('for ann, another person');
  await expectSandbox(tab);
  const asked = signIns.length;
  await press(tab, /^Pay SAR /);
  expect(await heading(tab)).toMatch(/^Paid SAR /);
  await expectSandbox(tab);

  // A plan, found in the list of questions.
  const plan = await addressOf(demo, 2);
  await tab.goto(new URL('/approve/', plan).href);
  await expectSandbox(tab);
  expect(await tab.locator('main').innerText()).toContain('ann');
  expect(await tab.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toContain(
    new URL(plan).pathname,
  );
  await tab.goto(plan);
  await expectSandbox(tab);
  await signInToApprove(tab);
  expect(await tab.getByRole('checkbox').count()).toBe(3);
  await approveAll(tab, /^Approve 3 for SAR /);
  await demo.says('carried out. 3 done.');

  // The airline cancels the train of the first booking, which then is on another one.
  await tab.goto(await addressOf(demo, 3));
  await expectSandbox(tab);
  expect(await tab.locator('main').innerText()).toContain('was cancelled by the airline');
  await signInToApprove(tab);
  await approveAll(tab, /^Approve 1 /);
  await demo.says('carried out. 1 done.');

  // The ledger names people.
  await demo.says('Step 4 of 5');
  await expect
    .poll(demo.text)
    .toMatch(/^ {4}clerk +approver +payments +paid +currency\n {4}ann +ben +5 +\d+\.\d\d +SAR$/m);

  // A traveller, in a browser of their own, who needs no sign-in.
  const travellers = await watchedTab(PHONE);
  await travellers.tab.goto(await addressOf(demo, 4));
  await expectSandbox(travellers.tab);
  await enterDetails(travellers.tab);
  await press(travellers.tab, /^Send/);
  await expectSandbox(travellers.tab);
  await demo.says('The servers go on.');

  expect([asked, signIns.length, travellers.signIns]).toEqual([2, 2, []]);
  const said = demo
    .text()
    .split('\n')
    .filter((line) => /\b(?:booking [A-Z\d]{6}|plan pl_)/i.test(line));
  expect(said.length).toBeGreaterThanOrEqual(7);
  expect(said.filter((line) => !line.startsWith('  Sandbox: '))).toEqual([]);
  expect(demo.text()).not.toMatch(/oauth/);
  expect(demo.child.exitCode).toBe(null);
  demo.child.kill('SIGINT');
  expect([await demo.over(), demo.left()]).toEqual([0, []]);
});

test('with --public a phone of the network signs in and pays; a warning says who else can, and programs stay outside', async () => {
  const demo = started([...DEMO, `--public=${NETWORK}`]);
  const question = await addressOf(demo, 1);
  expect(demo.text()).toMatch(/^Warning: anyone on this network can .+\n?.*Nothing is real/m);
  expect(demo.text()).toContain(`open http://${NETWORK}:${new URL(question).port}/approve/`);
  // As Linux writes an address: its bytes from the last to the first.
  const written = Buffer.from(NETWORK.split('.').map(Number)).reverse().toString('hex').toUpperCase();
  const outside = listening(demo.processes()).filter((address) => !LOOPBACK.includes(address.split(':')[0] ?? ''));
  expect(outside.map((address) => address.split(':')[0])).toEqual([written, written]);

  const { tab, hosts, signIns } = await watchedTab(PHONE);
  await tab.goto(question);
  await expectSandbox(tab);
  await expectReadable(tab, 375);
  await signIn(tab, 'ben', demo.listed('ben'));
  expect(await heading(tab)).toMatch(/^Pay SAR /);
  await press(tab, /^Pay SAR /);
  expect(await heading(tab)).toMatch(/^Paid SAR /);
  await tab.goto(await addressOf(demo, 2));
  await press(tab, 'Decline all');
  await demo.says('Step 3 of 5');
  expect([[...hosts], signIns.length]).toEqual([[NETWORK], 1]);

  const { origin } = new URL(question);
  const replies = await Promise.all(['/mcp', '/metrics', '/readyz'].map((path) => fetch(origin + path)));
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  demo.child.kill('SIGINT');
  expect([await demo.over(), demo.left()]).toEqual([0, []]);
});

test('a kill of the command, of what started it, or of its servers leaves nothing either, and no password comes twice', async () => {
  const commands = [DEMO, ['sh', '-c', `${DEMO.map((word) => `'${word}'`).join(' ')}; true`], DEMO];
  const demos = commands.map((command) => started(command));
  await Promise.all(demos.map((demo) => demo.says('Waiting …')));
  const passwords = demos.flatMap((demo) => ['ann', 'ben', 'cara'].map(demo.listed));
  expect([passwords.filter((password) => password.length < 12), new Set(passwords).size]).toEqual([[], 9]);
  // The builder of the program runs too where dist is older than its sources.
  const programs = demos.map((demo) =>
    demo
      .processes()
      .map(programOf)
      .filter((name) => name !== 'esbuild'),
  );
  expect(programs.map((names) => names.sort())).toEqual(demos.map(() => ['node', 'node', 'node', 'postgres']));
  const [killed, orphaned, headless] = demos.map(({ child }) => child.pid ?? 0) as [number, number, number];
  for (const pid of [killed, orphaned, childOf(headless)]) process.kill(pid, 'SIGKILL');
  await expect.poll(() => demos.flatMap((demo) => demo.left())).toEqual([]);
});

test('refuses an option that it does not know, and starts nothing', async () => {
  const demo = started([...DEMO, '--publik']);
  expect(await demo.over()).toBe(2);
  expect([demo.text(), demo.left()]).toEqual([
    'Expected nothing, --public, or --public=ADDRESS with an address of this machine. Nothing was started.\n',
    [],
  ]);
});

test('refuses settings of an airline, and starts nothing', async () => {
  const demo = started(DEMO, { FARECLERK_BASE_URL: 'https://air.example/OTA', FARECLERK_PASSWORD: 'hunter2' });
  expect(await demo.over()).toBe(1);
  expect([demo.text().split('\n')[0], demo.left()]).toEqual([
    'Settings are in the environment: FARECLERK_BASE_URL, FARECLERK_PASSWORD. This demo uses the sandbox airline alone. Nothing was started.',
    [],
  ]);
});
