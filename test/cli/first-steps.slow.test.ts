/** What a person meets first in a terminal, and what a host meets: the program as it is published, in a pseudo-terminal and over pipes. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import { held, payment } from './desk.ts';
import { startFront } from './doctor/front.ts';
import { buildProgram, type Program } from './program.ts';
import { inTerminal, type PseudoTerminal } from './pseudo-terminal.ts';
import { screen, temporary } from './screen.ts';

type Env = Readonly<Record<string, string>>;

let program: Program;
let airline: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  [airline, program] = await Promise.all([startSandbox(), buildProgram()]);
});
afterAll(() => airline.close());

const typed = (words: readonly string[], more: Env = {}): PseudoTerminal =>
  inTerminal([process.execPath, program.bin, ...words], { ...program.env, ...more });

/** Starts the server as a host does. Returns what the use returns, and what the server says on stderr. */
async function served<T>(args: readonly string[], env: Env, use: (client: Client) => Promise<T>) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport);
  const result = await use(client);
  await client.close();
  return { result, stderr };
}

describe('`fareclerk` alone', () => {
  it('says in a terminal what it is and what to try, and ends', async () => {
    const terminal = typed([]);
    expect(await terminal.ended).toBe(0);
    const screen = terminal.screen();
    for (const command of ['demo', 'init', 'call', 'doctor', 'serve'])
      expect(screen).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(screen).toContain('an embedded sandbox airline, where nothing is real');
    const lines = screen.replaceAll(`node ${program.bin}`, 'fareclerk').split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('serves MCP where a host starts it with pipes, with and without `serve`', async () => {
    const tools = async (args: readonly string[]) => {
      const { result, stderr } = await served(args, program.env, (client) => client.listTools());
      expect(stderr).not.toContain('waiting for');
      return result.tools.map(({ name }) => name);
    };
    const offered = await tools([program.bin]);
    expect(offered).toContain('pay_booking');
    expect(await tools([program.bin, 'serve'])).toEqual(offered);
  });
});

describe('a command in a terminal', () => {
  it('`serve` says that it waits for a client, and ends with Ctrl-C', async () => {
    const terminal = typed(['serve']);
    await terminal.shows(/waiting for an MCP client on stdin[\s\S]*Press Ctrl-C to end it\./);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
  });

  it('`doctor` ends at once with Ctrl-C, also if the airline does not answer', async () => {
    const front = await startFront(({ url }) => (url.pathname.startsWith('/realms/') ? undefined : 'hang'), {
      to: airline.url,
    });
    const terminal = typed(['doctor'], {
      ...airline.settings,
      FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA`,
      FARECLERK_STATE_DIR: temporary('doctor'),
    });
    await expect.poll(() => front.calls.length).toBeGreaterThan(0);
    const began = Date.now();
    terminal.type('\u0003');
    await terminal.ended;
    expect(Date.now() - began).toBeLessThan(2_000);
    await front.close();
  });

  it('`call` prints text, and JSON with --json', async () => {
    const [text, json] = [typed(['call', 'list_routes', 'from=QCA']), typed(['call', 'list_routes', '--json'])];
    expect(await Promise.all([text.ended, json.ended])).toEqual([0, 0]);
    const [said, ...lines] = json.screen().split('\n');
    expect(text.screen()).toMatch(/^Airline: the sandbox, nothing is real\. State: .*\s+\[sandbox\] /);
    expect(said).toMatch(/^Airline: the sandbox/);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ environment: 'sandbox' });
  });
});

describe('a plain shell after `init` for an airline', () => {
  async function setUp(host: string) {
    const home = temporary('plain');
    const folders = { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'xdg-state') };
    const shell = { ...program.env, HOME: home, ...folders };
    const ran = async (env: Env, ...argv: readonly string[]) => {
      const it = screen(env);
      Object.assign(it.terminal, { argv: [process.execPath, program.bin, ...argv] });
      return { argv, code: await it.run(...argv), stdout: it.stdout(), stderr: it.stderr() };
    };
    const made = await ran({ ...shell, ...airline.settings }, 'init', '--host', host, '--yes', '--no-check');
    expect(made).toMatchObject({ code: 0 });
    return { home, shell, printed: made.stdout, ran: (...argv: readonly string[]) => ran(shell, ...argv) };
  }

  it('means the airline that the host serves', async () => {
    const { home, ran, printed } = await setUp('generic');
    const { fareclerk: entry } = JSON.parse(printed).mcpServers;
    for (const [name, value] of Object.entries(airline.settings))
      if (/KEY|SECRET|PASSWORD/.test(name)) expect(JSON.stringify(entry)).not.toContain(value);
    expect(Object.keys(entry.env).filter((name) => name.startsWith('FARECLERK_'))).toEqual([]);

    const env = { PATH: program.env.PATH ?? '', HOME: home, ...entry.env };
    const { result, stderr } = await served(entry.args, env, (client) => client.callTool({ name: 'list_routes' }));
    expect(result.structuredContent).toMatchObject({ environment: 'live' });
    const [said = ''] = stderr.split('\n');
    const { host: address } = new URL(airline.url);
    expect(said).toContain(`${address}, agency SANDBOX AGENCY, SAR (profile default). State: SQLite ${home}`);
    const commands = [
      ['pause', 'emergency'],
      ['journal'],
      ['approve'],
      ['events'],
      ['findings'],
      ['call', '--list'],
      ['doctor'],
      ['resume'],
    ];
    for (const argv of commands) {
      const { code, stdout, stderr } = await ran(...argv);
      expect([argv, code, stderr.split('\n')[0]]).toEqual([argv, 0, said]);
      if (argv[0] === 'doctor') expect(stdout).toContain('emergency');
    }
  });

  it('reads in a headless question the very line that answers it', async () => {
    const { shell, ran } = await setUp('generic');
    const call = async (tool: string, args: object) =>
      JSON.parse((await ran('call', tool, JSON.stringify(args))).stdout);
    const locator = await held(call);
    const { stdout } = await ran('call', 'pay_booking', JSON.stringify(payment(locator)), '--text');
    const [, line = ''] = /They must run `([^`]+)` in a terminal/.exec(stdout) ?? [];
    expect(line).toContain(' --profile default');
    const terminal = inTerminal(['sh', '-c', line], shell);
    await terminal.shows(/to approve, no to decline:/);
    terminal.type(`${locator}\r`);
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(terminal.screen()).toContain('Paid');
  });
});
