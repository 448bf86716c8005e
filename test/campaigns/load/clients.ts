/**
 * Many clients at once against one server, in rounds: all connect in the same moment, work, and leave.
 * `node test/campaigns/load/clients.ts [--clients 900] [--rounds 3] [--strict]`
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newFolder } from '../support/folders.ts';
import { conclude, quantile } from '../support/report.ts';
import { openStage, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf, SURNAME, searchArgs } from '../support/trip.ts';
import { playRound, type Round } from './support/many-clients.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '900' },
    rounds: { type: 'string', default: '3' },
    strict: { type: 'boolean' },
  },
});
const CLIENTS = Math.min(950, Number(values.clients));
const ROUNDS = Math.max(2, Math.min(50, Number(values.rounds)));
const STREAMS = 40;
const SAMPLE_MS = 100;
const BUSY_MS = 700;

const sandbox = await sandboxProcess(`${newFolder('airline')}/airline.sqlite`);
const stage = await openStage(sandbox.settings, {
  // As deploy/ and the image start it, and with a collection on demand.
  NODE_OPTIONS: `--max-semi-space-size=16 --expose-gc --import=${new URL('./support/collect.ts', import.meta.url).href}`,
});
const first = await stage.caller('first');
const pair = await pairOf(first);
const locator = await hold(first, pair);
if (locator === undefined) throw new Error('no booking was made');
const tokens = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => stage.token(`clerk-${n}`)));
const options = {
  url: stage.url,
  tokens,
  search: searchArgs(pair),
  read: { locator, surname: SURNAME },
  streams: STREAMS,
};

let mostMb = 0;
const sampling = setInterval(() => {
  mostMb = Math.max(mostMb, stage.residentMb());
}, SAMPLE_MS);
const idleMb = stage.residentMb();
const overflowsBefore = overflows();
const rounds: (Round & { readonly seconds: number })[] = [];
const heaps: number[] = [];
for (let n = 0; n < ROUNDS; n++) {
  const began = performance.now();
  // In the first round the server is busy with something else for a moment while everybody connects.
  if (n === 0) process.kill(stage.pid, 'SIGSTOP');
  const playing = playRound(options);
  if (n === 0) await wait(BUSY_MS);
  process.kill(stage.pid, 'SIGCONT');
  const round = await playing;
  const seconds = (performance.now() - began) / 1000;
  rounds.push({ ...round, seconds });
  const residentMb = stage.residentMb();
  if (n === 0 || n === ROUNDS - 1) heaps.push(await heapMb());
  process.stderr.write(`  round ${n + 1}: ${seconds.toFixed(1)} s, ${residentMb.toFixed(0)} MB\n`);
}
clearInterval(sampling);

/** What is still held after a collection. */
async function heapMb(): Promise<number> {
  await wait(500);
  process.kill(stage.pid, 'SIGUSR2');
  await wait(500);
  return (await stage.metrics())('nodejs_heap_size_used_bytes') / 1e6;
}

/** Connections that the kernel dropped because the queue of new ones was full, on the whole machine. */
function overflows(): number {
  const [names = '', numbers = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n');
  return Number(numbers.split(' ')[names.split(' ').indexOf('ListenOverflows')] ?? 0);
}

const outcomes = new Map<string, number>();
for (const round of rounds)
  for (const [key, count] of round.outcomes) outcomes.set(key, (outcomes.get(key) ?? 0) + count);
for (const [key, count] of [...outcomes].sort()) process.stderr.write(`  ${key}: ${count}\n`);
const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
const good = [...outcomes].filter(([key]) => /^\S+ (ok|E_AIRLINE_BUSY|http 202)$/.test(key));
const answered = good.reduce((sum, [, count]) => sum + count, 0);
const [heapFirst = 0, heapLast = 0] = heaps;
const ms = rounds.flatMap((round) => round.ms);
conclude(
  `${CLIENTS} clients at once, ${ROUNDS} times`,
  [
    { what: 'calls', value: total, atLeast: CLIENTS * ROUNDS * 4 },
    { what: 'of them refused, cut or failed', value: total - answered, atMost: 0 },
    { what: 'connections that overflowed the backlog', value: overflows() - overflowsBefore, atMost: 0 },
    {
      what: 'streams open at once, least of a round',
      value: Math.min(...rounds.map((r) => r.streams)),
      atLeast: STREAMS,
    },
    { what: 'p99 of a call', value: quantile(ms, 0.99), unit: 'ms' },
    { what: 'calls a second', value: total / rounds.reduce((sum, r) => sum + r.seconds, 0), unit: '/s' },
    { what: 'memory when idle', value: idleMb, unit: 'MB' },
    { what: 'most memory', value: mostMb, unit: 'MB', atMost: 400 },
    { what: 'heap after a collection, first round', value: heapFirst, unit: 'MB' },
    { what: 'heap after a collection, last round: more than that', value: heapLast - heapFirst, unit: 'MB', atMost: 5 },
  ],
  values.strict === true,
);
await stage.close();
await sandbox.close();
