/**
 * Travellers as requests carry them: strict, with the fields that are sent alone (docs/wire/interface.md, Traveller).
 */
import * as z from 'zod';
import type { Contact, PersonName, Traveler } from '../../../domain/people/traveler.ts';
import { inputError } from '../../../errors.ts';
import { pointer } from './segment-request.ts';
import { CONTACT, writeContact, writeTraveler } from './traveler.ts';

const words = z.array(z.string()).optional();

const person = {
  telephone: z
    .array(z.strictObject({ countryAccessCode: z.string().optional(), phoneNumber: z.string().optional() }))
    .optional(),
  email: z.array(z.strictObject({ value: z.string().min(1) })).optional(),
  address: z
    .array(
      z.strictObject({
        cityName: z.string().optional(),
        countryName: z.strictObject({ code: z.string().optional(), value: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  document: z
    .array(
      z.strictObject({
        docID: z.string().optional(),
        docType: z.string().optional(),
        docHolderNationality: z.string().optional(),
        expireDate: z.iso.date().optional(),
        birthDate: z.iso.date().optional(),
      }),
    )
    .optional(),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: z.array(z.strictObject({ name: z.string().optional(), value: z.string().optional() })).optional(),
  accompaniedByInfantInd: z.boolean().optional(),
};

const personName = z.strictObject({
  namePrefix: words,
  givenName: z.array(z.string().min(1)).min(1),
  middleName: words,
  surname: z.string().min(1),
  nameSuffix: words,
  nameTitle: words,
});

export const travelerRefNumber = z.strictObject({ rph: pointer });

/** The contact traveller. */
export const contactTraveler = z.strictObject({
  ...person,
  personName,
  travelerRefNumber: travelerRefNumber.optional(),
  passengerTypeCode: z.literal(CONTACT),
});

/** A passenger with a name, linked to its segments. */
export const namedTraveler = z.strictObject({
  ...person,
  personName,
  travelerRefNumber,
  flightSegmentRPHs: z.strictObject({ flightSegmentRPH: z.array(pointer).min(1) }),
  passengerTypeCode: z.enum(['ADT', 'CHD', 'INF']),
});

/** The same in a change: of a group's passenger the reading may name no segment. */
export const changedTraveler = namedTraveler.partial({ flightSegmentRPHs: true });

/**
 * A traveller of a booking that exists, as its read reply gave it: what identifies it is checked, and whatever the
 * airline said of it may stand beside that. A group's passenger may have no name yet.
 */
export const copiedTraveler = z.union([
  z.looseObject({ passengerTypeCode: z.literal(CONTACT) }),
  z.looseObject({ travelerRefNumber: z.looseObject({ rph: pointer }), passengerTypeCode: z.string().min(1) }),
]);

/**
 * A passenger as a change request names it in the reading's own shape: a name, its pointer and its type are checked, and
 * whatever the airline said may stand beside them.
 */
export const copiedNamed = z.looseObject({
  personName: z.looseObject({ givenName: z.array(z.string().min(1)).min(1), surname: z.string().min(1) }),
  travelerRefNumber: z.looseObject({ rph: pointer }),
  passengerTypeCode: z.string().min(1),
});

/** A title goes into `namePrefix[]`; `nameTitle[]` stays empty (docs/wire/notes.md, Travellers). */
function titledInPrefix(name: PersonName): PersonName {
  if (name.title.length === 0) return name;
  return { ...name, prefix: [...new Set([...name.prefix, ...name.title])], title: [] };
}

/** The contact for a request. Throws E_INPUT without a name. */
export function requestContact(contact: Contact): z.input<typeof contactTraveler> {
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  return writeContact({ ...contact, name: titledInPrefix(contact.name) }) as z.input<typeof contactTraveler>;
}

/** A named passenger for a request; the schema refuses what the airline would. Throws E_INPUT without a name. */
export function requestTraveler(traveler: Traveler): z.input<typeof namedTraveler> {
  if (traveler.name === undefined) throw inputError('passengers', `passenger ${traveler.ref} has no name.`);
  const { flightSegmentRPHs, ...rest } = writeTraveler({ ...traveler, name: titledInPrefix(traveler.name) });
  const segments = traveler.segmentRefs.length === 0 ? {} : { flightSegmentRPHs };
  return { ...rest, ...segments } as z.input<typeof namedTraveler>;
}

/** Passengers of a group who get their names: adults with an infant say so (docs/wire/notes.md, Travellers). */
export function requestGroupNames(
  travelers: readonly Traveler[],
  group: readonly Traveler[],
): z.input<typeof namedTraveler>[] {
  const attendants = attendantsOf(group);
  const taken = new Set(attendants.values());
  return travelers.map((traveler) => {
    const attendantRef = traveler.attendantRef ?? attendants.get(traveler.ref);
    const wire = requestTraveler(attendantRef === undefined ? traveler : { ...traveler, attendantRef });
    return taken.has(traveler.ref) ? { ...wire, accompaniedByInfantInd: true } : wire;
  });
}

/** The adult of each infant: as the airline says, else the next adult without one. */
function attendantsOf(group: readonly Traveler[]): ReadonlyMap<string, string> {
  const attendants = new Map<string, string>();
  for (const { ref, attendantRef } of group) if (attendantRef !== undefined) attendants.set(ref, attendantRef);
  const taken = new Set(attendants.values());
  const free = group.filter(({ ref, type }) => type === 'ADT' && !taken.has(ref));
  for (const { ref, type } of group) {
    const adult = type === 'INF' && !attendants.has(ref) ? free.shift() : undefined;
    if (adult !== undefined) attendants.set(ref, adult.ref);
  }
  return attendants;
}
