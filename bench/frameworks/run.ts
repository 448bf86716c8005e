/**
 * What a framework for HTTP would cost: the same three routes on node:http, Hono and Express, each bundled like the
 * program and in a process of its own. `node bench/frameworks/run.ts`. Hono and Express come with the v1 SDK, which is
 * here for tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const NAMES = ['node-http', 'hono', 'express'] as const;
const STARTS = 15;
const ROUNDS = 5;
const CALLS = 6_000;
const AT_ONCE = 16;

const folder = mkdtempSync(join(tmpdir(), 'fareclerk-frameworks-'));
const here = fileURLToPath(new URL('.', import.meta.url));
const fileOf = (name: string) => join(folder, `${name}.cjs`);

await build({
  entryPoints: NAMES.map((name) => join(here, `${name}.ts`)),
  outdir: folder,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
});

async function start(name: string): Promise<{ port: number; ms: number; kill(): void }> {
  const child = spawn(process.execPath, [fileOf(name)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { ...JSON.parse(String(line)), kill: () => child.kill('SIGKILL') };
}

const body = JSON.stringify({ id: 7, jsonrpc: '2.0', method: 'tools/call', params: { text: 'x'.repeat(900) } });

function post(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, (reply) => {
      reply.resume().on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode}`))));
    });
    asked.on('error', reject).end(body);
  });
}

async function perSecond(port: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = CALLS;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await post(port, agent);
    }),
  );
  agent.destroy();
  return CALLS / ((performance.now() - began) / 1000);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const starts = new Map<string, number[]>(NAMES.map((name) => [name, []]));
const rates = new Map<string, number[]>(NAMES.map((name) => [name, []]));
// In turns, so that what else the machine does falls on all alike.
for (let n = 0; n < STARTS; n++) {
  for (const name of NAMES) {
    const { ms, kill } = await start(name);
    kill();
    starts.get(name)?.push(ms);
  }
}
for (let n = 0; n < ROUNDS; n++) {
  for (const name of NAMES) {
    const { port, kill } = await start(name);
    await perSecond(port);
    rates.get(name)?.push(await perSecond(port));
    kill();
  }
}
for (const name of NAMES) {
  const kb = statSync(fileOf(name)).size / 1024;
  const [ms, rate] = [median(starts.get(name) ?? []), median(rates.get(name) ?? [])];
  process.stdout.write(
    `${name.padEnd(10)} ${kb.toFixed(0).padStart(5)} KB  ${ms.toFixed(1).padStart(6)} ms to listen  ${rate.toFixed(0).padStart(6)} calls/s\n`,
  );
}
rmSync(folder, { recursive: true, force: true });
