/** Writes places, trains, people, money and times in words. */

import { own } from '../../../core/own.ts';
import { showDay, showLocal } from '../../../core/times.ts';
import type { ViewFacts } from '../ui.ts';
import { joinPresent } from './dom.ts';

/** `train` or `flight`; empty until it is known. */
let vehicle = '';
/** Names of places, by their codes. */
const names = new Map<string, string>();

/** Keeps what kind of vehicle it is and the names of places, for all that is drawn later. */
export function keepViewFacts(facts: Partial<ViewFacts> = {}): void {
  vehicle = facts.vehicle ?? vehicle;
  for (const [code, name] of Object.entries(facts.places ?? {})) names.set(code, name);
}

/** The name of a place; its code if the name is not known. */
export const placeName = (code: string): string => names.get(code) ?? code;

/** `Makkah to Madinah`. */
export const routeText = (from: string, to: string): string => `${placeName(from)} to ${placeName(to)}`;

/** `train`, `flight`, or a neutral word if neither is known. */
export const vehicleWord = (): string => vehicle || 'trip';
/** `train HHR101`: a number with the kind of vehicle, where that is known. */
export const withVehicle = (number: string): string => joinPresent([vehicle, number], ' ');

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const TYPES: Readonly<Record<string, string>> = { ADT: 'adult', CHD: 'child', INF: 'infant' };
export const passengerType = (type: string): string => own(TYPES, type) ?? type;

/** `1 child`, `2 adults`. */
export function countText(n: number, noun: string): string {
  const ending = noun === 'child' ? 'ren' : 's';
  return `${n} ${noun}${n === 1 ? '' : ending}`;
}

const CLASSES: Readonly<Record<string, string>> = { Y: 'economy', C: 'business' };
/** `economy` for `Y`; `class Q` for a code without a name. */
export const cabinName = (code: string): string => own(CLASSES, code) ?? (code ? `class ${code}` : '');

/** `1,234.50`: groups the digits before the point. */
export const grouped = (amount: string) =>
  amount.replace(/\d+(?=\.|$)/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));

/** `SAR 1,234.50`. An amount that names its own currency keeps it. */
export const moneyText = (currency: string, amount: string): string =>
  /^[\d-]/.test(amount) ? `${currency} ${grouped(amount)}` : grouped(amount);

/** `12:20` of an ISO time, by its own offset. */
export const clockTime = (text: string): string => text.slice(11, 16);

/** `20:00 – 22:05`, with the day of an arrival on another day. */
export function timeSpan(departs: string, arrives: string): string {
  const later = departs.slice(0, 10) === arrives.slice(0, 10) ? '' : ` ${showDay(arrives)}`;
  return `${clockTime(departs)} – ${clockTime(arrives)}${later}`;
}

/** A UTC time limit as the local time at a departure: `Mon 7 Dec 12:20`; else `Mon 7 Dec 09:20 (UTC)`. */
export function timeLimit(text: string, departure = 'Z'): string {
  const offset = departure.endsWith('Z') ? 'Z' : departure.slice(-6);
  // Milliseconds by which the clocks there are ahead of UTC.
  const ahead = Date.parse('1970-01-01T00:00Z') - Date.parse(`1970-01-01T00:00${offset}`);
  const at = Date.parse(text) + ahead;
  if (Number.isNaN(at)) return text;
  const local = showLocal(new Date(at).toISOString().slice(0, 19) + offset);
  return offset === 'Z' ? local : local.slice(0, local.indexOf(' ('));
}

/** `2 h 5 min`. */
export const durationText = (minutes: number): string =>
  joinPresent([minutes > 59 && `${Math.floor(minutes / 60)} h`, minutes % 60 && `${minutes % 60} min`], ' ');
