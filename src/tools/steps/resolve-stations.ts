/**
 * Resolves names of cities and stations by the airline's routes. Sends codes as they are, and looks them up only if the
 * airline finds nothing for them.
 */
import { cleanCode, plainText } from '../../core/clean-text.ts';
import { ClerkError, type ErrorCode, inputError } from '../../core/errors.ts';
import type { Airline } from '../../domain/airline.ts';
import {
  findPlace,
  listStations,
  looksLikeCode,
  type Station,
  type StationMatch,
  showStation,
} from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

interface StationField {
  /** Path of the argument: `legs[0].from`. */
  readonly field: string;
  readonly text: string;
}

/** The answer of a call with station codes. */
export interface StationAnswer<T> {
  readonly answer: T;
  /** The codes of words of the caller that are neither a station's code nor its name; absent without such words. */
  readonly understood?: Readonly<Record<string, string>>;
}

type StationContext = Pick<ToolContext, 'airline' | 'signal'>;

/** Errors of the airline that can mean an unknown station. */
const MAY_BE_UNKNOWN: readonly ErrorCode[] = ['E_INPUT', 'E_NO_AVAILABILITY', 'E_NOT_FOUND'];

/** How many stations of the same name an error lists. */
const MOST_CHOICES = 8;

/** How long people wait for the names of places, in milliseconds. */
const NAMES_MS = 2_000;

/**
 * Calls `run` with the codes of these places. `isEmpty`: whether the answer can mean an unknown code. Throws E_INPUT for bad
 * places.
 */
export async function callWithStations<T>(
  places: readonly StationField[],
  ctx: StationContext,
  run: (codes: readonly string[]) => Promise<T>,
  isEmpty: (answer: T) => boolean = () => false,
): Promise<StationAnswer<T>> {
  const texts = places.map(({ text }) => text);
  if (!texts.every(looksLikeCode)) {
    const { codes, understood } = resolvePlaces(places, await requireStations(ctx));
    return { answer: await run(codes), understood };
  }

  const codes = texts.map((text) => text.toUpperCase());
  const attempt = await catchUnknown(() => run(codes));
  if (!('error' in attempt) && !isEmpty(attempt.answer)) return { answer: attempt.answer };

  // What looks like a code may be a name. If the list of stations cannot be read, the first answer counts.
  const stations = await readStations(ctx).catch(() => undefined);
  const resolved = stations && resolvePlaces(places, stations);
  if (resolved?.codes.some((code, i) => code !== codes[i])) {
    return { answer: await run(resolved.codes), understood: resolved.understood };
  }
  if ('error' in attempt) throw attempt.error;

  return { answer: attempt.answer };
}

/** Throws E_INPUT if both stations are the same. The error repeats only codes, never free text. */
export function assertApart(from: string, to: string, field: string): void {
  if (from.toUpperCase() !== to.toUpperCase()) return;
  const origin = looksLikeCode(from) ? from.toUpperCase() : 'where it begins';
  throw inputError(field, `expected another station than ${origin}.`);
}

/** Finds all stations that a name matches, for filters. Throws E_INPUT if there are none. */
export function findStations({ field, text }: StationField, stations: readonly Station[]): readonly Station[] {
  const match = findPlace(text, stations);
  if (match.kind === 'none') throw unknownPlace(field, match.nearest);
  if (match.kind === 'several') return match.stations;
  return stations.filter(({ code }) => code === match.station.code);
}

/** Returns an error that can mean an unknown station instead of throwing it. */
async function catchUnknown<T>(
  run: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly error: ClerkError }> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (error instanceof ClerkError && MAY_BE_UNKNOWN.includes(error.code)) return { error };
    throw error;
  }
}

async function readStations(ctx: StationContext): Promise<readonly Station[]> {
  return listStations(await ctx.airline.routes(readCall(ctx)));
}

/** Reads the stations. If that fails, the error asks for codes instead of names. */
async function requireStations(ctx: StationContext): Promise<readonly Station[]> {
  try {
    return await readStations(ctx);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;

    throw new ClerkError(
      error.code,
      `The airline's list of stations, which has the names, cannot be read. ${error.message}`,
      {
        next: 'Call the tool again with IATA codes, such as JED, instead of names.',
        retry: error.retry,
        airline: error.airline,
        cause: error,
      },
    );
  }
}

/** Finds the code of each place, and notes the words that are no code or name. Throws E_INPUT. */
function resolvePlaces(places: readonly StationField[], stations: readonly Station[]) {
  const understood: [text: string, code: string][] = [];
  const codes = places.map((place) => {
    const station = onlyStation(place, findPlace(place.text, stations));
    const isNamed = [station.code, station.name].some((name) => foldName(name) === foldName(place.text));
    if (!isNamed) understood.push([plainText(place.text, 60), cleanCode(station.code, 8)]);
    return station.code;
  });
  return { codes, understood: understood.length > 0 ? Object.fromEntries(understood) : undefined };
}

/** Gives the one station that matches. Throws E_INPUT if there are none or several. */
function onlyStation({ field }: StationField, match: StationMatch): Station {
  if (match.kind === 'one') return match.station;
  if (match.kind === 'none') throw unknownPlace(field, match.nearest);

  const choices = match.stations.slice(0, MOST_CHOICES).map(showStation).join(', ');
  throw fieldError(
    field,
    `${match.stations.length} stations have this name: ${choices}.`,
    'Ask the person which one is meant, or take the one they named, and call the tool again with its code.',
  );
}

function unknownPlace(field: string, nearest: readonly Station[]): ClerkError {
  const hint = nearest.length === 0 ? '' : ` Nearest: ${nearest.map(showStation).join(', ')}.`;
  const next =
    nearest.length === 0
      ? 'Call list_routes for the places it serves.'
      : 'Call the tool again with one of these codes, if that is meant, or list_routes for all places.';
  return fieldError(field, `the airline has no station or city of this name.${hint}`, next);
}

/** Makes the error about a field. It is no inputError(), because a request may have been sent before. */
function fieldError(field: string, problem: string, next: string): ClerkError {
  return new ClerkError('E_INPUT', `${field}: ${problem} Nothing was changed.`, { next });
}

/** Loads the names of places, which questions and readings show, from the routes. If that fails, they show codes. */
export async function loadPlaceNames(airline: Pick<Airline, 'routes'>): Promise<void> {
  const waiting = new AbortController();
  // A timer that is cleared costs less than a signal that ends by itself, and most routes are there already.
  const timer = setTimeout(() => waiting.abort(), NAMES_MS);
  await airline.routes({ signal: waiting.signal }).catch(() => undefined);
  clearTimeout(timer);
}
