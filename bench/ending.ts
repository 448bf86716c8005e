/**
 * How fast the process goes when its host does.
 */
import type { Measure } from './measure.ts';
import { Speaker } from './support/speaker.ts';
import { interleaved } from './support/statistics.ts';

export const ending: Measure = {
  name: 'ending',
  about: "from the end of its input to the process's",
  async run({ program, upstream, replies, folder, short }) {
    const home = folder('ending');
    const after = async (calls: number): Promise<number> => {
      const host = new Speaker(program.start(home, upstream.settings));
      await host.initialize();
      await host.ask('tools/list');
      for (let n = 0; n < calls; n++) await host.call('read_booking', { locator: replies.locator });
      return (await host.end()) / 1_000;
    };
    const seconds = await interleaved(short ? 3 : 9, { idle: () => after(0), called: () => after(3) });
    const target = { atMost: 0.25 };
    return [
      { what: 'idle', value: seconds.idle, unit: 's', target },
      { what: 'idle after some calls', value: seconds.called, unit: 's', target },
    ];
  },
};
