/**
 * Clients of both eras with what a server offers beside its tools: their method names are the same.
 */

import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const KINDS = ['v1', 'v2-legacy', 'v2-auto', 'v2-2026'] as const;
export type Kind = (typeof KINDS)[number];

/** Where the server is: a program to start, or an address. */
export type Where =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly token?: string };

const NEGOTIATION = { 'v2-auto': { mode: 'auto' as const }, 'v2-2026': { mode: { pin: '2026-07-28' as const } } };

export async function asking(kind: Kind, where: Where): Promise<V2Client> {
  if (kind === 'v1') {
    const client = new V1Client({ name: 'v1', version: '1' });
    await client.connect(
      'url' in where ? (new V1Http(new URL(where.url), http(where)) as never) : new V1Stdio(stdio(where)),
    );
    return client as unknown as V2Client;
  }
  const versionNegotiation = NEGOTIATION[kind as keyof typeof NEGOTIATION];
  const client = new V2Client({ name: kind, version: '1' }, { ...(versionNegotiation && { versionNegotiation }) });
  await client.connect('url' in where ? new V2Http(new URL(where.url), http(where)) : new V2Stdio(stdio(where)));
  return client;
}

const stdio = ({ command, args, env }: Extract<Where, { command: string }>) => ({
  command,
  args: [...args],
  env: { ...env },
  stderr: 'ignore' as const,
});

const http = ({ token }: Extract<Where, { url: string }>) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

/** The text of a resource. */
export async function textOf(client: V2Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((each) => ('text' in each ? each.text : '')).join('\n');
}

/** What a prompt says. */
export async function saidBy(client: V2Client, name: string, given: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: given });
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
}

export async function completed(
  client: V2Client,
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
  name: string,
  value: string,
): Promise<readonly string[]> {
  return (await client.complete({ ref, argument: { name, value } })).completion.values;
}
