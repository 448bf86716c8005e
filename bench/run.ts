/**
 * Measures what a user waits for and pays. `node bench/run.ts [--short] [--write] [NAME…]`; `--write` also writes the figures into
 * docs/reference/performance.md. `node bench/run.ts calls --beside REV` compares with the program of another commit (beside.ts).
 *
 * Exit code 1: a measure failed, or a figure that is counted (tokens of results, bytes, packages, requests) or, beside another commit,
 * the processor time of a call is over its target. Other timed figures, and the tokens of the tool list, are reported and marked, and do not fail the run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram } from '../test/support/published-program.ts';
import { callsBeside } from './beside.ts';
import { calls, curves } from './calls.ts';
import { coldStart } from './cold-start.ts';
import { counts } from './counts.ts';
import { decided } from './decided.ts';
import { measuredCommit, writeFigures } from './figures.ts';
import { buildFloors } from './floors/floors.ts';
import { httpLoad } from './http-load.ts';
import { install } from './install.ts';
import { journal } from './journal.ts';
import { type Bench, hasTarget, isMet, lineOf, type Row } from './measure.ts';
import { memory } from './memory.ts';
import { questions } from './questions.ts';
import { selling } from './selling.ts';
import { makeReplies } from './support/replies.ts';
import { startUpstream } from './support/upstream.ts';
import { requests, results, toolList } from './tokens.ts';
import { year } from './year.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, write: { type: 'boolean' }, beside: { type: 'string' } },
});
const MEASURES = [
  coldStart,
  calls,
  httpLoad,
  selling,
  memory,
  curves,
  counts,
  toolList,
  results,
  requests,
  install,
  journal,
  questions,
  decided,
  year,
];
const named = MEASURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const isBesideOther = values.beside !== undefined && (positionals.join() !== 'calls' || values.write === true);
if (named.length < positionals.length || isBesideOther) {
  console.error(`Measures: ${MEASURES.map(({ name }) => name).join(', ')}. --beside goes with calls alone.`);
  process.exit(2);
}
const wanted = values.beside === undefined ? named : [callsBeside(values.beside)];

const [cpu, load] = [cpus()[0]?.model ?? 'unknown CPU', loadavg()[0]?.toFixed(1)];
const machine = `${cpu} × ${availableParallelism()}, load ${load}, Node ${process.version}`;
const commit = values.write === true ? measuredCommit() : undefined;
const root = mkdtempSync(join(tmpdir(), 'fareclerk-bench-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
const folder = (purpose: string): string => mkdtempSync(join(root, `${purpose}-`));

const began = performance.now();
const replies = await makeReplies();
const upstream = await startUpstream(replies);
const [program, floors] = [await buildProgram(folder('program')), await buildFloors(folder('floors'))];
const bench: Bench = { short: values.short === true, program, floors, replies, upstream, folder };
console.log(`${new Date().toISOString().slice(0, 16)}Z  ${machine}`);
const rows: Row[] = [];
for (const measure of wanted) {
  const { name, about, why } = measure;
  const found = await measure.run(bench);
  if (commit !== undefined) writeFigures(measure, found, commit, machine);
  rows.push(...found);
  console.log(`\n${name}: ${about}\n  ${why}\n${found.map(lineOf).join('\n')}`);
}
upstream.stop();

const targets = rows.filter(hasTarget);
const missed = targets.filter((row) => !isMet(row));
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`\n${targets.length - missed.length} of ${targets.length} targets met, ${seconds} s`);
process.exitCode = missed.some((row) => row.mustMeet) ? 1 : 0;
