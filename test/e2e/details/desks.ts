/** The program as it is published in each of its doors, and everything that goes in and comes out of it. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { program, type Settings } from '../../campaigns/support/stage.ts';
import { type Message as Json, META, StdioClient } from '../../campaigns/support/stdio-client.ts';
import { asking, type Kind } from '../../http/support/clients.ts';
import { enter } from '../../pages/approval/support/page-client.ts';
import type { PersonAt } from '../../pages/approval/support/person.ts';
import { visit } from '../../pages/details/support/details-desk.ts';
import { secretsIn, type Typed } from './travellers.ts';

/** Everything that came out, by the way it came. */
export class Heard {
  readonly leaks: string[] = [];
  readonly count = new Map<string, number>();
  readonly #files = new Map<string, string>();

  add(way: string, text: string): void {
    this.count.set(way, (this.count.get(way) ?? 0) + 1);
    for (const secret of secretsIn(text)) this.leaks.push(`${way}: ${secret}`);
  }

  /** Files as they lie on the disk. */
  folder(way: string, path: string): void {
    for (const name of readdirSync(path, { recursive: true }).map(String)) {
      const file = join(path, name);
      const found = statSync(file, { throwIfNoEntry: false });
      // Compiled code is no state. A file that is the same was looked at before.
      const seen = `${found?.size} ${found?.mtimeMs}`;
      if (found?.isFile() !== true || name.startsWith('cache') || this.#files.get(file) === seen) continue;
      this.#files.set(file, seen);
      this.add(`${way} ${name.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID')}`, readFileSync(file).toString('latin1'));
    }
  }
}

export interface Told {
  readonly structured: Json;
  readonly text: string;
}

/** A client of the program, and the person at its pages. */
export interface Door {
  call(tool: string, args: object): Promise<Told>;
  /** Any other request. */
  ask(method: string, params: object): Promise<Json>;
  /** The cards that the next details page is filled in with. */
  cards: readonly Typed[];
  /** Called while a question waits. */
  look?: () => Promise<void>;
  close(): Promise<void>;
}

export async function fillIn(url: string, cards: readonly Typed[]): Promise<void> {
  const page = await visit(url);
  const fields = cards.flatMap((card, n) =>
    Object.entries(card).map(([name, value]) => [`${name}-${n + 1}`, value] as const),
  );
  const { body, status } = await page.send(Object.fromEntries(fields));
  if (!body.includes('Thank you'))
    throw new Error(`HTTP ${status}: ${body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')}`);
}

type Stdio = 'stdio, 2025' | 'stdio, 2026';

export async function onStdio(kind: Stdio, folder: string, settings: Settings, heard: Heard): Promise<Door> {
  const { args, env } = (await program()).start(folder, {
    FARECLERK_LOG_LEVEL: 'trace',
    FARECLERK_APPROVAL: 'page',
    ...settings,
  });
  const child = spawn(process.execPath, [...args, 'serve', '--rehearsal', '60'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'pipe',
  });
  child.stderr.on('data', (chunk) => heard.add('stderr', String(chunk)));
  const client = new StdioClient(child);
  const send = client.line.bind(client);
  client.line = (text) => {
    heard.add('client', text);
    send(text);
  };
  client.onStray = (line) => heard.add('server', line);
  const door: Door = {
    cards: [],
    call: async (tool, given) => told(await request('tools/call', { name: tool, arguments: given })),
    ask: request,
    close: () => client.close(),
  };
  const visited = async (url: string) => {
    if (url.includes('/details/')) return fillIn(url, door.cards);
    await door.look?.();
    await (await enter(url)).decide('yes');
  };
  client.onRequest = (message) => {
    heard.add('server', JSON.stringify(message));
    if (message.method !== 'elicitation/create') return;
    const accept = () => client.send({ id: message.id, result: { action: 'accept' } });
    // An accept opens the details page; a question is answered on its page first.
    if (message.params.url.includes('/details/')) accept();
    void visited(message.params.url).then(message.params.url.includes('/details/') ? undefined : accept);
  };
  const capabilities = { elicitation: { form: {}, url: {} } };
  const modern = kind === 'stdio, 2026' ? { _meta: META(capabilities) } : {};
  async function request(method: string, params: object): Promise<Json> {
    let again: Json = {};
    for (;;) {
      const reply: Json = await client.request(method, { ...params, ...modern, ...again }).reply;
      heard.add('server', JSON.stringify(reply));
      const { inputRequests, requestState } = reply.result ?? {};
      if (inputRequests === undefined) return reply.result ?? reply;
      const [[key, { params: asked }]] = Object.entries<Json>(inputRequests) as [[string, Json]];
      await visited(asked.url);
      again = { requestState, inputResponses: { [key]: { action: 'accept' } } };
    }
  }
  if (kind === 'stdio, 2025') await client.initialize(capabilities);
  return door;
}

const told = ({ structuredContent, content, ...rest }: Json): Told => ({
  structured: structuredContent ?? { error: rest },
  text: content?.[0]?.text ?? '',
});

interface Where {
  readonly url: string;
  readonly token: string;
  readonly person: PersonAt;
}

/** A client without dialogs: it gets addresses in results. */
export async function onHttp(kind: Kind, { url, token, person }: Where, heard: Heard): Promise<Door> {
  const heardFetch = async (input: string | URL, init?: RequestInit) => {
    heard.add('client', String(init?.body ?? ''));
    const reply = await fetch(input, init);
    void reply
      .clone()
      .text()
      .then(
        (text) => heard.add('server', text),
        () => undefined,
      );
    return reply;
  };
  const client = await asking(kind, { url, token, fetch: heardFetch });
  const door: Door = {
    cards: [],
    async call(tool, args) {
      let more = {};
      for (;;) {
        const result = told(await client.callTool({ name: tool, arguments: { ...args, ...more } }));
        const { status, details, approval } = result.structured;
        if (status === 'details_required') {
          await fillIn(details.url, door.cards);
          more = { ...more, details: details.id };
        } else if (status === 'approval_required') {
          await door.look?.();
          // With the sign-in that the yes to each question needs.
          await person.press(await person.open(`${approval.url}?to=approve`), 'yes');
          more = { ...more, approval_id: approval.id };
        } else return result;
      }
    },
    ask(method, params: Json) {
      if (method === 'resources/read') return client.readResource(params);
      return method === 'prompts/get' ? client.getPrompt(params) : client.listPrompts();
    },
    close: () => client.close(),
  };
  return door;
}

/** A wire to a server, both directions of which are heard. */
export async function startTap(target: URL, way: string, heard: Heard) {
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const heardOn = (chunk: Buffer) => heard.add(way, chunk.toString('latin1'));
    near.on('data', heardOn).pipe(far);
    far.on('data', heardOn).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tapped = new URL(target);
  tapped.port = String((server.address() as AddressInfo).port);
  return { url: tapped.href, close: () => void server.close() };
}

/** Takes what is posted: events and notices. */
export async function startReceiver(heard: Heard) {
  const server = createHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.add('posted', `${JSON.stringify(request.headers)} ${Buffer.concat(chunks)}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** The program over HTTP; what it logs is heard. */
export async function serveHttp(port: number, folder: string, settings: Settings, heard: Heard) {
  const { args, env } = (await program()).start(folder, {
    FARECLERK_LOG_LEVEL: 'trace',
    FARECLERK_APPROVAL: 'page',
    ...settings,
  });
  const child = spawn(process.execPath, [...args, 'serve', '--http', '--port', String(port)], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
    heard.add('stderr', String(chunk));
  });
  while (!said.includes('serves MCP on') && !said.includes('"serving"')) {
    if (child.exitCode !== null) throw new Error(said);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return child;
}
