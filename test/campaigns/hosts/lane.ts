/** A server for some hosts: its process, its wire in raw messages, the browser it opens, and its terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { PersonAt, type Seen } from '../../server/approval-page/support/person.ts';
import { messageIn } from '../../server/http/support/raw.ts';
import { withoutSettings } from '../support/child.ts';
import { newFolder } from '../support/folders.ts';
import { FLOOR_MS, SILENCE_MS } from './hosts.ts';

const PROGRAM = new URL('./server-process.ts', import.meta.url).pathname;

// biome-ignore lint/suspicious/noExplicitAny: raw messages of any shape
export type Message = any;

export const ERAS = ['stdio 2025', 'stdio 2026', 'HTTP 2026', 'HTTP 2025'] as const;
export type Era = (typeof ERAS)[number];

type Decide = (person: PersonAt, page: Seen) => Promise<void>;

export class Lane {
  readonly era: Era;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #people = new Map<string, Decide>();
  #watching: Promise<void> | undefined;
  #url = '';
  #last = 0;
  /** Requests of the server to the client. */
  onRequest: (message: Message) => void = () => undefined;

  private constructor(era: Era, settings: Readonly<Record<string, string>>) {
    this.era = era;
    this.#folder = newFolder('hosts');
    const browser = join(this.#folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${this.#opened}'\n`);
    chmodSync(browser, 0o755);
    const env = {
      ...withoutSettings(),
      ...{ ...settings, FARECLERK_STATE_DIR: this.#folder, XDG_STATE_HOME: this.#folder, BROWSER: browser },
      ...{
        FARECLERK_LOG_LEVEL: 'silent',
        FARECLERK_DIALOG_FLOOR_MS: String(FLOOR_MS),
        HOSTS_SILENCE_MS: String(SILENCE_MS),
        NODE_NO_WARNINGS: '1',
      },
      NODE_COMPILE_CACHE: join(tmpdir(), 'fareclerk-hosts-compiled'),
    };
    const args = [PROGRAM, ...(era.startsWith('HTTP') ? ['http'] : [])];
    this.#child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    if (this.#child.stdout === null) throw new Error('no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(JSON.parse(line) as Message));
  }

  static async open(era: Era, settings: Readonly<Record<string, string>>): Promise<Lane> {
    const lane = new Lane(era, settings);
    if (!era.startsWith('HTTP')) return lane;
    const [{ url }] = (await once(lane.#child, 'message')) as [{ url: string }];
    lane.#url = url;
    return lane;
  }

  get #opened(): string {
    return join(this.#folder, 'opened');
  }

  /** The person sees every page that opens in the browser, and decides on those about their booking. */
  meet(locator: string, decide: Decide): void {
    this.#people.set(locator, decide);
    this.#watching ??= this.#watch();
  }

  async #watch(): Promise<void> {
    let seen = 0;
    while (this.#child.exitCode === null) {
      const addresses = existsSync(this.#opened) ? readFileSync(this.#opened, 'utf8').trim().split('\n') : [];
      for (const address of addresses.slice(seen)) {
        const person = new PersonAt('', '');
        // A server that has just ended shows no page.
        const page = await person.open(address).catch(() => undefined);
        const found = [...this.#people].find(([locator]) => page?.body.includes(locator));
        if (page !== undefined) await found?.[1](person, page).catch(() => undefined);
      }
      seen = addresses.length;
      await wait(50);
    }
  }

  #read(message: Message): void {
    if (message.method !== undefined) this.onRequest(message);
    else this.#waiting.get(message.id)?.(message);
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** @returns the id and the whole reply; stays pending if none comes */
  request(method: string, params: object, client: Client): { id: number; reply: Promise<Message> } {
    const id = ++this.#last;
    const modern = this.era.endsWith('2026');
    const whole = modern ? { ...params, _meta: metaOf(client) } : params;
    if (this.#url !== '') return { id, reply: this.#post({ jsonrpc: '2.0', id, method, params: whole }) };
    const reply = new Promise<Message>((resolve) => void this.#waiting.set(id, resolve));
    this.send({ id, method, params: whole });
    return { id, reply };
  }

  async #post(message: Message): Promise<Message> {
    const modern = this.era.endsWith('2026') && { 'mcp-method': message.method, 'mcp-name': message.params.name };
    const reply = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modern ? '2026-07-28' : '2025-06-18',
        ...modern,
      },
      body: JSON.stringify(message),
    });
    return messageIn(await reply.text());
  }

  async initialize({ capabilities, info }: Client): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: info };
    await this.request('initialize', params, { capabilities, info }).reply;
    this.send({ method: 'notifications/initialized' });
  }

  /** Answers at the terminal. */
  async decide(operationId: string, yes: boolean): Promise<void> {
    this.#child.send({ decide: operationId, yes });
    await once(this.#child, 'message');
  }

  /** The host leaves: the server's input ends. */
  async hangUp(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    if (this.#url !== '') this.#child.disconnect();
    await gone;
  }

  async close(): Promise<void> {
    await this.hangUp();
    await this.#watching;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Client {
  readonly capabilities: object;
  readonly info: { readonly name: string; readonly version: string };
}

function metaOf({ capabilities, info }: Client) {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': info,
  };
}
