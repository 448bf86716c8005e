/**
 * Where the time of a call goes, by part of the program, beside the pass-through client.
 *
 *     node bench/profile.ts [read|search|large|trip|http-trip|http-trip-postgres…] [--heap] [--calls N] [--functions N]
 *       [--under PATH] [--program FOLDER]
 *
 * In microseconds of CPU per call or trip; with --heap in bytes allocated. --functions lists the most expensive functions,
 * --under counts only what is called from a source file. --program: a built program instead of this one; its source maps
 * should name packages too. Trips over HTTP have a new caller each, as in http-trip.ts. The profiler slows everything.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pairOf } from '../test/campaigns/support/trip.ts';
import { type McpCaller, mcpCaller, told } from '../test/support/mcp-http.ts';
import { buildFloors } from './floors/build.ts';
import { openStage, trip } from './support/http-stage.ts';
import { cpuTree, heapTree, type Node } from './support/profile-tree.ts';
import { buildProgram, type Program, programAt } from './support/program.ts';
import { makeReplies } from './support/replies.ts';
import { startRunning, stopRunning } from './support/running.ts';
import { type Command, Speaker } from './support/speaker.ts';
import { startUpstream } from './support/upstream.ts';

/** The first that matches the file of a function. */
const PARTS: readonly (readonly [part: string, file: RegExp])[] = [
  ['garbage collection', /^\(garbage/],
  ['idle', /^\((?:idle|root)\)/],
  ['Node and system calls', /^(?:\((?:program)\)|node:)/],
  ['undici', /node_modules\/undici/],
  ['the SDK', /node_modules\/@modelcontextprotocol/],
  ['zod', /node_modules\/zod/],
  ['checks of tokens', /^(?:node_modules\/jose|src\/auth\/callers)/],
  ['PostgreSQL', /^(?:node_modules\/postgres|src\/store\/postgres)/],
  ['sandbox airline', /^src\/sandbox/],
  ['JSON of the airline', /^src\/ota\/transport\/json/],
  ['reading the reply', /^src\/ota\/messages/],
  ['requests, deadlines, retries', /^src\/ota/],
  ['booking and price rules', /^src\/(?:domain\/(?:booking|pricing)|tools\/rules)/],
  ['cleaning, masking, times', /^src\/domain/],
  ['results and their text', /^src\/tools/],
  ['state and journal', /^src\/(?:store|journal)/],
  ['what changed since', /^src\/(?:watching|events)/],
  ['approvals', /^src\/approvals/],
  ['HTTP', /^(?:node_modules\/hono|src\/server\/http)/],
  ['pipeline and log', /./],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    heap: { type: 'boolean' },
    calls: { type: 'string', default: '4000' },
    functions: { type: 'string', default: '0' },
    under: { type: 'string' },
    program: { type: 'string' },
  },
});
const kind = values.heap ? 'heap' : 'cpu';
const hook = fileURLToPath(new URL('support/profiled.cjs', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'fareclerk-profile-'));

/** A process that is profiled. */
interface Subject {
  readonly pid: number;
  end(): Promise<unknown>;
}

const begun = async (command: Command): Promise<Speaker> => {
  const host = new Speaker(command);
  await host.initialize();
  return host;
};

/** Runs `work` once to warm up and once profiled. */
async function profiled<S extends Subject>(
  name: string,
  command: Command,
  begin: (command: Command) => Promise<S>,
  work: (subject: S) => Promise<void>,
): Promise<Node> {
  const file = join(root, `${name}.json`);
  const env = { ...command.env, PROFILE_FILE: file, PROFILE_KIND: kind };
  const subject = await begin({ args: ['--require', hook, ...command.args], env });
  await work(subject);
  process.kill(subject.pid, 'SIGUSR2');
  await work(subject);
  process.kill(subject.pid, 'SIGUSR2');
  while (!existsSync(file)) await wait(50);
  await subject.end();
  const text = readFileSync(file, 'utf8');
  return kind === 'heap' ? heapTree(text) : cpuTree(text);
}

const calls = Number(values.calls);
const many = (count: number, tool: string, args: object) => async (host: Speaker) => {
  for (let n = 0; n < count; n++) await host.call(tool, args);
};

const overStdio = (host: Speaker): McpCaller => ({
  async call(name, args = {}) {
    const { ms, line } = await host.call(name, args);
    return { ms, status: 200, ...told(200, line) };
  },
  close: () => undefined,
});

/** In the sandbox the second call counts as the yes. */
async function trips(host: Speaker, count: number): Promise<void> {
  const caller = overStdio(host);
  const pair = await pairOf(caller);
  for (let n = 0; n < count; n++) await trip(caller, pair, 12 + (n % 30));
}

interface Served extends Subject {
  readonly url: string;
}

async function served(command: Command): Promise<Served> {
  const running = await startRunning(command, ['serve', '--http', '--port', '0'], /serves MCP on/);
  const url = /http:\S+\/mcp/.exec(running.said)?.[0] ?? '';
  return { url, pid: running.child.pid ?? 0, end: () => stopRunning(running) };
}

async function httpTrips(store: string, program: Program, count: number): Promise<Node> {
  const stage = await openStage(program, join(root, `${store}-airline`));
  try {
    const database = store === 'http-trip-postgres' ? await stage.database('trips') : {};
    const command = program.start(join(root, store), { ...stage.settings, ...database });
    return await profiled(store, command, served, async ({ url }) => {
      const pair = await pairOf(mcpCaller(url, await stage.token()));
      for (let n = 0; n < count; n++) {
        const caller = mcpCaller(url, await stage.token());
        await trip(caller, pair, 10 + (n % 40));
        caller.close();
      }
    });
  } finally {
    await stage.close();
  }
}

function each(node: Node, visit: (node: Node, path: readonly Node[]) => void, path: readonly Node[] = []): void {
  visit(node, path);
  const below = [...path, node];
  for (const child of node.children) each(child, visit, below);
}

const partOf = (file: string): string => PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? '';

function byPart(tree: Node, count: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const { under } = values;
  each(tree, ({ file, own }, path) => {
    if (under !== undefined && ![file, ...path.map((one) => one.file)].some((one) => one.includes(under))) return;
    sums.set(partOf(file), (sums.get(partOf(file)) ?? 0) + own / count);
  });
  sums.delete('idle');
  return sums;
}

/** The most expensive functions: with what they call, and without. */
function functionsOf(tree: Node, count: number, most: number): string {
  const sums = new Map<string, { own: number; all: number }>();
  each(tree, ({ name, file, line, own }, path) => {
    const label = (node: Pick<Node, 'name' | 'file' | 'line'>) =>
      `${node.name || '(anonymous)'} ${node.file}:${node.line}`;
    const add = (key: string, self: number) => {
      const sum = sums.get(key) ?? { own: 0, all: 0 };
      sums.set(key, { own: sum.own + self, all: sum.all + own / count });
    };
    add(label({ name, file, line }), own / count);
    const above = new Set(path.map(label));
    above.delete(label({ name, file, line }));
    for (const key of above) add(key, 0);
  });
  const rows = [...sums].filter(([key]) => !key.startsWith('('));
  const show = (by: 'own' | 'all') =>
    rows
      .toSorted(([, a], [, b]) => b[by] - a[by])
      .slice(0, most)
      .map(([key, { own, all }]) => `  ${all.toFixed(1).padStart(9)} ${own.toFixed(1).padStart(9)}  ${key}`)
      .join('\n');
  return `  with what they call | without\n${show('all')}\n\n${show('own')}`;
}

function table(columns: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const parts = PARTS.map(([part]) => part).filter((part) => [...columns.values()].some((sums) => sums.has(part)));
  const total = (sums: ReadonlyMap<string, number>) => [...sums.values()].reduce((sum, one) => sum + one, 0);
  const cells = [...columns.keys()];
  const line = (name: string, texts: readonly string[]) =>
    `  ${name.padEnd(30)}${texts.map((text) => text.padStart(16)).join('')}`;
  const all = [...columns.values()];
  return [
    line('', cells),
    ...parts.map((part) =>
      line(
        part,
        all.map((sums) => (sums.get(part) ?? 0).toFixed(0)),
      ),
    ),
    line(
      'together',
      all.map((sums) => total(sums).toFixed(0)),
    ),
  ].join('\n');
}

const names = positionals.length > 0 ? positionals : ['read', 'search'];
const columns = new Map<string, ReadonlyMap<string, number>>();
try {
  const replies = await makeReplies();
  const upstream = await startUpstream(replies);
  const program =
    values.program === undefined
      ? await buildProgram(join(root, 'program'), (complete) => complete)
      : programAt(resolve(values.program));
  const floors = await buildFloors(join(root, 'floors'));
  const search = { legs: [replies.legs.out], passengers: { adults: 1 } };
  const add = (name: string, tree: Node, count: number) => {
    columns.set(name, byPart(tree, count));
    if (Number(values.functions) === 0) return;
    console.log(`${name}\n${functionsOf(tree, count, Number(values.functions))}\n`);
  };
  for (const name of names) {
    if (name.startsWith('http-trip')) {
      const count = Math.ceil(calls / 20);
      add(name, await httpTrips(name, program, count), count);
      continue;
    }
    await upstream.search(name === 'large' ? 'largeSearch' : name === 'lean' ? 'leanSearch' : 'oneWaySearch');
    const count =
      name === 'trip' ? Math.ceil(calls / 20) : name === 'large' || name === 'lean' ? Math.ceil(calls / 8) : calls;
    const work =
      name === 'read' ? many(count, 'read_booking', { locator: replies.locator }) : many(count, 'search_fares', search);
    const home = join(root, name);
    const own = name === 'trip' ? program.start(home, {}) : program.start(home, upstream.settings);
    const runs: [string, Command, (host: Speaker) => Promise<void>][] = [
      [name, own, name === 'trip' ? (host) => trips(host, count) : work],
    ];
    if (name !== 'trip') runs.push([`… pass-through`, floors.through(join(home, 'through'), upstream.settings), work]);
    for (const [what, command, task] of runs) {
      const tree = await profiled(`${name}-${what.length}`, command, begun, task);
      add(what === name ? name : `${name}: through`, tree, count);
    }
  }
  upstream.stop();
  console.log(table(columns));
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
