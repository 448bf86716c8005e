/**
 * The published program on stdio, spoken to message by message; all that it says is kept.
 */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ended, type Program } from '../../../cli/program.ts';
import type { Seen } from './seen.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON-RPC as it comes
type Json = any;

export type Person = 'yes' | 'no' | 'closes' | 'cannot be asked';

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Json;
}

export interface ClerkOptions {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly seen: Seen;
  readonly person?: Person;
}

export class Clerk {
  person: Person;
  readonly #child: ChildProcess;
  readonly #seen: Seen;
  readonly #ended: ReturnType<typeof ended>;
  readonly #waiting = new Map<number, (message: Json) => void>();
  #tool = '';
  #last = 0;

  private constructor({ program, env, seen, person = 'yes' }: ClerkOptions) {
    this.person = person;
    this.#seen = seen;
    this.#child = program.start(['serve'], { FARECLERK_LOG_LEVEL: 'trace', NODE_NO_WARNINGS: '1', ...env });
    this.#ended = ended(this.#child);
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout === null) throw new Error('no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(line));
    void this.#ended.then(() => {
      for (const wake of this.#waiting.values()) wake({ error: { message: 'gone' } });
    });
  }

  static async start(options: ClerkOptions): Promise<Clerk> {
    const clerk = new Clerk(options);
    const capabilities = clerk.person === 'cannot be asked' ? {} : { elicitation: {} };
    const clientInfo = { name: 'canaries', version: '1' };
    await clerk.#request('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    clerk.line(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return clerk;
  }

  /** `as`: what the sight is filed under, where the arguments ask for more. */
  async call(tool: string, args: Json, as = tool): Promise<Called> {
    this.#tool = tool;
    const { result, error } = await this.#request('tools/call', { name: tool, arguments: args });
    if (error !== undefined) {
      this.#seen.add('protocol', tool, JSON.stringify(error));
      return { isError: true, text: error.message, structured: {} };
    }
    const called = {
      isError: result.isError === true,
      text: result.content?.[0]?.text ?? '',
      structured: result.structuredContent ?? {},
    };
    this.#keep(as, called, JSON.stringify(result));
    return called;
  }

  /** Any message, good or bad; what comes back is kept. */
  async say(method: string, params: Json): Promise<void> {
    this.#seen.add('protocol', method, JSON.stringify(await this.#request(method, params)));
  }

  line(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    const { stderr } = await this.#ended;
    for (const line of stderr.split('\n')) this.#seen.add('stderr', 'serve', line);
  }

  /** The airline's own title is data, shown to the caller; it is looked at by itself. */
  #keep(as: string, { isError, structured }: Called, whole: string): void {
    const { id } = structured.approval ?? {};
    if (typeof id === 'string') this.#seen.canaries.add('approval handle', id);
    const title: unknown = structured.error?.airline?.title;
    if (typeof title !== 'string' || title === '') {
      this.#seen.add(isError ? 'error' : 'result', as, whole);
      return;
    }
    this.#seen.add("the airline's title", 'error', title);
    const written = JSON.stringify(title).slice(1, -1);
    const twice = JSON.stringify(written).slice(1, -1);
    this.#seen.add('error', as, whole.replaceAll(twice, '').replaceAll(written, ''));
  }

  #read(line: string): void {
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      this.#seen.add('protocol', 'a line that is no JSON', line);
      return;
    }
    if (message.method === 'elicitation/create') {
      this.#answer(message);
      return;
    }
    const wake = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (wake === undefined) this.#seen.add('protocol', 'unasked', line);
    else wake(message);
  }

  #answer({ id, params }: Json): void {
    this.#seen.add('dialog', this.#tool, JSON.stringify(params));
    const choices: string[] = params.requestedSchema?.properties?.decision?.enum ?? [];
    const decision = this.person === 'yes' ? choices.find((choice) => choice !== 'no') : 'no';
    const result = this.person === 'closes' ? { action: 'cancel' } : { action: 'accept', content: { decision } };
    this.line(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  #request(method: string, params: Json): Promise<Json> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.line(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }
}
