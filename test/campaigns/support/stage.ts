/** The published program as its own processes, in front of an airline, for callers with tokens; all on 127.0.0.1. */

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { freePort } from '../../http/support/openid.ts';
import { type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { buildProgram } from '../../support/published-program.ts';
import type { SandboxFault } from '../../support/sandbox/wire-faults.ts';
import { residentMb } from '../../support/usage.ts';
import type { Settings } from './airline.ts';
import { entriesOf } from './books.ts';
import { newFolder } from './folders.ts';

export type { Settings };

let built: ReturnType<typeof buildProgram> | undefined;
const children = new Set<ChildProcess>();

// A proof that fails half way, or is stopped, leaves nothing running.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
// Vitest ends its workers itself, and tests of commands send this signal to their own process.
if (process.env.VITEST === undefined) process.once('SIGTERM', () => process.exit(143));

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
export function program(): ReturnType<typeof buildProgram> {
  built ??= buildProgram(newFolder('program'));
  return built;
}

/** The sandbox airline in a process of its own, so that it takes its own time; its state lies in `file`. */
export async function sandboxProcess(file: string) {
  const { args, env } = (await program()).start(newFolder('sandbox'));
  const child = spawn(process.execPath, [...args, 'sandbox', '--port', '0', '--json', '--state', file], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await said(child, child.stdout, '}\n');
  return { settings: JSON.parse(text) as Settings, close: () => ended(child) };
}

/** The sandbox airline in a process of its own that also plays faults of every kind. */
export async function troubledSandboxProcess(file: string) {
  const child = fork(new URL('../../support/sandbox/troubled-process.ts', import.meta.url), [file]);
  children.add(child);
  child.once('exit', () => children.delete(child));
  const [settings] = (await once(child, 'message')) as [Settings];
  return { settings, order: (fault: SandboxFault) => void child.send(fault), close: () => ended(child) };
}

/** What the airline whose state lies in `file` really did. */
export async function ledgerOf(stateFile: string) {
  const sandbox = await startSandbox({ stateFile });
  try {
    return sandbox.ledger();
  } finally {
    await sandbox.close();
  }
}

/** Locators of the payments in the airline's books, one for each payment and for each repeat that the airline refused. */
export async function paymentsIn(books: string): Promise<readonly string[]> {
  return entriesOf(await ledgerOf(books), 'paid').map(({ locator }) => locator);
}

/** One server over HTTP; more of them share what the settings say. `REHEARSAL`: of `serve --rehearsal`. */
export async function startInstance(
  folder: string,
  port: number,
  { REHEARSAL, ...settings }: Settings,
): Promise<ChildProcess> {
  const rehearsal = REHEARSAL === undefined ? [] : ['--rehearsal', REHEARSAL];
  const { args, env } = (await program()).start(folder, {
    ...{ FARECLERK_APPROVAL: 'echo', FARECLERK_LOG_LEVEL: 'error' },
    ...(settings.FARECLERK_ISSUER === undefined && { FARECLERK_HTTP_TOKEN: randomBytes(32).toString('hex') }),
    ...settings,
  });
  const child = spawn(process.execPath, [...args, 'serve', '--http', '--port', String(port), ...rehearsal], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await said(child, child.stderr, 'serves MCP on');
  child.stderr.on('data', (chunk) => process.stderr.write(chunk));
  return child;
}

/** One instance of a fleet, which is started again in its folder: second records outlive it. */
export async function startMember(settings: Settings, folder = newFolder('instance'), fixedPort?: number) {
  const port = fixedPort ?? (await freePort());
  const start = (more: Settings = {}) => startInstance(folder, port, { ...settings, ...more });
  let child = await start();
  return {
    port,
    get process() {
      return child;
    },
    /** Stops it in order, where it runs, and starts it again. Returns its exit code. */
    async restart(more?: Settings) {
      await ended(child);
      const code = child.exitCode;
      child = await start(more);
      return code;
    },
    async kill() {
      const over = once(child, 'exit');
      child.kill('SIGKILL');
      await over;
    },
    /** Status of /readyz; 0: no answer. */
    ready: () =>
      fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_500) }).then(
        ({ status }) => status,
        () => 0,
      ),
  };
}

/** A token with every scope, good for two hours. */
export function tokenFor(
  issuer: Awaited<ReturnType<typeof startIssuer>>,
  publicUrl: string,
  name: string,
  kid = 'ES256',
) {
  const exp = Math.floor(Date.now() / 1000) + 7200;
  const scope = 'air:read air:book air:pay air:refund air:names';
  return issuer.sign({ aud: `${publicUrl}/mcp`, sub: name, scope, exp }, { kid });
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** `callers` sign in with tokens of an issuer of the stage; who may call how often is as in production. */
export async function openStage(airline: Settings, more: Settings = {}) {
  const folder = newFolder('stage');
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const issuer = await startIssuer();
  const signIn = { FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer };
  const child = await startInstance(folder, port, { ...airline, ...signIn, ...more });
  const pid = child.pid ?? 0;
  const callers: McpCaller[] = [];
  const token = (name: string) => tokenFor(issuer, publicUrl, name);
  /** Open files and sockets of the process. */
  const handles = () => readdirSync(`/proc/${pid}/fd`).length;
  // State and metrics are open by now, as they are for the rest of its life.
  await fetch(`${publicUrl}/readyz`);
  return {
    folder,
    url: `${publicUrl}/mcp`,
    pid,
    token,
    residentMb: () => residentMb(pid),
    handles,
    idleHandles: handles(),
    /** A caller of their own, by name. */
    async caller(name: string) {
      const caller = mcpCaller(`${publicUrl}/mcp`, await token(name));
      callers.push(caller);
      return caller;
    },
    /** Looks at /metrics; gives a figure by name, summed over its labels. */
    async metrics() {
      const lines = (await (await fetch(`${publicUrl}/metrics`)).text()).split('\n');
      return (name: string) => {
        const series = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        if (series.length === 0) throw new Error(`no metric ${name}`);
        return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      };
    },
    async close() {
      for (const caller of callers) caller.close();
      await ended(child);
      await issuer.close();
    },
  };
}

/** @param patienceMs then it is killed: a call may wait for a person for half a minute */
export async function ended(child: ChildProcess, patienceMs = 20_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await over;
  clearTimeout(late);
}
