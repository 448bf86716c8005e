/** What a person meets first in a terminal, and what a host meets: the program as it is published, in a pseudo-terminal and over pipes. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from './program.ts';
import { inTerminal, type PseudoTerminal } from './pseudo-terminal.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});

function typed(...words: readonly string[]): PseudoTerminal {
  return inTerminal([process.execPath, program.bin, ...words], program.env);
}

async function listsTools(...args: readonly string[]): Promise<boolean> {
  const client = new Client({ name: 'host', version: '1' });
  const env = { ...program.env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program.bin, ...args], env, stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.some(({ name }) => name === 'search_fares');
}

describe('`fareclerk` alone', () => {
  it('says in a terminal what it is and what to try, and ends', async () => {
    const terminal = typed();
    expect(await terminal.ended).toBe(0);
    const screen = terminal.screen();
    for (const command of ['demo', 'init', 'call --list', 'doctor', 'serve --http', 'serve']) {
      expect(screen).toContain(`fareclerk ${command}`);
    }
    expect(screen).toContain('Airline: the built-in sandbox. Nothing is real');
    expect(screen.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('names a real airline by its address, without the path', async () => {
    const env = { ...program.env, FARECLERK_BASE_URL: 'https://air.example/ota?k=hunter2' };
    const terminal = inTerminal([process.execPath, program.bin], env);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('Airline: air.example (FARECLERK_BASE_URL). Bookings and payments are real.');
    expect(terminal.screen()).not.toContain('hunter2');
  });

  it('serves MCP where a host starts it with pipes, with and without `serve`', async () => {
    expect(await Promise.all([listsTools(), listsTools('serve')])).toEqual([true, true]);
  });
});

describe('`fareclerk serve` in a terminal', () => {
  it('says that it waits for a client, and ends with Ctrl-C', async () => {
    const terminal = typed('serve');
    await terminal.shows(/waiting for an MCP client on stdin/);
    expect(terminal.screen()).toContain('Press Ctrl-C to end it.');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
  });

  it('prints no such words for a host', async () => {
    const { stderr, stdout } = await program.run(['serve']);
    expect(stdout + stderr).not.toContain('waiting for');
  });
});

describe('`fareclerk call` in a terminal', () => {
  it('prints text, and JSON with --json', async () => {
    const [text, json] = [typed('call', 'list_routes', 'from=QCA'), typed('call', 'list_routes', 'from=QCA', '--json')];
    expect(await Promise.all([text.ended, json.ended])).toEqual([0, 0]);
    const [said, ...lines] = json.screen().split('\n');
    expect(text.screen()).toMatch(/^Airline: the sandbox, nothing is real\. State: .*\s+\[sandbox\] /);
    expect(said).toMatch(/^Airline: the sandbox/);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ environment: 'sandbox' });
  });
});
