/**
 * A desk server as its own process, in front of an airline, for callers with tokens; all on 127.0.0.1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { type LedgerEntry, readLedger } from '../../../src/sandbox/ledger.ts';
import { CarrierState } from '../../../src/sandbox/state.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { buildProgram, type Program } from '../../support/published-program.ts';
import { residentMb } from '../../support/usage.ts';
import { newFolder } from './folders.ts';

export type Settings = Readonly<Record<string, string>>;

export interface Stage {
  readonly folder: string;
  readonly url: string;
  readonly pid: number;
  /** A caller of their own, by name. */
  caller(name: string): Promise<McpCaller>;
  /** A token of a caller by name. */
  token(name: string): Promise<string>;
  /** Looks at /metrics; gives a figure by name, summed over its labels. */
  metrics(): Promise<(name: string) => number>;
  residentMb(): number;
  /** Open files and sockets of the process, now and before anybody called. */
  handles(): number;
  readonly idleHandles: number;
  close(): Promise<void>;
}

let built: Promise<Program> | undefined;
const children = new Set<ChildProcess>();

// A proof that fails half way leaves nothing running.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** What a process says until it has said `word`; a process that ends before that is a failure. */
async function said(child: ChildProcess, stream: Readable, word: string): Promise<string> {
  children.add(child);
  child.once('exit', () => children.delete(child));
  let text = '';
  const hear = (chunk: Buffer) => {
    text += chunk;
  };
  stream.on('data', hear);
  while (!text.includes(word)) {
    if (child.exitCode !== null) throw new Error(`it did not start: ${text}`);
    await Promise.race([once(stream, 'data'), once(child, 'exit')]);
  }
  stream.off('data', hear);
  return text;
}

/** The program as it is published; built once. */
export function program(): Promise<Program> {
  built ??= buildProgram(newFolder('program'));
  return built;
}

/** The sandbox airline in a process of its own, so that it takes its own time; its state lies in `file`. */
export async function sandboxProcess(file: string): Promise<{ settings: Settings; close(): Promise<void> }> {
  const { args, env } = (await program()).start(newFolder('sandbox'));
  const child = spawn(process.execPath, [...args, 'sandbox', '--port', '0', '--json', '--state', file], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await said(child, child.stdout, '}\n');
  return { settings: JSON.parse(text) as Settings, close: () => ended(child) };
}

/** What the airline whose state lies in `file` really did. */
export function ledgerOf(file: string): readonly LedgerEntry[] {
  const state = new CarrierState(file);
  try {
    return readLedger(state);
  } finally {
    state.close();
  }
}

/** One server over HTTP; more of them share what the settings say. */
export async function startInstance(folder: string, port: number, settings: Settings): Promise<ChildProcess> {
  const { args, env } = (await program()).start(folder, {
    FARECLERK_APPROVAL: 'echo',
    FARECLERK_LOG_LEVEL: 'error',
    ...settings,
  });
  const child = spawn(process.execPath, [...args, 'serve', '--http', '--port', String(port)], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await said(child, child.stderr, 'serves MCP on');
  child.stderr.on('data', (chunk) => process.stderr.write(chunk));
  return child;
}

/** A token with every scope, good for two hours. */
export function tokenFor(issuer: Issuer, publicUrl: string, name: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 7200;
  const scope = 'air:read air:book air:pay air:refund air:names';
  return issuer.sign({ aud: `${publicUrl}/mcp`, sub: name, scope, exp });
}

/** `callers` sign in with tokens of an issuer of the stage; who may call how often is as in production. */
export async function openStage(airline: Settings, more: Settings = {}): Promise<Stage> {
  const folder = newFolder('stage');
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const issuer = await startIssuer();
  const signIn = { FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer };
  const child = await startInstance(folder, port, { ...airline, ...signIn, ...more });
  const pid = child.pid ?? 0;
  const callers: McpCaller[] = [];
  const token = (name: string) => tokenFor(issuer, publicUrl, name);
  const handles = () => readdirSync(`/proc/${pid}/fd`).length;
  // State and metrics are open by now, as they are for the rest of its life.
  await fetch(`${publicUrl}/readyz`);
  const idleHandles = handles();
  return {
    folder,
    url: `${publicUrl}/mcp`,
    pid,
    async caller(name) {
      const caller = mcpCaller(`${publicUrl}/mcp`, await token(name));
      callers.push(caller);
      return caller;
    },
    async metrics() {
      const lines = (await (await fetch(`${publicUrl}/metrics`)).text()).split('\n');
      return (name) => {
        const series = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        if (series.length === 0) throw new Error(`no metric ${name}`);
        return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      };
    },
    token,
    residentMb: () => residentMb(pid),
    handles,
    idleHandles,
    async close() {
      for (const caller of callers) caller.close();
      await ended(child);
      await issuer.close();
    },
  };
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await over;
  clearTimeout(late);
}
