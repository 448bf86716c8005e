/**
 * Selects the recorded exchange for a call: the same message with the most similar request. Changes play once, in
 * their order; reads may be repeated.
 */
import { isRecord } from '../wire.ts';
import { kindOf } from './kinds.ts';
import type { Tape, TapeExchange } from './tape.ts';

/** Messages that only read; all others count as changes. */
const READS = new Set(['OTA_ReadRQ', 'OTA_AirLowFareSearchRQ', 'OTA_AirSeatMapRQ', 'routes', 'calendar', 'token']);

export class Session {
  readonly #tape: readonly TapeExchange[];
  readonly #played = new Set<number>();
  /** Position of the last change that was played. */
  #changedAt = -1;

  constructor({ exchanges }: Pick<Tape, 'exchanges'>) {
    this.#tape = exchanges;
  }

  /** The exchange for this call; undefined if the recording has none. */
  next(message: string, request: unknown): TapeExchange | undefined {
    const place = READS.has(message) ? this.#read(message, request) : this.#change(message, request);
    if (place === undefined) return undefined;
    this.#played.add(place);
    if (!READS.has(message)) this.#changedAt = place;
    return this.#tape[place];
  }

  /** Recorded exchanges of a message that have not been played. */
  left(message: string): number {
    return this.#tape.filter((one, place) => one.message === message && !this.#played.has(place)).length;
  }

  /** The next exchange of this kind, with the same modification type if there is one. */
  #change(message: string, request: unknown): number | undefined {
    const ahead = this.#places(message).filter((place) => place > this.#changedAt && !this.#played.has(place));
    const alike = ahead.filter((place) => typeOf(this.#tape[place]?.request) === typeOf(request));
    return alike.find((place) => this.#fits(place, request)) ?? alike[0];
  }

  /** The most similar exchange since the last change, else before it, else after the next one. */
  #read(message: string, request: unknown): number | undefined {
    const fitting = this.#places(message).filter((place) => this.#fits(place, request));
    const nextChange = this.#tape.findIndex((one, place) => place > this.#changedAt && !READS.has(one.message));
    const end = nextChange === -1 ? this.#tape.length : nextChange;
    const here = fitting.filter((place) => place > this.#changedAt && place < end);
    const before = fitting.filter((place) => place < this.#changedAt).toReversed();
    for (const candidates of [here, before, fitting]) {
      const best = this.#best(candidates, request);
      if (best !== undefined) return best;
    }
    return undefined;
  }

  /** The most similar exchange; of equals the first one not played, else the last. */
  #best(candidates: readonly number[], request: unknown): number | undefined {
    const scored = candidates.map((place) => ({ place, score: likeness(this.#tape[place]?.request, request) }));
    const most = Math.max(...scored.map(({ score }) => score));
    const best = scored.filter(({ score }) => score === most).map(({ place }) => place);
    return best.find((place) => !this.#played.has(place)) ?? best.at(-1);
  }

  #places(message: string): number[] {
    return this.#tape.flatMap((one, place) => (one.message === message ? [place] : []));
  }

  /** Whether both name the same booking, if any, and the same stations. */
  #fits(place: number, request: unknown): boolean {
    if (stationsIn(this.#tape[place]?.request).join() !== stationsIn(request).join()) return false;
    const named = locatorsIn(request);
    const recorded = locatorsIn(this.#tape[place]?.request);
    return named.size === 0 || recorded.size === 0 || [...named].some((locator) => recorded.has(locator));
  }
}

function typeOf(request: unknown): unknown {
  if (!isRecord(request)) return undefined;
  const { airBookModifyRQ } = request;
  return isRecord(airBookModifyRQ) ? airBookModifyRQ.modificationType : undefined;
}

function locatorsIn(value: unknown, key = '', parent = '', found = new Set<string>()): Set<string> {
  if (typeof value === 'string' && kindOf(key, parent) === 'locator') found.add(value);
  else if (Array.isArray(value)) for (const item of value) locatorsIn(item, key, parent, found);
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) locatorsIn(item, name, key, found);
  return found;
}

/** The stations of a search or calendar request, in order; empty for other requests. */
function stationsIn(request: unknown): readonly unknown[] {
  if (!isRecord(request)) return [];
  const legs = Array.isArray(request.originDestinationInformation) ? request.originDestinationInformation : [];
  const codeOf = (place: unknown): unknown => (isRecord(place) ? place.locationCode : undefined);
  return [
    request.departure_airport,
    request.arrival_airport,
    ...legs.filter(isRecord).flatMap((leg) => [codeOf(leg.originLocation), codeOf(leg.destinationLocation)]),
  ];
}

/** Equal leaf values minus different ones, by path. */
function likeness(recorded: unknown, actual: unknown): number {
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    return (
      recorded.reduce((sum: number, item, i) => sum + likeness(item, actual[i]), 0) -
      Math.abs(recorded.length - actual.length)
    );
  }
  if (isRecord(recorded) && isRecord(actual)) {
    return Object.keys({ ...recorded, ...actual }).reduce(
      (sum, name) => sum + likeness(recorded[name], actual[name]),
      0,
    );
  }
  return recorded === actual ? 1 : -1;
}
