/** What an airline answered in a conversation, and an adapter that hears those answers again with other texts in them. */
import { createTransport } from '../../../../src/ota/transport/http.ts';
import { type AirlineAt, airlineAt, type Settings } from '../../support/airline.ts';

type Transport = NonNullable<AirlineAt['transport']>;
type HttpRequest = Parameters<Transport['exchange']>[0];
export type HttpReply = Awaited<ReturnType<Transport['exchange']>>;

// biome-ignore lint/suspicious/noExplicitAny: replies are looked at as the JSON that came.
export type Json = any;

export type Recorded = ReadonlyMap<string, readonly HttpReply[]>;

function messageOf({ headers, url }: Pick<HttpRequest, 'headers' | 'url'>): string {
  return headers['local-name'] ?? /OTA_\w+|routes|calendar|email|notifications/.exec(url)?.[0] ?? 'other';
}

export const adapter = (settings: Settings, transport: Transport, deadlines: AirlineAt['deadlines'] = {}) =>
  airlineAt({ settings, mode: 'key', transport, deadlines, sleep: async () => undefined, random: () => 0 });

/** An adapter whose answers are kept. */
export function recorder(settings: Settings) {
  const transport = createTransport();
  let heard = new Map<string, HttpReply[]>();
  const airline = adapter(settings, {
    ...transport,
    async exchange(request) {
      const reply = await transport.exchange(request);
      const message = messageOf(request);
      heard.set(message, [...(heard.get(message) ?? []), reply]);
      return reply;
    },
  });
  return {
    airline,
    taken(): Recorded {
      const recorded = heard;
      heard = new Map();
      return recorded;
    },
  };
}

export type Player = ReturnType<typeof player>;

/** A recorded conversation once more, each answer passed through `change`. */
export function replay(recorded: Recorded, change: (reply: HttpReply, message: string, nth: number) => HttpReply) {
  const asked: string[] = [];
  return {
    asked: asked as readonly string[],
    /** Undefined: it was not recorded. */
    answer(request: Pick<HttpRequest, 'headers' | 'url'>): HttpReply | undefined {
      const message = messageOf(request);
      const nth = asked.filter((one) => one === message).length;
      asked.push(message);
      const reply = recorded.get(message)?.at(nth) ?? recorded.get(message)?.at(-1);
      return reply && change(reply, message, nth);
    },
  };
}

export function player(settings: Settings) {
  let playing = replay(new Map(), (reply) => reply);
  const transport: Transport = {
    async exchange(request) {
      const reply = playing.answer(request);
      if (reply === undefined) throw new Error(`${messageOf(request)} was not recorded`);
      if (request.mayStart?.() === false) throw new Error('not to be sent');
      return reply;
    },
    replaceConnections() {},
    async close() {},
  };
  return {
    airline: adapter(settings, transport),
    asked: () => playing.asked,
    /** From the beginning, with the JSON of every answer passed through `change`. */
    rewind(recorded: Recorded, change: (body: Json, message: string) => Json) {
      playing = replay(recorded, (reply, message) =>
        reply.text === '' ? reply : { ...reply, text: JSON.stringify(change(JSON.parse(reply.text), message)) },
      );
    },
  };
}

/** Places of texts: `airReservation.travelerInfo.airTraveler.*.personName.surname`, every item of a list alike. */
export function textPlaces(value: Json): Set<string> {
  const places = new Set<string>();
  withTexts(value, (text, place) => {
    places.add(place);
    return text;
  });
  return places;
}

/** The value with another text in these places. */
export const withText = (value: Json, places: ReadonlySet<string>, text: string): Json =>
  withTexts(value, (own, place) => (places.has(place) ? text : own));

function withTexts(value: Json, change: (text: string, place: string) => string, place = ''): Json {
  const at = (key: string) => (place === '' ? key : `${place}.${key}`);
  if (typeof value === 'string') return change(value, place);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change, at('*')));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change, at(key))]));
}
