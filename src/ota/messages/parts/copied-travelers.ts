/**
 * Travellers copied from a reading into a request (docs/wire/notes.md, Shapes sent): the airline's own objects, unknown
 * fields too, with what changes laid over them.
 */
import type { Phone, Traveler } from '../../../domain/people/traveler.ts';
import { inputError } from '../../../errors.ts';
import { defined, isRecord, readPointer, record, records, type Wire } from './reader.ts';
import { isContact, readTraveler } from './traveler.ts';
import { requestTraveler } from './traveler-request.ts';

/** Every traveller of a reservation, the contact among them. */
export function allTravelers(reservation: Wire): readonly Wire[] {
  const info = reservation.travelerInfo;
  return records(isRecord(info) ? info.airTraveler : info);
}

function pointerOf(wire: Wire, place: number): string {
  return readPointer(record(wire.travelerRefNumber).rph) ?? readPointer(wire.travelerRefNumber) ?? String(place + 1);
}

/** The passenger with this pointer, as sent. Throws E_INPUT where there is none. */
export function copiedPassenger(reservation: Wire, ref: string): Wire {
  const found = allTravelers(reservation)
    .filter((wire) => !isContact(wire))
    .find((wire, place) => pointerOf(wire, place) === ref);
  if (found === undefined) throw inputError('passenger_refs', `the booking has no passenger ${ref}.`);
  return found;
}

/**
 * A passenger in the reading's full shape with the new details: name, document, e-mail and gender replace the old ones,
 * a new telephone stands beside them.
 */
export function changedPassenger(reservation: Wire, traveler: Traveler): Wire {
  const own = copiedPassenger(reservation, traveler.ref);
  const was = readTraveler(own, traveler.ref);
  const { personName, document, gender, email } = requestTraveler(traveler);
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const keptDocument = same([was.document, was.birthDate], [traveler.document, traveler.birthDate]);
  return defined({
    ...own,
    personName: same(was.name, traveler.name) ? own.personName : renamed(record(own.personName), personName),
    document: keptDocument ? own.document : document?.map((one) => ({ ...record(own.document), ...one })),
    gender: gender ?? own.gender,
    email: same(was.emails, traveler.emails) ? own.email : email,
    telephone: withNewPhones(own, was, traveler),
  });
}

/** A list of the old name that the new one does not have goes back empty. */
function renamed(own: Wire, name: Wire): Wire {
  const emptied = Object.entries(own).map(([part, value]) => [part, Array.isArray(value) ? [] : value]);
  return { ...Object.fromEntries(emptied), ...name };
}

/** OpenTravel phone technology type of a telephone that is added (docs/wire/notes.md, Changes). */
const ADDED = '5';

function withNewPhones(own: Wire, was: Traveler, { phones }: Traveler): unknown {
  const digits = ({ countryCode = '', number = '' }: Phone) => `${countryCode}${number}`.replace(/\D/g, '');
  const known = was.phones.map(digits);
  const fresh = phones
    .filter((phone) => !known.includes(digits(phone)))
    .map(({ countryCode, number }) =>
      defined({ countryAccessCode: countryCode, phoneNumber: number, phoneTechType: ADDED }),
    );
  return fresh.length === 0 ? own.telephone : [...records(own.telephone), ...fresh];
}
