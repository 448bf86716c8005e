/** Names that a repeated create gives and the earlier booking does not show: documents, not names, found the booking. */
import type { Booking } from '../../domain/booking/booking.ts';
import { airlineName, GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import { namesSent, namesShown } from '../../domain/people/name-keys.ts';
import { fullName, type PersonName } from '../../domain/people/traveler.ts';
import { quoted } from '../../domain/time-and-text/clean-text.ts';
import type { PassengerInput } from '../definition/input-fields.ts';

/** Undefined if the booking shows every given name, or no names at all. */
export function otherNamesNote(passengers: readonly PassengerInput[], booking: Booking): string | undefined {
  const shown = new Set(namesShown(booking.travelers));
  if (shown.size === 0) return undefined;
  const missing = passengers.map(sentName).filter((name) => {
    const keys = namesSent([{ name }]);
    return keys.length > 0 && !keys.some((key) => shown.has(key));
  });
  if (missing.length === 0) return undefined;
  const names = missing.slice(0, 3).map((name) => quoted(fullName(name), 70));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  return `The same documents are booked under another name than ${names.join(', ')}${more}. To correct the name: change_names.`;
}

function sentName({ given_name, middle_name, surname }: PassengerInput): PersonName {
  const list = (text: string | undefined) => (text === undefined ? [] : [asSent(text, GIVEN_NAME)]);
  const empty = { prefix: [], suffix: [], title: [] };
  return { ...empty, given: list(given_name), middle: list(middle_name), surname: asSent(surname, SURNAME) };
}

function asSent(text: string, bounds: NameBounds): string {
  const result = airlineName(text, bounds);
  return result.ok ? result.name : text;
}
