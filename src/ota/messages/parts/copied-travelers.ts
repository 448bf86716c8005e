/** Copies travellers of a reading, with unknown fields, into a request (docs/wire/notes.md, Shapes sent). */

import { inputError } from '../../../core/errors.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Phone, Traveler } from '../../../domain/people/traveler.ts';
import { isObject } from '../../transport/json.ts';
import { record, records, type Wire } from './reader.ts';
import { isContact, pointerOf, readTraveler } from './traveler.ts';
import { requestTraveler } from './traveler-request.ts';

export function allTravelers(reservation: Wire): readonly Wire[] {
  const info = reservation.travelerInfo;
  return records(isObject(info) ? info.airTraveler : info);
}

/** The passenger with this pointer, as the airline sent it. Throws E_INPUT if there is none. */
export function copiedPassenger(reservation: Wire, ref: string): Wire {
  const found = allTravelers(reservation)
    .filter((wire) => !isContact(wire))
    .find((wire, place) => (pointerOf(wire) ?? String(place + 1)) === ref);
  if (found === undefined) throw inputError('passenger_refs', `the booking has no passenger ${ref}.`);
  return found;
}

/** A passenger with new details. Name, document, e-mail and gender replace the old ones; telephones are added. */
export function changedPassenger(reservation: Wire, traveler: Traveler): Wire {
  const copied = copiedPassenger(reservation, traveler.ref);
  const was = readTraveler(copied, traveler.ref);
  const { personName, document, gender, email } = requestTraveler(traveler);
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const keptDocument = same([was.document, was.birthDate], [traveler.document, traveler.birthDate]);
  return omitUndefined({
    ...copied,
    personName: same(was.name, traveler.name) ? copied.personName : renamed(record(copied.personName), personName),
    document: keptDocument ? copied.document : document?.map((one) => ({ ...record(copied.document), ...one })),
    gender: gender ?? copied.gender,
    email: same(was.emails, traveler.emails) ? copied.email : email,
    telephone: withNewPhones(copied, was, traveler),
  });
}

/** Lists of the old name that the new one lacks are sent empty. */
function renamed(copied: Wire, name: Wire): Wire {
  const emptied = Object.entries(copied).map(([part, value]) => [part, Array.isArray(value) ? [] : value]);
  return { ...Object.fromEntries(emptied), ...name };
}

/** OpenTravel phone technology type of an added telephone (docs/wire/notes.md, Changes). */
const ADDED = '5';

function withNewPhones(copied: Wire, was: Traveler, { phones }: Traveler): unknown {
  const digits = ({ countryCode = '', number = '' }: Phone) => `${countryCode}${number}`.replace(/\D/g, '');
  const known = was.phones.map(digits);
  const fresh = phones
    .filter((phone) => !known.includes(digits(phone)))
    .map(({ countryCode, number }) =>
      omitUndefined({ countryAccessCode: countryCode, phoneNumber: number, phoneTechType: ADDED }),
    );
  return fresh.length === 0 ? copied.telephone : [...records(copied.telephone), ...fresh];
}
