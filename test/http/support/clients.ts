/**
 * The clients that hosts use, over HTTP or with a program on stdio: the v1 client, and the v2 client in each of its ways to
 * negotiate. The names of their methods are the same.
 */
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { usualTokens } from './raw.ts';

export const KINDS = ['v1', 'v2-legacy', 'v2-auto', 'v2-2026'] as const;
export type Kind = (typeof KINDS)[number];

export interface Dialog {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly decision: { readonly enum: readonly string[] } } };
}

export type DialogResult = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

/** How the person behind a client answers; absent: the client cannot ask. */
export type Person = (dialog: Dialog) => DialogResult | Promise<DialogResult>;

export interface ToolResult {
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly uri?: string;
    readonly name?: string;
  }[];
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  readonly structuredContent: any;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type HttpClient = Awaited<ReturnType<typeof connectHttp>>;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Where the server is: a program to start, or an address. */
type Where =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly token?: string; readonly fetch?: Fetch };

interface ConnectOptions {
  readonly token?: string;
  /** Carries the requests: absent, as the client sends them. */
  readonly fetch?: Fetch;
  /** The choice that the person behind the client takes; absent: the client cannot ask. */
  readonly person?: (dialog: Dialog) => string | undefined;
}

const NEGOTIATION = { 'v2-auto': { mode: 'auto' as const }, 'v2-2026': { mode: { pin: '2026-07-28' as const } } };

/** A client of this kind that is not connected yet. */
export function clientOf(kind: Kind, person?: Person): V2Client {
  const capabilities = person === undefined ? {} : { elicitation: {} };
  const answer = async ({ params }: { readonly params: unknown }) => (await person?.(params as Dialog)) as never;
  if (kind === 'v1') {
    const v1 = new V1Client({ name: 'v1', version: '1' }, { capabilities });
    if (person) v1.setRequestHandler(ElicitRequestSchema, answer);
    return v1 as unknown as V2Client;
  }
  const versionNegotiation = NEGOTIATION[kind as keyof typeof NEGOTIATION];
  const client = new V2Client(
    { name: kind, version: '1' },
    { capabilities, ...(versionNegotiation && { versionNegotiation }) },
  );
  if (person) client.setRequestHandler('elicitation/create', answer);
  return client;
}

export async function asking(kind: Kind, where: Where, choose?: ConnectOptions['person']): Promise<V2Client> {
  const person = (dialog: Dialog): DialogResult => {
    const decision = choose?.(dialog);
    return decision === undefined ? { action: 'cancel' } : { action: 'accept', content: { decision } };
  };
  const client = clientOf(kind, choose && person);
  const [Http, Stdio] = kind === 'v1' ? [V1Http, V1Stdio] : [V2Http, V2Stdio];
  const transport = 'url' in where ? new Http(new URL(where.url), http(where)) : new Stdio(stdio(where));
  await client.connect(transport as V2Http);
  return client;
}

const stdio = ({ command, args, env }: Extract<Where, { command: string }>) => ({
  ...{ command, args: [...args], env: { ...env } },
  stderr: 'ignore' as const,
});

const http = ({ url, fetch, token = usualTokens.get(Number(new URL(url).port)) }: Extract<Where, { url: string }>) => ({
  ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  ...(fetch !== undefined && { fetch }),
});

export async function connectHttp(kind: Kind, url: string, { token, fetch, person }: ConnectOptions = {}) {
  const where = { url, ...(token !== undefined && { token }), ...(fetch !== undefined && { fetch }) };
  const client = await asking(kind, where, person);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

/** Presses the words of the act. */
export function yes({ requestedSchema }: Dialog): string | undefined {
  return requestedSchema.properties.decision.enum.find((choice) => choice !== 'no');
}

/** The text of a resource. */
export async function textOf(client: V2Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((each) => ('text' in each ? each.text : '')).join('\n');
}

/** What a prompt says. */
export async function saidBy(client: V2Client, name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: given });
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
}
