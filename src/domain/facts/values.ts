/** How the value of a fact is shown, and when two values are equal despite another spelling, another zone or a few seconds. */
import { DAY_MS, instantOf, MINUTE_MS } from '../../core/times.ts';

/** Numbers and e-mail addresses masked, words of others quoted, our own as they are. */
export type ValueForm = 'time' | 'code' | 'words' | 'plain' | 'number' | 'email';

/** Codes in capitals, with blanks around them. */
export const sameCode = (code: string, other: string): boolean =>
  code === other || code.trim().toUpperCase() === other.trim().toUpperCase();

/** Letters and digits alone: airlines write a name in capitals, or with other spaces. */
export const sameWords = (words: string, other: string): boolean => folded(words) === folded(other);

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether two times, as sent, are less than a minute apart; as texts where one of them is no time. */
export function isSameTime(time: string, other: string): boolean {
  if (time === other) return true;
  const [a, b] = [instantOf(time), instantOf(other)];
  return a === undefined || b === undefined ? time === other : Math.abs(a - b) < MINUTE_MS;
}

/** How much of a time is the clock of the station. */
const CLOCK_CHARS = 16;

/** The same instant, or the same clock of the station: airlines leave its zone out, or write another one. */
export function sameStationTime(time: string, other: string): boolean {
  if (isSameTime(time, other)) return true;
  const times = [time, other];
  const haveZones = times.every((each) => instantOf(each) !== undefined);
  // A time in UTC is no clock of a station.
  if (haveZones && times.some((each) => /z$/i.test(each))) return false;
  return time.slice(0, CLOCK_CHARS) === other.slice(0, CLOCK_CHARS);
}

/** Milliseconds between two departures; a day if they cannot be compared. */
export function timeBetween(departs: string, other: string): number {
  const [a, b] = [instantOf(departs), instantOf(other)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b);
  return departs === other ? 0 : DAY_MS;
}
