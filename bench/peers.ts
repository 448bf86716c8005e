/**
 * Servers of others beside ours, from npm: only with `--peers`, since it needs a network.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measure, Row } from './measure.ts';
import { type Command, Speaker } from './support/speaker.ts';
import { interleaved } from './support/statistics.ts';
import { weigh } from './tool-list.ts';

const PEERS = [
  '@modelcontextprotocol/server-memory',
  '@modelcontextprotocol/server-filesystem',
  '@modelcontextprotocol/server-everything',
  '@playwright/mcp',
];

export const peers: Measure = {
  name: 'peers',
  about: 'servers of others: cold start to tools/list, and tokens a tool',
  async run({ program, upstream, folder, short }) {
    const target = folder('peers');
    writeFileSync(join(target, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...PEERS], {
      cwd: target,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const contenders: Record<string, Command> = { ours: program.start(folder('home'), upstream.settings) };
    for (const name of PEERS) contenders[name] = { args: [binOf(target, name), ...argumentsOf(name, target)], env: {} };
    const tokens = new Map<string, { readonly each: number; readonly tools: number }>();
    const list = async (name: string, command: Command): Promise<number> => {
      const host = new Speaker({ ...command, env: { HOME: target, ...command.env } });
      await host.initialize();
      const { line } = await host.ask('tools/list');
      const ms = performance.now() - host.startedAt;
      const { tools } = JSON.parse(line).result;
      tokens.set(name, { each: weigh(tools).read / tools.length, tools: tools.length });
      await host.kill();
      return ms;
    };
    const node = async (): Promise<number> => {
      const host = new Speaker({ args: ['-e', '0'], env: {} });
      await host.ended();
      return performance.now() - host.startedAt;
    };
    const starts = Object.entries(contenders).map(([name, command]) => [name, () => list(name, command)] as const);
    const ms = await interleaved<string>(short ? 3 : 9, { node, ...Object.fromEntries(starts) });
    return Object.keys(contenders).flatMap((name): Row[] => {
      const { each = 0, tools = 0 } = tokens.get(name) ?? {};
      return [
        { what: name, value: (ms[name] ?? 0) / (ms.node ?? 1), unit: '×', from: `${ms[name]?.toFixed(0)} ms` },
        { what: '… tokens a tool', value: Math.round(each), unit: '', from: `${tools} tools` },
      ];
    });
  },
};

function binOf(target: string, name: string): string {
  const folder = join(target, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (file === undefined) throw new Error(`${name} has no program`);
  return join(folder, file);
}

const argumentsOf = (name: string, folder: string): string[] => (name.endsWith('filesystem') ? [folder] : []);
