/**
 * The clients that hosts use, over HTTP: the v1 client, and the v2 client in each of its ways to negotiate.
 */
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const KINDS = ['v1', 'v2-legacy', 'v2-auto', 'v2-2026'] as const;
export type Kind = (typeof KINDS)[number];

export interface Dialog {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly decision: { readonly enum: readonly string[] } } };
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  readonly structuredContent: any;
  readonly isError?: boolean;
}

export interface HttpClient {
  list(): Promise<readonly { readonly name: string }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly token?: string;
  /** The choice that the person behind the client takes; absent: the client cannot ask. */
  readonly person?: (dialog: Dialog) => string | undefined;
}

const NEGOTIATION = { 'v2-auto': { mode: 'auto' as const }, 'v2-2026': { mode: { pin: '2026-07-28' as const } } };

export async function connectHttp(kind: Kind, url: string, options: ConnectOptions = {}): Promise<HttpClient> {
  const { token, person } = options;
  const requestInit = token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const capabilities = person === undefined ? {} : { elicitation: {} };
  if (kind === 'v1') {
    const client = new V1Client({ name: 'v1', version: '1' }, { capabilities });
    await client.connect(new V1Transport(new URL(url), requestInit) as never);
    return {
      list: async () => (await client.listTools()).tools,
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
      close: () => client.close(),
    };
  }
  const versionNegotiation = NEGOTIATION[kind as keyof typeof NEGOTIATION];
  const client = new V2Client(
    { name: kind, version: '1' },
    { capabilities, ...(versionNegotiation && { versionNegotiation }) },
  );
  if (person) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const decision = person(params as unknown as Dialog);
      return (decision === undefined ? { action: 'cancel' } : { action: 'accept', content: { decision } }) as never;
    });
  }
  await client.connect(new V2Transport(new URL(url), requestInit));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

/** Presses the words of the act. */
export function yes({ requestedSchema }: Dialog): string | undefined {
  return requestedSchema.properties.decision.enum.find((choice) => choice !== 'no');
}
