/**
 * Requests that the airline gets for one call.
 */
import type { Measure, Row } from './measure.ts';
import { Speaker } from './support/speaker.ts';

export const requests: Measure = {
  name: 'requests',
  about: 'requests to the airline for one call',
  async run({ program, upstream, replies, folder }) {
    const host = new Speaker(program.start(folder('requests'), upstream.settings));
    await host.initialize();
    await host.ask('tools/list');
    await upstream.count();
    const rows: Row[] = [];
    const count = async (what: string, tool: string, args: object, atMost: number) => {
      await host.call(tool, args);
      rows.push({ what, value: await upstream.count(), unit: '', counted: true, target: { atMost } });
    };
    await count('read_booking', 'read_booking', { locator: replies.locator }, 1);
    await count('search_fares', 'search_fares', { legs: [replies.legs.out], passengers: { adults: 1 } }, 1);
    await count('list_routes', 'list_routes', {}, 1);
    await count('list_routes again', 'list_routes', { query: 'Riyadh' }, 0);
    await host.end();
    return rows;
  },
};
