/** The commands that read a whole journal, each as a program of its own: what they say, and the most memory they took. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../support/airline.ts';
import { exactly, most, print, told } from '../../support/report.ts';
import { program } from '../../support/stage.ts';

const MOST_MB = 200;
const PEAK = `import { appendFileSync } from 'node:fs';
process.once('exit', () => appendFileSync(process.env.PEAK_FILE, process.resourceUsage().maxRSS + '\\n'));`;

/** `total`: the operations in the journal. */
export async function judgeCommands(name: string, folder: string, env: Settings, total: number) {
  const { args, env: home } = (await program()).start(folder);
  const figures = [];
  const run = async (what: string, ...argv: string[]) => {
    const began = performance.now();
    const { code, said, lines, peakMb } = await spawned(folder, { ...home, ...env }, [...args, 'journal', ...argv]);
    if (code !== 0) print(`journal ${argv.join(' ')}: ${said.slice(0, 500)}`);
    figures.push(
      exactly(`${name}: exit code of ${what}`, code ?? -1, 0),
      most(`${name}: most memory of ${what}`, peakMb, MOST_MB, 'MB'),
      told(`${name}: ${what}`, (performance.now() - began) / 1000, 's'),
    );
    return lines;
  };
  await run('verify', 'verify');
  await run('show', 'show', '000000ff');
  await run('list', 'list');
  const exported = (await run('export', 'export', '--csv')) - 1;
  figures.push(exactly(`${name}: operations exported`, exported, total));
  return figures;
}

async function spawned(folder: string, env: Settings, argv: readonly string[]) {
  const [peakFile, preload] = [join(folder, 'peak'), join(folder, 'peak.mjs')];
  writeFileSync(peakFile, '');
  writeFileSync(preload, PEAK);
  const child = spawn(process.execPath, ['--import', preload, ...argv], {
    env: { PATH: process.env.PATH ?? '', PEAK_FILE: peakFile, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [lines, said] = [0, ''];
  child.stdout.on('data', (bytes: Buffer) => {
    for (const byte of bytes) if (byte === 10) lines += 1;
    if (said.length < 4_000) said += bytes;
  });
  let complained = '';
  child.stderr.on('data', (bytes) => {
    if (complained.length < 4_000) complained += bytes;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const peaks = readFileSync(peakFile, 'utf8').trim().split('\n').map(Number);
  return { code, lines, said: code === 0 ? said : said + complained, peakMb: Math.max(...peaks) / 1024 };
}
