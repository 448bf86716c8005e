/** The clock time of a country, for times that an airline sends in UTC only. */

import { instantOf } from '../../core/times.ts';
import { twoLetterCountry } from './country-codes.ts';

/** Milliseconds are kept, as in the airline's own local times: `2026-12-01T08:00:00.000+03:00`. */
export function inCountry(utc: string, country: string): string | undefined {
  const at = instantOf(utc);
  const code = /^[A-Z]{2}$/.test(country) ? country : twoLetterCountry(country);
  if (at === undefined || code === undefined) return undefined;
  const offsets = new Set(zonesOf(code).map((zone) => offsetOf(zone, at)));
  const [offset, ...others] = offsets;
  // A country whose zones differ at this moment does not say which one the station has.
  if (offset === undefined || others.length > 0) return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return new Date(at + shift).toISOString().replace('Z', offset);
}

function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined };
  return locale.getTimeZones?.() ?? [];
}

/** `+03:00` of a zone at an instant. */
function offsetOf(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '').replace('−', '-') || '+00:00';
}
