/** `npm run demo:team`: a person signs in in a real browser and says yes. Whatever ends it, nothing is left; nobody else could reach it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../campaigns/support/folders.ts';
import { browserTabs, heading, press } from './tabs.ts';

const DEMO = [process.execPath, fileURLToPath(new URL('../../scripts/demo-team.ts', import.meta.url))];
const LOOPBACK = ['0100007F', '00000000000000000000000001000000'];
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

test('a person signs in with the password of this run and says yes, the supervisor sees it, and Ctrl-C ends all of it', async () => {
  const demo = started();
  await demo.says('Waiting …');
  const [page] = /http:\S+\/approve\/[0-9a-f-]{36}/.exec(demo.text()) ?? [''];
  const addresses = listening(demo.processes());
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  expect(addresses.filter((address) => !LOOPBACK.includes(address.split(':')[0] ?? ''))).toEqual([]);
  const tab = await tabs.tab();
  const signIn = async (login: string, password: string) => {
    await tab.getByLabel('Name').fill(login);
    await tab.getByLabel('Password').fill(password);
    await press(tab, 'Sign in');
  };
  await tab.goto(page);
  await signIn('approver', demo.listed('agent'));
  expect(await tab.getByRole('alert').textContent()).toBe('This name and password do not belong together.');
  await signIn('approver', demo.listed('approver'));
  await press(tab, 'Allow');
  expect(await heading(tab)).toMatch(/^Pay SAR /);
  await press(tab, /^Pay SAR /);
  expect(await heading(tab)).toMatch(/^Paid SAR /);
  await demo.says('ticketed, made by agent.');
  expect(demo.child.exitCode).toBe(null);
  demo.child.kill('SIGINT');
  expect([await demo.over(), demo.left()]).toEqual([0, []]);
});

test('a kill of the command, of what started it, or of its servers leaves nothing either, and no password comes twice', async () => {
  const commands = [DEMO, ['sh', '-c', `${DEMO.map((word) => `'${word}'`).join(' ')}; true`], DEMO];
  const demos = commands.map((command) => started(command));
  await Promise.all(demos.map((demo) => demo.says('Waiting …')));
  const passwords = demos.flatMap((demo) => ['agent', 'approver', 'supervisor'].map(demo.listed));
  expect([passwords.filter((password) => password.length < 12), new Set(passwords).size]).toEqual([[], 9]);
  // The builder of the program runs too where dist is older than its sources.
  const programs = demos.map((demo) =>
    demo
      .processes()
      .map(programOf)
      .filter((name) => name !== 'esbuild'),
  );
  expect(programs.map((names) => names.sort())).toEqual(demos.map(() => ['node', 'node', 'node', 'node', 'postgres']));
  const [killed, orphaned, headless] = demos.map(({ child }) => child.pid ?? 0) as [number, number, number];
  for (const pid of [killed, orphaned, childOf(headless)]) process.kill(pid, 'SIGKILL');
  await expect.poll(() => demos.flatMap((demo) => demo.left())).toEqual([]);
});

test('refuses settings of an airline, and starts nothing', async () => {
  const demo = started(DEMO, { FARECLERK_BASE_URL: 'https://air.example/OTA', FARECLERK_PASSWORD: 'hunter2' });
  expect(await demo.over()).toBe(1);
  expect([demo.text().split('\n')[0], demo.left()]).toEqual([
    'Settings are in the environment: FARECLERK_BASE_URL, FARECLERK_PASSWORD. This demo uses the sandbox airline alone. Nothing was started.',
    [],
  ]);
});
