/**
 * The clients that hosts use, over real processes: the v1 client, the v2 client in each of its ways to negotiate, and
 * bare handshakes of older revisions.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Stream } from 'node:stream';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { withoutSettings } from '../campaigns/support/child.ts';
import { StdioClient } from '../campaigns/support/stdio-client.ts';
import {
  clientOf,
  type Dialog,
  KINDS as LIBRARIES,
  type Kind as Library,
  type Person,
  type ToolResult,
  yes as wordsOfTheAct,
} from '../http/support/clients.ts';

export const BIN = new URL('../../bin/fareclerk.js', import.meta.url).pathname;

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;
export const KINDS = [...LIBRARIES, ...REVISIONS];
export type Kind = Library | (typeof REVISIONS)[number];

/** Presses the words of the act. */
export const yes: Person = (dialog) => ({ action: 'accept', content: { decision: wordsOfTheAct(dialog) } });

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

const isLibrary = (kind: Kind): kind is Library => LIBRARIES.some((one) => one === kind);

export function connect(kind: Kind, options: ConnectOptions): Promise<ReadingClient> {
  return isLibrary(kind) ? connectLibrary(kind, options) : connectRaw(kind, options);
}

/** The scripted person answers at once. */
const REHEARSED = ['serve', '--rehearsal', '60'];

function command({ env, program = BIN, args = REHEARSED }: ConnectOptions) {
  return {
    command: process.execPath,
    args: [program, ...args],
    env: {
      ...withoutSettings(),
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

async function connectLibrary(kind: Library, options: ConnectOptions): Promise<ReadingClient> {
  const { person } = options;
  const dialogs: Dialog[] = [];
  const heard: Person | undefined =
    person &&
    ((dialog) => {
      dialogs.push(dialog);
      return person(dialog);
    });
  const client = clientOf(kind, heard);
  const transport = new (kind === 'v1' ? V1Stdio : V2Stdio)(command(options));
  passOn(transport.stderr);
  await client.connect(transport as V2Stdio);
  return {
    kind,
    dialogs,
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    read: async (uri) => fileIn(await client.readResource({ uri })),
    close: () => client.close(),
  };
}

/** A handshake of an older revision, message by message. */
async function connectRaw(protocolVersion: Kind, options: ConnectOptions): Promise<ReadingClient> {
  const { person } = options;
  const { command: node, args, env } = command(options);
  const child = spawn(node, args, { env, stdio: 'pipe' });
  passOn(child.stderr);
  const dialogs: Dialog[] = [];
  const client = new StdioClient(child);
  client.onRequest = async ({ id, method, params }) => {
    if (method !== 'elicitation/create') return;
    dialogs.push(params);
    client.send({ id, result: person ? await person(params) : { action: 'cancel' } });
  };
  await client.initialize(person ? { elicitation: {} } : {}, { name: 'raw', version: '0' }, protocolVersion);
  const asked = async (method: string, params: object) => {
    const { result, error } = await client.request(method, params).reply;
    if (error) throw new Error(error.message);
    return result;
  };
  return {
    kind: protocolVersion,
    dialogs,
    list: async () => (await asked('tools/list', {})).tools,
    call: (name, callArgs) => asked('tools/call', { name, arguments: callArgs }),
    read: async (uri) => fileIn(await asked('resources/read', { uri })),
    close: () => client.close(),
  };
}

function fileIn(result: unknown) {
  const [content] = (result as { contents: readonly { mimeType?: string; blob?: string }[] }).contents;
  const { mimeType, blob = '' } = content ?? {};
  return { ...(mimeType !== undefined && { mimeType }), bytes: Buffer.from(blob, 'base64') };
}
