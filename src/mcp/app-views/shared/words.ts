/** Writes places, trains, money and times in words. */

import { withThousands } from '../../../core/money.ts';
import { own } from '../../../core/own.ts';
import { clockTime, showDay } from '../../../core/times.ts';
import { joined } from '../../../core/words.ts';

/** `train` or `flight`; empty until it is known. */
let vehicle = '';
/** Names of places, by their codes. */
let names: Readonly<Record<string, string>> = {};

/** Keeps what kind of vehicle it is, for all that is drawn later. */
export function keepVehicle(word = vehicle): void {
  vehicle = word;
}

export function keepPlaces(places: Readonly<Record<string, string>> = {}): void {
  names = places;
}

/** The name of a place; its code if the name is not known. */
export const placeName = (code: string): string => own(names, code) ?? code;

/** `Makkah to Madinah`. */
export const routeText = (from: string, to: string): string => `${placeName(from)} to ${placeName(to)}`;

/** `train`, `flight`, or a neutral word if neither is known. */
export const vehicleWord = (): string => vehicle || 'trip';
/** `train HHR101`: a number with the kind of vehicle, where that is known. */
export const withVehicle = (number: string): string => joined([vehicle, number], ' ');

const CLASSES: Readonly<Record<string, string>> = { Y: 'economy', C: 'business' };
/** `economy` for `Y`; `class Q` for a code without a name. */
export const cabinName = (code: string): string => own(CLASSES, code) ?? (code ? `class ${code}` : '');

/** `SAR 1,234.50`. An amount that names its own currency keeps it. */
export const moneyText = (currency: string, amount: string): string =>
  joined([/^[\d-]/.test(amount) && currency, withThousands(amount)], ' ');

/** `Thu 10 Dec 20:00`. */
export const dayAndTime = (time: string): string => `${showDay(time)} ${clockTime(time)}`;

/** `20:00 – 22:05`, with the day of an arrival on another day. */
export function timeSpan(departs: string, arrives: string): string {
  const isSameDay = departs.slice(0, 10) === arrives.slice(0, 10);
  return joined([clockTime(departs), '–', clockTime(arrives), !isSameDay && showDay(arrives)], ' ');
}

/** `2 h 5 min`. */
export const durationText = (minutes: number): string =>
  joined([minutes > 59 && `${Math.floor(minutes / 60)} h`, minutes % 60 && `${minutes % 60} min`], ' ');
