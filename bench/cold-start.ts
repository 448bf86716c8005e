/** From spawning the process to an answer. Every figure is a multiple of `node -e 0` in the same rounds. */
import type { Command } from '../test/support/published-program.ts';
import { type Measure, ratio } from './measure.ts';
import { inTurns } from './support/rounds.ts';
import { Speaker } from './support/speaker.ts';

/** Milliseconds from spawn to the tool list and, with a locator, to the booking read after it. */
async function cold(command: Command, locator?: string) {
  const host = await Speaker.open(command);
  await host.ask('tools/list');
  if (locator !== undefined) await host.call('read_booking', { locator });
  const ms = performance.now() - host.startedAt;
  await host.end();
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
  about: 'cold start on stdio, as a multiple of `node -e 0`',
  why: 'A host starts the server with each conversation, and the first answer waits for it.',
  async run({ program, floors, upstream, replies, folder, short }) {
    const start = (home: string) => program.start(home, upstream.settings);
    const [ours, sdk] = [start(folder('home')), floors.bare.start(folder('bare'))];
    const turns = {
      node: bareNode,
      bare: () => cold(sdk),
      list: () => cold(ours),
      first: () => cold(start(folder('first'))),
      call: () => cold(ours, replies.locator),
    };
    // What is compiled is written by one start and used by the next.
    const { node, bare, list, first, call } = await inTurns(short ? 7 : 15, turns, 2);
    return [
      ratio('until tools/list is answered', list.ms, node.ms, 'ms', 3.6),
      ratio('… over a bare SDK server with ten trivial tools', list.ms, bare.ms, 'ms', 1.2),
      ratio('… the first start ever, nothing compiled', first.ms, node.ms, 'ms', 4.5),
      ratio('until the first airline call is answered', call.ms, node.ms, 'ms', 5),
    ];
  },
};
