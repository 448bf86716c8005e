/** A server for some hosts: its process, its wire in raw messages, the browser it opens, and its terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageIn } from '../../http/support/raw.ts';
import { PersonAt, type Seen } from '../../pages/approval/support/person.ts';
import type { Settings } from '../support/airline.ts';
import { withoutSettings } from '../support/child.ts';
import { newFolder } from '../support/folders.ts';
import { META, type Message, StdioClient } from '../support/stdio-client.ts';
import { FLOOR_MS, SILENCE_MS } from './hosts.ts';

const PROGRAM = new URL('./server-process.ts', import.meta.url).pathname;

export const ERAS = ['stdio 2025', 'stdio 2026', 'HTTP 2026', 'HTTP 2025'] as const;
export type Era = (typeof ERAS)[number];

type Decide = (person: PersonAt, page: Seen) => Promise<void>;

export class Lane extends StdioClient {
  readonly era: Era;
  /** Where the browser writes the addresses that it opens. */
  readonly #opened: string;
  readonly #people = new Map<string, Decide>();
  readonly #server: Promise<{ readonly url: string; readonly token: string }>;
  #watching: Promise<void> | undefined;

  constructor(era: Era, settings: Settings) {
    const folder = newFolder('hosts');
    const [browser, opened] = [join(folder, 'browser'), join(folder, 'opened')];
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${opened}'\n`);
    chmodSync(browser, 0o755);
    const env = {
      ...withoutSettings(),
      ...{ ...settings, FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder, BROWSER: browser },
      ...{ FARECLERK_LOG_LEVEL: 'silent', TEST_DIALOG_FLOOR_MS: String(FLOOR_MS), NODE_NO_WARNINGS: '1' },
      ...{ HOSTS_SILENCE_MS: String(SILENCE_MS), NODE_COMPILE_CACHE: join(tmpdir(), 'fareclerk-hosts-compiled') },
    };
    const isHttp = era.startsWith('HTTP');
    super(
      spawn(process.execPath, [PROGRAM, ...(isHttp ? ['http'] : [])], {
        ...{ env, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] },
      }),
    );
    this.era = era;
    this.#opened = opened;
    this.#server = once(this.child, 'message').then(([server]) => server);
  }

  /** A busy machine needs longer for a start than a host waits for a result. */
  async serves(): Promise<void> {
    await this.#server;
  }

  /** The person sees every page that opens in the browser, and decides on those about their booking. */
  meet(locator: string, decide: Decide): void {
    this.#people.set(locator, decide);
    this.#watching ??= this.#watch();
  }

  async #watch(): Promise<void> {
    let seen = 0;
    while (!this.gone) {
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

  /** A tool call of a client: its id, and the whole reply, which stays away if none comes. */
  call(params: { name: string; arguments: object }, { capabilities, info }: Client) {
    const modern = this.era.endsWith('2026');
    const whole = modern ? { ...params, _meta: META(capabilities, info) } : params;
    if (!this.era.startsWith('HTTP')) return this.request('tools/call', whole);
    const headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      'mcp-protocol-version': modern ? '2026-07-28' : '2025-06-18',
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': params.name }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: whole });
    const post = async () => {
      const { url, token } = await this.#server;
      return fetch(url, { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body });
    };
    const reply = post();
    return { id: 1, reply: reply.then((one) => one.text()).then((text): Message => messageIn(text)) };
  }

  async decide(operationId: string, yes: boolean): Promise<void> {
    this.child.send({ decide: operationId, yes });
    await once(this.child, 'message');
  }

  /** The host leaves: the server's input ends. */
  override async close(): Promise<void> {
    // The end of its input ends a server on stdio alone.
    if (this.era.startsWith('HTTP')) this.kill();
    await super.close();
    await this.#watching;
  }
}

export interface Client {
  readonly capabilities: object;
  readonly info: { readonly name: string; readonly version: string };
}
