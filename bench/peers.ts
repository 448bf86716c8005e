/**
 * Servers of others beside ours, from npm: only with `--peers`, since it needs a network.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packagesIn, sizeOf } from './install.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { type Command, Speaker } from './support/speaker.ts';
import { interleaved, median } from './support/statistics.ts';
import { canMeasureUsage, residentMb } from './support/usage.ts';
import { weigh } from './tool-list.ts';

const PEERS = [
  '@modelcontextprotocol/server-memory',
  '@modelcontextprotocol/server-filesystem',
  '@modelcontextprotocol/server-everything',
  '@playwright/mcp',
];
const MB = 1 << 20;
const REST_MS = 500;

/** What one server was seen to be. */
interface Seen {
  tokensEach: number;
  tools: number;
  readonly restingMb: number[];
}

export const peers: Measure = {
  name: 'peers',
  about: 'servers of others: cold start to tools/list over bare Node, tokens a tool, memory at rest, installed size',
  async run(bench) {
    const folders = new Map(PEERS.map((name) => [name, installed(bench, name)]));
    const contenders: Record<string, Command> = {
      ours: bench.program.start(bench.folder('home'), bench.upstream.settings),
    };
    for (const [name, folder] of folders) contenders[name] = commandOf(name, folder);
    const seen = new Map<string, Seen>();
    const starts = Object.entries(contenders).map(
      ([name, command]) => [name, () => start(name, command, seen)] as const,
    );
    const ms = await interleaved<string>(bench.short ? 3 : 9, { node: bareNode, ...Object.fromEntries(starts) });
    return Object.keys(contenders).flatMap((name) =>
      rowsOf(name, ms[name] ?? 0, ms.node ?? 1, seen.get(name), folders.get(name)),
    );
  },
};

function installed({ folder }: Bench, name: string): string {
  const target = join(folder('peers'), name.replace(/\W+/g, '-'));
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--silent'];
  execFileSync('npm', ['install', ...options, name], { cwd: target, stdio: ['ignore', 'ignore', 'inherit'] });
  return target;
}

function commandOf(name: string, folder: string): Command {
  const own = join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (file === undefined) throw new Error(`${name} has no program`);
  return { args: [join(own, file), ...(name.endsWith('filesystem') ? [folder] : [])], env: { HOME: folder } };
}

async function bareNode(): Promise<number> {
  const host = new Speaker({ args: ['-e', '0'], env: {} });
  await host.ended();
  return performance.now() - host.startedAt;
}

/** Milliseconds until the tools are listed; what else there is to see is noted. */
async function start(name: string, command: Command, seen: Map<string, Seen>): Promise<number> {
  const host = new Speaker(command);
  await host.initialize();
  const { line } = await host.ask('tools/list');
  const ms = performance.now() - host.startedAt;
  const { tools } = JSON.parse(line).result;
  const noted: Seen = seen.get(name) ?? {
    tokensEach: weigh(tools).read / tools.length,
    tools: tools.length,
    restingMb: [],
  };
  seen.set(name, noted);
  if (canMeasureUsage && noted.restingMb.length < 3) {
    await wait(REST_MS);
    noted.restingMb.push(residentMb(host.pid));
  }
  await host.kill();
  return ms;
}

function rowsOf(name: string, ms: number, node: number, seen: Seen | undefined, folder: string | undefined): Row[] {
  const rows: Row[] = [{ what: name, value: ms / node, unit: '×', from: `${ms.toFixed(0)} ms of ${node.toFixed(0)}` }];
  if (seen !== undefined) {
    rows.push({ what: '… tokens a tool', value: Math.round(seen.tokensEach), unit: '', from: `${seen.tools} tools` });
    if (seen.restingMb.length > 0) rows.push({ what: '… at rest', value: median(seen.restingMb), unit: 'MB' });
  }
  if (folder !== undefined) {
    const modules = join(folder, 'node_modules');
    const from = `${packagesIn(modules)} packages`;
    rows.push({ what: '… installed', value: sizeOf(modules) / MB, unit: 'MB', from });
  }
  return rows;
}
