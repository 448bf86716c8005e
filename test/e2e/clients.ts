/**
 * The clients that hosts use, over real processes: the v1 client, the v2 client in each of its ways to negotiate, and
 * bare handshakes of older revisions.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Stream } from 'node:stream';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export const BIN = new URL('../../bin/fareclerk.js', import.meta.url).pathname;

export const KINDS = ['v1', 'v2-legacy', 'v2-auto', 'v2-2026', '2024-11-05', '2025-03-26', '2025-06-18'] as const;
export type Kind = (typeof KINDS)[number];

export interface Dialog {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly decision: { readonly enum: readonly string[] } } };
}

export type DialogResult = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

/** How the person behind the client answers; absent: the client cannot ask. */
export type Person = (dialog: Dialog) => DialogResult | Promise<DialogResult>;

/** Presses the words of the act. */
export const yes: Person = (dialog) => ({
  action: 'accept',
  content: { decision: dialog.requestedSchema.properties.decision.enum.find((choice) => choice !== 'no') },
});

export interface ToolResult {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly uri?: string;
    readonly name?: string;
  }[];
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  readonly structuredContent: any;
  readonly isError?: boolean;
}

export interface TestClient {
  readonly kind: Kind;
  readonly dialogs: Dialog[];
  list(): Promise<
    readonly { readonly name: string; readonly outputSchema?: unknown; readonly annotations?: unknown }[]
  >;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** Ends stdin and waits; the exit code. */
  close(): Promise<void>;
}

/** A client that also reads resources. */
export interface ReadingClient extends TestClient {
  /** A resource that is a file. */
  read(uri: string): Promise<{ readonly mimeType?: string; readonly bytes: Buffer }>;
}

export interface ConnectOptions {
  readonly env: Record<string, string>;
  readonly person?: Person;
  /** What Node starts; default: the program as it is published. */
  readonly program?: string;
  readonly args?: readonly string[];
}

export async function connect(kind: Kind, options: ConnectOptions): Promise<ReadingClient> {
  if (kind === 'v1') return connectV1(options);
  if (kind.startsWith('v2')) return connectV2(kind, options);
  return connectRaw(kind, options);
}

/** The scripted person answers at once. */
const REHEARSED = ['serve', '--rehearsal', '60'];

function command({ env, program = BIN, args = REHEARSED }: ConnectOptions) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FARECLERK_')));
  return {
    command: process.execPath,
    args: [program, ...args],
    env: {
      ...clean,
      ...{ DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', FARECLERK_LOG_LEVEL: 'error' },
      ...env,
    } as Record<string, string>,
    stderr: 'pipe' as const,
  };
}

/** What every start of a rehearsal says. All else is a mishap, and shown. */
const USUAL = /^(?:A rehearsal: |Airline: )/;

function passOn(stderr: Stream | null): void {
  if (stderr === null) return;
  createInterface({ input: stderr as Readable }).on('line', (line) => {
    if (!USUAL.test(line)) process.stderr.write(`${line}\n`);
  });
}

async function connectV1(options: ConnectOptions): Promise<ReadingClient> {
  const { person } = options;
  const dialogs: Dialog[] = [];
  const client = new V1Client({ name: 'v1', version: '1' }, { capabilities: person ? { elicitation: {} } : {} });
  if (person) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      dialogs.push(params as unknown as Dialog);
      return (await person(params as unknown as Dialog)) as never;
    });
  }
  const transport = new V1Stdio(command(options));
  passOn(transport.stderr);
  await client.connect(transport);
  return speaking('v1', dialogs, client as unknown as V2Client);
}

const NEGOTIATION = { 'v2-auto': { mode: 'auto' as const }, 'v2-2026': { mode: { pin: '2026-07-28' as const } } };

async function connectV2(kind: Kind, options: ConnectOptions): Promise<ReadingClient> {
  const { person } = options;
  const dialogs: Dialog[] = [];
  const versionNegotiation = NEGOTIATION[kind as keyof typeof NEGOTIATION];
  const client = new V2Client(
    { name: kind, version: '1' },
    { capabilities: person ? { elicitation: {} } : {}, ...(versionNegotiation && { versionNegotiation }) },
  );
  if (person) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      dialogs.push(params as unknown as Dialog);
      return (await person(params as unknown as Dialog)) as never;
    });
  }
  const transport = new V2Stdio(command(options));
  passOn(transport.stderr);
  await client.connect(transport);
  return speaking(kind, dialogs, client);
}

const speaking = (kind: Kind, dialogs: Dialog[], client: V2Client): ReadingClient => ({
  kind,
  dialogs,
  list: async () => (await client.listTools()).tools,
  call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
  read: async (uri) => fileIn(await client.readResource({ uri })),
  close: () => client.close(),
});

/** A handshake of an older revision, message by message. */
async function connectRaw(protocolVersion: Kind, options: ConnectOptions): Promise<ReadingClient> {
  const { person } = options;
  const { command: node, args, env } = command(options);
  const child = spawn(node, args, { env, stdio: 'pipe' });
  passOn(child.stderr);
  const dialogs: Dialog[] = [];
  const peer = new RawPeer(child, async (params) => {
    dialogs.push(params);
    return person ? person(params) : { action: 'cancel' };
  });
  const capabilities = person ? { elicitation: {} } : {};
  await peer.request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '0' } });
  peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    kind: protocolVersion,
    dialogs,
    list: async () => ((await peer.request('tools/list', {})) as { tools: [] }).tools,
    call: async (name, callArgs) => (await peer.request('tools/call', { name, arguments: callArgs })) as ToolResult,
    read: async (uri) => fileIn(await peer.request('resources/read', { uri })),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await gone;
    },
  };
}

function fileIn(result: unknown) {
  const [content] = (result as { contents: readonly { mimeType?: string; blob?: string }[] }).contents;
  const { mimeType, blob = '' } = content ?? {};
  return { ...(mimeType !== undefined && { mimeType }), bytes: Buffer.from(blob, 'base64') };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

class RawPeer {
  #next = 0;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, onDialog: (params: Dialog) => Promise<DialogResult>) {
    this.#child = child;
    if (child.stdout === null) throw new Error('no stdout');
    createInterface({ input: child.stdout }).on('line', async (line) => {
      const message = JSON.parse(line) as Message;
      if (message.method === 'elicitation/create') {
        this.send({ jsonrpc: '2.0', id: message.id, result: await onDialog(message.params as Dialog) });
        return;
      }
      const waiter = this.#waiting.get(message.id ?? -1);
      if (message.error) waiter?.reject(new Error(message.error.message));
      else waiter?.resolve(message.result);
    });
  }

  send(message: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }
}
