/**
 * From spawning the process to an answer. Every figure is a multiple of `node -e 0` in the same rounds.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Measure, Row } from './measure.ts';
import { type Command, MODERN, Speaker } from './support/speaker.ts';
import { interleaved } from './support/statistics.ts';

/** A host that kills its servers lets them live for this long at least, milliseconds. */
const LIFE_MS = 1_000;

type Talk = (host: Speaker) => Promise<unknown>;

const list: Talk = async (host) => {
  await host.initialize();
  await host.ask('tools/list');
};

const listModern: Talk = async (host) => {
  await host.ask('server/discover', MODERN);
  await host.ask('tools/list', MODERN);
};

/** Milliseconds from spawn to the end of the talk. */
async function cold(command: Command, talk: Talk): Promise<number> {
  const host = new Speaker(command);
  await talk(host);
  const ms = performance.now() - host.startedAt;
  await host.end();
  return ms;
}

/** As {@link cold}, in a new home that one earlier process used and did not leave in order. */
async function afterKill(bench: Bench): Promise<number> {
  const command = bench.program.start(bench.folder('killed'), bench.upstream.settings);
  const earlier = new Speaker(command);
  await list(earlier);
  await wait(LIFE_MS);
  await earlier.kill();
  const host = new Speaker(command);
  await list(host);
  const ms = performance.now() - host.startedAt;
  await host.kill();
  return ms;
}

/** `node -e 0`, from spawn to exit. */
async function bareNode(): Promise<number> {
  const host = new Speaker({ args: ['-e', '0'], env: {} });
  await host.ended();
  return performance.now() - host.startedAt;
}

export const coldStart: Measure = {
  name: 'cold-start',
  about: 'cold start on stdio, as a multiple of `node -e 0`',
  async run(bench) {
    const { program, floors, upstream, replies } = bench;
    const home = bench.folder('home');
    const ours = program.start(home, upstream.settings);
    const through = floors.through(join(home, 'through'), upstream.settings);
    const read: Talk = async (host) => {
      await list(host);
      await host.call('read_booking', { locator: replies.locator });
    };
    const warm = { list: ours, bare: floors.bare(join(home, 'bare')), sandbox: program.start(bench.folder('sandbox')) };
    // Twice: the cache is written by one start and used by the next.
    for (const command of [...Object.values(warm), ...Object.values(warm)]) await cold(command, list);
    for (const command of [ours, through, ours, through]) await cold(command, read);

    const ms = await interleaved(bench.short ? 7 : 15, {
      node: bareNode,
      bare: () => cold(warm.bare, list),
      list: () => cold(ours, list),
      sandbox: () => cold(warm.sandbox, list),
      modern: () => cold(ours, listModern),
      call: () => cold(ours, read),
      through: () => cold(through, list),
      throughCall: () => cold(through, read),
      first: () => cold(program.start(bench.folder('first'), upstream.settings), list),
    });
    const killed = await interleaved(bench.short ? 5 : 9, { node: bareNode, list: () => afterKill(bench) });
    return rows(ms, killed.list / killed.node);
  },
};

type Name = 'node' | 'bare' | 'list' | 'sandbox' | 'modern' | 'call' | 'through' | 'throughCall' | 'first';

function rows(ms: Record<Name, number>, killed: number): Row[] {
  const told = (name: Name) => `${ms[name].toFixed(0)} ms`;
  const beside = (peer: Name) => ({ peer: `pass-through ${told(peer)}`, floor: `bare SDK ${told('bare')}` });
  const row = (what: string, name: Name, atMost?: number, peer: Name = 'through'): Row => ({
    what,
    value: ms[name] / ms.node,
    unit: '×',
    ...(atMost !== undefined && { target: { atMost } }),
    from: `${told(name)} of ${ms.node.toFixed(0)}`,
    ...(name !== 'bare' && beside(peer)),
  });
  return [
    row('until tools/list is answered', 'list', 3.6),
    { what: '… over a bare SDK server', value: ms.list / ms.bare, unit: '×', target: { atMost: 1.2 } },
    row('… bare SDK server, ten trivial tools', 'bare'),
    row('… revision 2026-07-28', 'modern', 3.5),
    row('… in the sandbox', 'sandbox', 3.6),
    row('… the first start ever, nothing compiled', 'first', 4.5),
    { what: '… after a host that kills with SIGKILL', value: killed, unit: '×', target: { atMost: 3.5 } },
    row('until the first airline call is answered', 'call', 5, 'throughCall'),
  ];
}
