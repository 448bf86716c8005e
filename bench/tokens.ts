/** What the tools and their results cost a model. All is counted, and so the same on every machine. */
import { type Call, mixOf } from './calls.ts';
import { counted, type Measure, type Row, tokens } from './measure.ts';
import { Speaker, type Tool, toolsOf } from './support/speaker.ts';

export const toolList: Measure = {
  name: 'tool-list',
  about: 'the tool list in tokens (o200k)',
  why: 'Every conversation pays for the list before its first word, and it leaves less room for the rest.',
  async run({ program, upstream, folder }) {
    // The part that a model reads.
    const read = (tools: readonly Tool[]) =>
      tokens(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    const live = await toolsOf(program.start(folder('list'), upstream.settings));
    const core = await toolsOf(program.start(folder('list'), { ...upstream.settings, FARECLERK_TOOLSETS: 'core' }));
    return [
      counted(`name, description and input of ${live.length} tools`, read(live), '', 2_950),
      counted('… a tool on average', Math.round(read(live) / live.length), '', 180),
      counted('… of the core tools alone', read(core), '', 2_000),
      counted('as sent, with output schemas and annotations', tokens(live), '', 8_000),
    ];
  },
};

export const results: Measure = {
  name: 'results',
  about: "results in tokens, as a share of the airline's reply: the text alone, text and structured",
  why: 'The user pays for each result, and the assistant reads it again with every later turn.',
  async run({ program, upstream, replies, folder }) {
    const host = await Speaker.open(program.start(folder('results'), upstream.settings));
    const rows: Row[] = [];
    const share = async (what: string, reply: string, tool: string, args: object, text: number, both: number) => {
      const { content, structuredContent } = JSON.parse((await host.call(tool, args)).line).result;
      const texts: string[] = content.map((part: { text: string }) => part.text);
      const [whole, read] = [tokens(reply), tokens(texts.join('\n'))];
      const all = read + tokens(structuredContent);
      rows.push(counted(what, (100 * read) / whole, '%', text, `${read} of ${whole} tokens`));
      rows.push(counted('… and structured', (100 * all) / whole, '%', both, `${all} of ${whole} tokens`));
    };
    const search = async (what: string, reply: string, legs: readonly object[], text: number, both: number) => {
      await upstream.answerSearch(reply);
      await share(what, reply, 'search_fares', { legs, passengers: { adults: 1 } }, text, both);
    };
    const { locator, legs: trip } = replies;
    // A search reply has prices and no rules: the shares are of what is left of it.
    await search('search, 500 itineraries', replies.leanSearch, [trip.out], 1.8, 6.5);
    await search('search, 226 KB', replies.largeSearch, [trip.out], 1.8, 6.5);
    await search('search, round trip', replies.roundTripSearch, [trip.out, trip.back], 10, 50);
    await search('search, one way', replies.oneWaySearch, [trip.out], 20, 60);
    await share('read_booking', replies.read, 'read_booking', { locator }, 20, 60);
    await share('get_seat_map', replies.seatMap, 'get_seat_map', { locator }, 20, 45);
    await host.end();
    return rows;
  },
};

export const requests: Measure = {
  name: 'requests',
  about: 'requests to the airline for one call',
  why: 'The airline takes longer than everything here, and may bill or limit what it is asked.',
  async run({ program, upstream, replies, folder }) {
    const host = await Speaker.open(program.start(folder('requests'), upstream.settings));
    await upstream.answerSearch(replies.oneWaySearch);
    const rows: Row[] = [];
    const count = async (what: string, call: Call, atMost: number) => {
      await host.call(...call);
      rows.push(counted(what, await upstream.count(), '', atMost));
    };
    for (const call of mixOf(replies)) await count(call[0], call, 1);
    await count('list_routes again', ['list_routes', { query: 'Riyadh' }], 0);
    await host.end();
    return rows;
  },
};
