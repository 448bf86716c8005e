/**
 * Finds and names stations: people read `Makkah (QCA)`, and type a code, a city or a station's name. Never guesses: the
 * whole text must be a name of the station, and of no other one.
 */
import { cleanCode, cleanName, quoted } from '../../core/clean-text.ts';
import { editDistance } from '../../core/nearest-word.ts';
import { own } from '../../core/own.ts';
import { foldName } from '../people/identity-text.ts';

export interface Station {
  /** IATA code. */
  readonly code: string;
  readonly name: string;
  readonly city: string;
  readonly cityCode: string;
  /** ISO 3166 alpha-2, or the name as sent. */
  readonly country: string;
}

/** A station, and the stations that the airline sells trips to from there. */
export interface Route {
  readonly from: Station;
  readonly to: readonly Station[];
}

export type StationMatch =
  | { readonly kind: 'one'; readonly station: Station }
  /** A city with several stations, or two places of one name. */
  | { readonly kind: 'several'; readonly stations: readonly Station[] }
  /** Stations with similar names, the most similar first; may be empty. */
  | { readonly kind: 'none'; readonly nearest: readonly Station[] };

/**
 * Letters without a Unicode decomposition, as people type them without diacritics: `Tromso`. Passports transliterate them
 * (`TROMSOE`, people/airline-name.ts).
 */
const BASE_LETTERS: Readonly<Record<string, string>> = { Ø: 'O', Æ: 'AE', Œ: 'OE', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH' };

/**
 * Spellings of one city's name, folded: Arabic names are spelt in several ways. Each is a whole name, so that no other
 * city is found by it.
 */
const SPELLINGS: readonly (readonly string[])[] = [
  ['MAKKAH', 'MECCA', 'MEKKA', 'MEKKAH', 'MECCAH', 'MAKKA', 'MAKKAHALMUKARRAMAH', 'LAMECQUE'],
  ['MADINAH', 'MEDINA', 'MEDINAH', 'MADINA', 'ALMADINAH', 'ALMADINA', 'ALMEDINA', 'ALMADINAHALMUNAWWARAH', 'MEDINE'],
  ['JEDDAH', 'JEDDA', 'JIDDA', 'JIDDAH', 'DJEDDA', 'DJEDDAH'],
  ['RIYADH', 'RIYAD', 'ARRIYADH', 'ARRIYAD', 'ALRIYADH', 'RIAD', 'RIYAAD'],
  ['DAMMAM', 'ADDAMMAM', 'ALDAMMAM'],
  ['TAIF', 'ATTAIF', 'ALTAIF', 'TAEF'],
  ['HOFUF', 'ALHOFUF', 'ALHUFUF', 'HUFUF', 'ALAHSA', 'ALHASA'],
  ['TABUK', 'TABOUK'],
  ['KUWAIT', 'KUWAITCITY', 'ALKUWAIT'],
  ['DUBAI', 'DUBAY', 'DUBAYY'],
  ['ABUDHABI', 'ABUZABI', 'ABUDABI'],
  ['SHARJAH', 'SHARIQAH', 'ASHSHARIQAH'],
  ['MUSCAT', 'MASQAT', 'MASCAT', 'MUSKAT'],
  ['DOHA', 'ADDAWHAH', 'ADDOHA'],
  ['MANAMA', 'ALMANAMAH', 'MANAMAH'],
  ['CAIRO', 'ALQAHIRAH', 'ELQAHIRA', 'KAIRO', 'LECAIRE'],
];

/** At most so many similar stations are named. */
const MOST_NEAREST = 3;

/** Whether the text is three letters in one case: `JED`, `jed`; `Goa` may be a city. */
export function looksLikeCode(text: string): boolean {
  return /^(?:[A-Z]{3}|[a-z]{3})$/.test(text);
}

/** Each station once, in the order of the routes. */
export function listStations(routes: readonly Route[]): readonly Station[] {
  const byCode = new Map<string, Station>();
  for (const { from, to } of routes)
    for (const station of [from, ...to]) byCode.set(station.code.toUpperCase(), station);
  return [...byCode.values()];
}

/** The station that a text names, by its code or by any of its names. */
export function findPlace(text: string, stations: readonly Station[]): StationMatch {
  const stationByCode = stations.find(({ code }) => code.toUpperCase() === text.toUpperCase());
  if (stationByCode !== undefined && looksLikeCode(text)) return { kind: 'one', station: stationByCode };

  const wanted = foldStation(text);
  const stationsNamed = (names: readonly string[]) =>
    stations.filter((station) => stationNames(station).some((name) => names.includes(name)));

  const exactMatches = wanted === '' ? [] : stationsNamed([wanted]);
  const otherSpellings = SPELLINGS.find((spellings) => spellings.includes(wanted)) ?? [];
  const matches = exactMatches.length > 0 ? exactMatches : stationsNamed(otherSpellings);
  const [only, ...others] = matches;
  if (only === undefined) return { kind: 'none', nearest: nearestTo(wanted, stations) };

  return others.length === 0 ? { kind: 'one', station: only } : { kind: 'several', stations: matches };
}

/** Removes case, diacritics, spaces and punctuation: `Al-Hofuf` and `al hofuf` are one. */
function foldStation(text: string): string {
  return foldName(text).replace(/[^ -~]/g, (letter) => own(BASE_LETTERS, letter) ?? letter);
}

/** Names of a station, including the forms in our own results: `XJA Jeddah Airport`, `Jeddah, SA`. */
function stationNames({ code, name, city, cityCode, country }: Station): readonly string[] {
  const forms = [code, cityCode, city, name, city + name, city + country];
  const labels = [name, city].flatMap((label) => [code + label, label + code]);
  return [...forms, ...labels].map(foldStation).filter((form) => form !== '');
}

/** Stations with similar names, the most similar first. At most half of the letters may differ. */
function nearestTo(wanted: string, stations: readonly Station[]): readonly Station[] {
  const mostDistance = Math.max(2, Math.ceil(wanted.length / 2));
  return stations
    .map((station) => {
      const names = [station.city, station.name, station.code];
      return { station, distance: Math.min(...names.map((name) => nameDistance(wanted, foldStation(name)))) };
    })
    .filter(({ distance }) => distance <= mostDistance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST_NEAREST)
    .map(({ station }) => station);
}

/** Edit distance of two folded names; less than one letter if one name is a part of the other. */
function nameDistance(wanted: string, name: string): number {
  const isPart = wanted.length >= 3 && name.length >= 3 && (name.includes(wanted) || wanted.includes(name));
  return isPart ? 0.5 : editDistance(wanted, name);
}

/** A station's name by its code; undefined if it is not known. */
export type PlaceName = (code: string) => string | undefined;

/** The names of all stations of the routes, by code. */
export function placeNames(routes: readonly Route[]): ReadonlyMap<string, string> {
  return new Map(
    listStations(routes).flatMap((station) => {
      const name = stationName(station);
      return name === undefined ? [] : [[station.code.toUpperCase(), name]];
    }),
  );
}

/** The station's name, or its city where the name is only the code. */
function stationName({ code, name, city }: Station): string | undefined {
  const cleanedName = cleanName(name === code ? city : name);
  return cleanedName === '' || cleanedName === code ? undefined : cleanedName;
}

/** `Makkah (QCA)`, from the airline's route list. */
export function showStation(station: Station): string {
  return showPlace(station.code, () => stationName(station));
}

/** `Makkah (QCA)`, or `QCA` where the name is not known. */
export function showPlace(code: string, placeName?: PlaceName): string {
  const cleanedCode = cleanCode(code, 8);
  const name = placeName?.(code);
  return name === undefined ? cleanedCode : `${name} (${cleanedCode})`;
}

/** `Makkah (QCA) → Madinah (XMD)`. */
export function showRoute({ from, to }: { readonly from: string; readonly to: string }, placeName?: PlaceName): string {
  return `${showPlace(from, placeName)} → ${showPlace(to, placeName)}`;
}

/** The names of these codes that are known, for a field `places`. Undefined if none is. */
export function namedPlaces(
  codes: readonly string[],
  placeName: PlaceName | undefined,
): Record<string, string> | undefined {
  const entries = [...new Set(codes)].flatMap((code) => {
    const name = placeName?.(code);
    return name === undefined ? [] : [[code, name] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The names that a field `places` has. */
export function namedIn(places: Readonly<Record<string, string>> = {}): PlaceName {
  return (code) => own(places, code);
}

interface UnderstoodPlaces {
  /** Names of stations by their codes. */
  readonly places?: Readonly<Record<string, string>> | undefined;
  /** Codes by the words of the caller. */
  readonly understood?: Readonly<Record<string, string>> | undefined;
}

/** `“Makkah” is Makkah Al Rusayfah (QCA).` */
export function understoodText({ understood = {}, places }: UnderstoodPlaces): string | undefined {
  const meanings = Object.entries(understood).map(
    ([written, code]) => `${quoted(written, 60)} is ${showPlace(code, namedIn(places))}`,
  );
  return meanings.length === 0 ? undefined : `${meanings.join('; ')}.`;
}
