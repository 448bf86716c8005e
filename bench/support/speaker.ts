/** A host that does no more than it must: starts a server, writes JSON-RPC lines, notes when each answer is there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Command } from '../../test/support/published-program.ts';

const FAILED = /"isError":true|^\{(?:"jsonrpc":"2.0",)?(?:"id":\d+,)?"error":/;
const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

export type Tool = Readonly<Record<'name' | 'description' | 'inputSchema', unknown>>;

export class Speaker {
  /** When the process was started, on the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  readonly pid: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #gone: Promise<unknown>;
  readonly #waiting: ((line: string) => void)[] = [];
  #stderr = '';
  #lastId = 0;

  constructor({ args, env }: Command) {
    this.#child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
    this.pid = this.#child.pid ?? 0;
    this.#gone = once(this.#child, 'exit').then(() => {
      for (const answer of this.#waiting) answer('');
    });
    this.#child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-2_000);
    });
    this.#child.stdin.on('error', () => undefined);
    // In the order in which they are answered: with several requests on their way, whose it is stays open.
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const isOwnMessage = line.includes('"method":') && 'method' in JSON.parse(line);
      if (!isOwnMessage) this.#waiting.shift()?.(line);
    });
  }

  static async open(command: Command): Promise<Speaker> {
    const host = new Speaker(command);
    await host.ask('initialize', CLIENT);
    host.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return host;
  }

  /** The answer, and milliseconds to its last byte. Rejects where it is an error, or the process ends without one. */
  async ask(method: string, params: object = {}): Promise<{ line: string; ms: number }> {
    const sent = performance.now();
    const line = await new Promise<string>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params })}\n`);
    });
    const ms = performance.now() - sent;
    if (line === '' || FAILED.test(line)) throw new Error(`${method} failed: ${line.slice(0, 600)}${this.#stderr}`);
    return { line, ms };
  }

  readonly call = (name: string, args: object) => this.ask('tools/call', { name, arguments: args });

  /** As some hosts do it: the process can keep nothing more. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#gone;
  }
}

export async function toolsOf(command: Command): Promise<readonly Tool[]> {
  const host = await Speaker.open(command);
  const { line } = await host.ask('tools/list');
  await host.end();
  return JSON.parse(line).result.tools;
}
