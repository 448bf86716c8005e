/**
 * The fuzzer from the command line:
 *
 *   node test/campaigns/fuzz/run.ts [--replies 100000] [--inputs 100000] [--wire 2000] [--seed 1] [--first 0]
 *
 * Spoilt replies through adapter, tools and journal; a share of them over real HTTP; malformed arguments through the
 * clerk's pipeline. Exit 1 on a crash, an E_INTERNAL, somebody else's booking, a result that breaks its schema, or memory
 * that grows. `--first N --replies 1` repeats run N.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Corpus, gather } from './corpus.ts';
import { fuzzInputs } from './inputs.ts';
import { type Report as Found, fuzzReplies } from './replies.ts';
import { fuzzWire } from './wire.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MiB = 1 << 20;
/** What the heap may grow by between the first tenth of a run and its end. */
const MOST_GROWTH = 24 * MiB;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Memory after a collection, at every tenth of the way. */
class Gauge {
  readonly #every: number;
  readonly readings: { readonly heap: number; readonly rss: number }[] = [];

  constructor(count: number) {
    this.#every = Math.max(1, Math.floor(count / 10));
  }

  readonly at = (done: number): void => {
    if (done % this.#every !== 0) return;
    collect();
    const { heapUsed: heap, rss } = process.memoryUsage();
    this.readings.push({ heap, rss });
  };

  get growth(): number {
    const [first, last] = [this.readings[0], this.readings.at(-1)];
    return first === undefined || last === undefined ? 0 : last.heap - first.heap;
  }

  toString(): string {
    const told = (bytes: number) => `${Math.round(bytes / MiB)}`;
    return `heap MB ${this.readings.map(({ heap }) => told(heap)).join(' ')}; rss MB ${this.readings.map(({ rss }) => told(rss)).join(' ')}`;
  }
}

async function stage(name: string, count: number, run: (gauge: Gauge) => Promise<Found>): Promise<boolean> {
  if (count === 0) return true;
  const gauge = new Gauge(count);
  const began = performance.now();
  const { outcomes, failures } = await run(gauge);
  const seconds = (performance.now() - began) / 1_000;
  print(
    `\n${name}: ${count} in ${seconds.toFixed(1)} s (${Math.round(count / seconds)}/s), ${failures.length} failures`,
  );
  const rows = [...outcomes].sort(([, a], [, b]) => b - a);
  for (const [outcome, times] of rows) print(`  ${String(times).padStart(8)}  ${outcome}`);
  print(`  ${gauge}; heap grew by ${(gauge.growth / MiB).toFixed(1)} MB`);
  for (const { run: nth, tool, why, input, inside } of failures) {
    print(`\nFAILED run ${nth}, ${tool}: ${why}\n${inside ?? ''}\n${input.slice(0, 1_500)}`);
  }
  return failures.length === 0 && gauge.growth < MOST_GROWTH;
}

const { values } = parseArgs({
  options: {
    replies: { type: 'string', default: '100000' },
    inputs: { type: 'string', default: '100000' },
    wire: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
});
const [replies, inputs, wire, seed, first] = [
  values.replies,
  values.inputs,
  values.wire,
  values.seed,
  values.first,
].map(Number) as [number, number, number, number, number];
const corpora: readonly Corpus[] = [await gather('rail'), await gather('airline')];
print(`${corpora.reduce((sum, { samples }) => sum + samples.length, 0)} good replies gathered; seed ${seed}`);
const sound = [
  await stage('replies', replies, ({ at }) => fuzzReplies({ corpora, first, count: replies, seed, onProgress: at })),
  await stage('replies over HTTP', wire, ({ at }) => fuzzWire({ corpora, first, count: wire, seed, onProgress: at })),
  await stage('inputs', inputs, ({ at }) => fuzzInputs({ corpora, first, count: inputs, seed, onProgress: at })),
];
const polluted = ({} as Record<string, unknown>).polluted !== undefined;
if (polluted) print('\nFAILED: Object.prototype was changed');
process.exitCode = sound.every(Boolean) && !polluted ? 0 : 1;
