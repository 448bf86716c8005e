/**
 * What a concise result costs a model, beside the airline's reply that it was made from.
 */
import type { Measure, Row } from './measure.ts';
import type { Replies } from './support/replies.ts';
import { Speaker } from './support/speaker.ts';
import { tokens } from './support/tokens.ts';
import type { Searches } from './support/upstream.ts';

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: unknown;
}

export const results: Measure = {
  name: 'results',
  about: "concise results in tokens, as a share of the airline's reply: the text alone, text and structured",
  async run({ program, upstream, replies, folder }) {
    const host = new Speaker(program.start(folder('results'), upstream.settings));
    await host.initialize();
    const call = async (name: string, args: object): Promise<Result> =>
      JSON.parse((await host.call(name, args)).line).result;
    const search = async (kind: Searches, legs: object[]): Promise<Result> => {
      await upstream.search(kind);
      return call('search_fares', { legs, passengers: { adults: 1 } });
    };
    const { out, back } = replies.legs;
    // A search reply has prices and no rules: the shares are of what is left of it.
    const rows = [
      ...shares('search, 500 itineraries', replies.leanSearch, await search('leanSearch', [out]), 1.8, 6.5),
      ...shares('search, 226 KB', replies.largeSearch, await search('largeSearch', [out]), 1.8, 6.5),
      ...shares('search, round trip', replies.roundTripSearch, await search('roundTripSearch', [out, back]), 10, 50),
      ...shares('search, one way', replies.oneWaySearch, await search('oneWaySearch', [out]), 20, 60),
      ...shares('read_booking', replies.read, await call('read_booking', { locator: replies.locator }), 20, 60),
      ...shares('get_seat_map', replies.seatMap, await call('get_seat_map', { locator: replies.locator }), 20, 45),
    ];
    await host.end();
    return rows;
  },
};

function shares(what: string, reply: Replies['read'], result: Result, text: number, both: number): Row[] {
  const [whole, read] = [tokens(reply), tokens(result.content.map((part) => part.text).join('\n'))];
  const all = read + tokens(result.structuredContent);
  const row = (name: string, count: number, atMost: number): Row => ({
    what: name,
    value: (100 * count) / whole,
    unit: '%',
    counted: true,
    target: { atMost },
    from: `${count} of ${whole} tokens`,
  });
  return [row(what, read, text), row('… and structured', all, both)];
}
