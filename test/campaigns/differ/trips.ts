/**
 * Honest trips: what a person asks for, and what an honest airline answers up to the question about the payment. The sandbox airline is
 * played once in each dialect, and its replies are kept. Of published replies, the messages before and after them are written from
 * the reply itself.
 */
import { createTransport } from '../../../src/ota/transport/http.ts';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { passengerNamed } from '../../support/people.ts';
import { availabilityRecord } from '../../support/sandbox/availability-record.ts';
import { PAY } from '../support/acts.ts';
import { type Asking, CREDENTIALS, type DeskOptions, type Dialect, messageOf, openDesk, type Person } from './desk.ts';
import { play } from './play.ts';

/** The messages of a trip, in their order. A `reading` is every reading of the booking. */
const STEPS = ['search', 'hold', 'reading'] as const;
export type Step = (typeof STEPS)[number];

// biome-ignore lint/suspicious/noExplicitAny: replies are looked at as the JSON that they are
export type Json = any;

/** What a person asks for. */
export interface Wish {
  /** Arguments of search_fares, and of create_booking without its offers. */
  readonly search: Readonly<Record<string, unknown>>;
  readonly hold: Readonly<Record<string, unknown>>;
  /** The paid booking whose passengers a plan moves into the offer. */
  readonly moves?: string;
  /** What is asked for the second passenger, after the hold and before its payment: arguments of request_service. */
  readonly adds?: Readonly<Record<string, unknown>>;
}

export interface Trip extends Wish {
  readonly name: string;
  readonly desk: DeskOptions;
  readonly replies: Readonly<Partial<Record<Step, Json>>>;
  /** Replies to all other requests, by message. */
  readonly others: Readonly<Record<string, Json>>;
}

export const START = Date.parse('2031-03-03T09:00:00Z');

/** The name of a message about one booking among several. */
export const messageAbout = (message: string, locator: string): string => `${message} ${locator}`;

/** The message of a change, and what readings before it show, if the trip has one. */
export const CHANGE = 'OTA_AirBookModifyRQ';
export const READING_BEFORE = 'OTA_ReadRQ before';

/** What a request is part of; undefined for one that is not of the trip itself, such as the list of routes. */
export function stepOf(message: string): Step | undefined {
  switch (message) {
    case 'OTA_AirLowFareSearchRQ':
      return 'search';
    case 'OTA_AirBookRQ':
    case 'OTA_AirPriceRQ':
      return 'hold';
    case 'OTA_ReadRQ':
      return 'reading';
    default:
      return undefined;
  }
}

/** Whether the offer of a trip states what comes back. */
export const offersRules = ({ replies: { search } }: Trip): boolean =>
  /"(?:penaltyRules|fareRule)"/.test(JSON.stringify(search));

export const CONTACT = {
  ...{ given_name: 'Amal', surname: 'Haddad', email: 'amal@example.com' },
  phone: { country_code: '966', number: '501234567' },
  ...{ city: 'Riyadh', country: 'SA' },
};

/** An adult, a child and an infant, each with their own document; the adult has what a passenger can have. */
const FAMILY = (services: boolean) => [
  passengerNamed('Layla', 'Haddad', 'P4402917', {
    ...{ title: 'MRS', email: 'layla@example.com', phone: { country_code: '966', number: '507654321' } },
    ...(services && { services: [{ code: 'WCHR' }] }),
    document: { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2039-06-30' },
  }),
  passengerNamed('Sami', 'Haddad', 'P5513028', {
    ...{ type: 'CHD', gender: 'Male', birth_date: '2024-05-17' },
    document: { type: 'passport', number: 'P5513028', nationality: 'SA', expires: '2036-02-28' },
  }),
  passengerNamed('Noor', 'Haddad', 'P6624139', {
    ...{ type: 'INF', birth_date: '2030-06-08' },
    document: { type: 'passport', number: 'P6624139', nationality: 'SA', expires: '2035-10-31' },
  }),
];

/** People whose names an airline may spell in many ways. */
export const DIFFICULT = [
  passengerNamed('Zoë María', 'Müller-Østergård', 'C01X00T47', {
    ...{ middle_name: 'Anna', title: 'MRS', email: 'zoe@example.com' },
    document: { type: 'passport', number: 'C01X00T47', nationality: 'DE', expires: '2039-06-30' },
  }),
  passengerNamed('Jean-Luc', "O'Brien", 'P5513028', {
    ...{ type: 'CHD', gender: 'Male', birth_date: '2024-05-17' },
    document: { type: 'passport', number: 'P5513028', nationality: 'SA', expires: '2036-02-28' },
  }),
  passengerNamed('Abd al Rahman Ibrahim', 'Al Haddad bin Abdulaziz Saud', 'P6624139', {
    ...{ type: 'INF', gender: 'Male', birth_date: '2030-06-08' },
    document: { type: 'passport', number: 'P6624139', nationality: 'SA', expires: '2035-10-31' },
  }),
];

export const LEGS: Readonly<Record<Dialect, readonly object[]>> = {
  rail: [
    { from: 'QCA', to: 'XMD', date: '2031-04-09' },
    { from: 'XMD', to: 'QCA', date: '2031-04-12' },
  ],
  // With a change of planes, then without one.
  airline: [
    { from: 'RUH', to: 'ATH', date: '2031-04-09' },
    { from: 'ATH', to: 'DXB', date: '2031-04-14' },
  ],
};

const LATER: Readonly<Record<Dialect, readonly object[]>> = {
  rail: [
    { from: 'QCA', to: 'XMD', date: '2031-04-16' },
    { from: 'XMD', to: 'QCA', date: '2031-04-19' },
  ],
  airline: [],
};

const COUNTS = { adults: 1, children: 1, infants: 1 };

const WISHES = {
  names: (dialect: Dialect): Wish => ({
    search: { legs: LEGS[dialect], passengers: COUNTS },
    hold: { contact: CONTACT, passengers: FAMILY(dialect === 'airline') },
  }),
  difficult: (dialect: Dialect): Wish => ({
    search: { legs: LEGS[dialect], passengers: COUNTS },
    hold: { contact: CONTACT, passengers: DIFFICULT },
  }),
  counts: (dialect: Dialect): Wish => ({
    search: { legs: LEGS[dialect], passengers: COUNTS },
    hold: { contact: CONTACT, passenger_counts: COUNTS, group_name: 'CHOIR' },
  }),
  // A special service is added before the payment.
  added: (dialect: Dialect): Wish => ({
    ...WISHES.names(dialect),
    adds: { service: { code: 'VGML' } },
  }),
  // In place of a trip of the same people, some days earlier.
  moved: (dialect: Dialect): Wish => ({ search: { legs: LATER[dialect], passengers: COUNTS }, hold: {} }),
  // Some airlines answer every search with the availability record.
  availability: (dialect: Dialect): Wish => WISHES.names(dialect),
} as const;

/** Books and pays; the locator. */
async function paid(person: Person, wish: Wish): Promise<string> {
  const { hold } = await play(person, wish, false);
  const { locator = '' } = (hold?.structured?.booking ?? {}) as { readonly locator?: string };
  const pay = { locator, payment: { type: 'external' } };
  const asked = await person.call('pay_booking', pay);
  if (asked.kind === 'ask') await person.yes('pay_booking', pay, asked);
  return locator;
}

/** The first offers of a search, of each leg: the others would only be lied about in the same way. */
const OFFERS = 1;

function cut(step: Step | undefined, reply: Json): Json {
  const list = reply?.pricedItineraries?.pricedItinerary;
  if (step === 'search' && Array.isArray(list))
    return { ...reply, pricedItineraries: { pricedItinerary: list.slice(0, OFFERS) } };
  const legs = reply?.availability?.segments;
  if (!Array.isArray(legs)) return reply;
  const segments = legs.map((leg: Json) => ({ ...leg, offers: leg.offers.slice(0, OFFERS) }));
  return { ...reply, availability: { ...reply.availability, segments } };
}

type TripKind = keyof typeof WISHES;

const recorded = new Map<string, Promise<Trip>>();

/** A trip at a sandbox airline, which is played once. */
export function sandboxTrip(kind: TripKind, dialect: Dialect): Promise<Trip> {
  const name = `${dialect} ${kind}`;
  const trip = recorded.get(name) ?? record(kind, dialect);
  recorded.set(name, trip);
  return trip;
}

/** The same trip on flights that their operator knows by numbers of its own. */
export function operatedAsOther(trip: Trip): Trip {
  const text = JSON.stringify(trip.replies);
  const replies = JSON.parse(text, (key, value) =>
    key === 'operatingAirline' && value?.flightNumber ? { ...value, flightNumber: `7${value.flightNumber}` } : value,
  );
  return { ...trip, name: `${trip.name}, operated by another`, replies };
}

/** Plays the trip, and keeps what the airline answers. */
async function record(kind: TripKind, dialect: Dialect): Promise<Trip> {
  const sandbox = await startSandbox({
    ...{ dialect, accepts: 'key', seed: 1, now: () => START, credentials: CREDENTIALS },
    ...(kind === 'availability' && { rewrite: availabilityRecord }),
  });
  const { settings } = sandbox;
  const wire = createTransport();
  const desk: DeskOptions = {
    ...{ dialect, at: START, currency: settings.FARECLERK_CURRENCY ?? '', carrier: settings.FARECLERK_CARRIER },
  };
  const replies: Partial<Record<Step, Json>> = {};
  const others: Record<string, Json> = {};
  let moves = '';
  let isChanged = WISHES[kind](dialect).adds === undefined;
  const ask: Asking = async (request) => {
    const { pathname, search } = new URL(request.url);
    const message = messageOf(request);
    const step = stepOf(message);
    const asked = { ...request, url: sandbox.url + pathname + search, mayStart: () => true };
    const { status, text } = await wire.exchange(asked);
    const reply = cut(step, JSON.parse(text));
    if (status !== 200) throw new Error(`${message}: ${text}`);
    // A payment is the end of a trip: the next one refuses it.
    if (message === PAY) return reply;
    isChanged ||= message === CHANGE;
    if (step === undefined) others[message] = reply;
    else if (step === 'reading' && !isChanged) others[READING_BEFORE] ??= reply;
    // Nothing happens meanwhile, so that all readings are alike.
    else if (request.body?.includes(`"${moves}"`)) others[messageAbout(message, moves)] ??= reply;
    else replies[step] ??= reply;
    return reply;
  };
  const open = await openDesk(desk);
  try {
    if (kind === 'moved') {
      moves = await paid(open.person(ask), WISHES.names(dialect));
      for (const step of STEPS) delete replies[step];
    }
    const wish = { ...WISHES[kind](dialect), ...(moves !== '' && { moves }) };
    const seen = await play(open.person(ask), wish);
    const isPlayed = seen.question ?? seen.move ?? kind === 'availability';
    if (isPlayed === false || open.failures.length > 0)
      throw new Error(
        `no honest trip: ${JSON.stringify([seen, ...open.failures.map((e) => (e instanceof Error ? e.stack : e))])}`,
      );
    return { name: `${kind}, sandbox`, desk, ...wish, replies, others };
  } finally {
    await open.close();
    await wire.close();
    await sandbox.close();
  }
}
