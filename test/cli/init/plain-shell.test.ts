/**
 * Right after `init` for an airline, in a plain shell: every command means that airline, and so does the server that the
 * host starts from its entry.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOST_NAMES, type HostName, hostOf } from '../../../src/cli/init/hosts.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { buildProgram, type Program } from '../program.ts';
import { inTerminal } from '../pseudo-terminal.ts';
import { screen } from '../screen.ts';

let airline: Sandbox;
let program: Program;
beforeAll(async () => {
  [airline, program] = await Promise.all([startSandbox(), buildProgram()]);
});
afterAll(() => airline.close());

type Env = Readonly<Record<string, string>>;

async function ran(env: Env, ...argv: readonly string[]) {
  const it = screen(env);
  Object.assign(it.terminal, { argv: [process.execPath, program.bin, ...argv] });
  return { code: await it.run(...argv), stdout: it.stdout(), stderr: it.stderr() };
}

/** The entry that `init` wrote, or printed. */
function entryIn(host: HostName, env: Env, stdout: string) {
  const { file, field } = hostOf(host, { env, platform: process.platform });
  const { [field]: servers } = JSON.parse(file === undefined ? stdout : readFileSync(file, 'utf8'));
  return servers.fareclerk as { command: string; args: string[]; env: Record<string, string> };
}

/** Starts the entry as a host does, and returns what a call says and what the server says on stderr. */
async function started({ command, args, env }: ReturnType<typeof entryIn>, shell: Env) {
  const inherited = { PATH: program.env.PATH ?? '', HOME: shell.HOME ?? '' };
  const transport = new StdioClientTransport({ command, args, env: { ...inherited, ...env }, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: 'list_routes', arguments: {} });
  await client.close();
  return { structuredContent, stderr };
}

it.each(HOST_NAMES)('a plain shell after `init --host %s` means the airline that the host serves', async (host) => {
  const home = mkdtempSync(join(tmpdir(), 'fareclerk-plain-'));
  const shell = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'xdg-state') };
  const made = await ran({ ...shell, ...airline.settings }, 'init', '--host', host, '--yes', '--no-check');
  expect(made.code, made.stderr).toBe(0);
  const entry = entryIn(host, shell, made.stdout);
  for (const [name, value] of Object.entries(airline.settings))
    if (/KEY|SECRET|PASSWORD/.test(name)) expect(JSON.stringify(entry)).not.toContain(value);
  expect(Object.keys(entry.env).filter((name) => name.startsWith('FARECLERK_'))).toEqual([]);

  const served = await started(entry, shell);
  expect(served.structuredContent).toMatchObject({ environment: 'live' });
  const [said = ''] = served.stderr.split('\n');
  expect(said).toContain(
    `${new URL(airline.url).host}, agency SANDBOX AGENCY, SAR (profile default). State: SQLite ${home}`,
  );

  const paused = await ran(shell, 'pause', 'emergency');
  expect([paused.code, paused.stderr.split('\n')[0]]).toEqual([0, said]);
  const shown = [['journal'], ['approve'], ['events'], ['doctor', '--no-report', '--json'], ['resume']];
  for (const argv of shown) {
    const { code, stdout, stderr } = await ran(shell, ...argv);
    expect([argv, code, stderr.split('\n')[0]]).toEqual([argv, 0, said]);
    if (argv[0] === 'doctor') expect(stdout).toContain('emergency');
  }
});

it('a headless question names the very line that answers it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'fareclerk-plain-'));
  const folders = { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'xdg-state') };
  const shell = { ...program.env, HOME: home, ...folders };
  const made = await ran({ ...shell, ...airline.settings }, 'init', '--host', 'generic', '--yes', '--no-check');
  expect(made.code, made.stderr).toBe(0);
  const call = async (tool: string, args: object) => {
    const { stdout } = await ran(shell, 'call', tool, JSON.stringify(args), '--json');
    return JSON.parse(stdout);
  };
  const { routes } = await call('list_routes', {});
  const [{ from, to }] = routes;
  const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const legs = [{ from: from.code, to: to[0].code, date }];
  const { offers } = await call('search_fares', { legs, passengers: { adults: 1 } });
  const { booking } = await call('create_booking', {
    offer_ids: [offers[0].offer_id],
    contact: CONTACT,
    passengers: [passenger('P4402918')],
  });
  const pay = [
    'call',
    'pay_booking',
    JSON.stringify({ locator: booking.locator, payment: { type: 'invoice' } }),
    '--text',
  ];
  const { stdout } = await ran(shell, ...pay);
  const [, line = ''] = /A person must run `([^`]+)` in a terminal/.exec(stdout) ?? [];
  expect(line).toContain(' --profile default');
  const terminal = inTerminal(['sh', '-c', line], shell);
  await terminal.shows(/for yes, no for no:/);
  terminal.type(`${booking.locator}\r`);
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(terminal.screen()).toContain('Paid');
});
