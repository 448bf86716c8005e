/**
 * Measures the program beside what it could be compared with. `node bench/run.ts [--short] [--json] [--strict] [--peers] [--before FOLDER] [NAME…]`.
 *
 * Exit code 1: a measure failed, or a figure that is counted (tokens, bytes, packages, requests) is over its target.
 * Timed figures are reported and marked. They fail the run only with `--strict`: a busy machine is not a defect.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { coldStart } from './cold-start.ts';
import { curves } from './curves.ts';
import { ending } from './ending.ts';
import { buildFloors } from './floors/build.ts';
import { httpLoad } from './http-load.ts';
import { httpTrip } from './http-trip.ts';
import { install } from './install.ts';
import { journal } from './journal.ts';
import { ledger } from './ledger.ts';
import { type Bench, isMet, type Measure, type Row } from './measure.ts';
import { memory } from './memory.ts';
import { pause } from './pause.ts';
import { peers } from './peers.ts';
import { requests } from './requests.ts';
import { results } from './results.ts';
import { buildProgram } from './support/program.ts';
import { makeReplies } from './support/replies.ts';
import { tableOf } from './support/table.ts';
import { startUpstream } from './support/upstream.ts';
import { toolList } from './tool-list.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    json: { type: 'boolean' },
    strict: { type: 'boolean' },
    peers: { type: 'boolean' },
    before: { type: 'string' },
  },
});

const MEASURES: readonly Measure[] = [
  coldStart,
  toolList,
  results,
  calls,
  pause,
  memory,
  requests,
  install,
  ending,
  journal,
  curves,
  ledger,
  httpLoad,
  httpTrip(values.before),
];
const known = values.peers ? [...MEASURES, peers] : MEASURES;
const unknown = positionals.find((name) => !known.some((measure) => measure.name === name));
if (unknown !== undefined) {
  console.error(`There is no measure ${unknown}: ${known.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

function machine(): string {
  const load = loadavg().map((one) => one.toFixed(1));
  return `${cpus()[0]?.model ?? 'unknown CPU'} × ${availableParallelism()}, load ${load[0]}, Node ${process.version}, ${process.platform}`;
}

const wanted = known.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const root = mkdtempSync(join(tmpdir(), 'fareclerk-bench-'));
let folders = 0;
const folder = (purpose: string): string => {
  const path = join(root, `${purpose}-${++folders}`);
  mkdirSync(path);
  return path;
};

const began = performance.now();
const found: Record<string, readonly Row[]> = {};
try {
  const replies = await makeReplies();
  const upstream = await startUpstream(replies);
  try {
    const program = await buildProgram(join(root, 'program'));
    const floors = await buildFloors(join(root, 'floors'));
    const bench: Bench = { short: values.short === true, program, floors, replies, upstream, folder };
    if (!values.json) console.log(`${new Date().toISOString().slice(0, 16)}Z  ${machine()}`);
    for (const measure of wanted) {
      const rows = await measure.run(bench);
      found[measure.name] = rows;
      if (!values.json) console.log(`\n${measure.name}: ${measure.about}\n${tableOf(rows)}`);
    }
  } finally {
    upstream.stop();
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

const all = Object.values(found).flat();
const missed = all.filter((row) => !isMet(row));
const seconds = Math.round((performance.now() - began) / 1000);
if (values.json) console.log(JSON.stringify({ machine: machine(), seconds, results: found }, undefined, 2));
else {
  const targets = all.filter(({ target }) => target !== undefined).length;
  console.log(`\n${targets - missed.length} of ${targets} targets met, ${seconds} s`);
}
const failing = missed.filter((row) => values.strict === true || row.counted === true);
process.exitCode = failing.length === 0 ? 0 : 1;
