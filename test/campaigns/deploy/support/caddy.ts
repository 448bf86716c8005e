/** Caddy with deploy/Caddyfile as it is, in front of instances on this machine; its certificate is signed by itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../http/support/openid.ts';
import { newFolder } from '../../support/folders.ts';

const FILE = fileURLToPath(new URL('../../../../deploy/Caddyfile', import.meta.url));

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The name in the TLS handshake, if it is not the site's. */
  readonly servername?: string;
  /** Asks on the port for plain HTTP. */
  readonly plain?: boolean;
}

export type Front = Awaited<ReturnType<typeof startCaddy>>;

export async function startCaddy(instances: readonly number[], ports: { port: number; httpPort: number }) {
  const folder = newFolder('caddy');
  const url = `https://localhost:${ports.port}`;
  const child = spawn('caddy', ['run', '--config', FILE, '--adapter', 'caddyfile'], {
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder },
      ...{ XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') },
      FARECLERK_PUBLIC_URL: url,
      FARECLERK_INSTANCES: instances.map((port) => `127.0.0.1:${port}`).join(' '),
      ...{ CADDY_HTTP_PORT: String(ports.httpPort), CADDY_HTTPS_PORT: String(ports.port) },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await serving(child);
  /** Certificate authority, PEM. */
  const ca = readFileSync(join(folder, 'data/caddy/pki/authorities/local/root.crt'), 'utf8');
  return {
    url,
    ca,
    ask: (path: string, asked: Asked = {}) => send(ca, asked.plain ? ports.httpPort : ports.port, path, asked),
    async close() {
      const over = once(child, 'exit');
      child.kill('SIGTERM');
      await over;
    },
  };
}

export async function freePorts() {
  return { port: await freePort(), httpPort: await freePort() };
}

/** @throws Error if Caddy is not installed, or does not take its file */
async function serving(child: ChildProcess): Promise<void> {
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
}

/** Status 0: the connection was refused or cut. Milliseconds until the first byte of the body, and until its end. */
function send(ca: string, port: number, path: string, asked: Asked) {
  const { method = 'GET', body, servername = 'localhost', plain = false } = asked;
  const headers = { host: `localhost:${port}`, ...asked.headers };
  const target = { host: '127.0.0.1', port, path, method, headers, agent: false as const };
  const began = performance.now();
  const since = () => performance.now() - began;
  type Reply = { status: number; body: string; location?: string | undefined; firstMs: number; ms: number };
  return new Promise<Reply>((resolve) => {
    const lost = () => resolve({ status: 0, body: '', firstMs: since(), ms: since() });
    const outgoing = plain ? plainRequest(target) : tlsRequest({ ...target, ca, servername });
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
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status, body: text, location: theirs.location, firstMs: firstMs ?? since(), ms: since() });
      });
    });
    outgoing.end(body);
  });
}
