/** How the value of a fact is shown, and when two values are equal despite another spelling, another zone or a few seconds. */
import { DAY_MS, instantOf, MINUTE_MS } from '../../core/times.ts';

/** Numbers and e-mail addresses masked, words of others quoted, our own as they are. */
export type ValueForm = 'time' | 'code' | 'words' | 'plain' | 'number' | 'email';

/** Codes in capitals, with blanks around them. */
export const sameCode = (code: string, other: string): boolean =>
  code === other || code.trim().toUpperCase() === other.trim().toUpperCase();

/** Digits without leading zeros. */
export function digitsOnly(number: string): string {
  return number.replace(/\D/g, '').replace(/^0+/, '');
}

/** Letters and digits alone: airlines write a name in capitals, or with other spaces. */
export const sameWords = (words: string, other: string): boolean => folded(words) === folded(other);

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether two times, as sent, are less than a minute apart; as texts where one of them is no time. */
export function isSameTime(time: string, other: string): boolean {
  if (time === other) return true;
  const [a, b] = [instantOf(time), instantOf(other)];
  return a === undefined || b === undefined ? time === other : Math.abs(a - b) < MINUTE_MS;
}

/** What the clock of the station shows at a time as sent, to the minute: `2026-12-01T08:00`. */
export const stationClock = (time: string): string => time.slice(0, 16);

/** The same instant, or the same clock of the station: airlines leave its zone out, or write another one or `Z`. */
export const sameStationTime = (time: string, other: string): boolean =>
  isSameTime(time, other) || stationClock(time) === stationClock(other);

/** `2 pc` is `2 x 25 kg` where only one side says how heavy a piece may be. */
export function sameAllowance(allowance: string, other: string): boolean {
  const [a, b] = [allowance, other].map((text) => /^(\d+)(?:x|pcs?|pieces?)(.*)$/.exec(folded(text)));
  const isOnePieces = a?.[1] !== undefined && a[1] === b?.[1] && (a[2] === '' || b[2] === '');
  return isOnePieces || sameWords(allowance, other);
}

/** Milliseconds between two departures; a day if they cannot be compared. */
export function timeBetween(departs: string, other: string): number {
  const [a, b] = [instantOf(departs), instantOf(other)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b);
  return departs === other ? 0 : DAY_MS;
}

export interface SeatPlace {
  readonly seat: string;
  /** If the airline names one. */
  readonly coach?: string;
}

/** `012A` and `12a` are one seat. A coach that is not named matches any. */
export function sameSeat(a: SeatPlace | undefined, b: SeatPlace): boolean {
  if (a === undefined || withoutZeros(a.seat) !== withoutZeros(b.seat)) return false;
  return a.coach === undefined || b.coach === undefined || withoutZeros(a.coach) === withoutZeros(b.coach);
}

/** A seat as a kept reading has it: `4/12A`. */
export function seatPlace(text: string): SeatPlace {
  const [seat = '', coach] = text.split('/').toReversed();
  return { seat, coach };
}

const withoutZeros = (code: string): string => code.trim().toUpperCase().replace(/^0+/, '');
