/**
 * Many clients at once against one server, in rounds: all connect in the same moment, work, and leave. Some leave a stream of
 * changes open meanwhile. `node test/campaigns/load/clients.ts [--clients 900] [--rounds 3]`
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { newFolder } from '../support/folders.ts';
import { conclude, counted, flags, least, most, none, print, quantile, told } from '../support/report.ts';
import { openStage, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf, SURNAME, searchArgs } from '../support/trip.ts';
import { collecting } from './support/heap.ts';

const { clients, rounds } = flags({ clients: 900, rounds: 3 });
const STREAMS = 40;
const BUSY_MS = 700;
const REVISION = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
/** The server may be slow with so many; a client that gives up is a failure. */
const PATIENCE_MS = 90_000;

const sandbox = await sandboxProcess(`${newFolder('airline')}/airline.sqlite`);
// As deploy/ and the image start it, and with a collection on demand.
const { settings, heapMb } = collecting('--max-semi-space-size=16');
const stage = await openStage(sandbox.settings, settings);
const first = await stage.caller('first');
const pair = await pairOf(first);
const locator = await hold(first, pair);
if (locator === undefined) throw new Error('no booking was made');
const tokens = await Promise.all(Array.from({ length: clients }, (_, n) => stage.token(`clerk-${n}`)));
const OLD = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'many', version: '1' } };
const toolCall = (name: string, args: object) => ['tools/call', { name, arguments: args, _meta: META }, name] as const;
const MIX = [
  ['initialize', OLD, undefined],
  ['tools/list', { _meta: META }, undefined],
  toolCall('search_fares', searchArgs(pair)),
  toolCall('read_booking', { locator, surname: SURNAME }),
] as const;

const outcomes: string[] = [];
const ms: number[] = [];

/** One request; `heard` gets the reply's status as soon as it begins, and the whole of it. */
function post(token: string, agent: Agent | false, method: string, params: object, name?: string) {
  const modern = method !== 'initialize' && { 'mcp-protocol-version': REVISION, 'mcp-method': method };
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ authorization: `Bearer ${token}`, ...modern, ...(name && { 'mcp-name': name }) },
  };
  const begun = Promise.withResolvers<number>();
  const told = Promise.withResolvers<string>();
  const asked = request(stage.url, { method: 'POST', agent, headers }, (reply) => {
    begun.resolve(reply.statusCode ?? 0);
    const heard = reply.statusCode === 200 ? text(reply).then(outcomeIn) : `http ${reply.statusCode}`;
    told.resolve(Promise.resolve(heard).catch(() => 'cut'));
  });
  asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('late')));
  asked.on('error', (error: NodeJS.ErrnoException) => {
    begun.resolve(0);
    told.resolve(error.code ?? error.message);
  });
  asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { begun: begun.promise, told: told.promise, leave: () => void asked.destroy() };
}

function outcomeIn(body: string): string {
  const message = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);
  return message.result?.structuredContent?.error?.code ?? (message.result ? 'ok' : 'no result');
}

/** Plays the mix; returns how to leave, and whether a stream was open. */
async function play(token: string, n: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const listen = () =>
    post(token, false, 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: META });
  let stream: ReturnType<typeof listen> | undefined;
  for (const [method, params, name] of MIX) {
    const began = performance.now();
    outcomes.push(`${name ?? method} ${await post(token, agent, method, params, name).told}`);
    ms.push(performance.now() - began);
    if (method === 'tools/list' && n < STREAMS) stream = listen();
  }
  const isOpen = (await stream?.begun) === 200;
  const leave = () => {
    stream?.leave();
    agent.destroy();
  };
  return { isOpen, leave };
}

/** Connections that the kernel dropped because the queue of new ones was full, on the whole machine. */
function overflows(): number {
  const [names = '', numbers = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n');
  return Number(numbers.split(' ')[names.split(' ').indexOf('ListenOverflows')] ?? 0);
}

let mostMb = 0;
const sampling = setInterval(() => {
  mostMb = Math.max(mostMb, stage.residentMb());
}, 100);
const overflowsBefore = overflows();
const streams: number[] = [];
const heaps: number[] = [];
for (let n = 0; n < rounds; n++) {
  // In the first round the server is busy with something else for a moment while everybody connects.
  if (n === 0) process.kill(stage.pid, 'SIGSTOP');
  const playing = Promise.all(tokens.map(play));
  if (n === 0) await wait(BUSY_MS);
  process.kill(stage.pid, 'SIGCONT');
  const all = await playing;
  streams.push(all.filter(({ isOpen }) => isOpen).length);
  for (const { leave } of all) leave();
  // Connections that were left are closed.
  await wait(500);
  heaps.push(await heapMb(stage.pid));
}
clearInterval(sampling);

print(counted(outcomes));
const bad = outcomes.filter((outcome) => !/^\S+ (ok|E_AIRLINE_BUSY|http 202)$/.test(outcome));
const [heapFirst = 0] = heaps;
conclude(`${clients} clients at once, ${rounds} times`, [
  least('calls', outcomes.length, clients * rounds * 4),
  none('of them refused, cut or failed', bad.length),
  none('connections that overflowed the backlog', overflows() - overflowsBefore),
  least('streams open at once, least of a round', Math.min(...streams), STREAMS),
  told('p99 of a call', quantile(ms, 0.99), 'ms'),
  most('most memory', mostMb, 400, 'MB'),
  told('heap after a collection, first round', heapFirst, 'MB'),
  most('heap after a collection, last round: more than that', (heaps.at(-1) ?? 0) - heapFirst, 5, 'MB'),
]);
await stage.close();
await sandbox.close();
