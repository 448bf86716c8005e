/** From spawning the process to an answer. Figures are multiples of `node -e 0`, or of a bare server, in the same rounds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../test/support/published-program.ts';
import { type Measure, ratio } from './measure.ts';
import { inTurns } from './support/rounds.ts';
import { Speaker, toolsOf } from './support/speaker.ts';

/** How long hosts that kill their servers let them run before, milliseconds. */
const KILLED_AFTER_MS = 1_000;

/** Milliseconds from spawn to the tool list and, with a locator, to the booking read after it. */
async function cold(command: Command, { locator, isKilled = false }: { locator?: string; isKilled?: boolean } = {}) {
  const host = await Speaker.open(command);
  await host.ask('tools/list');
  if (locator !== undefined) await host.call('read_booking', { locator });
  const ms = performance.now() - host.startedAt;
  if (isKilled) await wait(KILLED_AFTER_MS);
  await (isKilled ? host.kill() : host.end());
  return { ms };
}

/** `node -e 0`, from spawn to exit. */
async function bareNode() {
  const host = new Speaker({ args: ['-e', '0'], env: {} });
  await host.end();
  return { ms: performance.now() - host.startedAt };
}

export const coldStart: Measure = {
  name: 'cold-start',
  about: 'cold start on stdio, beside `node -e 0` and bare servers',
  why: 'A host starts the server with each conversation, and the first answer waits for it.',
  async run({ program, floors, upstream, replies, folder, short }) {
    const start = (home: string) => program.start(home, upstream.settings);
    const [ours, killed] = [start(folder('home')), start(folder('killed'))];
    const list = join(folder('list'), 'tools.json');
    writeFileSync(list, JSON.stringify({ tools: await toolsOf(start(folder('first'))) }));
    const [bare, listed] = [
      floors.bare.start(folder('bare')),
      floors.listed.start(folder('listed'), { FLOOR_TOOLS: list }),
    ];
    const turns = {
      node: bareNode,
      bare: () => cold(bare),
      listed: () => cold(listed),
      list: () => cold(ours),
      killed: () => cold(killed, { isKilled: true }),
      first: () => cold(start(folder('first'))),
      call: () => cold(ours, { locator: replies.locator }),
    };
    // What is compiled is written by one start and used by the next.
    const seen = await inTurns(short ? 7 : 15, turns, 2);
    const { node } = seen;
    return [
      ratio('until tools/list is answered', [seen.list.ms, node.ms], 'ms', 3.7),
      ratio('… where every run is killed', [seen.killed.ms, node.ms], 'ms', 3.6),
      ratio('… over a bare SDK server with the same list', [seen.list.ms, seen.listed.ms], 'ms', 0.7),
      ratio('… over one with ten trivial tools', [seen.list.ms, seen.bare.ms], 'ms', 1.45),
      ratio('… the first start ever, nothing compiled', [seen.first.ms, node.ms], 'ms', 6.4),
      ratio('until the first airline call is answered', [seen.call.ms, node.ms], 'ms', 5.5),
    ];
  },
};
