/**
 * The details page through real clients: the v1 client and the v2 client in the 2025 era, whose client is asked while its call
 * waits, and the v2 client of 2026-07-28, which calls again.
 */

import { setTimeout as wait } from 'node:timers/promises';
import {
  StreamableHTTPClientTransport,
  Client as V2Client,
  InMemoryTransport as V2Memory,
} from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { refundableTrip, ticketedBooking } from '../clerk/calls/bookings.ts';
import { CALLER, type Desk, failures, openDesk } from '../clerk/calls/desk.ts';
import { serve, TOKEN } from '../http/support/serve.ts';
import { DETAILS_AT, enterDetails, newTraveller } from '../support/details.ts';
import { CONTACT } from '../support/people.ts';

const WITH_TOKEN = { headers: { authorization: `Bearer ${TOKEN}` } };

const SILENCE_MS = 1_500;

let desk: Desk;
let opened: string[];
let http: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  opened = [];
  const page = { address: async (id: string) => `${DETAILS_AT}${id}`, open: async (id: string) => opened.push(id) > 0 };
  desk = await openDesk({ ...{ approval: 'elicit', silenceMs: SILENCE_MS, waitMs: 5_000 }, detailsPage: page });
  http = await serve({ caller: CALLER }, desk);
});
afterAll(() => http.close());
afterEach(() => expect(failures).toEqual([]));

/** What a client was shown: an address, or a form. */
interface Shown {
  readonly mode?: string;
  readonly message: string;
  readonly url?: string;
  readonly elicitationId?: string;
  readonly requestedSchema?: { readonly properties: { readonly decision: { readonly enum: readonly string[] } } };
}

interface Host {
  readonly shown: Shown[];
  /** How the person answers an address; a form is accepted with the words of its act. */
  open(url: string): Promise<unknown>;
  call(name: string, args: object, signal?: AbortSignal): Promise<Called>;
  close(): Promise<void>;
}

interface Called {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  readonly structuredContent: any;
}

const KINDS = ['v1', 'v2-2025', 'v2-2026'] as const;
const OF_2025 = ['v1', 'v2-2025'] as const;

const accept = async () => ({ action: 'accept' });

async function connect(
  kind: (typeof KINDS)[number],
  elicitation: Record<string, object> = { form: {}, url: {} },
): Promise<Host> {
  const host = { shown: [] as Shown[], open: accept as Host['open'] };
  const onElicit = async (params: unknown) => {
    const shown = params as Shown;
    host.shown.push(shown);
    if (shown.mode === 'url') return (await host.open(shown.url ?? '')) as never;
    return {
      action: 'accept',
      content: { decision: shown.requestedSchema?.properties.decision.enum[1] ?? '' },
    } as never;
  };
  const capabilities = { elicitation: elicitation as never };
  if (kind === 'v1') {
    const client = new V1Client({ name: kind, version: '1' }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => onElicit(params));
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createMcpServer(desk.clerk, { version: '0', caller: CALLER }).connect(ours as never);
    await client.connect(theirs);
    return speaking(host, client, (params, how) => client.callTool(params, undefined, how));
  }
  const mode = kind === 'v2-2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' as const } } } : {};
  const client = new V2Client({ name: kind, version: '1' }, { capabilities, ...mode });
  client.setRequestHandler('elicitation/create', async ({ params }) => onElicit(params));
  if (kind === 'v2-2026') {
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: WITH_TOKEN }));
    return speaking(host, client, (params, how) => client.callTool(params, how));
  }
  const [ours, theirs] = V2Memory.createLinkedPair();
  await createMcpServer(desk.clerk, { version: '0', caller: CALLER }).connect(ours as never);
  await client.connect(theirs);
  return speaking(host, client, (params, how) => client.callTool(params, how));
}

type CallTool = (
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  how?: { readonly signal: AbortSignal },
) => Promise<unknown>;

function speaking(host: Pick<Host, 'shown' | 'open'>, client: { close(): Promise<void> }, callTool: CallTool): Host {
  return Object.assign(host, {
    call: async (name: string, args: object, signal?: AbortSignal) =>
      (await callTool({ name, arguments: { ...args } }, signal && { signal })) as Called,
    close: () => client.close(),
  });
}

async function trip() {
  const { offer_id } = await refundableTrip(desk, 1);
  return { offer_ids: [offer_id], contact: CONTACT, passenger_counts: { adults: 1 }, details: 'page' };
}

const enter = (url: string, entered = newTraveller()) =>
  enterDetails(desk.parts.state, url.slice(DETAILS_AT.length), [entered], desk.parts.clock.now());

const soon = (work: () => Promise<unknown>) => void setTimeout(() => void work(), 200);

describe.each(KINDS)('%s with URL elicitation', (kind) => {
  it('opens the page and books what was entered there, in one call of the model', async () => {
    const host = await connect(kind);
    host.open = async (url) => {
      soon(() => enter(url));
      return accept();
    };
    const made = await host.call('create_booking', await trip());
    expect(made.structuredContent.status, JSON.stringify(made)).toBe('done');
    const [{ mode, message, url = '' }, ...others] = host.shown as [Shown, ...Shown[]];
    expect([mode, others]).toEqual(['url', []]);
    expect(message).toMatch(
      /^Please open this page .* the assistant does not see them\.\n.* → .*, \w{3} \d+ \w{3} 20\d\d, \d\d:\d\d/,
    );
    // The model never gets the address, which would open what was entered.
    expect(JSON.stringify(made)).not.toContain(url.slice(DETAILS_AT.length));
    expect(opened).toEqual([]);
    await host.close();
  });

  it.each(['decline', 'cancel'])('gives the address for the person after a %s', async (action) => {
    const host = await connect(kind);
    host.open = async () => ({ action });
    const { structuredContent: told, isError } = await host.call('create_booking', await trip());
    expect([told.status, told.details.url, isError ?? false]).toEqual(['details_required', host.shown[0]?.url, false]);
    await host.close();
  });

  it('is not shown the address again where its window stays blank: the next call has it in both halves', async () => {
    opened.length = 0;
    const host = await connect(kind);
    host.open = () => new Promise(() => {});
    const args = await trip();
    // In 2026-07-28 the call is the dialog: the host gives up.
    const first = await Promise.race([host.call('create_booking', args), wait(2 * SILENCE_MS, undefined)]);
    expect(first?.structuredContent.status).toBe(kind === 'v2-2026' ? undefined : 'details_required');
    await wait(SILENCE_MS / 3);
    const { structuredContent: told, content } = await host.call('create_booking', args);
    const url = host.shown[0]?.url ?? '';
    expect([told.status, told.details.url, host.shown.length]).toEqual(['details_required', url, 1]);
    for (const half of [told.next, content[0]?.text])
      expect(half).toMatch(new RegExp(`this address: ${RegExp.escape(url)}\\. .* details: "${told.details.id}"`, 's'));
    expect(opened.splice(0)).toEqual([told.details.id]);
    await enter(url);
    expect((await host.call('create_booking', { ...args, details: told.details.id })).structuredContent.status).toBe(
      'done',
    );
    await host.close();
  });

  it('asks for the yes in the same call where what was entered needs one', async () => {
    const host = await connect(kind);
    host.open = async (url) => {
      soon(() => enter(url, { given_name: 'Leila' } as never));
      return accept();
    };
    const locator = await ticketedBooking(desk);
    const changed = await host.call('change_names', { locator, changes: [{ passenger_ref: '1' }], details: 'page' });
    expect(changed.structuredContent.status, JSON.stringify(changed)).toBe('done');
    expect(host.shown.map(({ mode = 'form' }) => mode)).toEqual(['url', 'form']);
    expect((await desk.parts.airline.read(locator)).travelers[0]?.name?.given).toEqual(['Leila']);
    await host.close();
  });

  it('answers while the page is open, and the call with the id goes on', async () => {
    const host = await connect(kind);
    const args = await trip();
    const first = await host.call('create_booking', args);
    expect(first.structuredContent).toMatchObject({
      status: 'details_required',
      details: { travellers: 1, complete: 0 },
    });
    const { id, url } = first.structuredContent.details;
    await enter(url);
    const made = await host.call('create_booking', { ...args, details: id });
    expect(made.structuredContent.status).toBe('done');
    expect(host.shown).toHaveLength(1);
    await host.close();
  });
});

describe.each(OF_2025)('%s', (kind) => {
  it('gets the address where its host fails to show it', async () => {
    const host = await connect(kind);
    host.open = async () => {
      throw new Error('Method not found');
    };
    const { structuredContent: told } = await host.call('create_booking', await trip());
    expect([told.status, told.details.url]).toEqual(['details_required', host.shown[0]?.url]);
    await host.close();
  });

  it('sends nothing for a call that was taken back, and keeps what was entered for the next one', async () => {
    const host = await connect(kind);
    const leaving = new AbortController();
    const args = await trip();
    const { promise: entered, resolve } = Promise.withResolvers<void>();
    host.open = async (url) => {
      soon(async () => {
        leaving.abort();
        await enter(url);
        resolve();
      });
      return accept();
    };
    const before = desk.sandbox.ledger().length;
    await expect(host.call('create_booking', args, leaving.signal)).rejects.toThrow();
    await entered;
    expect(desk.sandbox.ledger().length).toBe(before);
    const id = host.shown[0]?.url?.slice(DETAILS_AT.length);
    expect((await host.call('create_booking', { ...args, details: id })).structuredContent.status).toBe('done');
    await host.close();
  });
});

describe('a client without URL elicitation', () => {
  it.each(KINDS)('%s gets the address at once, and the page opens in a browser here', async (kind) => {
    opened.length = 0;
    const host = await connect(kind, {});
    const args = await trip();
    const { structuredContent: told } = await host.call('create_booking', args);
    expect([told.status, opened]).toEqual(['details_required', [told.details.id]]);
    expect(told.summary).toContain('The page has opened in a browser on this machine too.');
    await enter(told.details.url);
    const made = await host.call('create_booking', { ...args, details: told.details.id });
    expect([made.structuredContent.status, host.shown]).toEqual(['done', []]);
    await host.close();
  });
});

it('gives the address to a 2025 client over HTTP, which cannot be asked within its call', async () => {
  const client = new V1Client({ name: 'v1', version: '1' }, { capabilities: { elicitation: { form: {}, url: {} } } });
  await client.connect(new V1Http(new URL(http.url), { requestInit: WITH_TOKEN }) as never);
  const { details, ...args } = await trip();
  const call = (given: object) => client.callTool({ name: 'create_booking', arguments: { ...args, ...given } });
  const told = (await call({ details })).structuredContent as Called['structuredContent'];
  expect([told.status, told.details.url]).toEqual(['details_required', `${DETAILS_AT}${told.details.id}`]);
  await enter(told.details.url);
  expect((await call({ details: told.details.id })).structuredContent).toMatchObject({ status: 'done' });
  await client.close();
});

describe('a state of 2026-07-28', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  };
  async function raw(args: object, more: object = {}) {
    const params = { name: 'create_booking', arguments: args, _meta: META, ...more };
    const reply = await fetch(http.url, {
      method: 'POST',
      headers: {
        ...WITH_TOKEN.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'create_booking' },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await reply.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  }

  const stateOf = (id: string) => JSON.stringify({ details_id: id });

  it('carries the id, and a forged one is refused like any id', async () => {
    const args = await trip();
    const asked = await raw(args);
    const id = asked.inputRequests.details.params.url.slice(DETAILS_AT.length);
    expect([asked.resultType, asked.requestState]).toEqual(['input_required', stateOf(id)]);
    const inputResponses = { details: { action: 'accept' } };
    for (const requestState of [stateOf('x'.repeat(43)), stateOf(`${id}x`)]) {
      const { structuredContent } = await raw(args, { requestState, inputResponses });
      expect(structuredContent.error.message).toContain('this id does not fit this call');
    }
    // A response without a state was made up: the page is asked for again.
    expect((await raw(args, { inputResponses })).requestState).toBe(stateOf(id));
    // A state without a response: the page was not opened.
    expect((await raw(args, { requestState: stateOf(id) })).structuredContent.status).toBe('details_required');
  });
});
