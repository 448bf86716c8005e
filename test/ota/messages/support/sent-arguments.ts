/**
 * Which argument of a tool causes each path of requests: a tool is called in front of the adapter, once as it is and once for each argument
 * with another value of it; the paths that differ are caused by this argument.
 */
import { openDesk, type ShelvedOffer } from '../../../tools/support/desk.ts';
import { airlineAt } from '../../support/airlines.ts';
import type { OtaOptions } from '../../support/port.ts';
import { type Dialect, golden, leaves } from '../golden.ts';
import { optionsOf } from './golden-calls.ts';

type Json = Record<string, unknown>;

export interface Play {
  readonly tool: string;
  readonly dialect: Dialect;
  /** The end of `local-name`, or of the address. */
  readonly message: string;
  readonly args: Json;
  /** Arguments by name, with what makes the call another one in just this argument. */
  readonly others: Readonly<Record<string, Json>>;
  /** The golden reply with the booking. */
  readonly reading?: string;
  readonly offers?: readonly ShelvedOffer[];
  /** Arguments without which the message is not sent at all. */
  readonly decides?: readonly string[];
}

interface Sent {
  readonly message: string;
  readonly values: ReadonlyMap<string, string>;
}

/** The paths of a request, each with all of its values. A branch that is copied from the reading counts like any other. */
function valuesOf(url: string, body: string | undefined): ReadonlyMap<string, string> {
  const { pathname, searchParams } = new URL(url);
  const address = pathname.replace(/^\/(?:gateway|rest)\//, '').replace('K7PL2M', '[locator]');
  const isPlain = !address.includes('v2015b');
  const values = new Map<string, string>(isPlain ? [[address, 'asked']] : []);
  for (const [name, value] of searchParams) values.set(`${address}.${name}`, value);
  if (body === undefined) return values;
  for (const [path, value] of leaves(JSON.parse(body))) {
    const keys = path.filter((key) => typeof key === 'string').join('.');
    const name = isPlain ? `${address}.${keys}` : keys;
    values.set(name, `${values.get(name) ?? ''} ${JSON.stringify(value)}`);
  }
  return values;
}

const REFUSED = { status: 422, text: JSON.stringify({ status: 422, code: '320', title: 'invalid value' }) };
const NOW = Date.parse('2031-04-01T09:10:00Z');
const LOCATOR = 'K7PL2M';

/** Two free seats in each segment of a seat map request. */
function freeSeats({ seatMapRequests }: { seatMapRequests: { seatMapRequest: readonly Json[] } }) {
  const seat = (seatNumber: string) => ({
    summary: { seatNumber, availableInd: true },
    availability: { value: 'SEAT_AVAILABLE' },
  });
  const cabinClass = [{ rowInfo: [{ rowNumber: 5, seatInfo: ['52', '53'].map(seat) }] }];
  const seatMapResponse = seatMapRequests.seatMapRequest.map(({ flightSegmentInfo, travelerRefNumberRPHs }) => ({
    flightSegmentInfo,
    seatMapDetails: [{ travelerRefNumberRPHs, cabinClass }],
  }));
  return { seatMapResponses: { seatMapResponse } };
}

/** Readings are answered for any locator, seat maps with free seats, and searches without offers; everything else is refused. */
function replyTo(message: string, body: string | undefined, reading: string | undefined) {
  const good = (reply: unknown, locator = LOCATOR) => ({
    status: 200,
    text: JSON.stringify(reply).replaceAll(LOCATOR, locator),
  });
  if (message.endsWith('/OTA_AirSeatMapRQ')) return good(freeSeats(JSON.parse(body ?? '{}')));
  if (message === 'OTA_AirLowFareSearchRQ') return good(golden('replies', 'search-empty'));
  if (message !== 'OTA_ReadRQ' || reading === undefined) return REFUSED;
  const { readRequests } = JSON.parse(body ?? '{}');
  return good(golden('replies', reading), readRequests.readRequest[0].uniqueID.id);
}

async function requestsOf({ tool, dialect, args, reading, offers }: Play) {
  const sent: Sent[] = [];
  const transport: OtaOptions['transport'] = {
    // The desk in front of the adapter has already asked whether it may start.
    async exchange({ url, body, headers }) {
      const message = headers['local-name'] ?? new URL(url).pathname;
      sent.push({ message, values: valuesOf(url, body) });
      return replyTo(message, body, reading);
    },
    replaceConnections: () => {},
    close: async () => {},
  };
  const adapter = airlineAt('https://airline.test', {
    ...optionsOf(dialect),
    ...{ restUrl: 'https://airline.test/rest', transport, isConfirmed: () => true, payment: { amount: 'dialect' } },
  });

  const carrier = dialect === 'rail' ? 'RR' : 'XY';
  const desk = await openDesk({
    now: NOW,
    airline: adapter,
    settings: { dialect, carrier },
    ...(offers && { offers }),
  });
  // The airline refuses what the call is for.
  const ending = await desk.say(tool, args).then(() => 'a result', String);
  await desk.idle();
  return { sent, ending };
}

/** The paths of the message that a call sends, each with all of its values. */
async function playOnce(play: Play, argument = 'nothing'): Promise<ReadonlyMap<string, string>> {
  const { sent, ending } = await requestsOf(play);
  const found = sent.findLast(({ message }) => message.endsWith(play.message));
  if (found !== undefined) return found.values;
  const messages = sent.map(({ message }) => message).join(', ');
  throw new Error(`${play.tool} with another ${argument} sends no ${play.message} but ${messages}: ${ending}`);
}

/** By path: the argument that causes it. If several do, the one that causes least beside it. */
async function causes(play: Play): Promise<ReadonlyMap<string, string>> {
  const before = await playOnce(play);
  const found: { readonly name: string; readonly paths: readonly string[] }[] = [];
  for (const [name, other] of Object.entries(play.others)) {
    const another = playOnce({ ...play, args: { ...play.args, ...other } }, name);
    const after = await (play.decides?.includes(name) ? another.catch(() => new Map<string, string>()) : another);
    const names = [...new Set([...before.keys(), ...after.keys()])];
    const paths = names.filter((path) => before.get(path) !== after.get(path));
    if (paths.length === 0) throw new Error(`${play.tool}: ${name} changes nothing in ${play.message}`);
    found.push({ name, paths });
  }
  const byPath = new Map<string, string>();
  for (const { name, paths } of found.toSorted((a, b) => a.paths.length - b.paths.length)) {
    for (const path of paths) if (!byPath.has(path)) byPath.set(path, `${play.tool}: ${name}`);
  }
  return byPath;
}

/** As {@link causes}, of several calls that send a message. */
export async function argumentsOf(plays: readonly Play[]): Promise<ReadonlyMap<string, string>> {
  const byPath = new Map<string, string>();
  for (const play of plays) {
    for (const [path, argument] of await causes(play)) if (!byPath.has(path)) byPath.set(path, argument);
  }
  return byPath;
}
