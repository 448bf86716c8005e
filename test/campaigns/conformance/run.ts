/**
 * The official conformance suite against a running server: `node test/campaigns/conformance/run.ts`. Every failure that is
 * expected stands in a baseline file beside this one with its reason; a new failure, or one that has gone, ends with 1.
 * The suite asks for its own fixtures (test_simple_text and the like): a booking clerk has none, and gets none.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeClerk } from '../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../src/config/load.ts';
import { HTTP_LIMITS } from '../../../src/http/limits.ts';
import { startHttp } from '../../../src/http/server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

const directory = mkdtempSync(join(tmpdir(), 'fareclerk-conformance-'));
const composed = composeClerk(readConfig({ FARECLERK_STATE_DIR: directory, FARECLERK_LOG_LEVEL: 'silent' }));
const token = randomBytes(32).toString('hex');
const serving = await startHttp(composed.clerk, {
  version: '0.0.0-conformance',
  host: '127.0.0.1',
  port: 0,
  caller: composed.caller,
  token,
  // The suite is one caller in a hurry.
  limits: { calls: { burst: 100_000, perSecond: 1_000 }, callsAtOnce: HTTP_LIMITS.connections },
  close: () => composed.close(),
});

/** Adds the token, which the suite cannot send. Host and origin that are not its own go on as they came. */
const door = createServer((incoming, reply) => {
  const { port } = door.address() as AddressInfo;
  const onward = (name: string | undefined) =>
    name?.replace(
      /(?<=^(?:http:\/\/)?(?:127\.0\.0\.1|localhost):)\d+$/,
      (own) => `${Number(own) === port ? serving.port : own}`,
    );
  const { host, origin } = incoming.headers;
  const names = { host: onward(host), ...(origin !== undefined && { origin: onward(origin) }) };
  const headers = { ...incoming.headers, ...names, authorization: `Bearer ${token}` };
  const { method, url: path } = incoming;
  const call = request({ host: '127.0.0.1', port: serving.port, method, path, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  });
  call.on('error', () => reply.destroy());
  reply.on('close', () => call.destroy());
  incoming.pipe(call);
});
door.listen(0, '127.0.0.1');
await once(door, 'listening');

function run(revision: string): Promise<number> {
  const baseline = fileURLToPath(new URL(`baseline.${revision}.yaml`, import.meta.url));
  const args = [
    'server',
    '--url',
    `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
    '--suite',
    'all',
    '--spec-version',
    revision,
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SUITE, ...args, '--expected-failures', baseline], {
      cwd: directory,
      stdio: 'inherit',
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

// Some checks pass against nothing at all: the server must be there first.
const alive = await fetch(new URL('/readyz', serving.url));
if (!alive.ok) throw new Error(`the server is not ready: ${alive.status}`);

const codes: number[] = [];
for (const revision of REVISIONS) codes.push(await run(revision));

door.close();
await serving.stop();
rmSync(directory, { recursive: true, force: true });
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
