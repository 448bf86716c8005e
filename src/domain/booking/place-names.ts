/** Names of stations: people read `Makkah (QCA)`, not the code alone. */
import { cleanCode, cleanName } from '../../core/clean-text.ts';
import { stationsOf } from './find-station.ts';
import type { Route, Station } from './routes-and-calendar.ts';

/** A station's name by its code; undefined if it is not known. */
export type PlaceName = (code: string) => string | undefined;

export function placeNames(routes: readonly Route[]): ReadonlyMap<string, string> {
  return new Map(
    stationsOf(routes).flatMap((station) => {
      const said = nameOf(station);
      return said === undefined ? [] : [[station.code.toUpperCase(), said]];
    }),
  );
}

/** The station's name, or its city where the name is only the code. */
function nameOf({ code, name, city }: Station): string | undefined {
  const said = cleanName(name === code ? city : name);
  return said === '' || said === code ? undefined : said;
}

/** `Makkah (QCA)`, from the airline's route list. */
export function showStation(station: Station): string {
  return showPlace(station.code, () => nameOf(station));
}

/** `Makkah (QCA)`, or `QCA` where the name is not known. */
export function showPlace(code: string, placeName?: PlaceName): string {
  const shown = cleanCode(code, 8);
  const name = placeName?.(code);
  return name === undefined ? shown : `${name} (${shown})`;
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
  const known = [...new Set(codes)].flatMap((code) => {
    const name = placeName?.(code);
    return name === undefined ? [] : [[code, name] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
