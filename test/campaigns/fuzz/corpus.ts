/**
 * Good replies to spoil: what the sandbox airline answered in whole trips, in both dialects, in every state of a booking.
 */
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import { type Answer, type Call, startFront } from '../../cli/doctor/front.ts';
import { wholeTrip } from '../../e2e/trip.ts';
import { clerkIn } from '../../ota/dialects/clerk.ts';
import { cancelledTrip, groupTrip } from '../../ota/dialects/trips.ts';

export interface Sample {
  readonly message: string;
  /** Of a reading: the state of the booking in it. Of a modification: its type. */
  readonly kind: string;
  /** Locator of the booking that it is about; empty where it is about none. */
  readonly locator: string;
  readonly status: number;
  readonly text: string;
  /** Of a search: what was searched for. */
  readonly legs: readonly { readonly from: string; readonly to: string; readonly date: string }[];
}

export interface Corpus {
  readonly samples: readonly Sample[];
  readonly dialect: 'rail' | 'airline';
  /** When the replies were good, ms epoch. */
  readonly at: number;
  readonly currency: string;
  readonly restUrl: string;
  of(message: string, kind?: string): readonly Sample[];
}

/** Larger replies cost time and show nothing more: of lists of offers the first few are kept. */
const MOST_OFFERS = 3;

export async function gather(dialect: 'rail' | 'airline'): Promise<Corpus> {
  const samples: Sample[] = [];
  const sandbox = await startSandbox({ dialect });
  const keep = (answer: Answer, call: Call): Answer => {
    const sample = sampleOf(answer, call);
    if (sample !== undefined) samples.push(sample);
    return answer;
  };
  const front = await startFront(() => undefined, { to: sandbox.url, reply: keep });
  const point = Object.entries(sandbox.settings).map(([name, value]) => [
    name,
    value.replace(sandbox.url, front.origin),
  ]);
  const client = clerkIn({ ...Object.fromEntries(point), FARECLERK_REST_URL: sandbox.url });
  try {
    await wholeTrip(client);
    await cancelledTrip(client);
    await groupTrip(client);
    await client.call('read_booking', { locator: 'ZZZZZ9' });
  } finally {
    await client.close();
    await front.close();
    await sandbox.close();
  }
  const { FARECLERK_CURRENCY: currency = 'SAR' } = sandbox.settings;
  const of = (message: string, kind?: string) =>
    samples.filter((one) => one.message === message && (kind === undefined || one.kind === kind));
  return { samples, dialect, at: Date.now(), currency, restUrl: sandbox.url, of };
}

function sampleOf({ status, body }: Answer, { url, headers, body: asked }: Call): Sample | undefined {
  const message = String(headers['local-name'] ?? url.pathname.split('/').at(-1));
  if (message === 'token' || typeof body !== 'string' || body === '') return undefined;
  const tree: unknown = JSON.parse(body);
  const text = JSON.stringify(trimmed(tree));
  const kind = status >= 400 ? 'refusal' : kindOf(message, tree, asked);
  return { message, kind, locator: /"id":"([A-Z0-9]{6})"/.exec(text)?.[1] ?? '', status, text, legs: legsOf(asked) };
}

function legsOf(asked: string): Sample['legs'] {
  const leg =
    /"locationCode":"(\w+)"\},"destinationLocation":\{"locationCode":"(\w+)"\},"departureDateTime":\{"value":"([\d-]+)"/g;
  return [...asked.matchAll(leg)].map(([, from = '', to = '', date = '']) => ({ from, to, date }));
}

function kindOf(message: string, reply: unknown, asked: string): string {
  if (message === 'OTA_ReadRQ') return bookingState(decodeReadReply(reply), Date.now()).state;
  if (message === 'OTA_AirLowFareSearchRQ')
    return JSON.stringify(reply).includes('"pricedItineraries"') ? 'itineraries' : 'availability';
  return /"modificationType":"(\d+)"/.exec(asked)?.[1] ?? 'good';
}

function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const long = (key === 'pricedItinerary' || key === 'offers' || key === 'rowInfo') && Array.isArray(item);
      return [key, trimmed(long ? item.slice(0, MOST_OFFERS) : item)];
    }),
  );
}
