/**
 * What an airline answered in a conversation, and an adapter that hears those answers again with other texts in them.
 */
import type { OtaAirline } from '../../../../src/ota/airline.ts';
import {
  createTransport,
  type HttpReply,
  type HttpRequest,
  type Transport,
} from '../../../../src/ota/transport/http.ts';
import { airlineAt, type Settings } from '../../support/airline.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are looked at as the JSON that came.
export type Json = any;

/** Answers in order, by message. */
export type Recorded = ReadonlyMap<string, readonly HttpReply[]>;

export function messageOf({ headers, url }: HttpRequest): string {
  return headers['local-name'] ?? /OTA_\w+|routes|calendar|email|notifications/.exec(url)?.[0] ?? 'other';
}

export interface Recorder {
  readonly airline: OtaAirline;
  /** What came since the last time. */
  taken(): Recorded;
}

export function recorder(settings: Settings): Recorder {
  const transport = createTransport();
  let heard = new Map<string, HttpReply[]>();
  const airline = adapter(settings, {
    ...transport,
    async send(request) {
      const reply = await transport.send(request);
      const message = messageOf(request);
      heard.set(message, [...(heard.get(message) ?? []), reply]);
      return reply;
    },
  });
  return {
    airline,
    taken() {
      const recorded = heard;
      heard = new Map();
      return recorded;
    },
  };
}

export interface Player {
  readonly airline: OtaAirline;
  /** From the beginning, with every answer passed through `change`. */
  rewind(recorded: Recorded, change: (body: Json, message: string) => Json): void;
  /** Messages asked for since. */
  readonly asked: readonly string[];
}

export function player(settings: Settings): Player {
  const asked: string[] = [];
  let recorded: Recorded = new Map();
  let change: (body: Json, message: string) => Json = (body) => body;
  const transport: Transport = {
    async send(request) {
      const message = messageOf(request);
      const nth = asked.filter((one) => one === message).length;
      asked.push(message);
      const replies = recorded.get(message) ?? [];
      const reply = replies[Math.min(nth, replies.length - 1)];
      if (reply === undefined) throw new Error(`${message} was not recorded`);
      if (request.mayStart?.() === false) throw new Error('not to be sent');
      if (reply.text === '') return reply;
      return { ...reply, text: JSON.stringify(change(JSON.parse(reply.text), message)) };
    },
    renew() {},
    async close() {},
  };
  return {
    airline: adapter(settings, transport),
    asked,
    rewind(answers, with_) {
      recorded = answers;
      change = with_;
      asked.length = 0;
    },
  };
}

function adapter(settings: Settings, transport: Transport): OtaAirline {
  return airlineAt({ settings, mode: 'key', transport, sleep: async () => undefined, random: () => 0 });
}

/** Places of texts: `airReservation.travelerInfo.airTraveler.*.personName.surname`, every item of a list alike. */
export function textPlaces(value: Json, place = ''): Set<string> {
  const places = new Set<string>();
  const under = (child: Json, key: string) => {
    for (const one of textPlaces(child, place === '' ? key : `${place}.${key}`)) places.add(one);
  };
  if (typeof value === 'string') places.add(place);
  else if (Array.isArray(value)) for (const one of value) under(one, '*');
  else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value)) under(one, key);
  return places;
}

/** The value with another text in these places. */
export function withText(value: Json, places: ReadonlySet<string>, text: string, place = ''): Json {
  const at = (key: string) => (place === '' ? key : `${place}.${key}`);
  if (typeof value === 'string') return places.has(place) ? text : value;
  if (Array.isArray(value)) return value.map((one) => withText(one, places, text, at('*')));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withText(one, places, text, at(key))]));
}
