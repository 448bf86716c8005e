/**
 * The real program in a process of its own, spoken to over stdio message by message, so that a proof knows exactly what
 * was said before it died.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withoutSettings } from '../../support/child.ts';
import type { FromCrasher, Step, ToCrasher } from './crash-at.ts';

const BIN = fileURLToPath(new URL('../../../../bin/fareclerk.js', import.meta.url));
const CRASH_AT = fileURLToPath(new URL('./crash-at.ts', import.meta.url));

/** How the person's yes travels: the host's dialog of either era, or the model's word. */
export const KINDS = ['2026', '2025', 'echo'] as const;
export type Kind = (typeof KINDS)[number];

/** The process ended before it answered. */
export class Gone extends Error {}

export interface Told {
  readonly text: string;
  readonly isError: boolean;
  readonly code?: string;
  readonly effect?: string;
  readonly status?: string;
  readonly operationId?: string;
  readonly approvalId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  readonly structured: any;
}

/** What the caller knows of its question, and so can come back with. */
export interface Talk {
  handle?: string;
  decision?: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON-RPC as it comes
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: JSON-RPC as it comes
  readonly result?: any;
  readonly error?: { readonly message: string };
}

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'chaos', version: '1' },
};

export interface StartOptions {
  readonly kind: Kind;
  readonly env: Readonly<Record<string, string>>;
}

export class Program {
  readonly kind: Kind;
  readonly startedAt = performance.now();
  readonly exited: Promise<void>;
  gone = false;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(message: Message): void; reject(error: Error): void }>();
  readonly #greeting: Promise<unknown>;
  #onDialog: (message: string, choices: readonly string[]) => unknown = () => ({ action: 'cancel' });
  #onCrasher: ((message: FromCrasher) => void) | undefined;
  #last = 0;

  constructor({ kind, env }: StartOptions) {
    this.kind = kind;
    const quiet = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', NODE_NO_WARNINGS: '1' };
    this.#child = spawn(process.execPath, ['--import', CRASH_AT, BIN, 'serve'], {
      env: { ...withoutSettings(), ...quiet, FARECLERK_LOG_LEVEL: 'error', FARECLERK_APPROVAL: 'echo', ...env },
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.gone = true;
        for (const { reject } of this.#waiting.values()) reject(new Gone());
        this.#waiting.clear();
        resolve();
      });
    });
    this.#child.on('message', (message) => this.#onCrasher?.(message as FromCrasher));
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout === null) throw new Error('no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(JSON.parse(line) as Message));
    this.#greeting = kind === '2026' ? Promise.resolve() : this.#greet();
    this.#greeting.catch(() => undefined);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends its stdin, and waits. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
  }

  /** From now on: dies at this step. */
  async arm(step: Step): Promise<void> {
    await this.#crasher({ arm: step });
  }

  /** The steps that `work` takes. */
  async trace(work: () => Promise<unknown>): Promise<readonly Step[]> {
    await this.#crasher({ trace: true });
    await work();
    const answer = await this.#crasher({ report: true });
    return 'steps' in answer ? answer.steps : [];
  }

  /**
   * Calls a tool and, when it asks, says yes to its question. `asked` is called with the question in hand, `answered`
   * when the yes has gone out.
   */
  async act(tool: string, args: object, talk: Talk, hooks: { asked?(): void; answered?(): void } = {}): Promise<Told> {
    this.#onDialog = (_, choices) => {
      hooks.asked?.();
      queueMicrotask(() => hooks.answered?.());
      return { action: 'accept', content: { decision: choices.find((choice) => choice !== 'no') } };
    };
    const first = await this.#call(tool, args);
    if (first.resultType === 'input_required') {
      const [request] = Object.values(first.inputRequests as Record<string, Message>);
      talk.handle = first.requestState;
      talk.decision = choicesOf(request).find((choice) => choice !== 'no') ?? '';
    } else {
      const told = toldOf(first);
      if (told.status !== 'approval_required') return told;
      talk.handle = told.approvalId ?? '';
    }
    hooks.asked?.();
    const yes = this.again(tool, args, talk);
    hooks.answered?.();
    return yes;
  }

  /** The same question again with the same yes, as a host or a model does when it got no answer. */
  async again(tool: string, args: object, talk: Talk): Promise<Told> {
    this.#onDialog = () => ({ action: 'decline' });
    if (talk.decision === undefined) {
      return toldOf(await this.#call(tool, talk.handle === undefined ? args : { ...args, approval_id: talk.handle }));
    }
    const answer = { action: 'accept', content: { decision: talk.decision } };
    const result = await this.#call(tool, args, {
      requestState: talk.handle,
      inputResponses: { approval: answer },
    });
    return toldOf(result);
  }

  /** Calls a tool that asks nothing. */
  async tell(tool: string, args: object): Promise<Told> {
    return toldOf(await this.#call(tool, args));
  }

  async #call(name: string, args: object, more: object = {}) {
    await this.#greeting;
    const capabilities = this.kind === 'echo' ? {} : { elicitation: { form: {} } };
    const _meta = { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const modern = this.kind === '2026' ? { _meta } : {};
    const { result, error } = await this.#request('tools/call', { name, arguments: args, ...more, ...modern });
    if (error) throw new Error(error.message);
    return result;
  }

  async #greet(): Promise<void> {
    const capabilities = this.kind === '2025' ? { elicitation: {} } : {};
    const clientInfo = { name: 'chaos', version: '1' };
    await this.#request('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  #request(method: string, params: unknown): Promise<Message> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(new Gone());
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  #send(message: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #read(message: Message): void {
    if (message.method === 'elicitation/create') {
      const { params } = message;
      this.#send({ jsonrpc: '2.0', id: message.id, result: this.#onDialog(params.message, choicesOf({ params })) });
      return;
    }
    const waiter = this.#waiting.get(message.id ?? -1);
    this.#waiting.delete(message.id ?? -1);
    waiter?.resolve(message);
  }

  #crasher(message: ToCrasher): Promise<FromCrasher> {
    return new Promise((resolve, reject) => {
      this.#onCrasher = resolve;
      this.#child.send(message, (error) => {
        if (error) reject(new Gone());
      });
    });
  }
}

function choicesOf(request: Pick<Message, 'params'> | undefined): readonly string[] {
  return request?.params.requestedSchema.properties.decision.enum ?? [];
}

// biome-ignore lint/suspicious/noExplicitAny: a tool result as it comes
function toldOf(result: any): Told {
  if (result?.resultType === 'input_required') {
    return { text: '', isError: false, status: 'approval_required', structured: {} };
  }
  const structured = result?.structuredContent ?? {};
  const { error, status, operation_id: operationId, approval } = structured;
  return {
    text: result?.content?.[0]?.text ?? '',
    isError: result?.isError === true,
    structured,
    ...(error && { code: error.code, effect: error.effect }),
    ...(status !== undefined && { status }),
    ...(operationId !== undefined && { operationId }),
    ...(approval !== undefined && { approvalId: approval.id }),
  };
}
