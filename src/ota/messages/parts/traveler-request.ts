/** Travellers of requests: strict schemas of the fields that are sent (docs/wire/interface.md, Traveller). */
import * as z from 'zod';
import { inputError } from '../../../core/errors.ts';
import type { Contact, PersonName, Traveler } from '../../../domain/people/traveler.ts';
import type { PassengerCounts } from '../../../domain/pricing/fare-search.ts';
import { pointer } from './segment-request.ts';
import { CONTACT, writeContact, writeTraveler } from './traveler.ts';

const optional = z.string().optional();
const words = z.array(z.string()).optional();
const listOf = <S extends z.ZodRawShape>(item: S) => z.array(z.strictObject(item)).optional();

const person = {
  telephone: listOf({ countryAccessCode: optional, phoneNumber: optional }),
  email: listOf({ value: z.string().min(1) }),
  address: listOf({
    cityName: optional,
    countryName: z.strictObject({ code: optional, value: optional }).optional(),
  }),
  document: listOf({
    docID: optional,
    docType: optional,
    docHolderNationality: optional,
    expireDate: z.iso.date().optional(),
    birthDate: z.iso.date().optional(),
  }),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: listOf({ name: optional, value: optional }),
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

const travelerRefNumber = z.strictObject({ rph: pointer });

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

/** A passenger in a change: the reading may name no segment of a group's passenger. */
export const changedTraveler = namedTraveler.partial({ flightSegmentRPHs: true });

/** A traveller copied from a read reply, perhaps without a name. Other fields are allowed. */
export const copiedTraveler = z.union([
  z.looseObject({ passengerTypeCode: z.literal(CONTACT) }),
  z.looseObject({ travelerRefNumber: z.looseObject({ rph: pointer }), passengerTypeCode: z.string().min(1) }),
]);

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

/** Throws E_INPUT without a name. */
export function requestContact(contact: Contact): z.input<typeof contactTraveler> {
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  return writeContact({ ...contact, name: titledInPrefix(contact.name) }) as z.input<typeof contactTraveler>;
}

/** Throws E_INPUT without a name. */
export function requestTraveler(traveler: Traveler): z.input<typeof namedTraveler> {
  if (traveler.name === undefined) throw inputError('passengers', `passenger ${traveler.ref} has no name.`);
  const { flightSegmentRPHs, ...rest } = writeTraveler({ ...traveler, name: titledInPrefix(traveler.name) });
  const segments = traveler.segmentRefs.length === 0 ? {} : { flightSegmentRPHs };
  return { ...rest, ...segments } as z.input<typeof namedTraveler>;
}

/** Names for a group's passengers. Marks adults with an infant (docs/wire/notes.md, Travellers). */
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

/** The adult of each infant: the airline's choice, else the next adult without one. */
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

export const passengerTypeQuantity = z
  .array(z.strictObject({ code: z.enum(['ADT', 'CHD', 'INF']), quantity: z.int().min(0) }))
  .min(1)
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type is given twice');

/** A line for every type: a quantity of 0 is accepted (docs/wire/interface.md, Fare search). */
export function writeCounts(counts: PassengerCounts): z.output<typeof passengerTypeQuantity> {
  return [
    { code: 'ADT', quantity: counts.adults },
    { code: 'CHD', quantity: counts.children },
    { code: 'INF', quantity: counts.infants },
  ];
}
