/**
 * What is called, and which of the replies to it is spoilt.
 */
import type { HttpReply } from '../../../src/ota/transport/http.ts';
import type { Airline } from './bench.ts';
import type { Corpus, Sample } from './corpus.ts';
import { errorReply } from './errors.ts';
import { spoilt } from './mutate.ts';
import { locatorOf, pick, type Random } from './random.ts';

export interface Plan {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly airline: Airline;
  /** The booking that is meant, where one is. */
  readonly locator?: string;
  /** Nothing of the spoilt reply names this booking: it is somebody else's, or nobody's. */
  readonly foreign: () => boolean;
  /** The act itself was answered by an error that blames a system: it must stay in doubt. */
  readonly blamed: () => boolean;
  /** A yes is given when it is asked for. */
  readonly agrees: boolean;
  /** Messages that may be sent. */
  readonly mayChange: boolean;
  /** The spoilt reply, for the report of a failure. */
  readonly spoiltText: () => string;
}

const OTHER = 'ZZ9ZZ9';
const STATUSES = [
  200, 200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 599,
];

/** A sample about a booking of this run's own, so that no two runs meet. */
function about(sample: Sample, locator: string): Sample {
  return sample.locator === '' ? sample : { ...sample, locator, text: sample.text.replaceAll(sample.locator, locator) };
}

const good = ({ status, text }: Sample): HttpReply => ({ status, text });

interface Bad {
  readonly reply: HttpReply;
  readonly foreign: boolean;
  readonly blames?: boolean;
}

/** Spoils it; at times the whole of it is another's, at times the status is another, or it is an error. */
function bad(sample: Sample, corpus: Corpus, random: Random): Bad {
  const way = random(16);
  if (way >= 13) {
    const { reply, blames } = errorReply(random);
    return { reply, foreign: true, blames };
  }
  if (way === 0 && sample.locator !== '') {
    return { reply: good({ ...sample, text: sample.text.replaceAll(sample.locator, OTHER) }), foreign: true };
  }
  const refusals = corpus.samples.filter(({ kind }) => kind === 'refusal');
  if (way === 1 && refusals.length > 0) {
    const refusal = pick(refusals, random);
    return {
      reply: { status: pick([refusal.status, ...STATUSES], random), text: spoilt(refusal.text, random) },
      foreign: true,
    };
  }
  const text = spoilt(sample.text, random);
  const status = way === 2 ? pick(STATUSES, random) : sample.status;
  const after = way === 3 ? { retryAfterSeconds: pick([0, 1, 3600, -1, Number.NaN, 1e12], random) } : {};
  return {
    reply: { status, text, ...after },
    foreign: sample.locator !== '' && !text.toUpperCase().includes(sample.locator),
  };
}

type Maker = (corpus: Corpus, random: Random) => Plan | undefined;

/** A plan where `message` is answered badly from its `nth` call on and all others well. */
function planOf(
  corpus: Corpus,
  random: Random,
  call: { tool: string; args: Record<string, unknown>; locator?: string; agrees?: boolean; mayChange?: boolean },
  goods: Readonly<Record<string, readonly Sample[]>>,
  spoil: { message: string; sample: Sample; from?: number },
): Plan {
  let foreign = false;
  let blamed = false;
  let text = '';
  const asked = new Map<string, number>();
  const airline: Airline = (message) => {
    const nth = asked.get(message) ?? 0;
    asked.set(message, nth + 1);
    if (message === spoil.message && nth >= (spoil.from ?? 0)) {
      const spoiltReply = bad(spoil.sample, corpus, random);
      // A reading before or after an act does not show whose answer the act got.
      foreign = spoiltReply.foreign && !(call.agrees === true && message === READ);
      blamed = spoiltReply.blames === true && call.agrees === true && message !== READ;
      text = spoiltReply.reply.text;
      return spoiltReply.reply;
    }
    const known = goods[message];
    const sample = known?.[Math.min(nth, known.length - 1)];
    return sample === undefined ? undefined : good(sample);
  };
  const told = { foreign: () => foreign, blamed: () => blamed, spoiltText: () => text };
  return { agrees: false, mayChange: false, ...call, airline, ...told };
}

const READ = 'OTA_ReadRQ';
const MODIFY = 'OTA_AirBookModifyRQ';
const TICKET = 'OTA_AirDemandTicketRQ';

/** A recorded reading that is no refusal, as that booking's. */
function bookingAbout(locator: string, corpus: Corpus, random: Random): Sample {
  const readings = corpus.of(READ).filter(({ kind }) => kind !== 'refusal');
  return about(pick(readings, random), locator);
}

const readBooking: Maker = (corpus, random) => {
  const locator = locatorOf(random);
  const sample = bookingAbout(locator, corpus, random);
  const detail = pick(['concise', 'full'], random);
  const args = { locator, detail, reveal_personal: random(2) === 0 };
  return planOf(corpus, random, { tool: 'read_booking', args, locator }, {}, { message: READ, sample });
};

const search: Maker = (corpus, random) => {
  const sample = pick(corpus.of('OTA_AirLowFareSearchRQ'), random);
  const { legs } = sample;
  const args = {
    ...{ legs, passengers: { adults: 2 }, include_sold_out: random(2) === 0 },
    ...{ detail: pick(['concise', 'full'], random), max_results: 1 + random(50) },
  };
  return planOf(corpus, random, { tool: 'search_fares', args }, {}, { message: 'OTA_AirLowFareSearchRQ', sample });
};

const routes: Maker = (corpus, random) => {
  const args = pick([{}, { query: 'a' }, { from: 'RUH' }, { country: 'SA', max_results: 3 }], random);
  return planOf(
    corpus,
    random,
    { tool: 'list_routes', args },
    {},
    { message: 'routes', sample: pick(corpus.of('routes'), random) },
  );
};

const calendar: Maker = (corpus, random) => {
  const sample = pick(corpus.of('availability'), random);
  const [from, to] = [
    /"departureAirport":"(\w+)"/.exec(sample.text)?.[1],
    /"arrivalAirport":"(\w+)"/.exec(sample.text)?.[1],
  ];
  const dates = { start_date: inDays(corpus, 5), end_date: inDays(corpus, 20) };
  const cheapest = random(4) === 0;
  const args = cheapest ? { from, to, ...dates, passengers: { adults: 1 } } : { from, to, ...dates };
  const goods = { OTA_AirLowFareSearchRQ: corpus.of('OTA_AirLowFareSearchRQ', 'availability') };
  const tool = cheapest ? 'find_cheapest_dates' : 'get_calendar_dates';
  return planOf(corpus, random, { tool, args }, goods, { message: 'availability', sample });
};

const seatMap: Maker = (corpus, random) => {
  const locator = locatorOf(random);
  const booking = about(pick(corpus.of(READ, 'ticketed'), random), locator);
  const sample = about(pick(corpus.of('OTA_AirSeatMapRQ'), random), locator);
  const args = { locator, detail: pick(['concise', 'full'], random) };
  const message = random(3) === 0 ? READ : 'OTA_AirSeatMapRQ';
  const goods = { [READ]: [booking], OTA_AirSeatMapRQ: [sample] };
  return planOf(corpus, random, { tool: 'get_seat_map', args, locator }, goods, {
    message,
    sample: message === READ ? booking : sample,
  });
};

const ledger: Maker = (corpus, random) => {
  const locator = locatorOf(random);
  const sample = bookingAbout(locator, corpus, random);
  const args = { locators: [locator], refresh: true, max_results: 3, query: locator };
  return planOf(corpus, random, { tool: 'list_bookings', args }, {}, { message: READ, sample });
};

/** Every tool that asks first, on a reading that is spoilt: it may refuse or ask, and sends nothing. */
const preview: Maker = (corpus, random) => {
  const locator = locatorOf(random);
  const state = pick(['held', 'ticketed', 'partly_cancelled', 'cancelled'], random);
  const found = corpus.of(READ, state);
  if (found.length === 0) return undefined;
  const sample = about(pick(found, random), locator);
  const [tool, more] = pick(ASKING, random);
  // What is not ticketed, or no longer seems to be, is renamed and seated without a question.
  const mayChange = tool === 'change_names' || tool === 'assign_seats';
  return planOf(
    corpus,
    random,
    { tool, args: { locator, ...more }, locator, mayChange },
    {},
    { message: READ, sample },
  );
};

const ASKING: readonly (readonly [string, Record<string, unknown>])[] = [
  ['pay_booking', { payment: { type: 'invoice' } }],
  ['cancel_segment', { all: true }],
  ['cancel_segment', { segment_refs: ['1'] }],
  ['cancel_passenger', { passenger_refs: ['1'] }],
  ['change_names', { changes: [{ passenger_ref: '1', given_name: 'Other' }] }],
  ['cancel_booking', {}],
  ['assign_seats', { seats: [{ segment_ref: '1', passenger_ref: '1', seat: '12A' }] }],
];

/** The act itself, agreed to; the answer to it is spoilt, or one of the readings before and after it is. */
const commit: Maker = (corpus, random) => {
  const locator = locatorOf(random);
  const [tool, args, message, type, state] = pick(ACTS, random);
  const found = corpus.of(message, type);
  const before = corpus.of(READ, state);
  if (found.length === 0 || before.length === 0) return undefined;
  const booking = about(pick(before, random), locator);
  const answer = about(pick(found, random), locator);
  const onRead = random(4) === 0;
  const spoil = onRead ? { message: READ, sample: booking, from: random(3) } : { message, sample: answer };
  const goods = { [READ]: [booking], [message]: [answer] };
  return planOf(
    corpus,
    random,
    { tool, args: { locator, ...args }, locator, agrees: true, mayChange: true },
    goods,
    spoil,
  );
};

const ACTS: readonly (readonly [string, Record<string, unknown>, string, string, string])[] = [
  ['pay_booking', { payment: { type: 'invoice' } }, TICKET, 'good', 'held'],
  ['cancel_segment', { all: true }, MODIFY, '10', 'ticketed'],
  ['cancel_passenger', { passenger_refs: ['1'] }, MODIFY, '2', 'ticketed'],
  ['change_names', { changes: [{ passenger_ref: '1', given_name: 'Other' }] }, MODIFY, '3', 'ticketed'],
  ['change_names', { changes: [{ passenger_ref: '1', given_name: 'Other' }] }, MODIFY, '3', 'held'],
];

const inDays = ({ at }: Corpus, days: number): string => new Date(at + days * 86_400_000).toISOString().slice(0, 10);

/** Makers with their shares. */
const SHARES: readonly (readonly [number, Maker])[] = [
  [30, readBooking],
  [14, search],
  [6, routes],
  [10, calendar],
  [10, seatMap],
  [4, ledger],
  [20, preview],
  [6, commit],
];
const WHOLE = SHARES.reduce((sum, [share]) => sum + share, 0);

/** A plan, and the place of the corpus that it is of. */
export function planFor(corpora: readonly Corpus[], random: Random): { plan: Plan; of: number } {
  for (;;) {
    const of = random(corpora.length);
    let at = random(WHOLE);
    const maker = SHARES.find(([share]) => {
      at -= share;
      return at < 0;
    })?.[1];
    const plan = maker?.(corpora[of] as Corpus, random);
    if (plan !== undefined) return { plan, of };
  }
}
