/** Caddy with deploy/Caddyfile as it is, in front of instances on this machine; its certificate is signed by itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../server/http/support/openid.ts';
import { newFolder } from '../../support/folders.ts';

const FILE = fileURLToPath(new URL('../../../../deploy/Caddyfile', import.meta.url));

export interface Reply {
  /** 0: the connection was refused or cut. */
  readonly status: number;
  readonly body: string;
  readonly location?: string;
  /** Milliseconds until the first byte of the body, and until its end. */
  readonly firstMs: number;
  readonly ms: number;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The name in the TLS handshake, if it is not the site's. */
  readonly servername?: string;
  /** Asks on the port for plain HTTP. */
  readonly plain?: boolean;
}

export interface Front {
  readonly url: string;
  /** Certificate authority, PEM. */
  readonly ca: string;
  ask(path: string, asked?: Asked): Promise<Reply>;
  close(): Promise<void>;
}

export async function startCaddy(
  instances: readonly number[],
  url: { port: number; httpPort: number },
): Promise<Front> {
  const folder = newFolder('caddy');
  const child = spawn('caddy', ['run', '--config', FILE, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      FARECLERK_PUBLIC_URL: `https://localhost:${url.port}`,
      FARECLERK_INSTANCES: instances.map((port) => `127.0.0.1:${port}`).join(' '),
      CADDY_HTTP_PORT: String(url.httpPort),
      CADDY_HTTPS_PORT: String(url.port),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const heard = await serving(child, join(folder, 'data/caddy/pki/authorities/local/root.crt'));
  const ask: Front['ask'] = (path, asked = {}) => send(heard.ca, asked.plain ? url.httpPort : url.port, path, asked);
  return {
    url: `https://localhost:${url.port}`,
    ca: heard.ca,
    ask,
    async close() {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await over;
    },
  };
}

export async function freePorts(): Promise<{ port: number; httpPort: number }> {
  return { port: await freePort(), httpPort: await freePort() };
}

/** @throws Error if Caddy is not installed, or does not take its file */
async function serving(child: ChildProcess, root: string): Promise<{ ca: string }> {
  let log = '';
  let failed: Error | undefined;
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-8_000);
  });
  child.once('error', (cause) => {
    failed = new Error('Caddy could not be started; apt-get install caddy installs it.', { cause });
  });
  process.once('exit', () => child.kill('SIGKILL'));
  while (!log.includes('certificate obtained successfully')) {
    if (failed !== undefined) throw failed;
    if (child.exitCode !== null) throw new Error(`Caddy ended: ${log}`);
    await wait(50);
  }
  return { ca: readFileSync(root, 'utf8') };
}

function send(ca: string, port: number, path: string, asked: Asked): Promise<Reply> {
  const { method = 'GET', headers = {}, body, servername = 'localhost', plain = false } = asked;
  const target = { host: '127.0.0.1', port, path, method, agent: false as const };
  const all = { host: `localhost:${port}`, ...headers };
  const began = performance.now();
  const since = () => performance.now() - began;
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, body: '', firstMs: since(), ms: since() });
    const outgoing = plain
      ? plainRequest({ ...target, headers: all })
      : tlsRequest({ ...target, headers: all, ca, servername });
    outgoing.once('error', lost);
    outgoing.once('response', (reply) => {
      const chunks: Buffer[] = [];
      let firstMs: number | undefined;
      reply.on('data', (chunk: Buffer) => {
        firstMs ??= since();
        chunks.push(chunk);
      });
      reply.once('error', lost);
      reply.once('end', () => {
        const { statusCode: status = 0, headers: theirs } = reply;
        const { location } = theirs;
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status, body: text, firstMs: firstMs ?? since(), ms: since(), ...(location && { location }) });
      });
    });
    outgoing.end(body);
  });
}
