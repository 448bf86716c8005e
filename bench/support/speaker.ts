/**
 * A host that does no more than it must: starts a server, writes JSON-RPC lines, notes when each answer is there.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program run by this Node. */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The answer to a request, as it came. */
export interface Reply {
  readonly line: string;
  /** Milliseconds from sending to the last byte. */
  readonly ms: number;
}

const NEWLINE = 0x0a;

export class Speaker {
  /** When the process was started, on the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((line: string) => void)[] = [];
  readonly #gone: Promise<unknown>;
  #chunks: Buffer[] = [];
  #stderr = '';
  #lastId = 0;

  constructor({ args, env }: Command) {
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
    this.#child = child;
    this.#gone = once(child, 'exit').then(() => {
      for (const answer of this.#waiting.splice(0)) answer('');
    });
    child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-4_000);
    });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Lines come in the order in which they are answered: with several requests on their way, whose it is stays open. */
  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#chunks, chunk.subarray(from, end)]).toString('utf8');
      this.#chunks = [];
      from = end + 1;
      if (!isOwnMessage(line)) this.#waiting.shift()?.(line);
    }
    if (from < chunk.length) this.#chunks.push(chunk.subarray(from));
  }

  notify(method: string): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  /** Rejects where the answer is an error, or the process ends without one. */
  async ask(method: string, params: object = {}): Promise<Reply> {
    const sent = performance.now();
    const line = await new Promise<string>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params })}\n`);
    });
    const ms = performance.now() - sent;
    if (line === '' || /"isError":true|^\{(?:"jsonrpc":"2.0",)?(?:"id":\d+,)?"error":/.test(line)) {
      throw new Error(`${method} failed: ${line.slice(0, 600)}${this.#stderr.slice(0, 2_000)}`);
    }
    return { line, ms };
  }

  async initialize(): Promise<void> {
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT });
    this.notify('notifications/initialized');
  }

  call(name: string, args: object): Promise<Reply> {
    return this.ask('tools/call', { name, arguments: args });
  }

  /** Ends its input and waits; milliseconds until the process is gone. */
  async end(): Promise<number> {
    const from = performance.now();
    this.#child.stdin.end();
    await this.#gone;
    return performance.now() - from;
  }

  debug() {
    return this.#stderr;
  }
  /** The process ended by itself. */
  async ended(): Promise<void> {
    await this.#gone;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}

/** A notification, or a question to the host: no answer of ours. */
function isOwnMessage(line: string): boolean {
  return line.includes('"method":') && 'method' in (JSON.parse(line) as object);
}

const CLIENT = { name: 'bench', version: '1' };

/** What every request of revision 2026-07-28 carries. */
export const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT,
  },
};
