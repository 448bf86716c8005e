/**
 * The commands that read or move a whole journal, each as a program of its own: what they say, and the most memory they
 * took. A list of bookings of a caller who has very many.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '../../../../src/store/state.ts';
import { buildProgram } from '../../../support/published-program.ts';
import { type Figure, quantile } from '../../support/report.ts';
import { START } from './invented-acts.ts';
import { askedOf } from './reports.ts';

const DAY_MS = 86_400_000;
const MOST_MB = 200;
const PEAK = `import { appendFileSync } from 'node:fs';
process.once('exit', () => appendFileSync(process.env.PEAK_FILE, process.resourceUsage().maxRSS + '\\n'));`;

type Env = Readonly<Record<string, string>>;

interface Ran {
  readonly code: number | null;
  readonly lines: number;
  /** The beginning of what it said on stdout, and on stderr. */
  readonly said: string;
  readonly complained: string;
  readonly peakMb: number;
  readonly seconds: number;
}

/** Archives a third of the journal in the end. `total`: the operations in it. */
export async function judgeCommands(name: string, folder: string, env: Env, total: number): Promise<Figure[]> {
  const program = await buildProgram(join(folder, 'program'));
  const { args, env: home } = program.start(folder);
  const figures: Figure[] = [];
  const run = async (what: string, ...argv: string[]) => {
    const ran = await spawned(folder, { ...home, ...env }, [...args, 'journal', ...argv]);
    if (ran.code !== 0)
      process.stdout.write(`journal ${argv.join(' ')}: ${(ran.said + ran.complained).slice(0, 500)}\n`);
    figures.push(
      { what: `${name}: exit code of ${what}`, value: ran.code ?? -1, atMost: 0, atLeast: 0 },
      { what: `${name}: most memory of ${what}`, value: ran.peakMb, unit: 'MB', atMost: MOST_MB },
      { what: `${name}: ${what}`, value: ran.seconds, unit: 's' },
    );
    return ran;
  };
  const file = join(folder, 'archive.jsonl.gz');
  const exported = async () => (await run('export', 'export', '--csv')).lines - 1;
  await run('verify --all', 'verify', '--all');
  await run('verify since then', 'verify');
  await run('show', 'show', '000000ff');
  await run('list', 'list');
  const before = await exported();
  const day = new Date(START + 100 * DAY_MS).toISOString().slice(0, 10);
  const archived = JSON.parse((await run('archive', 'archive', file, '--before', day)).said).operations as number;
  await run('verify --archive', 'verify', '--archive', file);
  await run('verify --all after it', 'verify', '--all');
  const after = await exported();
  figures.push(
    { what: `${name}: operations exported`, value: before, atMost: total, atLeast: total },
    { what: `${name}: operations archived`, value: archived, atLeast: total / 5 },
    { what: `${name}: of both, missing or twice`, value: Math.abs(total - archived - after), atMost: 0 },
  );
  return figures;
}

async function spawned(folder: string, env: Env, argv: readonly string[]): Promise<Ran> {
  const [peakFile, preload] = [join(folder, 'peak'), join(folder, 'peak.mjs')];
  writeFileSync(peakFile, '');
  writeFileSync(preload, PEAK);
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', preload, ...argv], {
    env: { PATH: process.env.PATH ?? '', PEAK_FILE: peakFile, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [lines, said, complained] = [0, '', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    for (const byte of bytes) if (byte === 10) lines += 1;
    if (said.length < 4_000) said += bytes;
  });
  child.stderr.on('data', (bytes) => {
    if (complained.length < 4_000) complained += bytes;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const peaks = readFileSync(peakFile, 'utf8').trim().split('\n').map(Number);
  return {
    code,
    lines,
    said,
    complained,
    peakMb: Math.max(...peaks) / 1024,
    seconds: (performance.now() - began) / 1000,
  };
}

/** Everything, what is due, and a search that finds little, by a caller with three of four bookings. */
export async function judgeList(name: string, state: State): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, args] of [
    ['all', {}],
    ['due', { deadline_within_hours: 24 }],
    ['found', { query: 'B0000F' }],
    ['not found', { query: 'nobody' }],
  ] as const) {
    const took: number[] = [];
    for (let i = 0; i < 15; i++) {
      const began = performance.now();
      await askedOf(state, 'list_bookings', args);
      took.push(performance.now() - began);
    }
    const value = quantile(took, 0.5);
    figures.push({
      ...{ what: `${name}: list_bookings, ${what}, median`, value, unit: 'ms' },
      ...{ atMost: 50, evenBusy: { atMost: 500 } },
    });
  }
  return figures;
}
