/** A client of the program over stdio that speaks in raw messages, so that a proof knows exactly what was said. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

// biome-ignore lint/suspicious/noExplicitAny: raw messages of any shape
export type Message = any;

/** The process ended before it answered. */
export class Gone extends Error {}

export const META = (capabilities: object, info: object = { name: 'proof', version: '1' }) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': info,
});

export class StdioClient {
  readonly startedAt = performance.now();
  readonly exited: Promise<void>;
  gone = false;
  /** Requests of the program to its client. */
  onRequest: (message: Message) => unknown = () => undefined;
  /** Lines that answer nothing, or are no JSON. */
  onStray: (line: string) => void = () => undefined;
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  #last = 0;

  constructor(child: ChildProcess) {
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('close', () => {
        this.gone = true;
        for (const { reject } of this.#waiting.values()) reject(new Gone());
        resolve();
      });
    });
    child.stdin?.on('error', () => undefined);
    if (child.stdout === null) throw new Error('no stdout');
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
  }

  #read(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      message = undefined;
    }
    const waiter = this.#waiting.get(message?.id);
    if (message?.method !== undefined) this.onRequest(message);
    else if (waiter === undefined) this.onStray(line);
    else {
      this.#waiting.delete(message.id);
      waiter.resolve(message);
    }
  }

  /** The id and the whole reply, which rejects if the process ends. */
  request(method: string, params: unknown): { readonly id: number; readonly reply: Promise<Message> } {
    const id = ++this.#last;
    const waiter = Promise.withResolvers<Message>();
    waiter.promise.catch(() => undefined);
    if (this.gone) waiter.reject(new Gone());
    this.#waiting.set(id, waiter);
    this.send({ id, method, params });
    return { id, reply: waiter.promise };
  }

  send(message: object): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  line(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }

  /** The handshake of the older protocols. */
  async initialize(
    capabilities: object,
    clientInfo: object = { name: 'proof', version: '1' },
    protocolVersion = '2025-06-18',
  ): Promise<void> {
    await this.request('initialize', { protocolVersion, capabilities, clientInfo }).reply;
    this.send({ method: 'notifications/initialized' });
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.exited;
  }
}
