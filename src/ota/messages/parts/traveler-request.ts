/**
 * Travellers as requests carry them: strict, with the documented fields alone (interface.md, traveler).
 */
import * as z from 'zod';
import type { Contact, Traveler } from '../../../domain/traveler.ts';
import { inputError } from '../../../errors.ts';
import { pointer } from './segment-request.ts';
import { CONTACT, writeContact, writeTraveler } from './traveler.ts';

const words = z.array(z.string()).optional();

const person = {
  telephone: z
    .array(z.strictObject({ countryAccessCode: z.string().optional(), phoneNumber: z.string().optional() }))
    .optional(),
  email: z.array(z.strictObject({ value: z.string().min(1), defaultInd: z.boolean().optional() })).optional(),
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
  custLoyalty: z.array(z.unknown()).optional(),
  socialMediaInfo: z.array(z.unknown()).optional(),
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

/**
 * A traveller of a booking that exists, as its read reply gave it: what identifies it is checked, and whatever the
 * airline said of it may stand beside that. A group's passenger may have no name yet.
 */
export const copiedTraveler = z.union([
  z.looseObject({ passengerTypeCode: z.literal(CONTACT) }),
  z.looseObject({ travelerRefNumber: z.looseObject({ rph: pointer }), passengerTypeCode: z.string().min(1) }),
]);

/** The contact for a request. Throws E_INPUT without a name. */
export function requestContact(contact: Contact): z.input<typeof contactTraveler> {
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  return writeContact(contact) as z.input<typeof contactTraveler>;
}

/** A named passenger for a request; the schema refuses what the airline would. Throws E_INPUT without a name. */
export function requestTraveler(traveler: Traveler): z.input<typeof namedTraveler> {
  if (traveler.name === undefined) throw inputError('passengers', `passenger ${traveler.ref} has no name.`);
  return writeTraveler(traveler) as z.input<typeof namedTraveler>;
}
