/** What the tools and their results cost a model. All is counted, and so the same on every machine. */
import { ACTS, PAY, payArgs } from '../test/campaigns/support/acts.ts';
import { ANSWERS, carryOut, officeAt, openRefusing } from '../test/clerk/refusals/refused-acts.ts';
import { type Call, mixOf } from './calls.ts';
import { counted, type Measure, type Row, tokens } from './measure.ts';
import { Speaker, type Tool, toolsOf } from './support/speaker.ts';

/** A new argument is a reason to look at the figure, and does not fail the run. */
const printed = (what: string, value: number, atMost?: number): Row => ({ what, value, unit: '', atMost });

export const toolList: Measure = {
  name: 'tool-list',
  about: 'the tool list in tokens (o200k)',
  why: 'Every conversation pays for the list before its first word, and it leaves less room for the rest.',
  async run({ program, upstream, folder }) {
    // The part that a model reads.
    const read = (tools: readonly Tool[]) =>
      tokens(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    const live = await toolsOf(program.start(folder('list'), upstream.settings));
    const core = await toolsOf(program.start(folder('list'), { ...upstream.settings, FARECLERK_TOOLSET: 'core' }));
    // Operations people ask of the desk itself: query_ledger, the filters of lists and the history of a booking. Support asks for a
    // reason and for its own key of a customer.
    return [
      printed(`name, description and input of ${live.length} tools`, read(live), 3_900),
      printed('… a tool on average', Math.round(read(live) / live.length)),
      printed('… of the core tools alone', read(core)),
      printed('as sent, with output schemas and annotations', tokens(live), 8_300),
    ];
  },
};

/** The most that a result may cost. */
interface Limits {
  /** The text, in percent of the airline's reply. */
  readonly text: number;
  /** The structured half, as a multiple of the text. */
  readonly ratio: number;
  /** The structured half alone, in tokens. */
  readonly structured?: number;
}

/** Times and names of fields cost a search more in objects than in lines. */
const OBJECTS = 2;
const HALF = 1.3;
/** A reading has times, seats and names of tools. */
const READING = 1.5;
/** A quote has who gets what back for which train. */
const QUOTE = 1.6;
/** Bookings of the list. */
const LISTED = 8;
/** Characters of the structured half of an act that is done, for two travellers there and back. */
const DONE = 800;

export const results: Measure = {
  name: 'results',
  about:
    "results in tokens: the text as a share of the airline's reply, the structured half beside the text, and alone",
  why: 'Hosts give the model one half or both (docs/start/hosts.md). The user pays for each result, and again with every later turn.',
  async run({ program, upstream, replies, folder }) {
    const host = await Speaker.open(program.start(folder('results'), upstream.settings));
    const rows: Row[] = [];
    const take = async (what: string, reply: string, call: Call, { text, ratio, structured }: Limits) => {
      const { content, structuredContent } = JSON.parse((await host.call(...call)).line).result;
      const texts: string[] = content.map((part: { text: string }) => part.text);
      const [all, read, fields] = [tokens(reply), tokens(texts.join('\n')), tokens(structuredContent)];
      rows.push({ ...counted(what, (100 * read) / all, '%', text), from: `${read} of ${all} tokens` });
      const from = `${fields} of ${read} tokens`;
      rows.push({ ...counted('… structured, beside the text', fields / read, '×', ratio), from });
      if (structured !== undefined) rows.push(counted('… structured alone', fields, '', structured));
    };
    const search = async (what: string, reply: string, legs: readonly object[], limits: Limits) => {
      await upstream.answer({ search: reply });
      await take(what, reply, ['search_fares', { legs, passengers: { adults: 1 } }], limits);
    };
    const { locator, legs: trip, aroundOut: around } = replies;
    // A search reply has prices and no rules: the shares are of what is left of it.
    await search('search, 500 itineraries', replies.leanSearch, [around], { text: 0.7, ratio: OBJECTS });
    await search('search, 226 KB', replies.largeSearch, [around], { text: 0.8, ratio: OBJECTS, structured: 900 });
    await search('search, round trip', replies.roundTripSearch, [trip.out, trip.back], { text: 7, ratio: OBJECTS });
    await search('search, one way', replies.oneWaySearch, [around], { text: 14, ratio: OBJECTS, structured: 300 });
    const locators = Array.from({ length: LISTED }, (_, i) => `BENCH${i}`);
    for (const each of locators) {
      await upstream.answer({ read: replies.read.replaceAll(locator, each) });
      await host.call('read_booking', { locator: each });
    }
    const list: Limits = { text: 5, ratio: HALF, structured: 902 };
    await take(`list_bookings, ${LISTED}`, replies.read.repeat(LISTED), ['list_bookings', {}], list);
    await upstream.answer({ read: replies.read });
    const reading: Limits = { text: 20, ratio: READING, structured: 529 };
    await take('read_booking, paid', replies.read, ['read_booking', { locator }], reading);
    const quote: Limits = { text: 8, ratio: QUOTE, structured: 259 };
    await take('quote_cancellation', replies.read, ['quote_cancellation', { locator }], quote);
    const oneRow: Limits = { text: 8, ratio: HALF, structured: 198 };
    await take('list_bookings, one read now', replies.read, ['list_bookings', { locators: [locator] }], oneRow);
    await take('get_seat_map', replies.seatMap, ['get_seat_map', { locator }], { text: 6, ratio: HALF });
    await take('list_routes', replies.routes, ['list_routes', {}], { text: 26, ratio: HALF });
    await host.end();
    return [...rows, ...(await finishedActs())];
  },
};

async function finishedActs(): Promise<readonly Row[]> {
  const world = await openRefusing('rail');
  const office = await officeAt(world, 'rail');
  const rows: Row[] = [];
  for (const { name, tool, on, args } of ACTS) {
    const locator = on === 'held' ? (await world.stock.held()).locator : await world.stock.ticketed();
    const { structured } = await carryOut(office, tool, await args(locator, office.look));
    if (structured.status !== 'done') throw new Error(`${name}: ${structured.status}`);
    rows.push(counted(`${name}, done, structured, characters`, JSON.stringify(structured).length, '', DONE));
  }
  await office.close();
  await world.close();
  return rows;
}

export const requests: Measure = {
  name: 'requests',
  about: 'requests to the airline for one call',
  why: 'The airline takes longer than everything here, and may bill or limit what it is asked.',
  async run({ program, upstream, replies, folder }) {
    const host = await Speaker.open(program.start(folder('requests'), upstream.settings));
    await upstream.answer({ search: replies.oneWaySearch });
    const rows: Row[] = [];
    const count = async (what: string, call: Call, atMost: number) => {
      await host.call(...call);
      rows.push(counted(what, await upstream.count(), '', atMost));
    };
    const [read, ...others] = mixOf(replies);
    // The names of stations are read once an hour.
    await count(`${read[0]}, the first`, read, 2);
    for (const call of [read, ...others]) await count(call[0], call, 1);
    await count('list_routes again', ['list_routes', { query: 'Riyadh' }], 0);
    await host.end();
    return [...rows, ...(await refusedRequests())];
  },
};

/** Requests of a payment that the airline refuses, from its message on. */
async function refusedRequests(): Promise<readonly Row[]> {
  const world = await openRefusing('rail');
  const office = await officeAt(world, 'rail');
  const count = async (name: string, atMost: number): Promise<Row> => {
    const { locator } = await world.stock.held();
    const answer = ANSWERS.find((each) => each.name === name);
    if (answer === undefined) throw new Error(`no answer ${name}`);
    world.refuse(locator, PAY, { acted: false, answer });
    await carryOut(office, 'pay_booking', payArgs(locator));
    return counted(`a refused payment, ${name}`, world.reachedFrom(locator, PAY), '', atMost);
  };
  const rows = [await count('sold out', 1), await count('invalid', 1), await count('an unlisted code', 2)];
  await office.close();
  await world.close();
  return rows;
}
